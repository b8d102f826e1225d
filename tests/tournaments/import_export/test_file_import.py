"""Importing report files: a preview first, then all or nothing."""

from __future__ import annotations

import pytest

from clubs.models import Club
from pairing.engine.trf import read_trf, snapshot_from_trf
from pairing.rounds.lifecycle.transitions import pair_round, take_pairing_snapshot
from tests.factories import make_event, make_member, played, round_of
from tests.pairing.engine.trf.lines import player, report
from tournaments.entries.player_rows import RowOutcome
from tournaments.import_export.file_import import apply_import, preview_import
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Bye, Entry, ForbiddenPair, Game, LogEntry, PairingSystem, Round, Tournament
from tournaments.problems import ArbiterProblem

PLAYERS = (
    "001    1 w    Wieża, Łucja                      2100 POL     1234567 1990/05/01  1.5    1     3 w 1     2 b =",
    "001    2 m FM Гонец, Ясен                       2000 BUL             1985/00/00  1.5    1     4 b +     1 w =",
    "001    3      Kůň, Řehoř                        1900 CZE                         1.0    3     1 b 0  0000 - U",
    "001    4      Pionek, Jan                                                        0.5    4     2 w -  0000 - H",
    "001    5      Hetman, Ewa                       1500                             0.0    5  0000 - -",
)
HEADER = ("012 Turniej próbny", "022 Zamatowice", "042 2026/01/10", "052 2026.01.31", "112 Skoczek, Olaf", "XXR 4")
FILE = "\r\n".join([*HEADER, "XXC black1", "XXP 1 5", *PLAYERS, "### a remark behind", ""])
DATA = FILE.encode()


def changed(old: str, new: str) -> bytes:
    assert FILE.count(old) == 1
    return FILE.replace(old, new).encode()


def nothing_written() -> bool:
    return not (Entry.objects.exists() or Game.objects.exists() or Bye.objects.exists() or LogEntry.objects.exists())


# -- Refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"", 1, 1),
        (b"012 Nobody\n", 1, 1),
        (changed("    3 w 1     2 b =", "    3 w 1     2 x ="), 9, 107),
        (changed("    3 w 1     2 b =", "    3 w 1     2 b 1"), 9, 109),
        (changed("    3 w 1     2 b =", "    3 w 1     9 b ="), 9, 102),
        (changed("001    5 ", "001    4 "), 13, 5),
        (changed("2100 POL", "210O POL"), 9, 49),
        (changed("2100 POL", "4100 POL"), 9, 49),
        (changed("Pionek, Jan", "           "), 12, 15),
        (changed("XXR 4", "XXR four"), 6, 5),
        (changed("XXP 1 5", "XXP 1 55"), 8, 7),
        (changed("XXR 4", "XXS W=0.5"), 6, 5),
    ],
)
def test_a_malformed_file_is_answered_with_its_place_and_nothing_is_written(data, line, column, club):
    preview = preview_import(club, data, "trial.trf")
    assert (preview.errors[0].line, preview.errors[0].column) == (line, column)
    with pytest.raises(ArbiterProblem) as problem:
        apply_import(club, data, "trial.trf", by=None)
    assert f"line {line}, column {column}" in problem.value.message or line == 0
    assert nothing_written()
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(("one", "other"), [("=", "0"), ("0", "="), ("L", "L")])
def test_a_pair_of_results_that_no_board_can_have_here(one, other, club):
    lines = (player(1, f"   2 w {one}"), player(2, f"   1 b {other}"))
    preview = preview_import(club, report("XXR 3", *lines), "trial.trf")
    assert [(error.line, error.column) for error in preview.errors] == [(2, 99)]
    assert f"{one} – {other}" in str(preview.errors[0])


def test_a_game_that_both_have_lost_is_taken_over(club):
    data = report("XXR 3", player(1, "   2 w 0"), player(2, "   1 b 0"))
    event = apply_import(club, data, "trial.trf", by=None)
    assert event.rounds.get(number=1).games.get().result == Game.Result.BOTH_LOSE


@pytest.mark.every_database
def test_a_file_with_nul_is_no_text_and_other_characters_that_do_not_print_become_blanks(club):
    (error,) = preview_import(club, report("XXR 3", "022 a\x00b", player(1)), "trial.trf").errors
    assert (error.line, error.column) == (2, 6)
    event = apply_import(club, report("012 Zima\x01\x1b", "022 a\tb", "XXR 3", player(1), player(2)), "x.trf", by=None)
    assert (event.name, event.city) == ("Zima", "a b")


def test_more_lines_than_any_report_has(club):
    (error,) = preview_import(club, b"XXZ 1\n" * 210_000 + report(player(1)), "trial.trf").errors
    assert (error.line, error.expected) == (200_001, "at most 200000 lines")


def test_more_players_than_an_event_has(club):
    data = report(*(f"001{tpn:>5}      Pionek, Jan" for tpn in range(1, 10_002)))
    assert "10001" in str(preview_import(club, data, "trial.trf").errors[0])


def test_a_result_missing_before_the_last_round(club):
    data = FILE.replace("     3 w 1 ", "     3 w   ").replace("     1 b 0 ", "     1 b   ").encode()
    preview = preview_import(club, data, "trial.trf")
    assert [(error.line, error.column) for error in preview.errors] == [(9, 99), (11, 99)]


def test_more_rounds_than_an_event_has(club):
    preview = preview_import(club, changed("XXR 4", "XXR 100"), "trial.trf")
    assert not preview.can_be_imported
    assert not Tournament.objects.exists()


def test_no_report_goes_into_an_event_with_players(club):
    event = make_event(club, players=2)
    before = event.log.count()
    with pytest.raises(ArbiterProblem):
        apply_import(event, DATA, "trial.trf", by=None)
    assert (event.entries.count(), event.log.count()) == (2, before)


def test_the_same_file_twice_is_refused_in_one_event_and_two_events_in_a_club(club):
    event = make_event(club)
    apply_import(event, DATA, "trial.trf", by=None)
    with pytest.raises(ArbiterProblem):
        apply_import(event, DATA, "trial.trf", by=None)
    assert event.entries.count() == 5
    slugs = [apply_import(club, DATA, "trial.trf", by=None).slug for _ in range(2)]
    assert slugs == ["turniej-probny", "turniej-probny-2"]


def test_a_failure_in_the_middle_leaves_nothing(club, monkeypatch):
    def fail(*_arguments, **_words):
        raise RuntimeError("power cut")

    monkeypatch.setattr("tournaments.import_export.report_to_event._close_rounds", fail)
    with pytest.raises(RuntimeError):
        apply_import(club, DATA, "trial.trf", by=None)
    assert nothing_written()
    assert not Tournament.objects.exists()


# -- What is read --------------------------------------------------------------------------------------------------


def test_the_preview_says_what_there_is_and_writes_nothing(club):
    preview = preview_import(club, DATA, "trial.trf")
    assert preview.can_be_imported
    assert (preview.kind, preview.tournament_name, preview.rounds_announced) == ("trf", "Turniej próbny", 4)
    assert (len(preview.players), preview.rounds, preview.games, preview.byes, preview.requested_byes) == (
        5,
        2,
        3,
        3,
        0,
    )
    assert nothing_written()


def test_an_event_is_as_the_file_says(club, secretary):
    event = apply_import(club, DATA, "trial.trf", by=secretary, system=PairingSystem.FIDE_1989)
    assert (event.name, event.city, event.system, event.first_colour) == (
        "Turniej próbny",
        "Zamatowice",
        PairingSystem.FIDE_1989,
        "b",
    )
    assert (str(event.starts_on), str(event.ends_on)) == ("2026-01-10", "2026-01-31")
    states = list(event.rounds.values_list("number", "state"))
    assert states == [(1, "finished"), (2, "finished"), (3, "waiting"), (4, "waiting")]
    first = Entry.objects.get(tournament=event, tpn=1)
    assert (first.name, first.sex, first.rating, first.federation) == ("Wieża, Łucja", "w", 2100, "POL")
    assert (first.fide_id, first.birth) == ("1234567", "1990/05/01")
    games = Game.objects.filter(round__tournament=event).values_list(
        "round__number", "board", "white__tpn", "black__tpn", "result"
    )
    assert sorted(games) == [(1, 1, 1, 3, "1-0"), (1, 2, 4, 2, "-/+"), (2, 1, 2, 1, "1/2")]
    byes = Bye.objects.filter(round__tournament=event).values_list("round__number", "entry__tpn", "kind")
    assert sorted(byes) == [(1, 5, "-"), (2, 3, "U"), (2, 4, "H")]
    assert ForbiddenPair.objects.get().first.tpn == 1
    assert event.log.filter(action="file imported", actor=secretary).exists()


def test_the_engine_sees_the_same_event_in_the_rows_as_in_the_file(club):
    event = apply_import(club, DATA, "trial.trf", by=None, system=PairingSystem.FIDE_1989)
    assert take_pairing_snapshot(round_of(event, 3)) == snapshot_from_trf(read_trf(DATA, name="x"), system="fide-1989")


def test_an_imported_event_is_played_on(club):
    event = apply_import(club, DATA, "trial.trf", by=None, system=PairingSystem.JAHR)
    played(event, 3)
    played(event, 4)
    assert event.rounds.filter(state=Round.State.FINISHED).count() == 4


def test_an_events_own_name_and_city_stay(club):
    event = make_event(club, city="Wieżyn")
    apply_import(event, DATA, "trial.trf", by=None)
    event.refresh_from_db()
    assert (event.name, event.city, event.rounds_announced, event.rounds.count()) == ("Środa", "Wieżyn", 4, 4)


def test_numbers_of_a_file_are_kept_when_round_1_is_paired(club):
    data = (
        b"001    1      Slaby, Jan                        1200\n001    2      Mocny, Jan                        2200\n"
    )
    event = apply_import(club, data, "list.trf", by=None)
    played(event, 1)
    assert list(event.entries.values_list("tpn", "name")) == [(1, "Slaby, Jan"), (2, "Mocny, Jan")]


def test_byes_for_the_round_to_come(club):
    lines = [PLAYERS[0] + "  0000 - F", PLAYERS[1], PLAYERS[2], PLAYERS[3], PLAYERS[4]]
    data = "\n".join(["XXR 5", "XXZ 5", "240 H 004    3", *lines]).encode()
    assert preview_import(club, data, "trial.trf").requested_byes == 3
    event = apply_import(club, data, "trial.trf", by=None)
    byes = Bye.objects.filter(round__tournament=event, round__number__gt=2)
    assert sorted(byes.values_list("round__number", "entry__tpn", "kind")) == [(3, 1, "F"), (3, 5, "Z"), (4, 3, "H")]


def test_a_round_still_being_played(club):
    data = FILE.replace("     2 b =", "     2 b  ").replace("     1 w =", "     1 w  ").encode()
    event = apply_import(club, data, "trial.trf", by=None)
    assert round_of(event, 2).state == Round.State.PUBLISHED
    assert round_of(event, 2).games.get().result == Game.Result.PENDING


def test_members_are_found_among_the_players(club):
    lucja = make_member(club, "Wieża, Łucja", 2050)
    outcomes = {row.name: row.outcome for row in preview_import(club, DATA, "trial.trf").players}
    assert outcomes["Wieża, Łucja"] is RowOutcome.MEMBER
    assert outcomes["Pionek, Jan"] is RowOutcome.GUEST
    event = apply_import(club, DATA, "trial.trf", by=None)
    assert event.entries.get(member=lucja).rating == 2100, "the file's rating is the event's"


def test_contradictions_that_stop_nothing_are_warnings(club):
    data = changed("1990/05/01  1.5    1", "1990/05/01  2.5    1")
    preview = preview_import(club, data, "trial.trf")
    assert preview.can_be_imported
    assert [(warning.line, warning.column) for warning in preview.warnings] == [(9, 81)]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (("192 FIDE_TEAM_TYPEA_MP_GP",), 7),
        (("092 Team: Swiss-System",), 7),
        (("310   1 Wieże                                                    1    2",), 7),
        (("330 +-   1   1   2",), 7),
        (("013 Wieże                              1    2",), 7),
    ],
)
def test_a_team_event_is_taken_without_its_teams_and_is_not_paired(club, lines, line):
    data = changed("XXR 4", "\n".join(("XXR 4", *lines, "240 H   3    1    2", "212 PTS,MPvGP")))
    preview = preview_import(club, data, "trial.trf")
    assert [(warning.line, "team event" in warning.message) for warning in preview.warnings] == [(line, True)]
    assert preview.system == ""
    event = apply_import(club, data, "trial.trf", system="dutch-2026", by=None)
    assert event.tie_breaks == []
    assert not event.rounds.get(number=3).byes.exists()
    for each in ("240 H   3    1    2", "212 PTS,MPvGP", *lines):
        assert each in export_trf(event).decode().splitlines()
    again = preview_import(club, export_trf(event), "again.trf")
    assert (again.games, again.byes, len(again.warnings)) == (preview.games, preview.byes, 1)
    with pytest.raises(ArbiterProblem, match="team"):
        pair_round(event.rounds.get(number=3).pk, by=None)


def test_teams_in_a_file_that_calls_itself_individual_are_passed_over_aloud(club):
    data = changed("XXR 4", "XXR 4\n092 Individual: Swiss-System\n013 Wieże                              1    2")
    preview = preview_import(club, data, "trial.trf")
    assert preview.can_be_imported
    assert [warning.line for warning in preview.warnings] == [8]


def test_a_round_with_two_byes_by_pairing_is_taken_with_a_warning_and_comes_back(club):
    data = changed("0000 - H", "0000 - U")
    preview = preview_import(club, data, "trial.trf")
    assert preview.can_be_imported
    assert (12, 109) in [(warning.line, warning.column) for warning in preview.warnings]
    event = apply_import(club, data, "trial.trf", by=None)
    byes = [bye.beside_another for bye in round_of(event, 2).byes.filter(kind="U")]
    assert sorted(byes) == [False, True]
    again = preview_import(club, export_trf(event), "again.trf")
    assert (again.byes, again.games) == (preview.byes, preview.games)


def test_what_fide_codes_of_the_event_goes_in_and_out(club):
    said = ("102 IA Skoczek, Ala (1234567)", "192 FIDE_DUTCH_2026", "202 BH/C1,SB", "222 40/5400+30:900+30")
    data = changed("XXR 4", "\n".join(("XXR 4", *said)))
    assert preview_import(club, data, "trial.trf").system == "dutch-2026"
    event = apply_import(club, data, "trial.trf", by=None)
    assert (event.chief_arbiter, event.chief_arbiter_fide_id) == ("IA Skoczek, Ala", "1234567")
    assert (event.deputy_arbiters, event.system, event.tie_breaks) == ("Skoczek, Olaf", "dutch-2026", ["BH/C1", "SB"])
    assert event.time_control == "40/90'+30\" + 15'+30\""
    assert set(said) <= set(export_trf(event).decode().splitlines())
    event.tie_breaks = ["T", "E"]
    assert "202" not in {line[:3] for line in export_trf(event).decode().splitlines()}, "FIDE has no code for them"
    event.time_control, event.tie_breaks, event.chief_arbiter_fide_id = "90+30", ["BH"], "7654321"
    event.save()
    lines = export_trf(event).decode().splitlines()
    assert {"102 IA Skoczek, Ala (7654321)", "202 BH", "222 5400+30", "122 90+30"} <= set(lines)
    assert not set(said) & set(lines) - {"192 FIDE_DUTCH_2026"}


@pytest.mark.parametrize("encoding", ["cp1250", "utf-8-sig"])
def test_other_encodings(encoding, club):
    latin = FILE.replace("Гонец, Ясен", "Goniec, Jaś").encode(encoding)
    event = apply_import(club, latin, "trial.trf", by=None)
    assert event.name == "Turniej próbny"
    assert event.entries.filter(name="Wieża, Łucja").exists()


@pytest.mark.parametrize(("most", "is_taken"), [(3, False), (4, True)])
def test_an_event_may_have_as_many_players_as_it_may_have(club, monkeypatch, most, is_taken):
    monkeypatch.setattr("pairing.engine.trf.model.MAX_PLAYERS", most)
    players = [f"001 {tpn:4}      {f'Pionek, Nr{tpn}':33}" for tpn in range(1, 5)]
    preview = preview_import(club, "\n".join(["012 Mały turniej", "XXR 3", *players, ""]).encode(), "four.trf")
    assert preview.can_be_imported == is_taken
    assert [error.expected for error in preview.errors] == ([] if is_taken else [f"at most {most} players"])


def test_three_thousand_players(club, django_assert_max_num_queries):
    """One round, top half against bottom half; rows are inserted in batches."""
    half, lines = 1500, []
    for tpn in range(1, 2 * half + 1):
        opponent, colour = (tpn + half, "w") if tpn <= half else (tpn - half, "b")
        result = "1" if tpn <= half else "0"
        rating = 2500 - tpn // 2
        lines.append(
            f"001 {tpn:4} m    {f'Pionek, Nr{tpn}':33} {rating:4} POL {'':11} 1990/01/01 {result + '.0':>4} {tpn:4}"
            f"  {opponent:4} {colour} {result}"
        )
    data = "\n".join(["012 Wielki turniej", "XXR 9", *lines, ""]).encode()
    with django_assert_max_num_queries(150):
        event = apply_import(club, data, "big.trf", by=None)
    assert (event.entries.count(), Game.objects.count()) == (3000, 1500)
    assert Club.objects.get() == club


@pytest.mark.one_database
def test_real_files(club, event_files):
    """Every readable event becomes the same event in the database: the engine sees no difference."""
    imported = 0
    for path in sorted(event_files.glob("*.trf")):
        data = path.read_bytes()
        event = apply_import(club, data, path.name, by=None, system=PairingSystem.FIDE_1989)
        trf = read_trf(data, name=path.name)
        if trf.rounds_paired < event.rounds_announced:
            expected = snapshot_from_trf(trf, system="fide-1989", rounds=event.rounds_announced)
            assert take_pairing_snapshot(round_of(event, trf.rounds_paired + 1)) == expected, path.name
            imported += 1
    assert imported


# -- What the event counts for, and what pairs it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rated_as"),
    [("122 15 min + 10 s", "rapid"), ("222 180+2", "blitz"), ("122 90 min + 30 s", "standard"), ("022 x", "standard")],
)
def test_an_event_counts_for_what_its_time_control_says(line, rated_as, club):
    data = report("012 Szybkie", line, "XXR 3", player(1), player(2))
    assert preview_import(club, data, "x.trf").rated_as == ("" if line == "022 x" else rated_as)
    assert apply_import(club, data, "x.trf", by=None).rated_as == rated_as
    assert apply_import(club, data, "x.trf", by=None, rated_as="").rated_as == "", "what somebody says holds"
    empty = make_event(club, rated_as="standard")
    assert apply_import(empty, data, "x.trf", by=None).rated_as == "standard", "an event that is there has its own"


def test_a_round_robin_of_the_text_is_proposed_and_what_192_says_holds_before_it(club):
    lines = ("092 Individual: Round-Robin", "XXR 3", *(player(tpn) for tpn in range(1, 5)))
    assert preview_import(club, report(*lines), "x.trf").system == PairingSystem.ROUND_ROBIN
    assert preview_import(club, report("192 FIDE_DUTCH_2026", *lines), "x.trf").system == PairingSystem.DUTCH_2026
    event = apply_import(club, report(*lines), "x.trf", by=None)
    assert event.system == PairingSystem.ROUND_ROBIN
    assert "092 Individual: Round-Robin" in export_trf(event).decode().split("\r\n")
