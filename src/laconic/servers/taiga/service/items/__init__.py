"""Work items: find, read, create, change and delete them, and what Taiga's refusals of that mean."""
