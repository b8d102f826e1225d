"""What players are told, in words: sentences of the moment, each whole by itself, as they stand in a letter or on a
locked phone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten
from zoneinfo import ZoneInfo

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.check_in.personal_links import handed_out_address
from tournaments.models import Bye, Entry, Game, Message, MessageWay
from tournaments.notifications.tokens import cannot_address, way_address

LONGEST_SUBJECT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Something that is told: `subject` is what it is about, `sentences` what there is to say, the latest last.

    `page` is the path of the player's own page, `cannot` that on which he says that he cannot come; empty where no
    evening is spoken of.
    """

    subject: str
    sentences: tuple[str, ...]
    page: str
    change: str
    cannot: str


def said_of(way: MessageWay, messages: Iterable[Message]) -> Said:
    """These messages in the words of one letter; entries with event, club and member are there, and rounds."""
    told = list(messages)
    last = told[-1]
    club = last.entry.tournament.club
    zone = ZoneInfo(club.time_zone) if club.time_zone else timezone.get_default_timezone()
    evening = next((each for each in reversed(told) if each.kind == Message.Kind.EVENING), None)
    with translation.override(way.language or club.language), timezone.override(zone):
        sentences = tuple(_sentence(each) for each in told)
        return Said(
            subject=shorten(f"{last.entry.tournament.name}: {sentences[-1]}", LONGEST_SUBJECT, placeholder=" …"),
            sentences=sentences,
            page=handed_out_address(last.entry),
            change=way_address(way),
            cannot=cannot_address(evening) if evening is not None else "",
        )


def published_in_words(number: int) -> str:
    """That a round is published, to whoever has no game in it."""
    return _("Round %(number)d is published: you have no game.") % {"number": number}


def board_in_words(number: int, board: int, name: str, *, is_white: bool) -> str:
    """That a round is published, and what it brings the player: whom he meets with which colour."""
    words = {"number": number, "board": board, "name": name}
    if is_white:
        return _("Round %(number)d is published: you have White against %(name)s, board %(board)d.") % words
    return _("Round %(number)d is published: you have Black against %(name)s, board %(board)d.") % words


def _sentence(message: Message) -> str:
    if message.kind == Message.Kind.PAIRING:
        return _pairing(message)
    if message.kind == Message.Kind.RESULT:
        return _result(message)
    return _evening(message) if message.kind == Message.Kind.EVENING else _link(message)


def _pairing(message: Message) -> str:
    facts, number = message.facts, _number(message)
    if facts["state"] == "taken back":
        return _("The pairing of round %(number)d was taken back. The new one follows.") % {"number": number}
    again = _("The pairing was changed.") + " " if facts.get("again") else ""
    if facts["state"] != "game":
        bye = f" ({Bye.Kind(facts['kind']).label})" if facts.get("kind") else ""
        return again + published_in_words(number) + bye
    opponent = Entry.objects.filter(pk=facts["opponent"]).values_list("name", flat=True).first() or "?"
    said = again + board_in_words(number, facts["board"], opponent, is_white=facts["white"])
    until = datetime.fromisoformat(facts["until"]) if facts.get("until") else None
    if until is not None and until > timezone.now():
        said += " " + _("This pairing is provisional until %(time)s.") % {"time": _clock(until)}
    return said


def _result(message: Message) -> str:
    facts = message.facts
    where = _("Round %(number)s, board %(board)s") % {"number": _number(message), "board": facts["board"]}
    if facts["state"] == "differs":
        what = _("You report: %(mine)s. Your opponent reports: %(theirs)s.") % {
            "mine": result_in_words(facts["mine"], is_white=facts["white"]),
            "theirs": result_in_words(facts["theirs"], is_white=facts["white"]),
        }
        return f"{where}. {what} {_('Go to the arbiter together, or change your report if it was a slip.')}"
    if not facts["after"]:
        what = _("The arbiter has taken the result of your board back: report it once more.")
    else:
        what = _("The arbiter has decided on the result of your board: %(result)s.") % {
            "result": result_in_words(facts["after"], is_white=facts["white"])
        }
    reason = f" {_('Reason:')} {facts['reason']}" if facts.get("reason") else ""
    return f"{where}. {what}{reason}"


def result_in_words(result: str, *, is_white: bool) -> str:
    """A result as one of the two players says it."""
    if result == Game.Result.DRAW:
        return _("a draw")
    if result in (Game.Result.WHITE_WINS, Game.Result.BLACK_WINS):
        return _("you won") if (result == Game.Result.WHITE_WINS) == is_white else _("you lost")
    return str(Game.Result(result).label)


def _evening(message: Message) -> str:
    this_round = message.round
    starts_at = this_round.starts_at if this_round is not None else None
    when = date_format(timezone.localtime(starts_at), "DATETIME_FORMAT") if starts_at else ""
    city = message.entry.tournament.city
    said = _("Round %(number)d begins %(when)s.") % {"number": _number(message), "when": when}
    return f"{said} {city}".strip()


def _link(message: Message) -> str:
    if message.entry.member_id:
        return _("Your personal link: your board, your results and byes, in every event of the club.")
    return _("Your personal link: your board, your results and byes in this event.")


def _number(message: Message) -> int:
    return message.round.number if message.round is not None else 0


def _clock(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "TIME_FORMAT")
