"""The lean wire: stdio without the SDK, which would take most of the time of a start.

`opening` answers until the first call, then `serving` runs calls; `conversation` has the protocol and `pipes`
the I/O.
"""
