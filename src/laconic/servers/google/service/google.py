"""Google: what tools ask for: the account of a call, opened once."""

from __future__ import annotations

from dataclasses import dataclass, field

from laconic.kit import Home, time_left
from laconic.servers.google.accounts.known import LOCAL, KnownAccount, accounts_of, chosen_account
from laconic.servers.google.api.access import Access
from laconic.servers.google.service.opening import Opened, open_account, settings_for
from laconic.servers.google.settings import GoogleSettings
from laconic.upstream import ApiSession, Policy


@dataclass
class Google:
    """The accounts of one caller."""

    settings: GoogleSettings
    home: Home
    opened: float = field(default=0.0, init=False)
    _open: dict[KnownAccount, Opened] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note when it was opened."""
        self.opened = self.home.now()

    def accounts(self) -> dict[str, KnownAccount]:
        """Return the accounts that the caller may use; a login while the server runs counts, too."""
        return accounts_of(self.settings, self.home)

    def access(self, alias: str | None) -> Access:
        """Return the APIs as the account that a call names, or the default one.

        Raises:
            Failure: there is no such account, or none.
        """
        account = self.account(alias)
        if account not in self._open:
            self._open[account] = open_account(account, self.settings, self.home)
        return self._open[account].access

    def account(self, alias: str | None) -> KnownAccount:
        """Return the account that a call names, or the default one.

        Raises:
            Failure: there is no such account, or none.
        """
        caller = self.home.caller.name if self.home.caller else LOCAL
        return chosen_account(self.accounts(), alias, self.settings.account, caller)

    def root_of(self, api: str) -> str:
        """Return where an API is."""
        return settings_for(self.settings, self.home).root_of(api)

    def unsigned(self, root: str) -> ApiSession:
        """Return a session that shows nobody's token, for what Google puts at an address of its own."""
        policy = Policy(timeout=self.settings.timeout, time_left=time_left)
        return ApiSession(root, policy=policy, app=self.home.sandbox)

    async def forget(self, account: KnownAccount) -> None:
        """Close the connections of an account, which hold its token."""
        opened = self._open.pop(account, None)
        if opened is not None:
            await opened.close()

    @property
    def uptime(self) -> float:
        """Seconds since it was opened."""
        return self.home.now() - self.opened

    async def close(self) -> None:
        """Close the connections of all accounts."""
        for one in self._open.values():
            await one.close()
