"""A file field for forms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.utils.translation import gettext_lazy as _

from common.file_store.upload_limits import MAX_UPLOAD_BYTES


class ChosenFileField(forms.FileField):
    """A non-empty file of at most `largest` bytes. `accept` limits the choice in the browser."""

    default_error_messages = {
        "required": _("Choose a file first."),
        "empty": _("This file is empty. Choose another one."),
        "too_large": _("The file is larger than %(limit)s MB."),
    }

    def __init__(self, *, largest: int = MAX_UPLOAD_BYTES, accept: str = "", **kwargs: Any) -> None:
        self.largest = largest
        self.accept = accept
        super().__init__(**{"label": _("file")} | kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return super().widget_attrs(widget) | ({"accept": self.accept} if self.accept else {})

    def to_python(self, data: File | None) -> File | None:
        file: File | None = super().to_python(data)
        if file is not None and file.size > self.largest:
            limit = {"limit": self.largest // 1024**2}
            raise ValidationError(self.error_messages["too_large"], code="too_large", params=limit)
        return file
