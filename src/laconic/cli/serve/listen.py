"""`laconic serve --http`: the address, the tokens, and one worker or several."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from laconic.cli import logs
from laconic.cli.assemble import assemble
from laconic.cli.configuration import settings
from laconic.cli.configuration.values import Address
from laconic.cli.configuration.workspace import Places
from laconic.cli.serve import flags
from laconic.cli.serve.greeting import greet
from laconic.kit.errors import BadConfiguration
from laconic.kit.wire.http import PATH, http_app, serve
from laconic.kit.wire.tokens import Tokens

if TYPE_CHECKING:
    from laconic.cli.configuration.options import Options
    from laconic.kit.endpoint import Endpoint

__all__ = ["free", "listen", "worker_app"]

_ARGV: Final = "_LACONIC_ARGV"  # how workers, which are started anew, learn the flags
_ANYWHERE: Final = ("0.0.0.0", "::")
_WATCH: Final = 0.5  # seconds between looks at the parent
_OWNER: Final = "owner"  # the subject of LACONIC_TOKEN


def listen(options: Options, argv: Sequence[str]) -> int:
    """Serve over HTTP until a signal comes.

    Raises:
        BadConfiguration: the address is taken, or serving there would not be safe or not work.
    """
    address = free(options.http or Address("127.0.0.1", 0))
    options = replace(options, http=address)
    _check(options)
    endpoint = assemble(options)
    app = _app(endpoint, options)  # also for workers: what is wrong is said once, here
    greet(endpoint.listing, options, _resource(options))
    if options.workers == 1:
        serve(app, *address)
    else:
        os.environ[_ARGV] = json.dumps([*argv, "--http", str(address)])
        serve(f"{__name__}:worker_app", *address, workers=options.workers)
    return 0


def worker_app() -> Any:  # what an application is made of is the wire's business
    """Make the application of one worker among several."""
    options = settings.read(flags.parse(json.loads(os.environ[_ARGV])), os.environ)
    logs.set_up(options)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return _app(assemble(options), options)


def _end_with(parent: int) -> None:
    """End this worker when the process that started it is gone: killed, it could not say so."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(1)


def free(address: Address) -> Address:
    """The address itself when nobody listens there; a port of 0 becomes one that is free.

    Raises:
        BadConfiguration: it is taken, or not an address of this machine.
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
            advice="Choose another port, or end what listens there.",
        ) from None


def _check(options: Options) -> None:
    assert options.http is not None
    if options.http.host in _ANYWHERE and options.public_url is None:
        raise BadConfiguration(
            f"Listening on {options.http.host} needs the address that clients use.",
            advice="Pass --public-url, such as https://mcp.example.org, and set LACONIC_TOKEN.",
        )
    if options.workers > 1 and not Places.of(options).is_lasting:
        raise BadConfiguration(
            f"{options.workers} workers cannot share a state of memory:.",
            advice="Use a folder, sqlite:PATH or redis://HOST, or one worker.",
        )


def _app(endpoint: Endpoint, options: Options) -> Any:
    assert options.http is not None
    host, port = options.http
    return http_app(
        endpoint,
        host=host,
        port=port,
        public_url=options.public_url,
        tokens=_tokens(options),
        sessions=options.workers == 1,
    )


def _resource(options: Options) -> str:
    """The address of the endpoint, as clients use it; tokens are made for it."""
    base = options.public_url or f"http://{options.http}"
    return base if base.endswith(PATH) else f"{base}{PATH}"


def _tokens(options: Options) -> Tokens | None:
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
