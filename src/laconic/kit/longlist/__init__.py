"""Long tool lists: find a tool in plain words, see its signature, call it.

`finder` ranks tools, `sketch` writes a signature in one line, `relaying` calls the chosen tool.
"""
