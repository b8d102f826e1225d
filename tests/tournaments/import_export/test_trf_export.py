"""Exports: everything from the imported file, and everything done since."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from pairing.engine.trf import TrfEdition, read_trf, snapshot_from_trf
from pairing.view_models.standings.event_standings import get_event_standings
from tests.factories import draft_of, make_event, played, player, published, round_of
from tests.pairing.engine.standings.exercises import ROUND_ROBIN_ROWS
from tests.pairing.engine.standings.rows import report_lines
from tests.pairing.engine.trf.lines import player as player_line
from tests.pairing.engine.trf.lines import report
from tests.tournaments.import_export.test_file_import import FILE
from tournaments.check_in.byes import grant_requested_bye
from tournaments.entries.enrolment import change_entry, forbid_pair, withdraw_player
from tournaments.events.event_setup import change_tournament
from tournaments.import_export.file_import import apply_import
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.import_export.trf_export import export_trf, has_byes_to_come
from tournaments.models import PairingSystem, Round
from tournaments.results.recording import enter_result


def lines(data: bytes) -> list[str]:
    return data.decode().split("\r\n")


def players_of(data: bytes):
    """Every player's line as data, without the columns that we calculate ourselves."""
    return {player.tpn: replace(player, points=None, rank=None) for player in read_trf(data, name="x").players}


def test_a_draft_is_not_exported(club):
    event = make_event(club, players=4)
    draft_of(event, 1)
    assert read_trf(export_trf(event), name="x").rounds_paired == 0


def test_an_event_without_players_has_no_players(club):
    assert not any(line.startswith("001") for line in lines(export_trf(make_event(club))))


@pytest.mark.parametrize("system", [PairingSystem.JAHR, PairingSystem.FIDE_1989])
def test_what_the_engine_sees_in_the_rows_it_sees_in_the_file(system, club):
    event = make_event(club, players=7, rounds=5, system=system, first_colour="b")
    forbid_pair(player(event, 1), player(event, 2), by=None)
    played(event, 1)
    grant_requested_bye(player(event, 3), round_of(event, 2), "H", by=None)
    withdraw_player(player(event, 7), 2, by=None)
    played(event, 2)
    grant_requested_bye(player(event, 4), round_of(event, 3), "H", by=None)
    expected = snapshot_before_round(event, 3)
    written = {}
    for edition in TrfEdition:
        data = export_trf(event, edition=edition)
        exported = snapshot_from_trf(read_trf(data, name="x"), system=system)
        assert exported.rounds_paired == 2
        assert [card.records for card in exported.cards] == [card.records for card in expected.cards]
        waiting = [card.tpn for card in exported.cards if card.unavailable]
        assert waiting == [card.tpn for card in expected.cards if card.unavailable] == [4, 7]
        assert replace(exported, cards=()) == replace(expected, cards=())
        written[edition] = {line[:3] for line in lines(data)}
        again = apply_import(club, data, f"{edition}.trf", by=None, system=system)
        assert export_trf(again, edition=edition) == data, "read and written again, it is the same to the letter"
    assert {"142", "152", "240", "260"} <= written[TrfEdition.TRF26]
    assert not written[TrfEdition.TRF26] & {"XXR", "XXC", "XXP", "XXS"}
    assert {"XXR", "XXC", "XXP"} <= written[TrfEdition.TRF16]
    assert not written[TrfEdition.TRF16] & {"142", "152", "162", "212", "240", "250", "260"}


def test_each_round_has_its_day_in_its_column(club):
    event = make_event(club, players=4, rounds=4)
    played(event, 1)
    played(event, 2)
    draft_of(event, 3)
    Round.objects.filter(tournament=event, number=1).update(starts_at=datetime(2026, 10, 1, 23, 30, tzinfo=UTC))
    Round.objects.filter(tournament=event, number=2).update(starts_at=None, published_at=None)
    with timezone.override("Europe/Warsaw"):
        (line,) = (line for line in lines(export_trf(event)) if line.startswith("132"))
        assert line == "132" + " " * 88 + "26/10/02", "the day it was in the club, from column 92 on"
        Round.objects.filter(tournament=event, number=2).update(published_at=datetime(2026, 10, 8, 17, tzinfo=UTC))
        (line,) = (line for line in lines(export_trf(event)) if line.startswith("132"))
    assert line[91:] == "26/10/02  26/10/08"


def test_older_codes_also_for_what_an_imported_file_says_in_new_ones(club):
    said = ("142 5", "152 B", "212 PTS,BH", "240 H 002    2", "260 001 005    1    3", "260 001 002    2    3")
    data = report(*said, player_line(1, "   2 w 1"), player_line(2, "   1 b 0"), player_line(3, "0000 - U"))
    event = apply_import(club, data, "new.trf", by=None, system=PairingSystem.DUTCH_2026)
    assert set(said) <= set(lines(export_trf(event)))
    older = lines(export_trf(event, edition=TrfEdition.TRF16))
    coded = [line for line in older if not line.startswith(("0", "1"))]
    assert [line for line in coded if line] == ["XXR 5", "XXC black1", "XXP 1 3", "260 001 002    2    3"]
    assert next(line for line in older if line.startswith("001    2")).endswith("0000 - H")


def test_points_are_those_of_the_system(club):
    event = make_event(club, players=3)
    played(event, 1)
    bye = round_of(event, 1).byes.get().entry.tpn
    exported = read_trf(export_trf(event), name="x")
    assert [str(line.points) for line in exported.players if line.tpn == bye] == ["0.5"]
    assert not exported.warnings


def test_open_boards_are_open_in_the_file(club):
    event = make_event(club, players=4)
    shown = published(event, 1)
    enter_result(shown.games.get(board=1), "1-0", revision=0, by=None)
    blocks = [player.get_round(1) for player in read_trf(export_trf(event), name="x").players]
    assert sorted(block.result is None for block in blocks) == [False, False, True, True]


# -- There and back ------------------------------------------------------------------------------------------------


def test_an_imported_file_comes_out_as_it_went_in(club):
    event = apply_import(club, FILE.encode(), "trial.trf", by=None, system=PairingSystem.FIDE_1989)
    exported = export_trf(event)
    assert set(lines(exported)) - set(lines(FILE.encode())) == {
        "062 5",
        "072 4",
        "082 0",
        "092 Individual: Swiss-System",
    }
    assert set(lines(FILE.encode())) <= set(lines(exported))
    again = apply_import(club, exported, "again.trf", by=None, system=PairingSystem.FIDE_1989)
    assert export_trf(again) == exported


def test_colours_and_no_colours_of_forfeits_are_kept(club):
    data = FILE.replace("     4 b +", "     4 - +").replace("     2 w -", "     2 - -").encode()
    event = apply_import(club, data, "trial.trf", by=None)
    assert players_of(export_trf(event)) == players_of(data)


def test_manual_points_and_rules_for_some_rounds_are_kept(club):
    extra = ["XXA    1  1.0  0.5", "260   2   3    2    5", "162  W 1.0    D 0.5"]
    data = FILE.replace("XXP 1 5", "\r\n".join(["XXP 1 5", *extra])).encode()
    event = apply_import(club, data, "trial.trf", by=None, system=PairingSystem.FIDE_1989)
    assert event.entries.get(tpn=1).fictitious == [2, 1]
    assert set(extra) <= set(lines(export_trf(event)))
    assert snapshot_before_round(event, 3) == snapshot_from_trf(read_trf(data, name="x"), system="fide-1989")


def test_what_changed_since_is_said_anew_and_once(club):
    event = apply_import(club, FILE.encode(), "trial.trf", by=None, system=PairingSystem.FIDE_1989)
    event = change_tournament(event, by=None, name="Inny turniej", rounds_announced=6)
    forbid_pair(event.entries.get(tpn=2), event.entries.get(tpn=3), by=None)
    exported = lines(export_trf(event))
    assert [line for line in exported if line.startswith(("012", "142", "XXR"))] == ["012 Inny turniej", "142 6"]
    assert [line for line in exported if line.startswith(("260", "XXP"))] == [
        "260 001 006    1    5",
        "260 001 006    2    3",
    ]
    assert "112 Skoczek, Olaf" in exported
    assert "### a remark behind" in exported


def test_the_bye_of_jahrs_method_is_said_in_the_file(club):
    event = apply_import(club, FILE.encode(), "trial.trf", by=None, system=PairingSystem.JAHR)
    exported = export_trf(event)
    assert lines(exported).count("162  P 0.5") == 1
    again = apply_import(club, exported, "again.trf", by=None, system=PairingSystem.JAHR)
    assert export_trf(again) == exported


@pytest.mark.one_database
def test_real_files_there_and_back(club, event_files):
    for path in sorted({*event_files.glob("*.trf")} - {*event_files.glob("*_r0[25].trf")}):
        data = path.read_bytes()
        exported = export_trf(apply_import(club, data, path.name, by=None, system=PairingSystem.FIDE_1989))
        original = read_trf(data, name=path.name)
        for tpn, line in players_of(exported).items():
            before = next(player for player in original.players if player.tpn == tpn)
            assert line == replace(before, points=None, rank=None), path.name
        kept = {record.text for _number, record in original.records_with_line_numbers()}
        assert kept <= {record.text for _number, record in read_trf(exported, name="x").records_with_line_numbers()}
        again = apply_import(club, exported, path.name, by=None, system=PairingSystem.FIDE_1989)
        assert export_trf(again) == exported, path.name


SPELT = report(
    "XXR 5",
    "192 FIDE_DUTCH_2026",
    "240 H   2    1",
    "240 Z   3    2    3",
    "XXZ 4",
    player_line(1, "   2 w 1", sex="F", title="G"),
    player_line(2, "   1 b 0", sex="u", title="WM"),
    player_line(3, "   4 w =", sex="m", title="XX"),
    player_line(4, "   3 b =", sex="w", title="gm"),
)


def test_what_a_file_spells_in_its_own_way_is_kept(club):
    """Titles of 2006, other letters for the sex, and byes in lines 240 and XXZ."""
    event = apply_import(club, SPELT, "spelt.trf", by=None, system=PairingSystem.DUTCH_2026)
    assert list(event.entries.order_by("tpn").values_list("title", "sex")) == [
        ("GM", "w"),
        ("WIM", ""),
        ("", "m"),
        ("GM", "w"),
    ]
    exported = export_trf(event)
    assert players_of(exported) == players_of(SPELT)
    assert {line for line in SPELT.decode().split("\n") if line[:3] in ("240", "XXZ")} <= set(lines(exported))
    original = snapshot_from_trf(read_trf(SPELT, name="x"), system="dutch-2026")
    assert snapshot_from_trf(read_trf(exported, name="x"), system="dutch-2026").cards == original.cards
    again = apply_import(club, exported, "again.trf", by=None, system=PairingSystem.DUTCH_2026)
    assert export_trf(again) == exported


def test_what_no_longer_means_the_same_is_written_anew(club):
    event = apply_import(club, SPELT, "spelt.trf", by=None, system=PairingSystem.DUTCH_2026)
    change_entry(event.entries.get(tpn=1), by=None, title="IM", sex="m")
    event.rounds.get(number=3).byes.filter(entry__tpn=2).delete()
    exported = export_trf(event)
    one = next(line for line in lines(exported) if line.startswith("001    1"))
    assert one[9:13] == "m IM"
    assert sorted(line for line in lines(exported) if line.startswith(("240", "XXZ"))) == [
        "240 H   2    1",
        "240 Z 003    3",
        "XXZ 4",
    ]


def test_byes_to_come_are_lines_and_can_be_left_out(club):
    event = make_event(club, players=6, rounds=5, system=PairingSystem.DUTCH_2026)
    played(event, 1)
    assert not has_byes_to_come(event)
    grant_requested_bye(player(event, 3), round_of(event, 2), "H", by=None)
    withdraw_player(player(event, 6), 2, by=None)
    assert has_byes_to_come(event)
    whole, without = export_trf(event), export_trf(event, with_coming_byes=False)
    assert [line for line in lines(whole) if line.startswith("240")] == ["240 H 002    3", "240 Z 002    6"]
    assert players_of(whole) == players_of(without)
    assert not any(line.startswith(("240", "XXZ")) for line in lines(without))
    assert all(len(line.rounds) == 1 for line in players_of(without).values())


def test_a_bye_to_come_in_a_players_line_counts_in_the_points_column_as_it_did(club):
    """Programs that add up the blocks of a line refuse any other number."""
    data = report(
        "XXR 5",
        player_line(1, "   2 w 1", "0000 - H", points="1.5"),
        player_line(2, "   1 b 0", "0000 - Z", points="0.0"),
    )
    event = apply_import(club, data, "coming.trf", by=None, system=PairingSystem.DUTCH_2026)
    for is_included, points in ((True, "1.5"), (False, "1.0")):
        exported = read_trf(export_trf(event, with_coming_byes=is_included), name="x")
        assert [str(each.points) for each in exported.players] == [points, "0.0"]


def test_an_imported_file_without_the_byes_to_come(club):
    event = apply_import(club, SPELT, "spelt.trf", by=None, system=PairingSystem.DUTCH_2026)
    without = export_trf(event, with_coming_byes=False)
    assert not any(line.startswith(("240", "XXZ")) for line in lines(without))
    assert players_of(without) == players_of(SPELT)


BEHIND = "### a remark behind"


def test_readings_come_in_with_a_file_and_go_out_again(club):
    """In addition to the file's other comments, with the present values."""
    line = "### Clubnight reading jahr:6=unrounded"
    text = FILE.replace("012 ", f"# made up\r\n{line}\r\n012 ", 1)
    event = apply_import(club, text.encode(), "trial.trf", by=None, system=PairingSystem.JAHR)
    assert event.readings == {"jahr:6": "unrounded"}
    assert snapshot_before_round(event, 2).interpretations == (("jahr:6", "unrounded"),)
    assert [text for text in lines(export_trf(event)) if text.startswith("#")] == ["# made up", line, BEHIND]
    event.readings = {}
    assert [text for text in lines(export_trf(event)) if text.startswith("#")] == ["# made up", BEHIND]


@pytest.mark.parametrize("readings", [["jahr:6"], {"jahr:6": "often"}, {"jahr:7": "rounded"}, "unrounded"])
def test_an_event_with_readings_there_are_not_is_refused(club, readings):
    event = make_event(club)
    event.readings = readings
    with pytest.raises(ValidationError):
        event.full_clean()


@pytest.mark.parametrize(
    ("players", "rounds", "kind"),
    [(4, 3, "Round-Robin"), (4, 6, "Double Round-Robin"), (5, 5, "Round-Robin"), (2, 2, "Round-Robin")],
)
def test_a_round_robin_is_called_one(players, rounds, kind, club):
    event = make_event(club, players=players, rounds=rounds, system=PairingSystem.ROUND_ROBIN)
    assert f"092 Individual: {kind}" in lines(export_trf(event))


def test_a_round_robin_with_a_forfeit_has_its_places_on_the_page_and_in_the_file(club):
    """C.07, 15.2: exercise 26 of the Technical Commission ends with 6, 5, 4."""
    data = report("XXR 5", "192 FIDE_ROUNDROBIN", *report_lines(ROUND_ROBIN_ROWS))
    event = apply_import(club, data, "exercise.trf", by=None)
    ranks = {each.tpn: each.rank for each in read_trf(export_trf(event), name="x").players}
    assert [ranks[tpn] for tpn in (6, 5, 4)] == [4, 5, 6]
    table = get_event_standings(event)
    page = [(row.place, table.pairing_numbers[row.entry.pk]) for row in table.rows]
    assert page[3:] == [(4, 6), (5, 5), (6, 4)]


def test_a_swiss_is_called_one(club):
    assert "092 Individual: Swiss-System" in lines(export_trf(make_event(club, players=4, rounds=3)))
