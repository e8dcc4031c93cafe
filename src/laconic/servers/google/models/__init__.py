"""What callers see of files, permissions, comments and spreadsheets."""
