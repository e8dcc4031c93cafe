"""Finding what is wrong in a workspace.

Each module finds one kind of problem; the doctor collects the findings and repairs them.
"""
