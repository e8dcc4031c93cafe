"""Pictures are scaled down or refused above the limit."""

import io

import pytest

from laconic.kit import Endpoint, Image, Settings, Text, TooLarge, Toolset
from laconic.kit.answers.images import fitted
from laconic.kit.peer import SilentPeer


def _picture(side: int) -> bytes:
    pictures = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    pictures.effect_noise((side, side), 90).save(out, "PNG")
    return out.getvalue()


def test_a_small_picture_stays_as_it_is() -> None:
    image = Image(b"small")
    assert fitted(image, most=5) is image


def test_a_large_picture_is_scaled_down() -> None:
    scaled = fitted(Image(_picture(600)), most=50_000)
    assert len(scaled.data) <= 50_000
    assert scaled.mime == "image/jpeg"


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"has 2\.0 MB; an answer takes 1\.5 MB"):
        fitted(Image(b"x" * 2_000_000), most=1_500_000)


@pytest.mark.requirement("003-4.3")
async def test_a_tools_picture_is_fitted_on_its_way_out() -> None:
    gallery = Toolset("gallery")

    @gallery.read
    async def gallery_show() -> list[Text | Image]:
        """Show a picture."""
        return [Text("A picture:"), Image(_picture(600))]

    endpoint = Endpoint([gallery], settings=Settings(image_bytes=50_000))
    answer = await endpoint.call_tool("gallery_show", {}, SilentPeer())
    assert isinstance(answer.blocks[1], Image)
    assert len(answer.blocks[1].data) <= 50_000
