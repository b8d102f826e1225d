"""Tokens that let a page listen, and versions that say whether it shows the latest state."""

from __future__ import annotations

import pytest
from django.core import signing
from django.core.signing import TimestampSigner

from pairing.rounds.proposals.proposing import adopt, propose
from tests.factories import draft_of, make_event, published
from tournaments.live_updates.topics import (
    TOKEN_LASTS,
    Audience,
    Kind,
    Shown,
    Topic,
    UnknownToken,
    stream_address,
    token_of,
    topic_of,
    versions_of,
)
from tournaments.results.recording import enter_result

TOPIC = Topic(7, Audience.PLAYERS)
OF_A_PAGE = Topic(7, Audience.PLAYERS, shown=Shown("https", "chess.example.org", "/pod-wieza/środa/?page=2", "pl"))


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token.replace("7.", "8.", 1),
        lambda token: token.replace(".p", ".o", 1),
        lambda token: f"l{token}",
        lambda token: token[:-1],
        lambda token: token.rpartition(":")[0],
        lambda token: "7.p",
        lambda token: "",
    ],
)
def test_a_forged_token_is_refused(change):
    with pytest.raises(UnknownToken):
        topic_of(change(token_of(TOPIC)))


def test_a_token_signed_for_something_else_is_refused():
    with pytest.raises(UnknownToken):
        topic_of(TimestampSigner(salt="something else").sign("7.p"))


def test_a_token_of_a_page_is_read_as_it_was_written():
    assert topic_of(token_of(OF_A_PAGE)) == OF_A_PAGE


@pytest.mark.parametrize(
    "word", ["7.p.", "7.p.e30", "7.p.WzFd", "7.p.x.y", "7", "7.", "x.p", "7.q", ".p", "l.p", "lx.p", "l7.q"]
)
def test_what_is_no_topic_is_refused_though_signed(word):
    with pytest.raises(UnknownToken):
        topic_of(TimestampSigner(salt="tournaments.live_updates").sign(word))


def test_an_old_token_is_refused(monkeypatch):
    token = token_of(TOPIC)
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + TOKEN_LASTS.total_seconds() + 2)
    with pytest.raises(UnknownToken):
        topic_of(token)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("audience", list(Audience))
def test_a_token_says_its_topic(audience, kind):
    assert topic_of(token_of(Topic(12, audience, kind))) == Topic(12, audience, kind)


def test_without_streams_there_is_no_address(settings):
    settings.LIVE_ADDRESS = ""
    assert stream_address(TOPIC) == ""


@pytest.mark.parametrize("base", ["https://chess.example.org", "https://chess.example.org/"])
def test_the_address_holds_the_token(settings, base):
    settings.LIVE_ADDRESS = base
    address = stream_address(TOPIC)
    assert address.startswith("https://chess.example.org/live/7.p:")
    assert topic_of(address.split("/")[4]) == TOPIC


def test_drafts_are_news_for_officers_only(club):
    event = make_event(club, players=6)

    def versions() -> tuple[int, int]:
        found = versions_of([event.pk])[event.pk]
        return found.of(Audience.PLAYERS), found.of(Audience.OFFICERS)

    players, officers = versions()
    draft_of(event, 1)
    assert versions() == (players, officers + 1)
    this_round = published(event, 1)
    assert versions() == (players + 1, officers + 2)
    game = this_round.games.get(board=1)
    enter_result(game, "1-0", revision=game.revision, by=None)
    assert versions() == (players + 2, officers + 3)


def test_a_trial_pairing_is_news_for_players_only_where_the_round_is_published(club, secretary):
    event = make_event(club, players=8)
    draft = draft_of(event, 1)
    before = versions_of([event.pk])[event.pk]
    gone = draft.games.get(board=1).black
    adopt(propose(draft.pk, absent=[gone.pk], by=secretary), by=secretary)
    drafted = versions_of([event.pk])[event.pk]
    assert drafted.of(Audience.OFFICERS) > before.of(Audience.OFFICERS)
    assert drafted.of(Audience.PLAYERS) == before.of(Audience.PLAYERS)
    shown = published(event, 1)
    told = versions_of([event.pk])[event.pk]
    late = shown.games.get(board=1).white
    adopt(propose(shown.pk, absent=[late.pk], by=secretary), by=secretary, reason="Not here")
    assert versions_of([event.pk])[event.pk].of(Audience.PLAYERS) > told.of(Audience.PLAYERS)


def test_versions_of_several_events_are_one_query(club, django_assert_num_queries):
    events = [make_event(club, players=2), make_event(club)]
    with django_assert_num_queries(1):
        found = versions_of([*(event.pk for event in events), 999_999])
    assert set(found) == {event.pk for event in events}
