"""Several processes of one user and one API whose refresh tokens work once: nobody is signed out."""

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

from laconic.stores import SharedFile
from laconic.upstream import Credential, KeptCredential, credential_name
from tests.unit.upstream.servers import Seen, raw, reply

WORKER = """
import asyncio, os, sys
from pathlib import Path
from laconic.stores import SharedFile
from laconic.upstream import ApiSession, Credential, KeptCredential, OnceAtATime, Policy, credential_name

root, folder = sys.argv[1], Path(sys.argv[2])
policy = Policy(unsigned=["/auth/refresh"], headers={"X-Worker": str(os.getpid())})

async def renew(last):
    async with ApiSession(root, policy=policy) as signing_in:
        new = (await signing_in.post("/auth/refresh", body={"refresh": last.refresh})).data
    return Credential(new["token"], new["refresh"])

async def main():
    kept = KeptCredential(SharedFile(folder / credential_name(root, "ada")), [root])
    async with ApiSession(root, OnceAtATime(kept, renew), policy) as api:
        for batch in range(5):
            await asyncio.gather(*(api.post("/stories", body={}) for _ in range(4)))

asyncio.run(main())
"""


class Api:
    """An access token works five times for each process; a refresh token that is used twice is the end."""

    def __init__(self) -> None:
        self.number, self.stories, self.used_twice = 0, 0, False
        self.uses: Counter[tuple[str, str]] = Counter()

    async def handle(self, request: Seen, writer: asyncio.StreamWriter) -> None:
        if request.path == "/auth/refresh":
            writer.write(await self.refreshed(json.loads(request.body)["refresh"]))
            return
        pair = (request.headers["x-worker"], request.headers["authorization"])
        self.uses[pair] += 1
        self.stories += self.uses[pair] <= 5
        writer.write(reply(201, {}) if self.uses[pair] <= 5 else reply(401, {"code": "token_not_valid"}))

    async def refreshed(self, refresh: str) -> bytes:
        if refresh != f"refresh-{self.number}":
            self.used_twice = True
            return reply(401)
        self.number += 1
        await asyncio.sleep(0.05)  # others find their tokens stale meanwhile
        return reply(200, {"token": f"token-{self.number}", "refresh": f"refresh-{self.number}"})


async def test_processes_share_one_sign_in(tmp_path: Path) -> None:
    api = Api()
    async with raw(api.handle) as server:
        place = SharedFile(tmp_path / credential_name(server.url, "ada"))
        KeptCredential(place, [server.url]).write(Credential("token-0", "refresh-0"))
        command = [sys.executable, "-c", WORKER, server.url, str(tmp_path)]
        workers = [await asyncio.create_subprocess_exec(*command) for _ in range(4)]
        ends = await asyncio.gather(*(worker.wait() for worker in workers))

    assert (ends, api.used_twice) == ([0, 0, 0, 0], False)
    assert api.stories == 80
    assert 3 <= api.number <= 16
