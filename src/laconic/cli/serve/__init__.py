"""`laconic serve`: serve toolsets over stdio or HTTP.

No module here imports a CLI library, because hosts start this command and wait for it.
"""
