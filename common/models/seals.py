"""Seals of rows that nobody may change: an HMAC-SHA256 with a key that is not in the database.

The key is derived from the setting SECRET_KEY. Whoever can write into the database but does not know it can neither
change a row, nor add one, nor number the others anew: `common.sealing` finds it, and decision 0030 says what it cannot
find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.utils.crypto import constant_time_compare, salted_hmac

Row = TypeVar("Row", bound="SealedRow")


def compute_seal(*facts: Any) -> str:
    """Return the seal of JSON values, dates and times: 64 hexadecimal digits."""
    text = json.dumps(facts, sort_keys=True, default=_as_text)
    return salted_hmac("clubnight.seals", text, algorithm="sha256").hexdigest()


def _as_text(value: Any) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


class SealedQuerySet(models.QuerySet[Row]):
    """Rows that are sealed when they are created."""

    def bulk_create(self, objs: Iterable[Row], *args: Any, **options: Any) -> list[Row]:
        rows = list(objs)
        number_and_seal(rows)
        return super().bulk_create(rows, *args, **options)


class SealedRow(models.Model):
    """A row with a seal and a number in its chain: the rows of one owner, from 1, in the order of writing.

    On PostgreSQL, two rows that are written at the same instant without a common lock have the same number.
    """

    SEALED_IN: ClassVar[str]
    """The foreign key to the owner: a club or an event."""
    SEALED_AT: ClassVar[str]
    """The time at which the row was written."""
    UNSEALED: ClassVar[Sequence[str]] = ()
    """Columns that may change, and prove nothing."""
    IS_LOCKED_CHAIN: ClassVar[bool] = True
    """Writers lock the owner, so keys ascend with numbers."""

    seal_number = models.PositiveIntegerField(editable=False)
    seal = models.CharField(max_length=64, editable=False)

    objects: ClassVar[Any] = SealedQuerySet.as_manager()

    class Meta:
        abstract = True

    def save_base(self, *args: Any, **options: Any) -> None:
        if self._state.adding:
            number_and_seal([self])
        super().save_base(*args, **options)

    @property
    def owner_id(self) -> int:
        """The key of the club or event."""
        return int(getattr(self, f"{self.SEALED_IN}_id"))

    @property
    def is_intact(self) -> bool:
        """True if the row is as the program wrote it."""
        return constant_time_compare(self.seal, self._computed_seal())

    def seal_as(self, number: int) -> bool:
        """Set number and seal, without saving. Return True if the seal is another one than before."""
        before, self.seal_number = self.seal, number
        self.seal = self._computed_seal()
        return self.seal != before

    def change_sealed(self, **values: Any) -> None:
        """Save values that the program itself may change, and seal the row anew. A broken seal stays broken."""
        was_intact = self.is_intact
        for name, value in values.items():
            setattr(self, name, value)
        if was_intact:
            self.seal = self._computed_seal()
        self.save(update_fields=[*values, "seal"])

    def _computed_seal(self) -> str:
        """Return the seal of all columns with a value. So a new column, empty in old rows, leaves their seals valid."""
        facts = {}
        for field in self._meta.concrete_fields:
            value = field.to_python(getattr(self, field.attname))
            if isinstance(field, models.JSONField):
                value = json.loads(json.dumps(value))  # as it is read back: keys are texts, and tuples are lists
            if not field.primary_key and field.name not in ("seal", *self.UNSEALED) and value not in (None, ""):
                facts[field.name] = value
        return compute_seal(self._meta.label_lower, facts)


class SealCheckpoint(models.Model):
    """How far a chain had come one night, sealed, so that rows cannot be cut off at its end.

    It begins with the first row, and is only ever continued: a chain whose checkpoint was deleted gets no other one.
    """

    chain = models.CharField(max_length=60)
    """The label of the model, such as `clubs.ledgerentry`."""
    owner_id = models.BigIntegerField()
    number = models.PositiveIntegerField(default=0)
    lines = models.PositiveIntegerField(default=0)
    """The rows up to this number."""
    seal = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chain", "owner_id"], name="seal_checkpoint_once_a_chain")]

    def __str__(self) -> str:
        return f"{self.chain} {self.owner_id}: {self.lines} lines"

    def save(self, *args: Any, **options: Any) -> None:
        self.seal = self._computed_seal()
        super().save(*args, **options)

    @property
    def is_intact(self) -> bool:
        """True if it is as the program wrote it."""
        return constant_time_compare(self.seal, self._computed_seal())

    def _computed_seal(self) -> str:
        return compute_seal("checkpoint", self.chain, self.owner_id, self.number, self.lines)


def number_and_seal(rows: Sequence[SealedRow]) -> None:
    """Give new rows their numbers and seals. One query for each owner, and two more for a chain's first row."""
    for owner_id in dict.fromkeys(row.owner_id for row in rows):
        new = [row for row in rows if row.owner_id == owner_id]
        for number, row in enumerate(new, start=_last_number(type(new[0]), owner_id) + 1):
            row.seal_as(number)


def _last_number(model: type[SealedRow], owner_id: int) -> int:
    """Return the number of the chain's last row, or that of its checkpoint if rows have been cut off."""
    label, chain = model._meta.label_lower, model.objects.filter(**{model.SEALED_IN: owner_id})
    last = models.Subquery(chain.order_by("-seal_number").values("seal_number")[:1])
    checkpoint = SealCheckpoint.objects.filter(chain=label, owner_id=owner_id).values_list("number", last).first()
    if checkpoint is not None:
        return max(checkpoint[0], checkpoint[1] or 0)
    if (found := chain.aggregate(last=models.Max("seal_number"))["last"]) is None:
        SealCheckpoint.objects.create(chain=label, owner_id=owner_id)
    return found or 0
