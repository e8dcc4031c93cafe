"""From a signature to checked arguments.

`schema` builds the model and the lean JSON schema; `tidy` accepts what a model meant, and `problems` explains
what it got wrong.
"""
