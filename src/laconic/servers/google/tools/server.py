"""The server itself: its accounts and APIs."""

from laconic.servers.google.service import Google
from laconic.servers.google.tools.toolset import google


@google.read(name="server_getInfo")
async def server_get_info(google: Google) -> str:
    """Show which Google accounts and APIs are served."""
    accounts = google.accounts().values()
    lines = [f"{one.alias}{' ' + one.email if one.email else ''} ({one.kind})" for one in accounts]
    return f"APIs: {', '.join(google.settings.services)}. Accounts: {', '.join(lines) or 'none'}."
