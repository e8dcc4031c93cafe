"""`laconic serve`: toolsets over stdio or HTTP.

Nothing here imports a CLI library: every start of a host passes through it.
"""
