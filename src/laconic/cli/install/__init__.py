"""`laconic install HOST`: write a host's MCP configuration, or undo it.

`hosts` describes each application, `plans` computes a change, `records` remembers what undo needs, `changes`
applies and undoes a plan, and `installer` reports what happened.
"""
