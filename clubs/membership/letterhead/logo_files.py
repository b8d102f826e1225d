"""A club's logo: whatever was uploaded is read, checked and written anew as a small PNG, or refused."""

from __future__ import annotations

from io import BytesIO
from typing import Any, BinaryIO

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from PIL import Image, UnidentifiedImageError

MAX_LOGO_BYTES = 2 * 1024 * 1024
"""Bytes."""
MAX_LOGO_PIXELS = 6000
"""Of an uploaded picture, along either side."""
STORED_LOGO_SIZE = (900, 600)
"""Pixels of the logo that is kept: enough for 40 mm at 500 dots an inch."""

_LAST = {"PNG": b"IEND", "JPEG": b"\xff\xd9"}
"""What stands at the end of a whole file."""


class InvalidLogo(Exception):
    """The file cannot be a logo; the message says why."""


class LogoField(forms.FileField):
    """A logo as a file; the cleaned value is the PNG that will be kept, None where none was chosen."""

    widget = forms.FileInput(attrs={"accept": "image/png,image/jpeg"})

    def clean(self, data: Any, initial: Any = None) -> bytes | None:
        file = super().clean(data, initial)
        if not file:
            return None
        try:
            return read_logo(file, file.size)
        except InvalidLogo as refused:
            raise ValidationError(str(refused)) from refused


def read_logo(file: BinaryIO, size: int) -> bytes:
    """A PNG or JPEG file of so many bytes as a PNG of our own; raises LogoRefused."""
    if size > MAX_LOGO_BYTES:
        raise InvalidLogo(_("The file is larger than 2 MB: save the logo smaller and choose it again."))
    data = file.read()
    try:
        picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        if max(picture.size) > MAX_LOGO_PIXELS:
            raise InvalidLogo(_("The picture has more than 6000 pixels along one side: save it smaller."))
        # Looked for here, because WeasyPrint tells Pillow to be content with files that are cut off.
        if _LAST[str(picture.format)] not in data:
            raise OSError("cut off")
        picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InvalidLogo(_("This is not a PNG or JPEG picture, or it is damaged.")) from error
    has_alpha = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    clean = picture.convert("RGBA" if has_alpha else "RGB")
    clean.thumbnail(STORED_LOGO_SIZE)
    # A new picture: nothing of the file but its pixels is kept, no texts, places or profiles.
    written = Image.new(clean.mode, clean.size)
    written.paste(clean)
    png = BytesIO()
    written.save(png, "PNG", optimize=True)
    return png.getvalue()
