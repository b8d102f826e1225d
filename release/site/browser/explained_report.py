"""A report file as the page "Why this pairing?" shows it: rounds, reasons, steps and the check, as JSON.

The page runs this in the reader's browser, with the engine's package. All texts are in the reader's language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from clubnight_engine import (
    SYSTEMS,
    InvalidSnapshot,
    PairedRound,
    PairingImpossible,
    PairingReason,
    TournamentSnapshot,
    TrfError,
    before_round,
    check,
    read_trf,
    snapshot_from_trf,
)
from clubnight_engine.explanations.articles import article_text
from clubnight_engine.explanations.reason_sentences import points_text, reason_sentence
from clubnight_engine.explanations.step_sentences import step_heading, step_headline, unpaired_players_sentence
from clubnight_engine.explanations.summary_sentences import summary_text
from clubnight_engine.legality import RuleBreach, RuleBreachKind
from clubnight_engine.pairing_trace import TraceStep, state_after_steps, trace_pairing_steps
from clubnight_engine.systems import PAIRING_SYSTEMS
from clubnight_engine.translation import gettext as _
from clubnight_engine.translation import use_language
from clubnight_engine.trf import stated_pairing_system

USUAL_SYSTEM = "dutch-2026"

_report: ExplainedReport | None = None


def open_report(content: bytes, system: str, language: str) -> str:
    """Open a file for `answer`, and return its overview. An empty `system` is the one that the file names."""
    global _report
    try:
        _report = ExplainedReport(bytes(content), system)
    except (TrfError, InvalidSnapshot) as error:
        return json.dumps({"problem": str(error)})
    return answer(language, "overview")


def answer(language: str, wanted: str, *numbers: int) -> str:
    """Return a part of the open report: `overview`, `check`, `round` with its number, or `step` of a round."""
    assert _report is not None  # noqa: S101
    with use_language(language):
        try:
            return json.dumps(getattr(_report, wanted)(*numbers))
        except (InvalidSnapshot, PairingImpossible) as error:
            return json.dumps({"problem": str(error)})


class ExplainedReport:
    """A report file, and the event in it under a pairing system."""

    def __init__(self, content: bytes, system: str) -> None:
        self._file = read_trf(content)
        wanted = system if system in SYSTEMS else stated_pairing_system(self._file)
        self._event = snapshot_from_trf(self._file, system=wanted or USUAL_SYSTEM)
        self._names = {card.tpn: card.name or str(card.tpn) for card in self._event.cards}
        self._paired: dict[int, PairedRound] = {}

    def overview(self) -> dict[str, Any]:
        """Return what is in the file, and the rounds that can be explained: its own, and the next one."""
        event = self._event
        has_next = event.rounds_announced is None or event.rounds_paired < event.rounds_announced
        return {
            "title": self._file.first_value_for_code("012"),
            "system": event.system,
            "players": len(event.cards),
            "rounds": [_("Round %(number)s") % {"number": number} for number in range(1, event.rounds_paired + 1)],
            "next": _("Round %(number)s") % {"number": event.round_number} if has_next else "",
            "warnings": [str(warning) for warning in self._file.warnings],
        }

    def check(self) -> list[dict[str, Any]]:
        """Return a verdict on every round of the file."""
        return [
            {
                "heading": _("Round %(number)s") % {"number": found.round_number},
                "verdict": str(found.verdict),
                "breaches": [{"text": self._breach(each), "article": each.article} for each in found.breaches],
                "actual": self._pairs(found.only_actual),
                "expected": self._pairs(found.only_expected),
                "problem": _("No legal pairing exists under this system.") if found.impossible_reason else "",
                "note": ""
                if found.is_identical
                else _("The file has different pairings for this round. See “Check against the rules” below."),
            }
            for found in check(self._event, report=self._file)
        ]

    def round(self, number: int) -> dict[str, Any]:
        """Return a round's boards with their reasons, and the headlines of its steps."""
        paired = self._pair(number)
        boards = [self._board(str(game.board), (game.white, game.black), game.reasons) for game in paired.games]
        if paired.bye:
            boards.append(self._board("", (paired.bye.player,), paired.bye.reasons))
        steps = [step_headline(step, self._names) for step in trace_pairing_steps(paired)]
        return {
            "boards": boards,
            "heading": _("How round %(number)s was paired") % {"number": number},
            "steps": steps,
        }

    def step(self, number: int, place: int) -> dict[str, Any]:
        """Return one step of a round, counted from 0, with the score groups and boards after it."""
        steps = trace_pairing_steps(self._pair(number))
        step, state = steps[place], state_after_steps(steps[: place + 1])
        return {
            "count": _("Step %(number)s of %(count)s") % {"number": place + 1, "count": len(steps)},
            "heading": step_heading(step, self._names),
            "waiting": unpaired_players_sentence(step, self._names),
            "reasons": self._reasons(step.reasons),
            "groups": [
                {
                    "heading": _("Score group %(points)s") % {"points": points_text(group.half_points)},
                    "waiting": self._cards(group.waiting, step, group.incoming_floaters),
                    "pairs": [self._cards(each, step, group.incoming_floaters) for each in group.pairs],
                }
                for group in state.score_groups
            ],
            "boards": [{"board": board, "cards": self._cards(players, step)} for board, *players in state.boards],
            "bye": self._cards([state.bye], step) if state.bye else [],
        }

    def _pair(self, number: int) -> PairedRound:
        if number not in self._paired:
            before = self._before(number)
            # Not `pair`: a file may have more rounds than it announces.
            self._paired[number] = PAIRING_SYSTEMS[before.system](before)
        return self._paired[number]

    def _before(self, number: int) -> TournamentSnapshot:
        return before_round(self._event, number, report=self._file)

    def _board(self, board: str, players: Sequence[int], reasons: Sequence[PairingReason]) -> dict[str, Any]:
        return {
            "board": board,
            "players": [{"tpn": tpn, "name": self._names[tpn]} for tpn in players],
            "summary": summary_text(reasons, self._names),
            "reasons": self._reasons(reasons),
        }

    def _reasons(self, reasons: Iterable[PairingReason]) -> list[dict[str, str]]:
        return [
            {
                "sentence": reason_sentence(each, self._names),
                "article": each.article,
                "text": article_text(each.article),
            }
            for each in reasons
        ]

    def _cards(self, players: Iterable[int], step: TraceStep, came: Iterable[int] = ()) -> list[dict[str, Any]]:
        return [
            {"tpn": tpn, "name": self._names[tpn], "now": tpn in step.players, "came": tpn in came} for tpn in players
        ]

    def _pairs(self, pairs: Iterable[tuple[int, int]]) -> list[str]:
        return [
            f"{self._names[white]} – {self._names[black]}"
            if black
            else _("%(name)s has the bye") % {"name": self._names[white]}
            for white, black in pairs
        ]

    def _breach(self, breach: RuleBreach) -> str:
        names = [self._names[tpn] for tpn in breach.players]
        facts = {"one": names[0], "other": names[-1], "number": breach.round_number, "names": ", ".join(names)}
        return _BREACHES[breach.kind]() % facts


_BREACHES = {
    RuleBreachKind.MET: lambda: _("%(one)s and %(other)s met in round %(number)s."),
    RuleBreachKind.FORBIDDEN: lambda: _("A rule of this event keeps %(one)s and %(other)s apart."),
    RuleBreachKind.SAME_ABSOLUTE_COLOUR: lambda: _("%(one)s and %(other)s must both have the same colour."),
    RuleBreachKind.WRONG_COLOUR: lambda: _("%(one)s must have the other colour."),
    RuleBreachKind.BYE_BARRED: lambda: _(
        "%(one)s got a point without playing in round %(number)s, so they can't have the bye."
    ),
    RuleBreachKind.SEVERAL_BYES: lambda: _("Several players had the bye: %(names)s."),
}


def labels(language: str) -> str:
    """Return the page's own texts by their keys."""
    with use_language(language):
        return json.dumps(
            {
                "title": _("Why this pairing?"),
                "lead": _(
                    "Open an event's report file (TRF) to see why two players met, and whether its pairings are right."
                ),
                "private": _("The file stays on this computer. Your browser does all the work."),
                "file": _("Report file"),
                "drop": _("Choose a report file, or drop it on this page."),
                "example": _("Use an example"),
                "language": _("Language"),
                "system": _("Pairing system"),
                "round": _("Round"),
                "find": _("Find by name or number"),
                "nobody": _("No boards match this filter."),
                "pairings": _("Pairings"),
                "boards": _("Boards"),
                "bye": _("Bye"),
                "white": _("White"),
                "black": _("Black"),
                "rules": _("Rules and articles"),
                "articles": _("What the articles say"),
                "steps": _("All steps"),
                "first": _("First step"),
                "back": _("Back"),
                "next": _("Next"),
                "last": _("Last step"),
                "came": _("floated from another score group"),
                "check": _("Check against the rules"),
                "check_lead": _("Each finished round is paired again from the results before it. Nothing is saved."),
                "agrees": _("as the rules require"),
                "differs": _("legal, but different"),
                "illegal": _("breaks a rule"),
                "actual": _("Actual pairings"),
                "expected": _("Pairings under the rules"),
                "none": _("No rounds finished yet."),
                "offline": _("This page now also works without a connection."),
                "jahr": _("Jahr's method (1981)"),
                "fide-1989": _("FIDE Swiss rules of 1987–89"),
                "dutch-1992": _("Dutch system of 1992"),
                "dubov-1997": _("Dubov system of 1997"),
                "dutch-2026": _("FIDE (Dutch) system of 2026"),
                "round-robin": _("Round robin (Berger tables)"),
                "keizer": _("Keizer system"),
            }
        )
