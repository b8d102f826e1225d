"""Vouchers: PDFs or images that document accounting entries."""

from __future__ import annotations

import hashlib

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from clubs.models import BookEntry, User, Voucher
from common.file_store.upload_limits import MAX_UPLOAD_BYTES
from common.problems import OfficerProblem

_BEGINNINGS = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}


def add_voucher(entry: BookEntry, data: bytes, filename: str, *, by: User | None) -> Voucher:
    """Attach a file to an entry. Attaching the same file again does nothing.

    Raises OfficerProblem if it is not a PDF, PNG or JPEG, or is too large.
    """
    kind = document_kind(data)
    if kind is None:
        raise OfficerProblem(_("Documents must be PDF, PNG or JPEG files."))
    if len(data) > MAX_UPLOAD_BYTES:
        raise OfficerProblem(_("The file is larger than %(limit)s MB.") % {"limit": MAX_UPLOAD_BYTES // 1024**2})
    digest = hashlib.sha256(data).hexdigest()
    try:
        with transaction.atomic():
            return Voucher.objects.create(
                entry=entry, filename=filename[-160:], kind=kind, data=data, digest=digest, added_by=by
            )
    except IntegrityError:
        return Voucher.objects.get(entry=entry, digest=digest)


def document_kind(data: bytes) -> str | None:
    """Return pdf, png or jpeg according to a file's first bytes, or None for anything else."""
    return next((kind for kind, beginning in _BEGINNINGS.items() if data.startswith(beginning)), None)
