"""Converting: text of other types to documents, and documents to text."""
