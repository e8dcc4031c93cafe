"""Creating a workspace and checking that it is complete.

A schema says which folders a workspace has, `plan` compares a workspace with it, `workspace` carries it out.
"""
