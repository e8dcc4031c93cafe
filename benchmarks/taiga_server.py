"""The practice Taiga as a process: `python -m benchmarks.taiga_server` prints its port and serves."""

import asyncio

from benchmarks.practice import serve
from laconic.sandbox.taiga import practice_taiga

if __name__ == "__main__":
    asyncio.run(serve(practice_taiga()))
