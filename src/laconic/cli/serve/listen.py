"""`laconic serve --http`: the address, the tokens, and one or more workers."""

from __future__ import annotations

import gc
import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from laconic.cli import logs
from laconic.cli.assemble import assemble
from laconic.cli.configuration import settings
from laconic.cli.configuration.values import Address
from laconic.cli.configuration.workspace import Places
from laconic.cli.serve import flags
from laconic.cli.serve.greeting import announce
from laconic.kit.errors import BadConfiguration
from laconic.kit.wire.http import PATH, http_app
from laconic.kit.wire.listening import serve_http
from laconic.kit.wire.tokens import Tokens

if TYPE_CHECKING:
    from laconic.cli.configuration.options import ServerOptions
    from laconic.kit.endpoint import Endpoint

__all__ = ["free", "listen", "worker_app"]

_ARGV: Final = "_LACONIC_ARGV"  # passes the flags to workers, which are new processes
_ANYWHERE: Final = ("0.0.0.0", "::")
_WATCH: Final = 0.5  # seconds between checks of the parent process
_GRACE: Final = 8.0  # seconds for calls to finish; `docker stop` kills after ten
_LIBRARY: Final = frozenset({"prompts", "notes"})  # the toolsets whose items REST serves
_OWNER: Final = "owner"  # the subject of LACONIC_TOKEN


def listen(options: ServerOptions, argv: Sequence[str]) -> int:
    """Serve over HTTP until a signal arrives.

    Raises:
        BadConfiguration: the address is in use, or serving there would be unsafe or fail.
    """
    address = free(options.http or Address("127.0.0.1", 0))
    options = replace(options, http=address)
    _check(options)
    endpoint = assemble(options)
    app = _app(endpoint, options)  # also with workers: errors are reported once, here
    ready = partial(announce, endpoint.listing, options, _resource(options))
    if options.workers == 1:
        serve_http(app, *address, ready=ready)
    else:
        os.environ[_ARGV] = json.dumps([*argv, "--http", str(address)])
        serve_http(f"{__name__}:worker_app", *address, workers=options.workers, ready=ready)
    return 0


def worker_app() -> Any:  # only the wire knows the type of an application
    """Build the application of one of several workers."""
    options = settings.read(flags.parse(json.loads(os.environ[_ARGV])), os.environ)
    logs.set_up(options)
    gc.disable()  # as in the first process
    threading.Thread(target=_exit_with, args=(os.getppid(),), daemon=True).start()
    return _app(assemble(options), options)


def _exit_with(parent: int) -> None:
    """Exit when the parent process is gone: if it was killed, it could not stop its workers."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)


def free(address: Address) -> Address:
    """Return the address if it is free; port 0 becomes a free port.

    Raises:
        BadConfiguration: the address is in use, or not on this machine.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself does
            probe.bind(address)
            return Address(address.host, probe.getsockname()[1])
    except OSError as error:
        raise BadConfiguration(
            f"Cannot listen on {address}: {error.strerror}.",
            advice="Choose another port, or stop the program that uses it.",
        ) from None


def _check(options: ServerOptions) -> None:
    assert options.http is not None
    if options.http.host in _ANYWHERE and options.public_url is None:
        raise BadConfiguration(
            f"Listening on {options.http.host} needs the address that clients use.",
            advice="Pass --public-url, such as https://mcp.example.org, and set LACONIC_TOKEN.",
        )
    if options.workers > 1 and not Places.of(options).is_lasting:
        raise BadConfiguration(
            f"{options.workers} workers cannot share memory: as their state.",
            advice="Use a folder, sqlite:PATH or redis://HOST, or one worker.",
        )


def _app(endpoint: Endpoint, options: ServerOptions) -> Any:
    assert options.http is not None
    host, port = options.http
    tokens = _tokens(options)
    beside = _beside(endpoint, tokens, options.public_url)
    return http_app(
        endpoint,
        host=host,
        port=port,
        public_url=options.public_url,
        sites=options.sites,
        tokens=beside.pop("tokens", tokens),
        sessions=options.workers == 1,
        grace=_GRACE if options.grace is None else options.grace,
        opened=_settle,
        wire="sdk" if options.wire == "sdk" else "lean",
        **beside,
    )


def _beside(endpoint: Endpoint, tokens: Tokens | None, public_url: str | None) -> dict[str, Any]:
    """Return what is served beside the tools: the library over REST, if it is served at all.

    Where tokens are needed, those are accepted too that people made.
    """
    if not _LIBRARY & set(endpoint.listing.toolsets):
        return {}
    from laconic.web.app import door, layers, routes  # imports FastAPI
    from laconic.web.opened import OpenLibrary

    opened = OpenLibrary(endpoint)
    made = {} if tokens is None else {"tokens": replace(tokens, also=[opened.tokens])}
    return {"beside": routes(opened), "door": door(public_url), "layers": layers(opened), **made}


def _settle() -> None:
    """Let the garbage collector look only at what comes from now on: to look at everything takes 70 ms."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _resource(options: ServerOptions) -> str:
    """Return the address that clients use; tokens are issued for it."""
    base = options.public_url or f"http://{options.http}"
    return base if base.endswith(PATH) else f"{base}{PATH}"


def _tokens(options: ServerOptions) -> Tokens | None:
    static = dict(options.tokens) | ({_OWNER: options.token} if options.token else {})
    if bool(options.jwt_key) != bool(options.jwt_issuer):
        raise BadConfiguration("Signed tokens need both http.jwt.issuer and http.jwt.key.", advice="")
    if not static and not options.jwt_key:
        return None
    return Tokens(
        resource=_resource(options),
        static=static,
        read_only=options.readers,
        issuer=options.jwt_issuer,
        key=options.jwt_key,
    )
