"""The issues server: issues, specifications, ideas and agent sessions as files in the user's repository."""
