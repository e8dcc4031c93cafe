"""Kinds of text, and the texts that look like another kind."""

import json

import pytest

from laconic.text import kind_of

LONG = json.dumps([{"id": number, "note": 'x, y [z] {"w"}'} for number in range(40_000)])
KINDS = [
    ("json", '{"a": 1}'),
    ("json", "  [1, 2]\r\n"),
    ("json", "\ufeff[]"),
    ("json", LONG),
    ("json", json.dumps({"content": "a, b [c] " * 200_000})),
    ("json", json.dumps({"content": "a, b [c] " * 200_000, "after": [1]}, indent=2)),
    ("text", "123"),
    ("text", '"a string"'),
    ("text", "[1] The first footnote"),
    ("text", "[see](http://x) and {more}"),
    ("text", '{"a": 1'),
    ("text", '{"a": 1}\n{"a": 2}\n'),
    ("text", LONG[:-1]),
    ("text", "[" * 600_000 + "]" * 600_000),
    ("text", "[" + "x, " * 400_000 + "]"),
    ("markdown", "# Title\n\nText"),
    ("markdown", "Title\n=====\n\nText"),
    ("markdown", "Text\n\n## One\nmore\n## Two\nmore"),
    ("markdown", "# One\n\nText, and more\n\n# Two\n\nText"),
    ("markdown", "# Table\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    ("text", "#!/bin/sh\n# first\necho 1\n## second\necho 2\n"),
    ("text", "# read it\nx = 1\n# write it\ny = 2\n"),
    ("text", "```\n# comment\n```\n"),
    ("text", "#hashtag and more"),
    ("text", ""),
    ("text", "   \n"),
    ("table", "id\tname\n1\tone\n2\ttwo\n"),
    ("table", "\tx\ty\na\t1\t2\nb\t3\t4\n"),
    ("table", "# id\tname\n1\tone\n"),
    ("table", "id,name,note\n1,one,\n"),
    ("table", 'id,name\n1,"a,b"\n2,"c\nd"\n'),
    ("table", "id;name\n1;one\n2;two\n"),
    ("table", "| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n"),
    ("table", "a|b\n-|-\n1|2"),
    ("table", "a|b|c\r1|2|3\r4|5|6\r"),
    ("text", "Hello, world\nGood morning, moon\nGood night, stars\n"),
    ("text", "cat a | sort\nls | wc\nps | grep x\n"),
    ("text", "\tindented\n\tcode\n"),
    ("text", "a,b\nc,d,e\nf\n"),
    ("text", "one,two\n"),
]


@pytest.mark.parametrize(("kind", "text"), KINDS, ids=[f"{kind}: {text[:24]!r}" for kind, text in KINDS])
def test_the_kind_is_recognised(kind: str, text: str) -> None:
    assert kind_of(text) == kind
