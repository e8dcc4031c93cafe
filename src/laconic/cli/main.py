"""The entry point: `serve` and the merge driver start without the CLI libraries that other commands use."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["serve"]:
        from laconic.cli.serve import command as serve

        return serve.main(words[1:])
    if words[:2] == ["issues", "merge"]:
        from laconic.cli.issues.maintenance import merge

        return merge.main(words[2:])
    from laconic.cli import app

    return app.run(words)
