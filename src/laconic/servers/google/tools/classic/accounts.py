"""Classic tools about the account of a call."""

from laconic.servers.google.api.access import Access
from laconic.servers.google.service import Google
from laconic.servers.google.service.signed_in import forget_tokens, scopes_of
from laconic.servers.google.tools.toolset import CLASSIC, google


@google.read(name="auth_listScopes", tags=[CLASSIC])
async def auth_list_scopes(google: Google, access: Access) -> str:
    """List what the account has allowed."""
    found = ", ".join(await scopes_of(google, access)) or "Google did not say"
    return f"{access.alias}: {found}"


@google.delete(name="auth_clearTokens", tags=[CLASSIC])
async def auth_clear_tokens(google: Google, access: Access) -> str:
    """Forget the account's tokens; whoever signed in must do so again."""
    return await forget_tokens(google, access.alias)
