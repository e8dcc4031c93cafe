"""The model of a document: runs in blocks in segments, how it is shown, and how it is converted."""
