"""From a signature to checked arguments.

`schema` builds the model and the lean JSON schema, `tidy` accepts what a caller clearly meant, and `problems`
explains what is wrong.
"""
