"""Google: the accounts of a caller, and what can be done with them."""

from laconic.servers.google.service.google import Google

__all__ = ["Google"]
