"""Model fields computed from other fields of the row on every save."""

from __future__ import annotations

from typing import Any

from django.db import models

from common.text.name_order import SORT_TEXT_LENGTH, name_sort_text
from common.text.name_search import normalise_name


class _FollowsFromTheRow(models.CharField):
    """A text computed from other fields of the row.

    `QuerySet.update` does not compute it, as with `auto_now`. Rename people by saving them.
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
    """The text used for sorting people by name."""

    def derived_value(self, row: Any) -> str:
        return name_sort_text(row.family_name, row.given_name)


class SearchNameField(_FollowsFromTheRow):
    """The text used for finding people by name."""

    def derived_value(self, row: Any) -> str:
        return normalise_name(f"{row.family_name} {row.given_name}")[:SORT_TEXT_LENGTH]


class BirthYearField(models.PositiveSmallIntegerField):
    """The year of the birth date, or the stored year if there is no date."""

    def pre_save(self, model_instance: Any, add: bool) -> int | None:
        if model_instance.birth_date is not None:
            setattr(model_instance, self.attname, model_instance.birth_date.year)
        year: int | None = getattr(model_instance, self.attname)
        return year
