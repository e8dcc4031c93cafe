"""The taiga server: projects, epics, user stories, tasks and issues of a Taiga instance."""
