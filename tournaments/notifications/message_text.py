"""The texts of notifications: complete sentences that work in an email or on a lock screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.time_zones import time_zone_of_club
from tournaments.check_in.personal_links import personal_link_url
from tournaments.models import Bye, Entry, Game, Notification, NotificationChannel
from tournaments.notifications.tokens import channel_url, evening_answer_url

MAX_SUBJECT_LENGTH = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageText:
    """The text of a message: its subject, and its sentences with the latest last.

    `page_url` is the path of the player's own page. `answer_url` is the path for answering whether they are coming. It
    is empty if the message mentions no evening.
    """

    subject: str
    sentences: tuple[str, ...]
    page_url: str
    preferences_url: str
    answer_url: str


def compose_message_text(way: NotificationChannel, messages: Iterable[Notification]) -> MessageText:
    """Compose one text for these messages. Their rounds, and their entries' event, club and member, must be loaded."""
    told = list(messages)
    last = told[-1]
    club = last.entry.tournament.club
    evening = next((each for each in reversed(told) if each.kind == Notification.Kind.EVENING), None)
    with translation.override(way.language or club.language), timezone.override(time_zone_of_club(club)):
        sentences = tuple(_sentence(each) for each in told)
        return MessageText(
            subject=shorten(f"{last.entry.tournament.name}: {sentences[-1]}", MAX_SUBJECT_LENGTH, placeholder=" …"),
            sentences=sentences,
            page_url=personal_link_url(last.entry),
            preferences_url=channel_url(way),
            answer_url=evening_answer_url(evening) if evening is not None else "",
        )


def round_published_sentence(number: int, bye: str = "") -> str:
    """Return the news about a published round for a player without a game. `bye` is the label of their bye, if any."""
    if bye:
        return _("Round %(number)d is published. You don't have a game (%(bye)s).") % {"number": number, "bye": bye}
    return _("Round %(number)d is published. You don't have a game.") % {"number": number}


def board_published_sentence(number: int, board: int, name: str, *, is_white: bool) -> str:
    """Return the news about a published round for a player with a game: their board, opponent and colour."""
    words = {"number": number, "board": board, "name": name}
    if is_white:
        return _("Round %(number)d is published. You have White against %(name)s on board %(board)d.") % words
    return _("Round %(number)d is published. You have Black against %(name)s on board %(board)d.") % words


def _sentence(message: Notification) -> str:
    if message.kind == Notification.Kind.PAIRING:
        return _pairing(message)
    if message.kind == Notification.Kind.RESULT:
        return _result(message)
    return _evening(message) if message.kind == Notification.Kind.EVENING else _link(message)


def _pairing(message: Notification) -> str:
    facts, number = message.facts, _number(message)
    if facts["state"] == "taken back":
        return _("The published pairings for round %(number)d no longer apply. New ones will follow.") % {
            "number": number
        }
    again = _("Your pairing has changed.") + " " if facts.get("again") else ""
    if facts["state"] != "game":
        return again + round_published_sentence(number, str(Bye.Kind(facts["kind"]).label) if facts.get("kind") else "")
    opponent = Entry.objects.filter(pk=facts["opponent"]).values_list("name", flat=True).first() or "?"
    said = again + board_published_sentence(number, facts["board"], opponent, is_white=facts["white"])
    until = datetime.fromisoformat(facts["until"]) if facts.get("until") else None
    if until is not None and until > timezone.now():
        said += " " + _("These pairings are provisional until %(time)s.") % {"time": _clock(until)}
    return said


def _result(message: Notification) -> str:
    facts = message.facts
    where = _("Round %(number)s, board %(board)s") % {"number": _number(message), "board": facts["board"]}
    if facts["state"] == "differs":
        what = conflicting_reports_sentence(facts["mine"], facts["theirs"], is_white=facts["white"])
        return f"{where}. {what} {_('Change your report if you made a mistake. Otherwise, see the arbiter together.')}"
    if not facts["after"]:
        what = _("The arbiter has cleared the result of your game. Report it again.")
    else:
        what = _("The arbiter has set the result of your game: %(result)s.") % {
            "result": result_phrase_for_player(facts["after"], is_white=facts["white"])
        }
    reason = f" {_('Reason:')} {facts['reason']}" if facts.get("reason") else ""
    return f"{where}. {what}{reason}"


def conflicting_reports_sentence(own: str, theirs: str, *, is_white: bool) -> str:
    """Return what a player and their opponent reported, as one sentence to the player."""
    won, lost, draw = Game.Result.WHITE_WINS, Game.Result.BLACK_WINS, Game.Result.DRAW
    if not is_white:
        won, lost = lost, won
    if own == draw:
        if theirs == lost:
            return _("You reported a draw, but your opponent reported a win.")
        return _("You reported a draw, but your opponent reported a loss.")
    if theirs == draw:
        if own == won:
            return _("You reported a win, but your opponent reported a draw.")
        return _("You reported a loss, but your opponent reported a draw.")
    if own == won:
        return _("You reported a win, but so did your opponent.")
    return _("You reported a loss, but so did your opponent.")


def result_phrase_for_player(result: str, *, is_white: bool) -> str:
    """Return a result from the point of view of one of the two players."""
    if result == Game.Result.DRAW:
        return _("a draw")
    if result in (Game.Result.WHITE_WINS, Game.Result.BLACK_WINS):
        return _("you won") if (result == Game.Result.WHITE_WINS) == is_white else _("you lost")
    return str(Game.Result(result).label)


def _evening(message: Notification) -> str:
    this_round = message.round
    starts_at = this_round.starts_at if this_round is not None else None
    when = date_format(timezone.localtime(starts_at), "DATETIME_FORMAT") if starts_at else ""
    city = message.entry.tournament.city
    said = _("Round %(number)d starts on %(when)s.") % {"number": _number(message), "when": when}
    asked = _("Are you coming?") if message.facts.get("asked") else ""
    return " ".join(each for each in (said, city, asked) if each)


def _link(message: Notification) -> str:
    if message.entry.member_id:
        return _("Your personal link for your board, results and byes in all the club's events.")
    return _("Your personal link for your board, results and byes in this event.")


def _number(message: Notification) -> int:
    return message.round.number if message.round is not None else 0


def _clock(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "TIME_FORMAT")
