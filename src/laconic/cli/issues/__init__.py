"""`laconic issues`: the issues of a workspace, for people in a terminal; one module per command."""
