"""Names in a report: in Latin letters for FIDE, and no longer than its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from clubs.models import MemberRatingListing, RatingListPlayer, RatingRegister, TimeControlKind
from clubs.privacy import is_name_in_initials
from clubs.rating.lists.member_listings import FIDE_REGISTER_NAME
from common.text.latin_letters import is_latin, transliterate_name
from common.text.name_search import name_search_words, phonetic_variants
from tournaments.models import Entry, Tournament
from tournaments.privacy.personal_data import full_names_behind_initials

MAX_NAME_LENGTH = 33
"""The columns a report has for a name."""


class NameSource(StrEnum):
    """The source of a name in a report."""

    EVENT = "event"
    """The name in the event."""
    MANUAL = "hand"
    """Entered by the arbiter for the report."""
    LIST = "list"
    """The name that FIDE's list has for the player's ID."""
    RULE = "rule"
    """Transliterated into Latin letters as in passports."""
    UNKNOWN = "nowhere"
    """Not in Latin letters, and there is no transliteration rule: sent as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportName:
    """A player's name in the report, and their name in the event."""

    name: str
    name_in_event: str
    source: NameSource

    @property
    def is_truncated(self) -> bool:
        """Return True if the name is longer than the report's columns."""
        return len(self.name) > MAX_NAME_LENGTH

    @property
    def is_same_as_in_event(self) -> bool:
        """Return True if the name is the one in the event, so there is nothing to show."""
        return self.source is NameSource.EVENT and not self.is_truncated


def report_names_by_entry(
    event: Tournament, entries: Collection[Entry], listed: Mapping[str, str] | None = None
) -> dict[int, ReportName]:
    """Return the report names of an event's entries, by entry key. Up to four queries.

    `listed` maps FIDE IDs to the names on FIDE's list. A name entered by hand comes first. The other rules concern
    names that are too long, or not in Latin letters in a FIDE rated event. Such a name is taken from FIDE's list,
    unless that is another person's, or else transliterated.
    """
    full_names = full_names_behind_initials(event) if any(is_name_in_initials(entry.name) for entry in entries) else {}
    called = {entry.pk: full_names.get(entry.pk, entry.name) for entry in entries}
    others = {entry.pk: entry for entry in entries if not entry.report_name and not _fits(event, called[entry.pk])}
    if listed is None:
        listed = (fide_names_by_id(map(_number_of, others.values())) if others else None) or {}
    found = {}
    for entry in entries:
        name, whence = called[entry.pk], NameSource.EVENT
        if entry.report_name:
            name, whence = entry.report_name, NameSource.MANUAL
        elif entry.pk in others:
            name, whence = _for_report(event, entry, name, listed.get(_number_of(entry), ""))
        found[entry.pk] = ReportName(name=name, name_in_event=called[entry.pk], source=whence)
    return found


def arbiter_name_for_fide(event: Tournament, name: str) -> str:
    """Return an arbiter's name, transliterated by the rule of the club's country if the event is FIDE rated."""
    if not event.fide_rated or is_latin(name):
        return name
    return transliterate_name(name, event.club.federation) or name


def fide_names_by_id(numbers: Iterable[str]) -> dict[str, str] | None:
    """Return the names FIDE's list has for these IDs, or None if no list has been imported. Two queries."""
    players = RatingListPlayer.objects.filter(register__club=None, register__name=FIDE_REGISTER_NAME)
    if not players.exists():
        return None
    return dict(players.filter(number__in={number for number in numbers if number}).values_list("number", "name"))


def is_different_person(name: str, listed: str) -> bool:
    """Return True if no word of the name sounds like one in the listed name.

    People who marry keep a given name.
    """
    if not listed:
        return False
    heard = [{way for word in name_search_words(each) for way in phonetic_variants(word)} for each in (name, listed)]
    return heard[0].isdisjoint(heard[1])


def _number_of(entry: Entry) -> str:
    """Return the FIDE ID of the entry, or else of its member."""
    return entry.fide_id or (str(entry.member.fide_id or "") if entry.member else "")


def find_fide_rating_differences(event: Tournament, entries: Iterable[Entry], month: date) -> list[tuple[Entry, int]]:
    """Return entries whose rating differs from FIDE's list of a month, with the listed rating (0: none). Three queries.

    The current list covers everyone, earlier lists only members. Only for standard chess: in other events players are
    seeded by their standard ratings too.
    """
    kind = TimeControlKind.STANDARD.value
    if event.rated_as != kind:
        return []
    register = RatingRegister.objects.filter(club=None, name=FIDE_REGISTER_NAME).first()
    if register is None or not register.months.get(kind):
        return []
    known: dict[str, int] = {}
    entries = [entry for entry in entries if entry.fide_id]
    numbers = [entry.fide_id for entry in entries]
    if register.months[kind] == month.isoformat():
        players = RatingListPlayer.objects.filter(register=register, number__in=numbers)
        known = dict(players.values_list("number", kind))
    listings = MemberRatingListing.objects.filter(register=register, kind=kind, month=month, member__club=event.club_id)
    known |= {str(number): rating for number, rating in listings.values_list("member__fide_id", "rating") if number}
    return [
        (entry, known[entry.fide_id]) for entry in entries if known.get(entry.fide_id, entry.rating) != entry.rating
    ]


def _fits(event: Tournament, name: str) -> bool:
    return len(name) <= MAX_NAME_LENGTH and (is_latin(name) or not event.fide_rated)


def _for_report(event: Tournament, entry: Entry, name: str, listed: str) -> tuple[str, NameSource]:
    if listed and len(listed) <= MAX_NAME_LENGTH and not is_different_person(name, listed):
        return listed, NameSource.LIST
    if not event.fide_rated or is_latin(name):
        return name, NameSource.EVENT
    by_rule = transliterate_name(name, entry.federation or event.club.federation)
    return (by_rule, NameSource.RULE) if by_rule else (name, NameSource.UNKNOWN)
