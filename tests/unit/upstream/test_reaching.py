"""Pages of strangers: only what is on the public internet is asked, after DNS and at every redirect."""

import asyncio
import gzip
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from encodings.aliases import aliases
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from laconic.upstream import (
    Absent,
    BadAddress,
    BadReply,
    Reach,
    Throttled,
    Unreachable,
    UpstreamError,
)
from laconic.upstream.reaching import FetchedPage, is_public
from tests.unit.upstream.servers import Seen, answering, raw, reply

LOOPBACK = ip_address("127.0.0.1")
PAGE = b"<html><title>Hello</title>"


class Names:
    """A name server of the test: each look-up of a host gives the next of its answers."""

    def __init__(self, **hosts: Sequence[Sequence[str]]) -> None:
        self._left = {name.replace("_", "."): list(answers) for name, answers in hosts.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self._left:
            raise socket.gaierror(socket.EAI_NONAME, "no such host")
        answers = self._left[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


def reach(port: int, names: Names | None = None, **more: Any) -> Reach:
    """Return a reach for which the loopback address of a test server is public; nothing else changes."""
    names = names or Names(page_test=[["127.0.0.1"]])
    given: dict[str, Any] = {"seconds": 5.0, "ports": {port}} | more
    return Reach(resolve=names.resolve, allowed=lambda one: one == LOOPBACK or is_public(one), **given)


def html(content: bytes = PAGE, **headers: str) -> bytes:
    return reply(200, content=content, **{"content_type": "text/html", **headers})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.2.1",
        "198.18.0.1",
        "203.0.113.5",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "2001:db8::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
    ],
)
async def test_an_address_that_is_not_public_is_not_asked(address: str) -> None:
    assert not is_public(ip_address(address))
    names = Names(page_test=[[address]])
    with pytest.raises(BadAddress, match=r"page.test is not on the public internet") as caught:
        await Reach(resolve=names.resolve).fetch("http://page.test/")

    assert (caught.value.changed, caught.value.attempts) == (False, 0)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_an_ordinary_address_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "127.1",
        "[::1]",
        "[::ffff:7f00:1]",
        "0",
        "localhost.",
    ],
)
async def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises(UpstreamError) as caught:
        await Reach(seconds=5).fetch(f"http://{host}/")

    assert isinstance(caught.value, BadAddress | Unreachable)
    assert "public internet" in str(caught.value) or "no host" in str(caught.value)


async def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    names = Names(page_test=[["93.184.216.34", "10.0.0.1"]])
    with pytest.raises(BadAddress):
        await Reach(resolve=names.resolve).fetch("http://page.test/")


async def test_a_name_is_looked_up_once_and_the_address_that_was_checked_is_asked() -> None:
    names = Names(page_test=[["127.0.0.1"], ["10.0.0.1"]])  # the second answer would be the attack
    async with raw(answering(html())) as server:
        page = await reach(server.port, names).fetch(f"http://page.test:{server.port}/a?b=1#c")

    assert (page.content, page.media, page.is_cut) == (PAGE, "text/html", False)
    assert page.url == f"http://page.test:{server.port}/a?b=1"
    assert names.asked == ["page.test"]
    assert (server.seen[0].path, server.seen[0].headers["host"]) == ("/a?b=1", f"page.test:{server.port}")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("http://inside.test:{port}/", "not on the public internet"),
        ("http://10.0.0.1:{port}/", "not on the public internet"),
        ("//inside.test:{port}/x", "not on the public internet"),
        ("http://page.test:22/", "Port 22"),
        ("file:///etc/passwd", "must start with http"),
        ("http://user:pass@page.test:{port}/", "user name or a password"),
        ("http://[", "name a host"),
    ],
)
async def test_a_redirect_is_checked_as_the_first_address_was(target: str, words: str) -> None:
    names = Names(page_test=[["127.0.0.1"]], inside_test=[["10.0.0.1"]], **{"10_0_0_1": [["10.0.0.1"]]})

    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(302, content=b"", location=target.format(port=server.port)))

    async with raw(handler) as server:
        with pytest.raises(UpstreamError, match=words):
            await reach(server.port, names).fetch(f"http://page.test:{server.port}/")

    assert len(server.seen) == 1


async def test_a_name_that_turns_private_at_the_redirect_is_refused() -> None:
    names = Names(page_test=[["127.0.0.1"], ["10.0.0.1"]])
    async with raw(answering(reply(302, content=b"", location="/again"))) as server:
        with pytest.raises(BadAddress):
            await reach(server.port, names).fetch(f"http://page.test:{server.port}/")

    assert len(server.seen) == 1


async def test_redirects_are_followed_but_not_for_ever() -> None:
    answers = answering(reply(301, content=b"", location="/b"), reply(307, content=b"", location="c"), html())
    async with raw(answers) as server:
        page = await reach(server.port).fetch(f"http://page.test:{server.port}/a")
    assert (page.url, [one.path for one in server.seen]) == (
        f"http://page.test:{server.port}/c",
        ["/a", "/b", "/c"],
    )

    async with raw(answering(reply(302, content=b"", location="/"))) as server:
        with pytest.raises(BadReply, match="redirects too often"):
            await reach(server.port).fetch(f"http://page.test:{server.port}/")
    assert len(server.seen) == 6


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "not a valid address|must start"),
        ("page.test", "must start with http"),
        ("ftp://page.test/", "must start with http"),
        ("gopher://page.test/", "must start with http"),
        ("http://user@page.test/", "user name or a password"),
        ("http://user:pass@page.test/", "user name or a password"),
        ("http://93.184.216.34\\@page.test/", "valid|user name|no host"),
        ("http://page.test:22/", "Port 22"),
        ("http://page.test:6379/", "Port 6379"),
        ("http://page.test\r\nHost: x/", "not a valid address"),
    ],
)
async def test_what_is_no_address_of_a_page_is_refused(url: str, words: str) -> None:
    names = Names()
    with pytest.raises(UpstreamError, match=words):
        await Reach(resolve=names.resolve).fetch(url)


async def test_a_long_page_is_cut_and_a_packed_one_is_unpacked_no_further() -> None:
    bomb = gzip.compress(PAGE + b"0" * 50_000_000)
    for answer in (html(PAGE + b"0" * 900_000), html(bomb, content_encoding="gzip")):
        async with raw(answering(answer)) as server:
            page = await reach(server.port, most=1000).fetch(f"http://page.test:{server.port}/")
        assert (len(page.content), page.is_cut) == (1000, True)
        assert page.content.startswith(PAGE)


async def test_a_slow_page_is_given_up_redirects_included() -> None:
    async def slow(request: Seen, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.15)
        writer.write(reply(302, content=b"", location="/"))

    async with raw(slow) as server:
        with pytest.raises(Unreachable, match=r"within 0.2 s"):
            await reach(server.port, seconds=0.2).fetch(f"http://page.test:{server.port}/")


async def test_a_slow_name_server_counts_too() -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(Unreachable, match=r"within 0.05 s"):
        await Reach(resolve=never, seconds=0.05).fetch("http://page.test/")


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (reply(404), Absent, "status 404"),
        (reply(429, retry_after="9"), Throttled, "too many requests"),
        (reply(content=b"\x89PNG", content_type="image/png"), BadReply, "sent image/png, not a page"),
        (reply(body={}), BadReply, "sent application/json, not a page"),
        (b"HTTP/1.1 200 OK\r\n\r\n", BadReply, "sent something, not a page"),
        (b"garbage\r\n\r\n", BadReply, "not valid HTTP"),
    ],
)
async def test_what_is_no_page_is_an_error(answer: bytes, kind: type[UpstreamError], words: str) -> None:
    async def handler(request: Seen, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async with raw(handler) as server:
        with pytest.raises(kind, match=words) as caught:
            await reach(server.port).fetch(f"http://page.test:{server.port}/")

    assert f"page.test:{server.port}" in str(caught.value)
    assert caught.value.changed is False


async def test_a_host_without_an_address_is_unreachable() -> None:
    names = Names(empty_test=[[]])
    for host in ("nobody.test", "empty.test"):
        with pytest.raises(Unreachable, match=f"no host {host}"):
            await Reach(resolve=names.resolve).fetch(f"http://{host}/")


async def test_the_next_address_is_asked_if_one_does_not_answer() -> None:
    names = Names(page_test=[["127.0.0.2", "127.0.0.1"]])
    async with raw(answering(html())) as server:
        both = Reach(resolve=names.resolve, allowed=lambda one: True, ports={server.port})
        assert (await both.fetch(f"http://page.test:{server.port}/")).content == PAGE


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("text/html; charset=iso-8859-1", "<p>Grüße".encode("latin-1")),
        ("text/html", b'<meta charset="iso-8859-1"><p>Gr\xfc\xdfe'),
        ("text/html; charset=nonsense", "<p>Grüße".encode()),
        ("text/html", "<p>Grüße".encode()),
    ],
)
async def test_text_is_read_in_the_encoding_it_names(kind: str, content: bytes) -> None:
    async with raw(answering(html(content, content_type=kind))) as server:
        page = await reach(server.port).fetch(f"http://page.test:{server.port}/")

    assert page.text.endswith("<p>Grüße")


@pytest.mark.parametrize(
    "charset", sorted({*aliases.values(), "idna", "punycode", "undefined", "hex", "é", "a\0"})
)
def test_whatever_encoding_a_page_names_its_text_is_read(charset: str) -> None:
    assert isinstance(FetchedPage("u", "text/html", b"Gr\xff\xfc-\0~{x", False, charset).text, str)


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape", "utf-7", "rot13", "cp037"])
def test_what_is_no_encoding_of_web_pages_is_not_used(charset: str) -> None:
    page = FetchedPage("u", "text/html", b"a\\x41+AGE-b", False, charset)

    assert page.text == "a\\x41+AGE-b"


@pytest.mark.parametrize(
    "charset",
    ["UTF-8", "utf-16", "windows-1252", "latin1", "Shift_JIS", "gb18030", "Big5", "EUC-KR", "koi8-r"],
)
def test_the_encodings_of_web_pages_are_read_by_their_usual_names(charset: str) -> None:
    said = "Привет" if charset == "koi8-r" else "hello"

    assert FetchedPage("u", "text/html", said.encode(charset), False, charset).text == said


async def test_a_host_with_other_letters_is_asked_by_its_name_on_the_wire() -> None:
    names = Names(**{"xn--gre-6ka8l_test": [["127.0.0.1"]]})
    async with raw(answering(html())) as server:
        page = await reach(server.port, names).fetch(f"http://grüße.test:{server.port}/")

    assert page.content == PAGE
    assert server.seen[0].headers["host"] == f"{names.asked[0]}:{server.port}"


async def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with raw(answering(html())) as server, raw(answering(reply(500))) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.setenv("all_proxy", proxy.url)
        await reach(server.port).fetch(f"http://page.test:{server.port}/")

    assert (len(server.seen), proxy.seen) == (1, [])


def certificate(folder: Path, name: str) -> ssl.SSLContext:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder(
        subject, subject, key.public_key(), x509.random_serial_number(), now, now + timedelta(1)
    )
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    signed = made.sign(key, hashes.SHA256())
    (folder / "cert.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


async def test_a_certificate_must_be_valid_for_the_host_and_not_for_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(html())

    context = certificate(tmp_path, "page.test")
    async with await asyncio.start_server(handler, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="its certificate is not valid"):
            await reach(port).fetch(f"https://page.test:{port}/")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert (await reach(port).fetch(f"https://page.test:{port}/")).content == PAGE
        names = Names(other_test=[["127.0.0.1"]])
        with pytest.raises(Unreachable, match=r"certificate is not valid .*other.test"):
            await reach(port, names).fetch(f"https://other.test:{port}/")
