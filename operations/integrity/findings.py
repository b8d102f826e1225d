"""What the doctor finds. For the operator, so in English, as the commands speak."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class FindingSeverity(StrEnum):
    """How bad it is: an error makes pages or papers wrong; a warning may be meant."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as it should be. `code` never changes; `where` names the rows; `do` is what helps."""

    code: str
    where: str
    what: str
    do: str
    weight: FindingSeverity = FindingSeverity.ERROR

    def as_json(self) -> dict[str, str]:
        """The same, as `doctor --json` prints it."""
        return {name: str(value) for name, value in asdict(self).items()}

    def __str__(self) -> str:
        return f"{self.weight}: {self.code}: {self.where}: {self.what.removesuffix('.')}. {self.do}"
