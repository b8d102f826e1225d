"""Seals that show changes to append-only rows: an HMAC-SHA256 with a key that is not in the database.

The key is derived from the setting SECRET_KEY. If somebody who can write to the database but does not know the key
changes, adds or renumbers rows, the doctor finds it. Decision 0030 says what it cannot find.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.db import models, transaction
from django.utils.crypto import constant_time_compare, salted_hmac


class Sealed(models.Model):
    """A row with a seal over all its columns except the key."""

    seal = models.CharField(max_length=64, editable=False)

    class Meta:
        abstract = True

    @property
    def is_intact(self) -> bool:
        """True if the row is unchanged since the program saved it."""
        return constant_time_compare(self.seal, self.computed_seal())

    def computed_seal(self) -> str:
        """Return the seal of the columns with a value. A new column, empty in old rows, leaves their seals valid."""
        facts = {}
        for field in self._meta.concrete_fields:
            value = field.to_python(getattr(self, field.attname))
            if isinstance(field, models.JSONField):
                value = json.loads(json.dumps(value))  # as it is read back: keys are texts, and tuples are lists
            if not field.primary_key and field.name != "seal" and value not in (None, ""):
                facts[field.name] = value
        text = json.dumps([self._meta.label_lower, facts], sort_keys=True, default=_as_text)
        return salted_hmac("clubnight.seals", text, algorithm="sha256").hexdigest()


def _as_text(value: Any) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


class SealedQuerySet(models.QuerySet["SealedRow"]):
    """Rows that are sealed when they are created."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        rows = list(objs)
        with transaction.atomic(savepoint=False):
            _number_and_seal(rows)
            return super().bulk_create(rows, *args, **options)


class SealedRow(Sealed):
    """A row that is numbered and sealed when it is created. The rows of one owner form a chain, numbered from 1.

    On PostgreSQL, two rows that are written at the same instant without a common lock have the same number.
    """

    SEALED_IN: ClassVar[str]
    """The foreign key to the owner: a club or an event."""
    IS_LOCKED_CHAIN: ClassVar[bool] = True
    """Writers lock the owner, so keys ascend with numbers."""

    seal_number = models.PositiveIntegerField(editable=False)

    objects: ClassVar[Any] = SealedQuerySet.as_manager()

    class Meta(Sealed.Meta):
        abstract = True

    def save_base(self, *args: Any, **options: Any) -> None:
        with transaction.atomic(savepoint=False):
            if self._state.adding:
                _number_and_seal([self])
            super().save_base(*args, **options)

    @property
    def owner_id(self) -> int:
        """The key of the club or event."""
        return int(getattr(self, f"{self.SEALED_IN}_id"))

    @property
    def counts_in_chain_length(self) -> bool:
        """False if a deleted row would be noticed elsewhere. The next row then updates the length of the chain."""
        return True

    @classmethod
    def rows_in_chain_order(cls, owner_id: int) -> models.QuerySet[Any]:
        """Return an owner's rows in the order of their numbers."""
        return cls._base_manager.filter(**{cls.SEALED_IN: owner_id}).order_by("seal_number", "pk")

    def save_and_reseal(self, **values: Any) -> None:
        """Save values that the program itself may change, and reseal the row. A broken seal stays broken."""
        was_intact = self.is_intact
        for name, value in values.items():
            setattr(self, name, value)
        if was_intact:
            self.seal = self.computed_seal()
        self.save(update_fields=[*values, "seal"])


def set_null_and_seal(collector: Any, field: Any, rows: Any, using: str) -> None:
    """`on_delete` handler: set the column that refers to a deleted row to NULL, and reseal the rows."""
    models.SET_NULL(collector, field, rows, using)
    for row in rows:
        if row.is_intact:
            setattr(row, field.attname, None)
            collector.add_field_update(row._meta.get_field("seal"), row.computed_seal(), [row])


class SealedChain(Sealed):
    """The length of a chain, which shows if rows at its end were deleted.

    It begins with the first row, and is only ever continued: a chain without it stays so. Of rows that are written at
    the same instant, only one may lengthen it, and the others do not wait.
    """

    label = models.CharField(max_length=60)
    """The rows' model, in Django's lower-case form."""
    owner_id = models.BigIntegerField()
    length = models.PositiveIntegerField()
    """The highest number."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["label", "owner_id"], name="sealed_chain_once")]

    def __str__(self) -> str:
        return f"{self.label} {self.owner_id}: {self.length}"


def save_chain(chain: SealedChain, length: int) -> None:
    """Save the length of a chain, new or existing."""
    chain.length = length
    chain.seal = chain.computed_seal()
    chain.save()


def _number_and_seal(rows: Sequence[SealedRow]) -> None:
    """Give new rows their numbers and seals, and lengthen their chain. Two queries for each owner."""
    for owner_id in dict.fromkeys(row.owner_id for row in rows):
        new = [row for row in rows if row.owner_id == owner_id]
        label, numbers = (
            new[0]._meta.label_lower,
            new[0].rows_in_chain_order(owner_id).reverse().values("seal_number")[:1],
        )
        chains = SealedChain.objects.filter(label=label, owner_id=owner_id).annotate(last=models.Subquery(numbers))
        chain = chains.select_for_update(skip_locked=True).first()
        if chain is None:
            found = numbers.first()
            last = found["seal_number"] if found else 0
        else:
            # Numbers that were cut off are not given again.
            last = max(chain.last or 0, chain.length)
        for number, row in enumerate(new, start=last + 1):
            row.seal_number = number
            row.seal = row.computed_seal()
        if chain is None and last == 0:
            save_chain(SealedChain(label=label, owner_id=owner_id), len(new))
        elif chain is not None and chain.is_intact and any(row.counts_in_chain_length for row in new):
            save_chain(chain, last + len(new))
