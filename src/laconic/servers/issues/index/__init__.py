"""What is known of every issue file without its text.

Each look compares file stamps with the disk and reads only what changed; lists, order and references are
answered from memory.
"""
