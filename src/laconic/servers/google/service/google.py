"""Google: what tools ask for: the account of a call, opened once."""

from __future__ import annotations

from dataclasses import dataclass, field

from laconic.kit import Home
from laconic.servers.google.accounts.known import LOCAL, KnownAccount, accounts_of, chosen_account
from laconic.servers.google.api.access import Access
from laconic.servers.google.service.opening import Opened, open_account
from laconic.servers.google.settings import GoogleSettings


@dataclass
class Google:
    """The accounts of one caller."""

    settings: GoogleSettings
    home: Home
    _open: dict[KnownAccount, Opened] = field(default_factory=dict)

    def accounts(self) -> dict[str, KnownAccount]:
        """Return the accounts that the caller may use; a login while the server runs counts, too."""
        return accounts_of(self.settings, self.home)

    def access(self, alias: str | None) -> Access:
        """Return the APIs as the account that a call names, or the default one.

        Raises:
            Failure: there is no such account, or none.
        """
        caller = self.home.caller.name if self.home.caller else LOCAL
        account = chosen_account(self.accounts(), alias, self.settings.account, caller)
        if account not in self._open:
            self._open[account] = open_account(account, self.settings, self.home)
        return self._open[account].access

    async def close(self) -> None:
        """Close the connections of all accounts."""
        for one in self._open.values():
            await one.close()
