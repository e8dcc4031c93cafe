"""The site: accounts, files and their contents."""
