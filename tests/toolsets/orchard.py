"""An orchard behind an API: a toolset with an account, and a practice instance for those who have none."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from laconic.kit import BadConfiguration, Home, Memory, Toolset, UserOnly
from laconic.upstream import ApiSession

PRACTICE = "http://sandbox"


class OrchardSettings(BaseModel):
    """The section [orchard]."""

    rows: int = 3
    url: Annotated[str, UserOnly()] = ""
    password: SecretStr = SecretStr("")


class Orchard:
    """The trees of one orchard."""

    def __init__(self, settings: OrchardSettings, home: Home, api: ApiSession) -> None:
        self.settings, self.home, self.api = settings, home, api


orchard = Toolset(
    "orchard",
    "Trees.",
    provides=(Orchard,),
    settings=OrchardSettings,
    instructions="Trees grow slowly.",
    sandbox="tests.toolsets.orchard:practice_orchard",
)


@orchard.factory
async def open_orchard(settings: OrchardSettings, home: Home) -> AsyncIterator[Orchard]:
    if home.sandbox is None and not settings.url:
        raise BadConfiguration("[orchard] url is missing.", advice="Set LACONIC_ORCHARD_URL.")
    root = PRACTICE if home.sandbox is not None else settings.url
    async with ApiSession(root, app=home.sandbox) as api:
        yield Orchard(settings, home, api)


@orchard.create
async def tree_plant(orchard: Orchard, name: str) -> str:
    """Plant a tree."""
    reply: Any = await orchard.api.post("trees", body={"name": name})
    return ", ".join(reply.data)


@orchard.read
async def orchard_account(orchard: Orchard) -> str:
    """Tell what of the real account is known here."""
    secret = orchard.settings.password.get_secret_value()
    return f"{orchard.settings.rows} {orchard.settings.url!r} {secret!r} {orchard.home.credentials}"


@orchard.update
async def orchard_choose(memory: Memory, row: int | None = None) -> str:
    """Choose a row, or tell which one is chosen."""
    if row is not None:
        await memory.put("row", row)
    return str(await memory.get("row"))


def practice_orchard(folder: Path | None) -> Starlette:
    """Make a practice instance, in memory or in a folder."""
    kept: list[str] = []

    async def plant(request: Request) -> JSONResponse:
        name = (await request.json())["name"]
        if folder is None:
            kept.append(name)
            return JSONResponse(kept)
        return JSONResponse(planted(folder, name))

    def planted(folder: Path, name: str) -> list[str]:
        (folder / name).touch()
        return sorted(path.name for path in folder.iterdir())

    return Starlette(routes=[Route("/trees", plant, methods=["POST"])])
