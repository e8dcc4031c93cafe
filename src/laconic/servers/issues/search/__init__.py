"""Full-text search over issues.

Texts are folded and kept on disk in segments with an index of their words; a query returns every match,
best first.
"""
