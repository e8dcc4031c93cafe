"""Creating a workspace and checking that it is complete.

`plan` lists the folders and settings a workspace needs; `workspace` carries the plan out.
"""
