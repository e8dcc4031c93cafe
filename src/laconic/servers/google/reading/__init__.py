"""Reading: documents and files of any length, first what they are, then the parts that are wanted."""
