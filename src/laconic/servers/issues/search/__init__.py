"""Full-text search over issues: every match is found, best first.

A search reads the files themselves as long as their texts are not kept. Between calls the texts are folded
and kept in segments, which are searched in a fraction of the time.
"""
