"""Adding one player at a time, with one search for members, rating lists and new players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Member, RatingListPlayer, TimeControlKind, User
from clubs.rating.lists.member_listings import is_fide_register
from clubs.rating.lists.player_search import find_listed_players, registers_of_club
from clubs.request_types import parse_key
from common.text.name_search import (
    NameWords,
    matches_search_words,
    name_search_words,
    normalise_name,
    phonetic_form,
    split_search_words,
)
from tournaments.access import lock_tournament
from tournaments.entries.column_detection import parse_player_list
from tournaments.entries.enrolment import enter_members, enter_player_rows
from tournaments.entries.line_splitter import parse_list_line
from tournaments.entries.player_rows import PlayerRow, RowOutcome, resolve_player_rows
from tournaments.models import Entry, Tournament
from tournaments.problems import ArbiterProblem

MAX_MEMBERS_SHOWN, MAX_LISTED_SHOWN = 8, 8
"""Shown under a search; typing more of the name finds the others."""
MIN_QUERY_LENGTH, MAX_QUERY_LENGTH = 2, 80


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCandidate:
    """A player found by a search. `key` identifies them when they are added.

    `entry` is theirs if they already play. `source` is the rating list they were found in, empty for members and
    guests.
    """

    key: str
    name: str
    title: str = ""
    rating: int = 0
    federation: str = ""
    born: str = ""
    number: str = ""
    source: str = ""
    is_member: bool = False
    entry: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSearchResult:
    """The players found by a search, best match first. `walk_in` is the query as a player's row if nobody matches."""

    query: str
    candidates: tuple[PlayerCandidate, ...] = ()
    walk_in: PlayerRow | None = None
    is_complete: bool = True


def find_player_candidates(tournament: Tournament, query: str) -> PlayerSearchResult:
    """Find members, players in the event and players on rating lists by name or ID, in any script.

    A rating after the name (`Nowak Jan 1500`) isn't searched for: it is for the walk-in.
    """
    query = " ".join(query.replace("\x00", " ").split())[:MAX_QUERY_LENGTH]
    if len(query) < MIN_QUERY_LENGTH:
        return PlayerSearchResult(query=query)
    is_number = any(letter.isdigit() for letter in query) and not any(letter.isalpha() for letter in query)
    walk_in = None if is_number else parse_player_list([parse_list_line(0, query)], {}).rows[0]
    wanted = query if walk_in is None or walk_in.problems else walk_in.name
    playing = _Playing(tournament)
    members = _members(tournament, wanted, is_number=is_number)
    found = find_listed_players(registers_of_club(tournament.club), wanted)
    listed = [player for player in found.players if not _is_of(player, members)]
    candidates = [
        *(_of_member(member, playing) for member in members[:MAX_MEMBERS_SHOWN]),
        *(
            _of_guest(entry)
            for entry in playing.guests
            if not is_number and matches_search_words(entry.name, split_search_words(wanted))
        ),
        *(_of_listed(tournament, player, playing) for player in listed[:MAX_LISTED_SHOWN]),
    ]
    are_all = found.is_complete and len(listed) <= MAX_LISTED_SHOWN and len(members) <= MAX_MEMBERS_SHOWN
    shown = _nearest_first(_each_once(candidates), wanted)
    return PlayerSearchResult(query=query, candidates=tuple(shown), walk_in=walk_in, is_complete=are_all)


def enter_candidate(tournament: Tournament, key: str, *, by: User | None, from_round: int | None = None) -> Entry:
    """Enter a player from the search results.

    Raises ArbiterProblem if the player already plays or no longer exists.
    """
    kind, number = key[:1], parse_key(key[1:])
    with transaction.atomic():
        current = lock_tournament(tournament.pk)
        if kind == "m" and (member := current.club.members.filter(pk=number).first()):
            entered = enter_members(current, [member], by=by, from_round=from_round)
            return _one(entered, member.name)
        player = RatingListPlayer.objects.select_related("register").filter(
            pk=number, register__in=registers_of_club(current.club)
        )
        if kind == "l" and (listed := player.first()):
            return _add_row(current, _row_of(current, listed), by=by, from_round=from_round)
    raise ArbiterProblem(_("This player is no longer on the member list or the rating list. Search again."))


@transaction.atomic
def enter_walk_in(tournament: Tournament, row: PlayerRow, *, by: User | None, from_round: int | None = None) -> Entry:
    """Enter a player with the given details, as a member if they are one.

    Raises ArbiterProblem if the player already plays.
    """
    return _add_row(lock_tournament(tournament.pk), row, by=by, from_round=from_round)


def _add_row(tournament: Tournament, row: PlayerRow, *, by: User | None, from_round: int | None) -> Entry:
    (settled,) = resolve_player_rows(tournament, [row])
    if settled.outcome is RowOutcome.ALREADY_ENTERED:
        raise ArbiterProblem(_already(row.name))
    return _one(enter_player_rows(tournament, [settled], by=by, from_round=from_round), row.name)


def _one(entered: list[Entry], name: str) -> Entry:
    if not entered:
        raise ArbiterProblem(_already(name))
    return entered[0]


def _already(name: str) -> str:
    said = _("%(name)s is already entered. If this is someone else with the same name, add their birth year.")
    return said % {"name": name}


# -- Matching ------------------------------------------------------------------------------------------------------


class _Playing:
    """The event's entries by member, by FIDE ID and by name."""

    def __init__(self, tournament: Tournament) -> None:
        entries = list(tournament.entries.all())
        self.by_member = {entry.member_id: entry for entry in entries if entry.member_id}
        self.by_fide_id = {entry.fide_id: entry for entry in entries if entry.fide_id}
        self.guests = [entry for entry in entries if not entry.member_id]
        self.by_words: dict[NameWords, Entry] = {name_search_words(entry.name): entry for entry in self.guests}

    def entry_of_listed_player(self, player: RatingListPlayer) -> Entry | None:
        if is_fide_register(player.register) and player.number in self.by_fide_id:
            return self.by_fide_id[player.number]
        entry = self.by_words.get(name_search_words(player.name))
        if entry is None or (entry.fide_id and is_fide_register(player.register)):
            return None
        years = entry.birth[:4], str(player.birth_year or "")
        return entry if "" in years or years[0] == years[1] else None


def _members(tournament: Tournament, wanted: str, *, is_number: bool) -> list[Member]:
    members = tournament.club.members.exclude_former().filter(erased_at=None)
    if is_number:
        return [
            member
            for member in members
            if member.national_id == wanted or (member.fide_id and str(member.fide_id) == wanted)
        ]
    words = split_search_words(wanted)
    everyone = list(members)
    found = [member for member in everyone if matches_search_words(member.name, words)]
    return found or [member for member in everyone if _sounds_like(member.name, words)]


def _sounds_like(name: str, words: Iterable[str]) -> bool:
    heard = [phonetic_form(word) for word in name_search_words(name)]
    wanted = [phonetic_form(word) for word in words if len(word) > MIN_QUERY_LENGTH]
    return bool(wanted) and all(any(each.startswith(word) for each in heard) for word in wanted)


def _is_of(player: RatingListPlayer, members: Iterable[Member]) -> bool:
    """Return True if the listed player is one of the members, by their ID."""
    if is_fide_register(player.register):
        return any(str(member.fide_id or "") == player.number for member in members)
    return any(member.national_id == player.number for member in members)


def _of_member(member: Member, playing: _Playing) -> PlayerCandidate:
    return PlayerCandidate(
        key=f"m{member.pk}",
        name=member.name,
        title=member.title,
        rating=member.rating,
        federation=member.federation,
        born=str(member.birth_year or ""),
        number=str(member.fide_id or ""),
        is_member=True,
        entry=playing.by_member.get(member.pk),
    )


def _of_guest(entry: Entry) -> PlayerCandidate:
    return PlayerCandidate(
        key="",
        name=entry.name,
        title=entry.title,
        rating=entry.rating,
        federation=entry.federation,
        born=entry.birth[:4],
        number=entry.fide_id,
        entry=entry,
    )


def _of_listed(tournament: Tournament, player: RatingListPlayer, playing: _Playing) -> PlayerCandidate:
    return PlayerCandidate(
        key=f"l{player.pk}",
        name=player.name,
        title=player.title,
        rating=_rating(tournament, player),
        federation=player.federation,
        born=str(player.birth_year or ""),
        number=player.number,
        source=player.register.name,
        entry=playing.entry_of_listed_player(player),
    )


def _row_of(tournament: Tournament, player: RatingListPlayer) -> PlayerRow:
    is_of_fide = is_fide_register(player.register)
    return PlayerRow(
        line=0,
        name=player.name,
        title=player.title,
        rating=_rating(tournament, player),
        federation=player.federation,
        sex=player.sex,
        birth=str(player.birth_year or ""),
        fide_id=player.number if is_of_fide else "",
        national_id="" if is_of_fide else player.number,
    )


def _rating(tournament: Tournament, player: RatingListPlayer) -> int:
    """Return the rating for the event's time control, or else the standard rating."""
    kind = tournament.rated_as or TimeControlKind.STANDARD
    return int(getattr(player, kind) or player.standard)


def _each_once(candidates: Iterable[PlayerCandidate]) -> list[PlayerCandidate]:
    """Keep only the first line of each entry."""
    shown: list[PlayerCandidate] = []
    seen: set[int] = set()
    for candidate in candidates:
        if candidate.entry is not None and candidate.entry.pk in seen:
            continue
        if candidate.entry is not None:
            seen.add(candidate.entry.pk)
        shown.append(candidate)
    return shown


def _nearest_first(candidates: list[PlayerCandidate], wanted: str) -> list[PlayerCandidate]:
    """Sort candidates: those not yet entered first, then members, then by whole words before beginnings."""
    words = split_search_words(wanted)

    def candidate_order(candidate: PlayerCandidate) -> tuple[bool, bool, int, int]:
        own = normalise_name(candidate.name).replace(",", " ").split()
        whole = sum(word in own for word in words)
        begun = sum(any(each.startswith(word) for each in own) for word in words)
        return candidate.entry is not None, not candidate.is_member, -whole, -begun

    return sorted(candidates, key=candidate_order)
