"""Images small enough for an answer."""

from __future__ import annotations

import io
from typing import Any, Final

from laconic.kit.answers.content import Image
from laconic.kit.errors import TooLarge

__all__ = ["fit_images", "fitted"]

MOST_BYTES: Final = 1_500_000
_SMALLEST: Final = 64  # pixels: a smaller image shows nothing


def fit_images(value: Any, most: int) -> list[Any]:
    """Return the blocks of an answer with every image small enough.

    Raises:
        TooLarge: an image cannot be scaled down.
    """
    blocks = value if isinstance(value, list) else [value]
    return [fitted(block, most) if isinstance(block, Image) else block for block in blocks]


def fitted(image: Image, most: int = MOST_BYTES) -> Image:
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
    size, limit = len(image.data) / 1e6, most / 1e6
    return TooLarge(
        f"The image has {size:.1f} MB; an answer takes {limit:.1f} MB.",
        advice="Ask for a smaller image or a part of it.",
    )
