"""The example server: memos, one markdown file each."""
