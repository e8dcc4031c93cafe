"""From what a tool returned to the answer a caller gets.

`presenter` fits images and pages and seals cursors, `forms` writes text and structured content, `schemas`
describes structured content.
"""
