"""Tokens that let a page listen, and versions that show whether it is current."""

from __future__ import annotations

import pytest
from django.core import signing
from django.core.signing import TimestampSigner

from pairing.rounds.proposals.proposal_actions import adopt_proposal, propose_pairing
from tests.factories import draft_of, make_event, published
from tournaments.live_updates.topics import (
    TOKEN_LIFETIME,
    DisplayedPage,
    InvalidTopicToken,
    LiveTopic,
    PageAudience,
    TopicKind,
    event_versions,
    sign_topic,
    stream_url,
    topic_from_token,
)
from tournaments.results.recording import enter_result

TOPIC = LiveTopic(7, PageAudience.PLAYERS)
OF_A_PAGE = LiveTopic(
    7, PageAudience.PLAYERS, page=DisplayedPage("https", "chess.example.org", "/pod-wieza/środa/?page=2", "pl")
)


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
    with pytest.raises(InvalidTopicToken):
        topic_from_token(change(sign_topic(TOPIC)))


def test_a_token_signed_for_something_else_is_refused():
    with pytest.raises(InvalidTopicToken):
        topic_from_token(TimestampSigner(salt="other options").sign("7.p"))


def test_a_token_of_a_page_is_read_as_it_was_written():
    assert topic_from_token(sign_topic(OF_A_PAGE)) == OF_A_PAGE


@pytest.mark.parametrize(
    "word", ["7.p.", "7.p.e30", "7.p.WzFd", "7.p.x.y", "7", "7.", "x.p", "7.q", ".p", "l.p", "lx.p", "l7.q"]
)
def test_what_is_no_topic_is_refused_though_signed(word):
    with pytest.raises(InvalidTopicToken):
        topic_from_token(TimestampSigner(salt="tournaments.live_updates").sign(word))


def test_an_old_token_is_refused(monkeypatch):
    token = sign_topic(TOPIC)
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + TOKEN_LIFETIME.total_seconds() + 2)
    with pytest.raises(InvalidTopicToken):
        topic_from_token(token)


@pytest.mark.parametrize("kind", list(TopicKind))
@pytest.mark.parametrize("audience", list(PageAudience))
def test_a_token_says_its_topic(audience, kind):
    assert topic_from_token(sign_topic(LiveTopic(12, audience, kind))) == LiveTopic(12, audience, kind)


def test_without_streams_there_is_no_address(settings):
    settings.LIVE_ADDRESS = ""
    assert stream_url(TOPIC) == ""


@pytest.mark.parametrize("base", ["https://chess.example.org", "https://chess.example.org/"])
def test_the_address_holds_the_token(settings, base):
    settings.LIVE_ADDRESS = base
    address = stream_url(TOPIC)
    assert address.startswith("https://chess.example.org/live/7.p:")
    assert topic_from_token(address.split("/")[4]) == TOPIC


def test_drafts_are_news_for_officers_only(club):
    event = make_event(club, players=6)

    def versions() -> tuple[int, int]:
        found = event_versions([event.pk])[event.pk]
        return found.version_for_audience(PageAudience.PLAYERS), found.version_for_audience(PageAudience.OFFICERS)

    players, officers = versions()
    draft_of(event, 1)
    assert versions() == (players, officers + 1)
    this_round = published(event, 1)
    assert versions() == (players + 1, officers + 2)
    game = this_round.games.get(board=1)
    enter_result(game, "1-0", revision=game.revision, by=None)
    assert versions() == (players + 2, officers + 3)


def test_a_proposal_is_news_for_players_only_if_the_round_is_published(club, secretary):
    event = make_event(club, players=8)
    draft = draft_of(event, 1)
    before = event_versions([event.pk])[event.pk]
    gone = draft.games.get(board=1).black
    adopt_proposal(propose_pairing(draft.pk, absent=[gone.pk], by=secretary), by=secretary)
    drafted = event_versions([event.pk])[event.pk]
    assert drafted.version_for_audience(PageAudience.OFFICERS) > before.version_for_audience(PageAudience.OFFICERS)
    assert drafted.version_for_audience(PageAudience.PLAYERS) == before.version_for_audience(PageAudience.PLAYERS)
    shown = published(event, 1)
    told = event_versions([event.pk])[event.pk]
    late = shown.games.get(board=1).white
    adopt_proposal(propose_pairing(shown.pk, absent=[late.pk], by=secretary), by=secretary, reason="Not here")
    assert event_versions([event.pk])[event.pk].version_for_audience(PageAudience.PLAYERS) > told.version_for_audience(
        PageAudience.PLAYERS
    )


def test_versions_of_several_events_are_one_query(club, django_assert_num_queries):
    events = [make_event(club, players=2), make_event(club)]
    with django_assert_num_queries(1):
        found = event_versions([*(event.pk for event in events), 999_999])
    assert set(found) == {event.pk for event in events}
