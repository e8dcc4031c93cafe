"""Addresses of an instance, as people write them."""

import pytest

from laconic.kit import BadConfiguration
from laconic.servers.taiga.service.access.accounts import is_exposed, root_of

WEB = "The address must start with http:// or https:// and name a host."


@pytest.mark.parametrize(
    ("written", "root"),
    [
        ("https://taiga.example.org", "https://taiga.example.org/api/v1"),
        (" taiga.example.org/ ", "https://taiga.example.org/api/v1"),
        ("https://example.org/taiga/api/v1/", "https://example.org/taiga/api/v1"),
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000/api/v1"),
    ],
)
def test_an_address_is_understood_with_or_without_its_ends(written: str, root: str) -> None:
    assert root_of(written) == root


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "No Taiga address is set."),
        ("https://", WEB),
        ("https://a b", WEB),
        ("ftp://taiga.example", WEB),
        (
            "https://alice:s3cret@taiga.example",
            "The address contains a user name or a password; leave them out.",
        ),
        ("https://taiga.example/?next=1", "The address of an API has neither a query nor a fragment."),
    ],
)
def test_what_is_no_address_is_refused_in_words_and_not_repeated(written: str, why: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        root_of(written)
    assert why in caught.value.words and "s3cret" not in caught.value.words


def test_only_what_leaves_this_machine_unencrypted_is_exposed() -> None:
    exposed = ["http://taiga.example/api/v1", "http://127.0.0.1.evil.example/api/v1"]
    safe = ["https://taiga.example/api/v1", "http://localhost:9000/api/v1", "http://[::1]:9000/api/v1"]
    assert [is_exposed(one) for one in (*exposed, *safe)] == [True, True, False, False, False]
