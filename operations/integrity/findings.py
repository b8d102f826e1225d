"""Findings of the doctor. They are for the operator, so they are in English, like the commands."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class FindingSeverity(StrEnum):
    """The severity of a finding. An error makes pages or printouts wrong. A warning may describe something intended."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem found. `code` never changes, `where` names the rows, and `do` is the remedy."""

    code: str
    where: str
    what: str
    do: str
    weight: FindingSeverity = FindingSeverity.ERROR

    def as_json(self) -> dict[str, str]:
        """Return the finding for `doctor --json`."""
        return {name: str(value) for name, value in asdict(self).items()}

    def __str__(self) -> str:
        return f"{self.weight}: {self.code}: {self.where}: {self.what.removesuffix('.')}. {self.do}"
