"""Anonymise report files of real events for `tests/data`: invented people, everything else unchanged.

    python -m tests.anonymise_report FILE... --into FOLDER [--names NAME...] [--letters polish] [--encoding cp1250]

Columns, ratings, titles, results, extensions, line ends and the encoding stay. Made up are names of players, teams,
events, places and arbiters, in letters as before: a word of seven letters becomes another of seven, capitals, accents
and digits stay where they were; IDs; birth dates within two years, a missing month or day still missing; federations,
shuffled among the players. Whoever has the same name in several of the files has one made-up name in all of them.

The fingerprints of the names that stood there are added to the list (`tests.real_names`), and a file in which one of
them still stands is not written.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path

from pairing.engine.trf import model
from tests.real_names import LIST, fingerprints_of, known_fingerprints, real_names_in

BEGINNINGS = (*"bcdfghjklmnprstvwz", "br", "dr", "gr", "kr", "pl", "st", "tr")
VOWELS = ["a", "e", "i", "o", "u"]
LETTERS = {
    "polish": "ąćęłńóśźż",
    "czech": "áčďéěíňóřšťúůýž",
    "german": "äöüß",
    "french": "àâçéèêîôùû",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъюя",
}
FREE_TEXT = {"012", "022", "102", "112"}
"""Records about the event that are a text and nothing else."""
NAMES_NOBODY = re.compile(r"[\W\d]*((player|test|p|t)\W*\d+[\W\d]*)+", re.IGNORECASE)


class MadeUp:
    """Replacements for words, numbers and dates. Equal originals get equal replacements from one object."""

    def __init__(self, *, seed: int, letters: str = "") -> None:
        self.chance = random.Random(seed)
        self.letters = letters
        self.given: dict[str, str] = {}

    def text(self, old: str) -> str:
        """Invented words with the same number of letters, word by word."""
        if NAMES_NOBODY.fullmatch(old) or not old.strip():
            return old
        key = old.strip()
        if key not in self.given:
            made = re.sub(r"[^\W\d_]+", lambda word: self._word(word.group()), key)
            digits = made if re.search(r"[^\W\d_]", made) else self._number(made)
            self.given[key] = digits
        return old.replace(key, self.given[key])

    def identity(self, old: str) -> str:
        return self._number(old)

    def birth(self, old: str) -> str:
        """A date within two years of the original, in the same form. Zeros for unknown parts stay."""

        def other(day: re.Match[str]) -> str:
            year, between, month, again, of_month = day.groups()
            if not int(year):
                return day.group()
            return (
                f"{int(year) + self.chance.randint(-2, 2):04}{between}"
                f"{self.chance.randint(1, 12) if int(month) else 0:02}{again}"
                f"{self.chance.randint(1, 28) if int(of_month) else 0:02}"
            )

        return re.sub(r"(\d{4})(\D)(\d\d)(\D)(\d\d)", other, old)

    def _number(self, old: str) -> str:
        return re.sub(r"\d", lambda digit: self.chance.choice("123456789"), old)

    def _word(self, like: str) -> str:
        wholly_cyrillic = self.letters == LETTERS["cyrillic"]
        made = ""
        while len(made) < len(like):
            vowel = self.chance.choice("аеиоу" if wholly_cyrillic else VOWELS)
            made += self.chance.choice("бвгдзклмнпрстхч" if wholly_cyrillic else BEGINNINGS) + vowel
        made = made[: len(like)]
        if self.letters and not wholly_cyrillic and len(made) > 2:
            place = self.chance.randrange(1, len(made))
            made = made[:place] + self.chance.choice(self.letters) + made[place + 1 :]
        kept = "áéíóúäöüčšžñç"
        return "".join(
            self._as(old, self.chance.choice(kept) if not old.isascii() and not self.letters else new)
            for old, new in zip(like, made, strict=True)
        )

    @staticmethod
    def _as(old: str, new: str) -> str:
        return new.upper() if old.isupper() and len(new.upper()) == 1 else new


def real_names(text: str) -> set[str]:
    """The names of players and arbiters in a report file."""
    lines = re.split("\r\n|\r|\n", text)
    names = {line[model.NAME].strip() for line in lines if _is_of_a_player(line)}
    return names | {re.sub(r"\(.*", "", line[4:]).strip() for line in lines if line[:3] in {"102", "112"}}


def anonymised(text: str, made_up: MadeUp) -> str:
    """The report file without anybody's name."""
    parts = re.split("(\r\n|\r|\n)", text)
    federations = [line[model.FEDERATION] for line in parts if line.startswith("001") and line[53:56].strip()]
    made_up.chance.shuffle(federations)
    return "".join(_line(part, made_up, federations) for part in parts)


def _line(line: str, made_up: MadeUp, federations: list[str]) -> str:
    code = line[:3]
    if code in FREE_TEXT:
        parts = re.split(r"(https?://\S+|\d{5,})", line[4:])
        return line[:4] + "".join(_address_or_number(part, made_up) or made_up.text(part) for part in parts)
    if code in {"013", "310"}:
        return re.sub(r"^(\S+ *\d* )(\D+?)( {2,}.*|)$", lambda m: m[1] + made_up.text(m[2]) + m[3], line)
    if _is_of_a_player(line):
        fields = [
            (model.NAME, made_up.text),
            (model.FIDE_NUMBER, made_up.identity),
            (model.BIRTH_DATE, made_up.birth),
        ]
        if code == "001" and line[model.FEDERATION].strip():
            fields.append((model.FEDERATION, lambda _old: federations.pop()))
        for field, make in fields:
            line = line[: field.start] + make(line[field]) + line[field.stop :]
        return line
    if line.startswith("#") and re.search("[a-z]{3,} [a-z]{2,}", line):
        return "### a remark"
    return line


def _address_or_number(part: str, made_up: MadeUp) -> str:
    """The replacement for a web address or an arbiter's ID; None for anything else."""
    if part.isdigit() and len(part) >= 5:
        return made_up.identity(part)
    return "https://chess.example/" if "://" in part else ""


def _is_of_a_player(line: str) -> bool:
    """A line 001, or a federation's own with its code in front (FRA, IND): the same columns."""
    return line.startswith("001") or bool(re.match(r"[A-Z]{3} [ \d]{4}\S? ", line) and line[model.NAME].strip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--names", nargs="+", help="the files' new names, in their order")
    parser.add_argument("--letters", choices=LETTERS, default="", help="letters beyond a to z that all names get")
    parser.add_argument("--encoding", help="write in this one")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()

    texts = {path: path.read_bytes().decode("utf-8") for path in said.files}
    found = {name for text in texts.values() for name in real_names(text) if not NAMES_NOBODY.fullmatch(name)}
    prints = known_fingerprints().union(*(fingerprints_of(name) for name in found))
    comments = [line for line in LIST.read_text(encoding="ascii").splitlines() if line.startswith("#")]
    LIST.write_text("\n".join([*comments, *sorted(prints), ""]), encoding="ascii")

    made_up = MadeUp(seed=said.seed, letters=LETTERS.get(said.letters, ""))
    said.into.mkdir(parents=True, exist_ok=True)
    for path, name in zip(texts, said.names or [path.name for path in texts], strict=True):
        text = anonymised(texts[path], made_up)
        if left := real_names_in([text]):
            parser.error(f"{path}: still in it: {sorted(left)}")
        (said.into / name).write_bytes(text.encode(said.encoding or "utf-8"))


if __name__ == "__main__":
    main()
