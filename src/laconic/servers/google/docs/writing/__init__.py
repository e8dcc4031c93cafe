"""Changes to a document: blocks as requests, edits by text and heading, and batches with a guard."""
