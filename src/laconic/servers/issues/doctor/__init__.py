"""Finding what is wrong in a workspace.

Each module looks for one kind of problem and returns findings; the doctor collects and repairs them.
"""
