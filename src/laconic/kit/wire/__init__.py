"""The wire: transports and the protocol, the only code that knows the MCP SDK.

`methods` answers requests as plain data; `server` puts an endpoint behind the SDK's server, and `lean` serves
stdio without the SDK.
"""
