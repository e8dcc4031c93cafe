"""Who does not serve the library over HTTP does not pay for FastAPI."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from dataclasses import replace
from laconic.cli.assemble import assemble
from laconic.cli.configuration import settings
from laconic.cli.configuration.values import Address
from laconic.cli.serve import listen

options = replace(settings.read({"servers": [sys.argv[1]]}, {}), http=Address("127.0.0.1", 0))
listen._app(assemble(options), options)
print("fastapi" in sys.modules)
"""


@pytest.mark.parametrize(("server", "is_loaded"), [("example", "False"), ("notes", "True")])
def test_fastapi_is_loaded_only_where_the_library_is_served(
    tmp_path: Path, server: str, is_loaded: str
) -> None:
    places = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, server], capture_output=True, text=True, cwd=tmp_path, env=places
    )
    assert done.stdout.strip() == is_loaded, done.stderr
