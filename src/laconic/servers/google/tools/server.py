"""The server itself: its accounts and APIs."""

from laconic import __version__
from laconic.servers.google.service import Google
from laconic.servers.google.tools.toolset import SHARED, google


@google.read(name="server_getInfo", tags=[SHARED])
async def server_get_info(google: Google, include_uptime: bool = False) -> str:
    """Show which Google accounts and APIs are served."""
    accounts = google.accounts().values()
    lines = [f"{one.alias}{' ' + one.email if one.email else ''} ({one.kind})" for one in accounts]
    apis = ", ".join(google.settings.services)
    since = f" Open for {google.uptime:.0f} seconds." if include_uptime else ""
    return f"Laconic {__version__}. APIs: {apis}. Accounts: {', '.join(lines) or 'none'}.{since}"
