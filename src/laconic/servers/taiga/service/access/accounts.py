"""Accounts: which instance is used and as whom, from the settings or from a login, for one caller."""

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from pydantic import BaseModel, ValidationError

from laconic import upstream
from laconic.kit import BadConfiguration, Home, Refused
from laconic.servers.taiga.api.account import credential_of
from laconic.servers.taiga.settings import TaigaSettings
from laconic.stores import SharedFile
from laconic.upstream import BadAddress, Credential, KeptCredential, credential_name

_NO_ADDRESS: Final = (
    "Run 'laconic taiga login', or set LACONIC_TAIGA_URL, or url under [taiga] in your own config.toml. "
    "Try it without an account: --sandbox."
)
_SUCH: Final = "Give one such as https://taiga.example.org."
_LOCAL: Final = "local"  # the caller on this machine
PRACTICE: Final = "https://taiga.sandbox/api/v1"


class Login(BaseModel):
    """Where somebody signed in with `laconic taiga login`, and as whom."""

    root: str
    name: str


@dataclass(frozen=True)
class UsedAccount:
    """An account of an instance, what is known to sign in with, and whose credentials it uses."""

    root: str
    name: str  # of its credential: the user's name, or a name made for a token
    home: Home = field(repr=False)
    username: str = ""
    password: str = field(default="", repr=False)
    given: Credential | None = field(default=None, repr=False)

    @property
    def host(self) -> str:
        """The host, for messages."""
        return self.root.partition("://")[2].partition("/")[0]

    @property
    def credential(self) -> KeptCredential:
        """Where its credential is kept, bound to its host."""
        return self.home.credential(self.root, self.name)

    def beside(self, what: str) -> SharedFile:
        """Return another small file about this account."""
        return SharedFile(self.home.credentials / f"{what}-{credential_name(self.root, self.name)}")


def root_of(url: str) -> str:
    """Return the root of the API of an address that people write.

    Raises:
        BadConfiguration: there is no address, or it is none.
    """
    address = url.strip()
    if not address:
        raise BadConfiguration("No Taiga address is set.", advice=_NO_ADDRESS)
    if "://" not in address:
        address = f"https://{address}"
    address = address.rstrip("/")
    try:
        return upstream.root_of(address if address.endswith("/api/v1") else f"{address}/api/v1")
    except BadAddress as error:  # which may contain a password, and is not repeated
        raise BadConfiguration(f"The address of Taiga is not valid. {error}", advice=_SUCH) from None


def is_exposed(root: str) -> bool:
    """True if others on the way can read what is sent: it is not encrypted, and leaves this machine."""
    host = root.partition("://")[2].partition("/")[0]
    name = host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    return root.startswith("http://") and name not in ("127.0.0.1", "localhost", "[::1]")


def login_file(home: Home) -> SharedFile:
    """Return the file that says where the user, or one caller, signed in last."""
    return SharedFile(home.credentials / "login.json")


def login_of(home: Home) -> Login | None:
    """Return where the user, or one caller, signed in last."""
    try:
        return Login.model_validate_json(login_file(home).read())
    except ValidationError:  # nobody did, or it was damaged
        return None


def used_account(settings: TaigaSettings, home: Home) -> UsedAccount:
    """Return the account for a caller: its own login, or else the one that the server has.

    Raises:
        BadConfiguration: no address is known.
        Refused: the server's account is another caller's.
    """
    if home.sandbox is not None:
        username, password = home.sandbox.account
        return UsedAccount(PRACTICE, username, home, username, password)
    is_other = home.caller is not None and home.caller.name != _LOCAL
    own = login_of(home) if is_other else None
    if own is not None:
        return UsedAccount(own.root, own.name, home)
    account = _of_server(settings, replace(home, caller=None))
    if is_other and home.caller is not None and not settings.shared:
        _claim(account, home.caller.name)
    return account


def _of_server(settings: TaigaSettings, home: Home) -> UsedAccount:
    login = login_of(home)
    root = root_of(settings.url or (login.root if login else ""))
    token, refresh = settings.token.get_secret_value(), settings.refresh.get_secret_value()
    if token or refresh:
        name = f"token-{sha256(f'{token} {refresh}'.encode()).hexdigest()[:12]}"
        return UsedAccount(root, name, home, given=credential_of(token, refresh))
    if settings.username:
        password = settings.password.get_secret_value()
        return UsedAccount(root, settings.username, home, settings.username, password)
    return UsedAccount(root, login.name if login and login.root == root else "", home)


def _claim(account: UsedAccount, caller: str) -> None:
    """Let the first caller have an account; a person may have signed in for that one alone."""
    file = account.beside("caller")
    with file.lock():
        owner = file.read().decode()
        if not owner:
            file.write(caller.encode())
        elif owner != caller:
            raise Refused(
                "This server has one Taiga account, and another caller uses it.",
                advice="A person can give you one of your own: "
                f"'laconic taiga login --caller \"{caller}\"'. Or let all share it: shared = true.",
            )
