"""Around work items: comments, history, sprints, epic links, batches, and everything of one person."""
