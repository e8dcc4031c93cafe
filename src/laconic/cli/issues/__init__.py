"""`laconic issues`: the issues of a workspace for people, in the terminal; one file a command."""
