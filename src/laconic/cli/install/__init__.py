"""`laconic install HOST`: writes a host's MCP configuration, and takes it back.

`installer` decides, `hosts` knows each application, `plans` and `undo` change its file and keep a way back.
"""
