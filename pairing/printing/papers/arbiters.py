"""What an arbiter files or looks things up in: the record of the rounds, the averages of opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import translation
from django.utils.formats import localize
from django.utils.translation import gettext as _

from pairing.engine.paired_round import Reason, ReasonKind
from pairing.explanations.articles import named_on_paper
from pairing.explanations.explanations import sentence
from pairing.printing.papers.lists import Column, Section, list_paper, sections_paper
from pairing.printing.papers.rounds import ABOVE, head_high
from pairing.printing.pdf.fitting import MM_OF_POINT, ems, in_lines
from pairing.printing.pdf.making import Wishes, margin_below, part_of
from pairing.printing.pdf.pdfs import Paper, Part
from pairing.printing.pdf.widths import Face
from pairing.view_models.sheets.averages import AverageLine, AverageSheet
from pairing.view_models.sheets.parts import SheetPlayer, titled
from pairing.view_models.sheets.record import RecordedRound, RecordSheet
from pairing.view_models.sheets.regulations import RegulationsSheet


def record_paper(sheet: RecordSheet, wishes: Wishes) -> Paper:
    """Round by round, board by board: who played whom with which result, and the sentences that explain it."""
    with translation.override(wishes.language):
        return Paper(
            parts=tuple(
                part_of(
                    "pairing/printing/papers/record.html",
                    _of_round(sheet, each, wishes),
                    wishes,
                    "lists",
                    "record",
                    wishes.upright,
                )
                for each in sheet.rounds
            )
            or (
                part_of(
                    "pairing/printing/papers/record.html", _of_event(sheet), wishes, "lists", "record", wishes.upright
                ),
            )
        )


def short_record_paper(sheet: RecordSheet, wishes: Wishes) -> Paper:
    """Round by round one line a board: who played whom, the result, and the article that decided it."""
    with translation.override(wishes.language):
        columns = (
            Column(heading=_("Board"), is_figure=True, is_bold=True),
            Column(heading=_("White")),
            Column(heading=_("Black")),
            Column(heading=_("Result"), is_unbroken=True),
            Column(heading=_("Decided by"), is_small=True, is_unbroken=True),
        )
        parts: list[Part] = []
        for each in sheet.rounds:
            rows: list[tuple[object, ...]] = [
                (
                    line.board.board,
                    _numbered(line.board.white),
                    _numbered(line.board.black),
                    line.board.result_text,
                    _deciding(line.reasons),
                )
                for line in each.boards
            ]
            rows += [
                ("–", _numbered(line.bye.player), line.bye.label, line.bye.worth, _deciding(line.reasons))
                for line in each.byes
            ]
            heading = _("Arbiter's record in short: round %(number)s") % {"number": each.sheet.number}
            parts += list_paper(heading, columns, rows, wishes, club=sheet.club, event=sheet.event).parts
        return Paper(parts=tuple(parts)) if parts else record_paper(sheet, wishes)


_CHOOSING = (ReasonKind.OPPONENT, ReasonKind.EXCHANGED)


def _deciding(reasons: Sequence[Reason]) -> str:
    """The article that gave a player his opponent; where none says so, the last that is named."""
    articles = [each.article for each in reasons if each.kind in _CHOOSING] or [each.article for each in reasons]
    return named_on_paper(articles[-1]) if articles else ""


def _numbered(player: SheetPlayer) -> str:
    return f"{player.name} ({player.tpn})"


def regulations_paper(sheet: RegulationsSheet, wishes: Wishes) -> Paper:
    """What is announced of the event, when its rounds begin, and last, for arbiters, how its documents are read."""
    with translation.override(wishes.language):
        columns = (Column(heading=_("What"), is_head=True), Column(heading=_("How"), is_bold=True))
        when = (Column(heading=_("Round"), is_head=True), Column(heading=_("Begins"), is_bold=True))
        sections = [
            Section(heading="", columns=columns, rows=sheet.lines, css="facts"),
            Section(heading=_("Rounds"), columns=when, rows=sheet.schedule),
            Section(
                heading=_("How open places of the rules are read"), columns=columns, rows=sheet.readings, css="facts"
            ),
        ]
        filled = [each for each in sections if each.rows]
        return sections_paper(_("Regulations"), filled, wishes, club=sheet.club, event=sheet.event)


def averages_paper(sheet: AverageSheet, wishes: Wishes, *, by_average: bool = False) -> Paper:
    """Dubov's ARO list: by number to look players up, or by average."""
    with translation.override(wishes.language):
        columns = (
            Column(heading=_("No."), is_figure=True),
            Column(heading=_("Name")),
            Column(heading=_("Rating"), is_figure=True),
            Column(heading=_("Games"), is_figure=True),
            Column(heading=_("ARO"), is_figure=True, is_bold=True),
        )
        lines = sheet.by_average if by_average else sheet.lines
        return list_paper(
            _("Average ratings of the opponents after round %(number)s") % {"number": sheet.after_round},
            columns,
            [_average_cells(line) for line in lines],
            wishes,
            club=sheet.club,
            event=sheet.event,
            remark=_(
                "ARO: the average rating of the opponents of the games played, players without a rating counted as 0."
            ),
        )


def _average_cells(line: AverageLine) -> tuple[object, ...]:
    return line.number, titled(line.title, line.name), line.rating or "–", line.games, localize(line.average)


def _of_event(sheet: RecordSheet) -> dict[str, object]:
    heading = _("Arbiter's record")
    return {
        "record": sheet,
        "heading": heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
        "body_class": "list record",
    }


def _of_round(sheet: RecordSheet, recorded: RecordedRound, wishes: Wishes) -> dict[str, object]:
    heading = _("Arbiter's record: round %(number)s") % {"number": recorded.sheet.number}
    context = _of_event(sheet) | {
        "heading": heading,
        "sheet": recorded.sheet,
        "decision": recorded.decision,
        "system_label": recorded.system_label,
        "boards": [(each.board, _sentences(each.reasons, sheet)) for each in recorded.boards],
        "byes": [(each.bye, _sentences(each.reasons, sheet)) for each in recorded.byes],
    }
    if _leaves_a_few(sheet, recorded, wishes, head_high(context, wishes, recorded.system_label)):
        context["body_class"] = "list record tight"
    return context


def _leaves_a_few(sheet: RecordSheet, recorded: RecordedRound, wishes: Wishes, head: float) -> bool:
    """Whether a board or two would be alone on the last sheet; `head` and the lengths below are millimetres."""
    wide, high = wishes.size.millimetres
    room = high - ABOVE - margin_below(wishes.letterhead)
    named = [f"{_numbered(each.board.white)} – {_numbered(each.board.black)}" for each in recorded.boards]
    named += [f"{_numbered(each.bye.player)}: {each.bye.label}" for each in recorded.byes]
    filled = head
    why = [*(each.reasons for each in recorded.boards), *(each.reasons for each in recorded.byes)]
    for text, of_line in zip(named, why, strict=True):
        told = " · ".join(f"{said} {article}" for said, article in _sentences(of_line, sheet))
        names = len(in_lines(text, ems(wide - 60, 9), Face.TEXT_BOLD))
        reasons = len(in_lines(told, ems(wide - 37, 8), Face.TEXT)) if told else 0
        filled += _BETWEEN + 1.3 * MM_OF_POINT * (9 * names + 8 * reasons)
    return filled > room and filled % room < _A_FEW


_BETWEEN, _A_FEW = 1.7, 24.0
"""Millimetres between two boards of the record, and how much of a sheet looks lost on it."""


def _sentences(reasons: Iterable[Reason], sheet: RecordSheet) -> list[tuple[str, str]]:
    """Each reason in words, and its article."""
    return [(sentence(reason, sheet.names), named_on_paper(reason.article)) for reason in reasons]
