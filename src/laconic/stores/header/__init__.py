"""The YAML header above a markdown text: read with tolerance, edited line by line, merged field by field.

`header` is the face; `fences` splits a file, `merge` joins two versions, the `yaml_` modules know the syntax.
"""
