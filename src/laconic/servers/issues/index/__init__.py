"""Metadata of every issue file, without its text.

Each scan compares file stamps with the disk and reads only files that changed; lists, order and references
are answered from memory.
"""
