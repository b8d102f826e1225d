"""Exporting an event as a report file (TRF)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from django.db.models import F
from django.utils import timezone

from clubs.models import Member
from pairing.engine.rule_interpretations import non_default_interpretations
from pairing.engine.snapshot import Colour, PairingNumber, Result, points_by_result
from pairing.engine.standings import (
    DEFAULT_TIE_BREAKS_BY_SYSTEM,
    PlayerStanding,
    TieBreakEdition,
    is_known_tie_break,
    parse_tie_break,
    rank_players,
)
from pairing.engine.systems.round_robin.system import berger_table_size
from pairing.engine.trf import (
    EarlierPairingSystem,
    TrfEdition,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    TrfRecord,
    TrfRound,
    describe_event_kind,
    encode_event_type,
    format_arbiter_decision_line,
    format_bye_lines,
    format_earlier_system_lines,
    format_forbidden_pair_line,
    is_clubnight_comment,
    make_trf,
    model,
    read_tie_break_codes,
    write_trf,
)
from pairing.engine.trf.event_directives import EventDirectives, read_directives
from pairing.engine.trf.model import BLANK_ROUND, TrfError
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.events.arbiters import format_name_with_fide_id, parse_deputy_arbiters, split_name_and_fide_id
from tournaments.import_export.arbiter_overrides import format_override_lines
from tournaments.import_export.report_files import BYE_LINE_CODES, parse_report_date, sex_in_report
from tournaments.import_export.report_names import arbiter_name_for_fide, report_names_by_entry
from tournaments.import_export.report_to_event import (
    DATE_FIELDS_BY_CODE,
    PLAYERS_PLACEHOLDER,
    TEXT_FIELDS_BY_CODE,
    fit_text_to_field,
)
from tournaments.import_export.snapshots import (
    BYE_RESULTS,
    RESULTS_BY_SIDE,
    came_from_team_event,
    is_entered_in_round,
    point_system_of_event,
    snapshot_before_round,
)
from tournaments.models import Acceleration, Bye, Entry, ForbiddenPair, Game, PairingSystem, Tournament


def export_trf(
    tournament: Tournament, *, with_coming_byes: bool = True, edition: TrfEdition = TrfEdition.TRF26
) -> bytes:
    """Return the event as a report file in UTF-8: public rounds and, unless left out, byes for future rounds.

    Lines of an imported file are kept, unless their content has changed since, or they are codes of TRF26 and TRF16 is
    asked for. Points and places are those after the published rounds. Names are those of `report_names_by_entry`, cut
    to 33 characters as the format requires.

    Byes to come are lines 240, because programs that add up the blocks of a player's line expect their points in it.
    In TRF16, and for an imported file that has them in players' lines, they are there, with their points.
    """
    return write_trf(build_trf_file(tournament, with_coming_byes=with_coming_byes, edition=edition))


def build_trf_file(
    tournament: Tournament, *, with_coming_byes: bool = True, edition: TrfEdition = TrfEdition.TRF26
) -> TrfFile:
    """Build the lines of `export_trf`."""
    entries = list(tournament.entries.select_related("member"))
    numbers = pairing_numbers_by_entry(entries)
    is_old = edition is TrfEdition.TRF16
    left = [text for text in tournament.report_lines if not (is_old and text[:3] in _CODES_OF_TRF26)]
    byes = _ByesToCome(tournament, left, entries, numbers, is_included=with_coming_byes, is_in_blocks=is_old)
    fresh = _fresh(tournament, entries, numbers, byes, edition)
    return replace(fresh, lines=tuple(_merged(tournament, left, fresh, byes))) if left else fresh


def has_byes_to_come(tournament: Tournament) -> bool:
    """Return True if a report can include byes or absences for rounds that are not public yet."""
    entries = list(tournament.entries.all())
    return bool(_ByesToCome(tournament, [], entries, pairing_numbers_by_entry(entries), is_included=True).results)


class _ByesToCome:
    """Byes and absences of rounds that are not public, by number and round, and the form in which a report has them.

    - `results`: all of them. A pairing-allocated bye of a draft is none.
    - `kept_lines`: the lines 240 and XXZ of an imported file that still hold
    - `in_blocks`: those that belong in the players' lines
    - `fresh_lines`: lines 240 for the others
    """

    def __init__(
        self,
        tournament: Tournament,
        report_lines: list[str],
        entries: list[Entry],
        numbers: Mapping[int, PairingNumber],
        *,
        is_included: bool,
        is_in_blocks: bool = False,
    ) -> None:
        rounds = list(tournament.rounds.all())
        self.shown = {each.number for each in rounds if each.is_public}
        self.results: dict[tuple[PairingNumber, int], Result] = {}
        self.kept_lines: set[str] = set()
        if is_included:
            self._load(tournament, entries, numbers, [each.number for each in rounds])
        players = tuple(TrfPlayer(tpn=number) for number in numbers.values())
        texts = [] if came_from_team_event(tournament) else report_lines
        lines = [TrfRecord(text=text) for text in texts if text[:3] in BYE_LINE_CODES]
        in_lines = {place for line in lines for place in self._keep(line, players)}
        rest = {place: result for place, result in self.results.items() if place not in in_lines}
        is_in_blocks = is_in_blocks or (bool(report_lines) and not lines)
        self.in_blocks = rest if is_in_blocks else {}
        self.fresh_lines = [] if is_in_blocks else list(format_bye_lines(rest))

    def _load(
        self,
        tournament: Tournament,
        entries: list[Entry],
        numbers: Mapping[int, PairingNumber],
        rounds: list[int],
    ) -> None:
        byes = Bye.objects.filter(round__tournament=tournament).exclude(kind=Bye.Kind.PAIRING_ALLOCATED)
        for number, entry, kind in byes.values_list("round__number", "entry_id", "kind"):
            if number not in self.shown:
                self.results[numbers[entry], number] = BYE_RESULTS[kind]
        for coming in [number for number in rounds if number not in self.shown][:1]:
            for one in entries:
                if not is_entered_in_round(one, coming):
                    self.results.setdefault((numbers[one.pk], coming), Result.ZERO_POINT_BYE)

    def _keep(self, line: TrfRecord, players: tuple[TrfPlayer, ...]) -> list[tuple[PairingNumber, int]]:
        """Keep an imported line if every bye in it still holds, and return these byes. One of a public round does."""
        try:
            byes = read_directives(TrfFile(lines=(line, *players))).byes
        except TrfError:  # It names somebody who has been removed.
            return []
        after = max(self.shown, default=0) + 1
        said = {(bye.tpn, bye.round_number or after): bye.result for bye in byes}
        to_come = {place: result for place, result in said.items() if place[1] not in self.shown}
        if any(self.results.get(place) is not result for place, result in to_come.items()):
            return []
        self.kept_lines.add(line.text)
        return list(said)


def _fresh(
    tournament: Tournament,
    entries: list[Entry],
    numbers: Mapping[int, PairingNumber],
    byes: _ByesToCome,
    edition: TrfEdition,
) -> TrfFile:
    """Build a new file from the event's rows alone."""
    rules: list[ForbiddenPair] = []
    in_some_rounds: list[ForbiddenPair] = []
    for rule in tournament.forbidden_pairs.all():
        always = rule.from_round == 1 and rule.to_round is None
        (rules if always else in_some_rounds).append(rule)
    made = make_trf(
        header=TrfHeader(
            tournament=tournament.name,
            city=tournament.city,
            federation=tournament.club.federation,
            first_day=f"{tournament.starts_on:%Y/%m/%d}" if tournament.starts_on else "",
            last_day=f"{tournament.ends_on:%Y/%m/%d}" if tournament.ends_on else "",
            kind=_kind(tournament, len(entries)),
            chief_arbiter=arbiter_name_for_fide(
                tournament, format_name_with_fide_id(tournament.chief_arbiter, tournament.chief_arbiter_fide_id)
            ),
            deputies=tuple(
                arbiter_name_for_fide(tournament, name) for name in parse_deputy_arbiters(tournament.deputy_arbiters)
            ),
            time_control=tournament.time_control,
            round_dates=_round_dates(tournament),
            event_type=_event_type(tournament),
            tie_breaks=tuple(tournament.tie_breaks),
        ),
        players=_players(tournament, entries, numbers, byes),
        rounds=tournament.rounds_announced,
        first_colour=Colour(tournament.first_colour),
        points=point_system_of_event(tournament),
        fictitious={numbers[entry.pk]: tuple(entry.fictitious) for entry in entries if entry.fictitious},
        forbidden_pairs=[frozenset((numbers[rule.first_id], numbers[rule.second_id])) for rule in rules],
        readings=non_default_interpretations(tournament.readings.items()),
        edition=edition,
    )
    lines = [TrfRecord(text=text) for text in byes.fresh_lines]
    lines += [TrfRecord(text=_line_260(tournament, rule, numbers)) for rule in in_some_rounds]
    earlier = (
        EarlierPairingSystem(last_round=each["to_round"], system=each["system"], procedure=each["procedure"] or None)
        for each in tournament.earlier_systems
    )
    comments = [*format_earlier_system_lines(earlier), *_decisions(tournament)]
    if tournament.fide_rated:
        comments += format_override_lines(tournament)
    lines += [TrfRecord(text=text) for text in comments]
    records = [line for line in made.lines if isinstance(line, TrfRecord)]
    return replace(made, lines=(*records, *lines, *made.players))


def _kind(tournament: Tournament, players: int) -> str:
    if came_from_team_event(tournament):
        return ""
    is_round_robin = tournament.system == PairingSystem.ROUND_ROBIN
    is_double = is_round_robin and players > 2 and tournament.rounds_announced >= 2 * (berger_table_size(players) - 1)
    return describe_event_kind(is_round_robin=is_round_robin, is_double=is_double)


def _event_type(tournament: Tournament) -> str:
    """Return FIDE's code for the pairing system, empty if there is none.

    For rounds from an imported file, the pairing system is unknown unless the file names it.
    """
    came_from = tournament.report_lines
    if tournament.earlier_systems or (came_from and not any(line.startswith("192") for line in came_from)):
        return ""
    is_accelerated = tournament.acceleration == Acceleration.BAKU
    is_coded = is_accelerated or tournament.acceleration == Acceleration.NONE
    return encode_event_type(tournament.system, is_accelerated=is_accelerated) if is_coded else ""


def _birth(said: str, member: Member | None) -> str:
    """Return a birth in the report's format. A year alone has no day (1984/00/00).

    For a `member` without a FIDE ID, use the day from the member list: FIDE requires it for a new ID.
    """
    if member is not None and member.birth_date is not None and said in ("", str(member.birth_date.year)):
        return f"{member.birth_date:%Y/%m/%d}"
    return f"{said}/00/00" if re.fullmatch(r"\d{4}", said, re.ASCII) else said


def _round_dates(tournament: Tournament) -> tuple[str, ...]:
    """Return the day of each public round: its scheduled evening, or else when it was published.

    For an imported event only scheduled evenings count: its rounds were published when the file was read.
    """
    days = [
        each.starts_at or (None if tournament.report_lines else each.published_at)
        for each in tournament.rounds.only_published().order_by("number")
    ]
    return tuple(f"{timezone.localdate(day):%y/%m/%d}" if day else "" for day in days) if any(days) else ()


def _decisions(tournament: Tournament) -> Iterator[str]:
    """Yield the arbiter's decisions in public rounds that had no legal pairing."""
    for each in tournament.rounds.only_published().exclude(decision=None).select_related("decision").order_by("number"):
        line = each.decision
        if line is not None:
            told = line.details
            yield format_arbiter_decision_line(
                each.number, line.action, told.get("numbers", ()), told.get("articles", ""), told.get("reason", "")
            )


def _line_260(tournament: Tournament, rule: ForbiddenPair, numbers: Mapping[int, PairingNumber]) -> str:
    pair = numbers[rule.first_id], numbers[rule.second_id]
    return format_forbidden_pair_line(rule.from_round, rule.to_round or tournament.rounds_announced, pair)


def _players(
    tournament: Tournament, entries: list[Entry], numbers: Mapping[int, PairingNumber], byes: _ByesToCome
) -> list[TrfPlayer]:
    blocks = _blocks(tournament, numbers, byes)
    names = report_names_by_entry(tournament, entries)
    shown = tournament.rounds.only_published().count()
    standings = _standings(tournament, shown)
    spelt = {player.tpn: player for player in _spelt_players(tournament)}
    worth = points_by_result(point_system_of_event(tournament))
    to_come: dict[PairingNumber, int] = defaultdict(int)
    for (tpn, _number), result in byes.in_blocks.items():
        to_come[tpn] += worth[result]
    return [
        TrfPlayer(
            tpn=numbers[entry.pk],
            name=names[entry.pk].name,
            sex=_same_sex(entry, spelt.get(numbers[entry.pk])),
            title=_same_title(entry, spelt.get(numbers[entry.pk])),
            rating=entry.rating,
            federation=entry.federation,
            fide_number=entry.fide_id,
            birth_date=_birth(entry.birth, entry.member if tournament.fide_rated and not entry.fide_id else None),
            points=Decimal(standings[numbers[entry.pk]].points + to_come[numbers[entry.pk]]) / 2,
            rank=standings[numbers[entry.pk]].rank,
            rounds=_line_of_rounds(blocks[entry.pk]),
        )
        for entry in entries
    ]


def _spelt_players(tournament: Tournament) -> Iterator[TrfPlayer]:
    """Yield number, sex and title of the players whose sex or title an imported file spells in its own way."""
    for text in tournament.report_lines:
        if text.startswith("001") and text != PLAYERS_PLACEHOLDER:
            yield TrfPlayer(tpn=int(text[model.TPN]), sex=text[model.SEX].strip(), title=text[model.TITLE].strip())


def _same_sex(entry: Entry, spelt: TrfPlayer | None) -> str:
    """Return the sex as the imported file spells it, if that still means the same."""
    return spelt.sex if spelt is not None and sex_in_report(spelt) == entry.sex else entry.sex


def _same_title(entry: Entry, spelt: TrfPlayer | None) -> str:
    """Return the title as the imported file spells it, if that still means the same."""
    return spelt.title if spelt is not None and spelt.fide_title == entry.title else entry.title


def _standings(tournament: Tournament, rounds: int) -> dict[PairingNumber, PlayerStanding]:
    tie_breaks = tournament.tie_breaks or DEFAULT_TIE_BREAKS_BY_SYSTEM.get(tournament.system, ())
    known = [code for code in tie_breaks if is_known_tie_break(code)]
    edition = TieBreakEdition.edition_for_date(tournament.starts_on.isoformat() if tournament.starts_on else "")
    return {row.tpn: row for row in rank_players(snapshot_before_round(tournament, rounds + 1), known, edition=edition)}


def _line_of_rounds(blocks: Mapping[int, TrfRound]) -> tuple[TrfRound, ...]:
    return tuple(blocks.get(number, BLANK_ROUND) for number in range(1, max(blocks, default=0) + 1))


def _blocks(
    tournament: Tournament, numbers: Mapping[int, PairingNumber], to_come: _ByesToCome
) -> dict[int, dict[int, TrfRound]]:
    """Return, by entry key, the blocks of the player's line by round. A draft adds nothing."""
    blocks: dict[int, dict[int, TrfRound]] = defaultdict(dict)
    games = Game.objects.filter(round__tournament=tournament, round__number__in=to_come.shown)
    for number, white, black, result, coloured in games.values_list(
        "round__number", "white_id", "black_id", "result", "colours_drawn"
    ):
        of_white, of_black = RESULTS_BY_SIDE.get(result, (None, None))
        colours = (Colour.WHITE, Colour.BLACK) if coloured else (None, None)
        blocks[white][number] = TrfRound(opponent=numbers[black], colour=colours[0], result=of_white)
        blocks[black][number] = TrfRound(opponent=numbers[white], colour=colours[1], result=of_black)
    byes = Bye.objects.filter(round__tournament=tournament, round__number__in=to_come.shown)
    for number, player, kind in byes.values_list("round__number", "entry_id", "kind"):
        blocks[player][number] = TrfRound(result=BYE_RESULTS[kind])
    keys = {number: key for key, number in numbers.items()}
    for (tpn, number), bye in to_come.in_blocks.items():
        blocks[keys[tpn]][number] = TrfRound(result=bye)
    return blocks


def _merged(
    tournament: Tournament, report_lines: list[str], fresh: TrfFile, byes: _ByesToCome
) -> Iterator[TrfRecord | TrfPlayer]:
    """Yield the imported file's lines that still hold, and otherwise those of the new file."""
    kept = [
        TrfRecord(text=text) for text in report_lines if not text.startswith("001") and text[:3] not in BYE_LINE_CODES
    ]
    old, new = _Said(kept, fresh), _Said([line for line in fresh.lines if isinstance(line, TrfRecord)], fresh)
    stated = {_group(record) for record in kept}
    is_team_event = came_from_team_event(tournament)
    written: set[tuple[str, ...]] = set()
    for text in report_lines:
        record = TrfRecord(text=text)
        group = _group(record)
        if text == PLAYERS_PLACEHOLDER:
            yield from (line for line in new.records if _group(line) not in stated or is_clubnight_comment(line.text))
            yield from fresh.players
        elif text.startswith("001"):
            continue
        elif record.line_code in BYE_LINE_CODES and not is_team_event:
            if text in byes.kept_lines:
                yield record
        elif (is_team_event and group in _GROUPS_OF_TEAMS) or old.has_same_statement(new, group, tournament):
            yield record
        elif group not in written:
            written.add(group)
            yield from (line for line in new.records if _group(line) == group)


_GROUPS = (("202", "212"), ("XXR", "142"), ("XXC", "152"), ("XXA", "250"), ("XXP", "260"), ("XXS", "162"))
"""Codes with the same meaning."""
_GROUPS_OF_TEAMS = (("192",), ("202", "212"), ("XXA", "250"), ("XXP", "260"), ("240",), ("XXZ",))
"""Lines that are about the teams in a team event, and stay as they are."""
_CODES_OF_TRF26 = frozenset({"142", "152", "162", "192", "202", "212", "222", "240", "250", "260"})
"""Codes that TRF16 doesn't have. Only a rule for some rounds stays in a line 260, as XXP has none."""


def _group(record: TrfRecord) -> tuple[str, ...]:
    return next((group for group in _GROUPS if record.line_code in group), (record.line_code,))


class _Said:
    """The content of some lines, to compare with that of others."""

    def __init__(self, records: list[TrfRecord], fresh: TrfFile) -> None:
        self.records = records
        self.directives = read_directives(TrfFile(lines=(*records, *fresh.players)))

    def has_same_statement(self, new: _Said, group: tuple[str, ...], tournament: Tournament) -> bool:
        """Return True if the lines in a group are still true. Lines that match no field in the event count as true."""
        code = group[0]
        if code == "012":
            return fit_text_to_field("name", self._value(code)) == tournament.name
        if code == "102":
            return split_name_and_fide_id(self._value(code)) == split_name_and_fide_id(new._value(code))
        if code == "192":
            return self._value(code) == new._value(code) or not _paired_here(tournament)
        if code in ("112", "222"):
            return not new._values(code) or [*map(_plain, self._values(code))] == [*map(_plain, new._values(code))]
        if code in ("202", "212"):
            return not tournament.tie_breaks or self.stated_tie_breaks() == new.stated_tie_breaks()
        if code in TEXT_FIELDS_BY_CODE:
            return fit_text_to_field(TEXT_FIELDS_BY_CODE[code], self._value(code)) == getattr(
                tournament, TEXT_FIELDS_BY_CODE[code]
            )
        if code in DATE_FIELDS_BY_CODE:
            return getattr(tournament, DATE_FIELDS_BY_CODE[code]) in (None, parse_report_date(self._value(code)))
        if code == "062":
            return self._value(code) == new._value(code)
        old_said, new_said = self.directives, new.directives
        if code == "XXA":
            return _fictitious(old_said) == _fictitious(new_said)
        if code == "XXS":
            return old_said.result_points == new_said.result_points
        if code == "XXP":
            return _forbidden(old_said) == _forbidden(new_said)
        return {"XXR": old_said.rounds == new_said.rounds, "XXC": old_said.first_colour is new_said.first_colour}.get(
            code, True
        )

    def stated_tie_breaks(self) -> list[str]:
        codes = read_tie_break_codes(TrfFile(lines=tuple(self.records)))
        return [str(parse_tie_break(code)) if is_known_tie_break(code) else code for code in codes]

    def _value(self, code: str) -> str:
        return next(iter(self._values(code)), "")

    def _values(self, code: str) -> list[str]:
        return [record.line_value for record in self.records if record.line_code == code and record.line_value]


def _paired_here(tournament: Tournament) -> bool:
    """Return True if a round was paired here. Imported rounds have the same time of pairing and publishing."""
    return tournament.rounds.only_published().exclude(paired_at=F("published_at")).exists()


def _plain(text: str) -> str:
    return " ".join(text.split())


def _fictitious(said: EventDirectives) -> set[tuple[PairingNumber, int, int]]:
    return {
        (tpn, number, half_points)
        for tpn, by_round in said.fictitious.items()
        for number, half_points in by_round.items()
        if half_points
    }


def _forbidden(said: EventDirectives) -> set[tuple[PairingNumber, PairingNumber, int, int | None]]:
    return {
        (one, other, group.first_round, group.last_round)
        for group in said.forbidden
        for one in group.players
        for other in group.players
        if one < other
    }
