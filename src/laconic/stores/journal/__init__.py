"""A journal: short records appended by many processes to files of bounded size, and read as they come."""
