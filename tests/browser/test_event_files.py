"""A real event file in the browser: imported, its next round paired and played, exported, imported again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from clubs.models import User
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.engine.trf import read_trf, snapshot_from_trf
from tests.browser.test_club_evening import home, secretary  # noqa: F401  (fixtures)
from tournaments.import_export.snapshots import snapshot_before_round
from tournaments.models import Game, Round, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENTERED = {"1": "1-0", "0": "0-1", "5": "1/2"}
"""The key pressed for a board, and what is then stored for it."""


def test_a_file_goes_through_the_browser_and_back(
    home: str,  # noqa: F811
    secretary: User,  # noqa: F811
    page: Page,
    event_files: Path,
    tmp_path: Path,
) -> None:
    name, players = "mixed_15.trf", 15
    data = (event_files / name).read_bytes()
    event = imported(page, home, event_files / name, players)
    this_round = round_to_come(page, home, event)

    pair_and_publish(page, home, event, this_round)
    file = read_trf(data, name=name)
    expected = PAIRING_SYSTEMS["fide-1989"](snapshot_from_trf(file, system="fide-1989", rounds=event.rounds.count()))
    boards = this_round.games.order_by("board").values_list("white__tpn", "black__tpn")
    assert list(boards) == [(game.white, game.black) for game in expected.games]

    keys = "105" * (len(expected.games) // 3 + 1)
    entered = enter_results(page, this_round, keys[: len(expected.games)])

    exported = tmp_path / "exported.trf"
    page.goto(f"{home}/{event.slug}/")
    page.get_by_role("link", name="Report file (TRF)").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download report file (TRF)").click()
    download.value.save_as(exported)
    again = imported(page, home, exported, players)
    assert again.pk != event.pk
    number = this_round.number + 1
    assert snapshot_before_round(again, number) == snapshot_before_round(event, number)
    games = again.rounds.get(number=this_round.number).games.order_by("board")
    assert sorted(games.values_list("white__tpn", "black__tpn", "result")) == sorted(entered)


def imported(page: Page, home: str, file: Path, players: int) -> Tournament:  # noqa: F811
    """The event from a file, by the rules of 1989."""
    known = set(Tournament.objects.values_list("pk", flat=True))
    page.goto(f"{home}/events/import/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_text(f"{players} players").first).to_be_visible()
    page.locator("[name=system]").select_option("fide-1989")
    page.get_by_role("button", name="Create event").click()
    page.wait_for_url(lambda address: "/events/import/" not in address)
    return Tournament.objects.exclude(pk__in=known).get()


def round_to_come(page: Page, home: str, event: Tournament) -> Round:  # noqa: F811
    """The first unplayed round. If the file has none, the event gets another one."""
    waiting = event.rounds.filter(state=Round.State.WAITING)
    if not waiting:
        page.goto(f"{home}/{event.slug}/edit/")
        page.locator("#id_rounds_announced").fill(str(event.rounds_announced + 1))
        page.get_by_role("button", name="Save").click()
        page.wait_for_url(lambda address: "/edit/" not in address)
        event.refresh_from_db()
    return waiting.all()[0]


def pair_and_publish(page: Page, home: str, event: Tournament, this_round: Round) -> None:  # noqa: F811
    page.goto(f"{home}/{event.slug}/rounds/{this_round.number}/")
    page.locator("#pair-label").click()
    expect(page.get_by_text("Only officers can see this draft.")).to_be_visible()
    page.get_by_role("button", name=f"Publish round {this_round.number}").click()
    expect(page.get_by_text("results are in")).to_be_visible()


def enter_results(page: Page, this_round: Round, keys: str) -> list[tuple[int, int, str]]:
    """Press one key for each board and finish the round. Return White, Black and the result of each board."""
    # A key pressed before the scripts have loaded has no effect.
    page.wait_for_load_state()
    for key in keys:
        page.keyboard.press(key)
    expect(page.get_by_text("All results are in")).to_be_visible()
    page.get_by_role("button", name=f"Finish round {this_round.number}").click()
    expect(page.get_by_role("button", name=f"Finish round {this_round.number}")).to_have_count(0)
    this_round.refresh_from_db()
    assert this_round.state == Round.State.FINISHED
    results = dict(zip(range(1, len(keys) + 1), (ENTERED[key] for key in keys), strict=True))
    stored = {game.board: game.result for game in Game.objects.filter(round=this_round)}
    assert stored == results
    return list(this_round.games.values_list("white__tpn", "black__tpn", "result"))
