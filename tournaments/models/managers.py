"""Which events there are: what is deleted and can still be restored stands aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from tournaments.models.events import Tournament


class UndeletedTournaments(models.Manager["Tournament"]):
    """Events that nobody has deleted: the others are there for their officers alone, by `Tournament.with_deleted`."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        return super().get_queryset().filter(deleted_at=None)
