"""A replayed round: the stored data give the steps, and the last step is the published round."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from pairing.engine.pairing_trace import TraceStepKind, trace_pairing_steps
from pairing.engine.systems import PAIRING_SYSTEMS
from pairing.explanations.named_reasons import player_names_by_number
from pairing.explanations.reason_sentences import points_text
from pairing.pages.replay.replay_step import STEPS_PER_PAGE, ReplayStep, build_replay_step, load_paired_round
from pairing.rounds.lifecycle.transitions import take_pairing_snapshot
from tests.factories import draft_of, make_club, make_event, played, published, round_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_event(make_club(), players=11)


def address(event: Tournament, number: int) -> str:
    return reverse("round_replay", args=[event.club.slug, event.slug, number])


def listed(stage: ReplayStep) -> list[int]:
    return [line.number for section in stage.sections for line in section.lines]


def test_a_draft_is_nobody_elses(event, client):
    draft_of(event, 1)
    assert client.get(address(event, 1)).status_code == 404


@pytest.mark.parametrize(
    "query", ["step=0", "step=-1", "step=999999", "step=9999999999", "step=x", "player=77", "player=²"]
)
def test_what_there_is_not_shows_the_nearest_there_is(query, event, client):
    published(event, 1)
    page = client.get(f"{address(event, 1)}?{query}")
    assert page.status_code == 200
    assert page.context["stage"].number in (1, page.context["stage"].count)


def test_a_round_without_reasons_says_so(event, client):
    this_round = published(event, 1)
    this_round.games.update(reasons=[])
    assert (
        "We have no explanation for this pairing because it was imported or set manually"
        in client.get(address(event, 1)).content.decode()
    )


@pytest.mark.parametrize("system", PAIRING_SYSTEMS)
def test_what_is_kept_replays_to_the_published_boards(system):
    event = make_event(make_club(), players=9, system=system)
    played(event, 1)
    played(event, 2, seed=2)
    draft = draft_of(event, 3)
    made = PAIRING_SYSTEMS[system](take_pairing_snapshot(draft))
    kept = load_paired_round(draft)
    assert kept is not None
    assert trace_pairing_steps(kept) == trace_pairing_steps(made)
    last = build_replay_step(kept, player_names_by_number(event), wanted=10_000)
    assert last.number == last.count == last.last
    assert last.following is None
    boards = draft.games.order_by("board").values_list("board", "white__tpn", "black__tpn")
    assert [(board, white.tpn, black.tpn) for board, white, black in last.table.boards] == list(boards)


def test_forwards_and_backwards_and_one_player_alone(event, client):
    played(event, 1)
    published(event, 2)
    page = client.get(address(event, 2))
    stage = page.context["stage"]
    assert (stage.number, stage.previous, stage.following) == (1, None, 2)
    text = page.content.decode()
    assert text.count("<li value=") == stage.count
    assert "?step=2" in text
    assert 'rel="prev"' not in text
    alone = client.get(f"{address(event, 2)}?player=3&step=2").context["stage"]
    assert 1 < len(listed(alone)) < stage.count
    assert alone.number in set(listed(alone))
    again = Client().get(f"{address(event, 2)}?player=3&step={alone.following}").context["stage"]
    assert again.previous == alone.number


def test_every_score_group_is_there_from_the_first_step_and_the_list_has_headings(event):
    for number in (1, 2):
        played(event, number, seed=number)
    published(event, 3)
    kept = load_paired_round(round_of(event, 3))
    steps = trace_pairing_steps(kept)
    groups = [step for step in steps if step.kind is TraceStepKind.GROUPS]
    first = build_replay_step(kept, player_names_by_number(event), wanted=1)
    assert [group.is_here for group in first.table.groups] == [True] + [False] * (len(groups) - 1)
    assert {card.tpn for group in first.table.groups for card in group.waiting} == {
        tpn for step in groups for tpn in step.players
    }
    assert listed(first) == list(range(1, len(steps) + 1))
    assert [first.sections[0].heading, first.sections[-1].heading] == ["Score groups", "Boards"]
    assert "Bye" in {section.heading for section in first.sections}
    at = next(number for number, step in enumerate(steps, start=1) if step.kind is TraceStepKind.FLOAT)
    pair = next(step for step in steps[at:] if step.kind is TraceStepKind.PAIR)
    section = next(section for section in first.sections if at in {line.number for line in section.lines})
    assert section.heading == f"Score group {points_text(pair.half_points)}"


def test_the_table_shows_who_was_tried_and_the_articles_words(event, client):
    for number in (1, 2, 3):
        played(event, number, seed=number)
    published(event, 4)
    kept = load_paired_round(round_of(event, 4))
    stages = [
        build_replay_step(kept, player_names_by_number(event), wanted=number)
        for number in range(1, len(trace_pairing_steps(kept)) + 1)
    ]
    cards = [card for stage in stages for group in stage.table.groups for card in group.waiting]
    assert {card.state for card in cards} >= {"", "tried"}
    passing = next(
        stage for stage in stages if any(card.state == "tried" for each in stage.table.groups for card in each.waiting)
    )
    text = client.get(f"{address(event, 4)}?step={passing.number}").content.decode()
    assert passing.articles
    assert "/help/systems/" in text
    assert "slip tried" in text


def test_a_long_list_is_shown_in_parts(event, monkeypatch):
    played(event, 1)
    kept = load_paired_round(round_of(event, 1))
    whole = build_replay_step(kept, player_names_by_number(event), wanted=1)
    assert whole.count == len(trace_pairing_steps(kept)) < STEPS_PER_PAGE
    assert (whole.earlier, whole.later) == (None, None)
    monkeypatch.setattr("pairing.pages.replay.replay_step.STEPS_PER_PAGE", 5)
    part = build_replay_step(kept, player_names_by_number(event), wanted=7)
    assert listed(part) == [6, 7, 8, 9, 10]
    assert (part.earlier, part.later) == (5, 11)
