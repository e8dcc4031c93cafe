"""Tools for Slides: read, see, make and change presentations."""

from typing import Annotated, Any

from pydantic import Field

from laconic.kit import Page, Window
from laconic.servers.google.api.access import Access
from laconic.servers.google.models.slides import SlideOutline
from laconic.servers.google.service import Google
from laconic.servers.google.slides.editing import edit_deck
from laconic.servers.google.slides.making import make_deck
from laconic.servers.google.slides.pictures import PictureSize, picture_of
from laconic.servers.google.slides.reading import read_deck
from laconic.servers.google.tools.ids import FileId
from laconic.servers.google.tools.toolset import google

_FILE = "file:{presentationId}"
_SlideName = Annotated[str, "Its number or object id."]


@google.read(
    name="slides_getPresentation",
    hint="drive_listFiles",
    json="response_format",
    fields=None,
    subject=_FILE,
)
async def slides_get_presentation(
    access: Access,
    presentation_id: FileId,
    slide: Annotated[str | None, "Only this one, in full: number or object id."] = None,
    window: Window = Window(size=50, most=500),
) -> Page[SlideOutline]:
    """Read slides: titles, texts by object id, tables, speaker notes."""
    found: Any = await read_deck(access, presentation_id, slide, window)
    return found  # type: ignore[no-any-return]  # one slide is a record


@google.read(name="slides_getThumbnail", hint="slides_getPresentation")
async def slides_get_thumbnail(
    access: Access,
    google: Google,
    presentation_id: FileId,
    slide: _SlideName,
    size: Annotated[PictureSize, "200, 800 or 1600 pixels wide."] = "medium",
) -> list[Any]:
    """See a slide as a picture."""
    root = google.root_of("slides")
    return list(await picture_of(access, presentation_id, slide, size, root, google.unsigned))


@google.create(name="slides_createPresentation")
async def slides_create_presentation(
    access: Access,
    title: Annotated[str, Field(min_length=1)],
    markdown: Annotated[
        str | None, "#, ## or --- begins a slide; lists, tables, images by URL; 'Notes:' for the speaker."
    ] = None,
) -> str:
    """Create a presentation, whole from markdown or empty."""
    return await make_deck(access, title, markdown)


@google.update(
    hint="slides_getPresentation",
    subject=_FILE,
    idempotent=False,
    because="a request may add or move",
    destructive=True,
)
async def slides_edit(
    access: Access,
    presentation_id: FileId,
    requests: Annotated[
        list[dict[str, Any]],
        Field(min_length=1),
        "Google's, such as {insertText: {objectId, text}}, or: replaceText {find, replace}, "
        "setText {object, text (lists with -)}, setNotes {slide, text}, fillTable {table, rows}, "
        "moveSlides {slides, to}, duplicateSlide {slide, to?}, addSlides {markdown, at?}.",
    ],
    revision: Annotated[str | None, "Only if it is still this one."] = None,
    dry_run: Annotated[bool, "Only say what would change."] = False,
) -> str:
    """Change slides by requests, all or none."""
    return await edit_deck(access, presentation_id, requests, revision, dry_run=dry_run)
