"""The YAML header of a markdown file: read with tolerance, edited line by line, merged field by field.

Start at `header`; `fences` splits a file, `merge` joins two versions, the `yaml_` modules know the syntax.
"""
