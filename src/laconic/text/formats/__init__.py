"""The formats of a text (JSON, tables, markdown, prose): where its values, rows, headings and sentences are.

`kinds` decides which format a text has.
"""
