"""Routes: the operations of the API, by subject."""
