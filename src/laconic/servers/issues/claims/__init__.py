"""Claims: who holds which issue, in all work trees of a clone.

`claims` decides who gets an issue, `claims_file` keeps that in the folder that all work trees share, and
`siblings` looks at the same issues in the other work trees.
"""
