"""Names as they stand in a report: for FIDE in Latin letters, and none longer than its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from clubs.models import ListedPlayer, MemberListing, RatingRegister, TimeKind
from clubs.privacy import stands_with_initials
from clubs.rating.lists.listings import FIDE
from common.text.latin_letters import in_latin_letters, is_latin
from common.text.searching import heard_ways, name_words
from tournaments.models import Entry, Tournament
from tournaments.privacy.personal_data import full_names_in

LONGEST = 33
"""The columns that a report has for a name."""


class Whence(StrEnum):
    """Where the name in a report comes from."""

    EVENT = "event"
    """It stands in the event so."""
    HAND = "hand"
    """Written by the arbiter for the report."""
    LIST = "list"
    """FIDE's list has it so under the player's ID."""
    RULE = "rule"
    """Put into Latin letters as passports have it."""
    NOWHERE = "nowhere"
    """Its letters are not Latin, and there is no rule for them: it goes out as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSent:
    """The name of a player in the report, and as he is `called` in the event."""

    name: str
    called: str
    whence: Whence

    @property
    def is_cut(self) -> bool:
        """It is longer than the report's columns."""
        return len(self.name) > LONGEST

    @property
    def is_as_called(self) -> bool:
        """There is nothing to be shown or asked."""
        return self.whence is Whence.EVENT and not self.is_cut


def names_sent(
    event: Tournament, entries: Collection[Entry], listed: Mapping[str, str] | None = None
) -> dict[int, NameSent]:
    """By the key of the entry, of these entries of an event. `listed` is whom FIDE's list has under their numbers.

    What was written by hand goes first. A name that is too long, or not in Latin letters where the event is sent to
    FIDE, is that of FIDE's list, unless that is somebody else's; else it is put into Latin letters by rule. Up to four
    queries.
    """
    full_names = full_names_in(event) if any(stands_with_initials(entry.name) for entry in entries) else {}
    called = {entry.pk: full_names.get(entry.pk, entry.name) for entry in entries}
    others = {entry.pk: entry for entry in entries if not entry.report_name and not _fits(event, called[entry.pk])}
    if listed is None:
        listed = (names_listed(map(_number_of, others.values())) if others else None) or {}
    found = {}
    for entry in entries:
        name, whence = called[entry.pk], Whence.EVENT
        if entry.report_name:
            name, whence = entry.report_name, Whence.HAND
        elif entry.pk in others:
            name, whence = _for_report(event, entry, name, listed.get(_number_of(entry), ""))
        found[entry.pk] = NameSent(name=name, called=called[entry.pk], whence=whence)
    return found


def name_for_fide(event: Tournament, name: str) -> str:
    """An arbiter's name, by the rule of the club's country where the event is sent to FIDE."""
    if not event.fide_rated or is_latin(name):
        return name
    return in_latin_letters(name, event.club.federation) or name


def names_listed(numbers: Iterable[str]) -> dict[str, str] | None:
    """Whom FIDE's list has under these numbers; None where no list was brought in. Two queries."""
    players = ListedPlayer.objects.filter(register__club=None, register__name=FIDE)
    if not players.exists():
        return None
    return dict(players.filter(number__in={number for number in numbers if number}).values_list("number", "name"))


def is_another(name: str, listed: str) -> bool:
    """No word of the name sounds like one of the list's: who married has kept a given name."""
    if not listed:
        return False
    heard = [{way for word in name_words(each) for way in heard_ways(word)} for each in (name, listed)]
    return heard[0].isdisjoint(heard[1])


def _number_of(entry: Entry) -> str:
    """The FIDE ID of the entry, else the one that the book has of the member."""
    return entry.fide_id or (str(entry.member.fide_id or "") if entry.member else "")


def other_ratings(event: Tournament, entries: Iterable[Entry], month: date) -> list[tuple[Entry, int]]:
    """Whose rating in the event is not that of FIDE's list of a month, and which it is; 0: none there. Three queries.

    The list that is here says so of everybody, lists before it of members alone. Of events in standard chess: in others
    players are seeded by their standard ratings as well.
    """
    kind = TimeKind.STANDARD.value
    if event.rated_as != kind:
        return []
    register = RatingRegister.objects.filter(club=None, name=FIDE).first()
    if register is None or not register.months.get(kind):
        return []
    known: dict[str, int] = {}
    entries = [entry for entry in entries if entry.fide_id]
    numbers = [entry.fide_id for entry in entries]
    if register.months[kind] == month.isoformat():
        players = ListedPlayer.objects.filter(register=register, number__in=numbers)
        known = dict(players.values_list("number", kind))
    listings = MemberListing.objects.filter(register=register, kind=kind, month=month, member__club=event.club_id)
    known |= {str(number): rating for number, rating in listings.values_list("member__fide_id", "rating") if number}
    return [
        (entry, known[entry.fide_id]) for entry in entries if known.get(entry.fide_id, entry.rating) != entry.rating
    ]


def _fits(event: Tournament, name: str) -> bool:
    return len(name) <= LONGEST and (is_latin(name) or not event.fide_rated)


def _for_report(event: Tournament, entry: Entry, name: str, listed: str) -> tuple[str, Whence]:
    if listed and len(listed) <= LONGEST and not is_another(name, listed):
        return listed, Whence.LIST
    if not event.fide_rated or is_latin(name):
        return name, Whence.EVENT
    by_rule = in_latin_letters(name, entry.federation or event.club.federation)
    return (by_rule, Whence.RULE) if by_rule else (name, Whence.NOWHERE)
