"""Images small enough for an answer."""

from __future__ import annotations

import io
from typing import Final

from laconic.kit.answers.content import Image
from laconic.kit.errors import TooLarge

__all__ = ["fitted", "in_bytes"]

_MEGABYTE: Final = 1_000_000
_SMALLEST: Final = 64  # pixels: a smaller image shows nothing


def fitted(image: Image, most: int) -> Image:
    """Return the image unchanged if it is small enough, else scaled down.

    Raises:
        TooLarge: the image cannot be scaled down: it is damaged, or Pillow is not installed.
    """
    if len(image.data) <= most:
        return image
    try:
        from PIL import Image as pillow  # optional
    except ImportError:
        raise _refusal(image, most) from None
    try:
        with pillow.open(io.BytesIO(image.data)) as picture:
            scaled = picture.convert("RGB")
    except OSError:
        raise _refusal(image, most) from None
    while min(scaled.size) >= _SMALLEST:
        scaled = scaled.resize((scaled.width * 3 // 4, scaled.height * 3 // 4))
        out = io.BytesIO()
        scaled.save(out, "JPEG", quality=85)
        if out.tell() <= most:
            return Image(out.getvalue(), "image/jpeg")
    raise _refusal(image, most)


def _refusal(image: Image, most: int) -> TooLarge:
    return TooLarge(
        f"The image has {in_bytes(len(image.data))}; an answer takes {in_bytes(most)}.",
        advice="Ask for a smaller image or a part of it.",
    )


def in_bytes(size: int) -> str:
    """Return a size in words."""
    return f"{size / _MEGABYTE:.1f} MB" if size >= _MEGABYTE else f"{size / 1000:.1f} kB"
