"""Ratings are counted anew whenever something they are computed from is saved, wherever in the program that is.

Rounds that are finished, opened again or corrected, and events changed or brought in, say so themselves; here are the
rows that other rooms write, which know nothing of ratings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Min, Model
from django.db.models.signals import post_save, pre_save
from django.utils import timezone

from clubs.models import Member, MemberRating
from tournaments.models import Entry, Round
from tournaments.rated.counting import rate_event, rate_from

COUNTED_FROM: Mapping[type[Model], tuple[str, ...]] = {
    Member: ("birth_year",),
    Entry: ("rating", "rating_is_estimate", "member_id"),
    Round: ("starts_at",),
}
"""The columns by which ratings change."""


def watch() -> None:
    """Begin; once, when the application starts."""
    for model in COUNTED_FROM:
        pre_save.connect(_remember, sender=model, dispatch_uid=f"recounting {model.__name__} before")
        post_save.connect(_count_anew, sender=model, dispatch_uid=f"recounting {model.__name__}")


def _remember(sender: type[Model], instance: Any, raw: bool, update_fields: Any, **_more: object) -> None:
    columns = COUNTED_FROM[sender]
    names = {column.removesuffix("_id") for column in columns}
    instance._before = None
    if raw or instance.pk is None or (update_fields is not None and not names & set(update_fields)):
        return
    instance._before = sender._default_manager.filter(pk=instance.pk).values_list(*columns).first()


def _count_anew(sender: type[Model], instance: Any, **_more: object) -> None:
    before = instance.__dict__.pop("_before", None)
    if before is None or before == tuple(getattr(instance, column) for column in COUNTED_FROM[sender]):
        return
    if isinstance(instance, Member):
        first = MemberRating.objects.filter(member=instance).aggregate(first=Min("month"))["first"]
        if first is not None:
            rate_from(instance.club, first)
    elif Round.objects.filter(tournament=instance.tournament_id, state=Round.State.FINISHED).exists():
        moved_from = before[0] if isinstance(instance, Round) else None
        rate_event(instance.tournament_id, was_on=timezone.localdate(moved_from) if moved_from else None)
