"""The manager that hides deleted events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from tournaments.models.events import Tournament


class UndeletedTournaments(models.Manager["Tournament"]):
    """Events that aren't deleted. `Tournament.with_deleted` has them all."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        return super().get_queryset().filter(deleted_at=None)
