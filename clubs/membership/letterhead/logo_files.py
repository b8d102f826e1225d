"""Club logos: uploads are read, checked and saved again as a small PNG."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from typing import Any, BinaryIO

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from PIL import Image, UnidentifiedImageError

from common.file_store.upload_limits import MAX_IMAGE_BYTES

MAX_LOGO_PIXELS = 6000
"""Maximum length of either side of an upload."""
STORED_LOGO_SIZE = (900, 600)
"""Maximum width and height of a stored logo in pixels. Enough for 40 mm at 500 dots per inch."""

_LAST = {"PNG": b"IEND", "JPEG": b"\xff\xd9"}
"""The bytes that end a complete file."""


class InvalidLogo(Exception):
    """Raised if the file cannot be used as a logo. The message says why."""


class LogoField(forms.FileField):
    """A form field for a logo file. The cleaned value is the PNG to store, or None if no file was chosen."""

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
    """Return an uploaded PNG or JPEG file as a new PNG. Raises InvalidLogo if it cannot be used."""
    if size > MAX_IMAGE_BYTES:
        raise InvalidLogo(_("The file is larger than 2 MB. Save a smaller logo and choose it again."))
    data = file.read()
    try:
        picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        if max(picture.size) > MAX_LOGO_PIXELS:
            raise InvalidLogo(
                _("The image has more than 6000 pixels on one side. Save a smaller one and choose it again.")
            )
        # Checked here because WeasyPrint sets Pillow to accept truncated files.
        if _LAST[str(picture.format)] not in data:
            raise OSError("cut off")
        picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InvalidLogo(_("This isn't a PNG or JPEG image, or the file is damaged.")) from error
    has_alpha = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    clean = picture.convert("RGBA" if has_alpha else "RGB")
    clean.thumbnail(STORED_LOGO_SIZE)
    # Only the pixels are copied, so no text, location or colour profile is kept.
    written = Image.new(clean.mode, clean.size)
    written.paste(clean)
    png = BytesIO()
    written.save(png, "PNG", optimize=True)
    return png.getvalue()


def logo_mark(logo: bytes) -> str:
    """Return the value of `Club.logo_mark` for a stored logo."""
    return sha256(logo).hexdigest()[:12] if logo else ""
