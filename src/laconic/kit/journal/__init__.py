"""The journal of calls, and the change notices that processes pass to each other through it."""
