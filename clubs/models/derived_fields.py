"""Columns that follow from others of their row: set whenever the row is saved, never by hand."""

from __future__ import annotations

from typing import Any

from django.db import models

from common.text.name_order import SORT_TEXT_LENGTH, name_sort_text
from common.text.name_search import normalise_name


class _FollowsFromTheRow(models.CharField):
    """A text that the row's other columns decide.

    `QuerySet.update` passes it by, as it does `auto_now`: rename people by saving them.
    """

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {"max_length": SORT_TEXT_LENGTH, "editable": False, "default": "", "blank": True}
        super().__init__(**(defaults | options))

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        text = self.derived_value(model_instance)
        setattr(model_instance, self.attname, text)
        return text

    def derived_value(self, row: Any) -> str:
        raise NotImplementedError


class SortNameField(_FollowsFromTheRow):
    """What a person's row is sorted by."""

    def derived_value(self, row: Any) -> str:
        return name_sort_text(row.family_name, row.given_name)


class SearchNameField(_FollowsFromTheRow):
    """What a person's row is found by."""

    def derived_value(self, row: Any) -> str:
        return normalise_name(f"{row.family_name} {row.given_name}")[:SORT_TEXT_LENGTH]


class BirthYearField(models.PositiveSmallIntegerField):
    """The year of the birth date; one's own where only the year is known."""

    def pre_save(self, model_instance: Any, add: bool) -> int | None:
        if model_instance.birth_date is not None:
            setattr(model_instance, self.attname, model_instance.birth_date.year)
        year: int | None = getattr(model_instance, self.attname)
        return year
