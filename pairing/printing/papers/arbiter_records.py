"""Printouts for the arbiter's files: the record of the rounds, regulations, averages of opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import translation
from django.utils.formats import localize
from django.utils.translation import gettext as _

from pairing.engine.paired_round import PairingReason, ReasonKind
from pairing.explanations.articles import article_label_for_print
from pairing.explanations.reason_sentences import reason_sentence
from pairing.printing.papers.generic_tables import ListColumn, PaperSection, multi_section_paper, table_paper
from pairing.printing.papers.rounds import TOP_MARGIN, list_head_height
from pairing.printing.pdf.paper_templates import PrintOptions, bottom_margin, render_part
from pairing.printing.pdf.text_fitting import MM_PER_POINT, Typeface, mm_to_ems, wrap_text
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from pairing.view_models.sheets.arbiter_record import ArbiterRecordSheet, RoundWithReasons
from pairing.view_models.sheets.opponent_averages import OpponentAverageLine, OpponentAverageSheet
from pairing.view_models.sheets.players_and_results import SheetPlayer, name_with_title
from pairing.view_models.sheets.regulations import RegulationsSheet


def arbiter_record_paper(sheet: ArbiterRecordSheet, wishes: PrintOptions) -> Paper:
    """The arbiter's record: every board and bye of each round, with the reasons in words."""
    with translation.override(wishes.language):
        return Paper(
            parts=tuple(
                render_part(
                    "pairing/printing/papers/arbiter_record.html",
                    _of_round(sheet, each, wishes),
                    wishes,
                    "lists",
                    "arbiter_record",
                    wishes.portrait_css,
                )
                for each in sheet.rounds
            )
            or (
                render_part(
                    "pairing/printing/papers/arbiter_record.html",
                    _of_event(sheet),
                    wishes,
                    "lists",
                    "arbiter_record",
                    wishes.portrait_css,
                ),
            )
        )


def short_arbiter_record_paper(sheet: ArbiterRecordSheet, wishes: PrintOptions) -> Paper:
    """The short arbiter's record: one line per board, with the article that decided it."""
    with translation.override(wishes.language):
        columns = (
            ListColumn(heading=_("Board"), is_figure=True, is_bold=True),
            ListColumn(heading=_("White")),
            ListColumn(heading=_("Black")),
            ListColumn(heading=_("Result"), is_unbroken=True),
            ListColumn(heading=_("Decided by"), is_small=True, is_unbroken=True),
        )
        parts: list[PaperPart] = []
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
            heading = _("Short arbiter's record: round %(number)s") % {"number": each.sheet.number}
            parts += table_paper(heading, columns, rows, wishes, club=sheet.club, event=sheet.event).parts
        return Paper(parts=tuple(parts)) if parts else arbiter_record_paper(sheet, wishes)


_CHOOSING = (ReasonKind.OPPONENT, ReasonKind.EXCHANGED)


def _deciding(reasons: Sequence[PairingReason]) -> str:
    """Return the article that chose the opponent. If no reason says which, return the last article given."""
    articles = [each.article for each in reasons if each.kind in _CHOOSING] or [each.article for each in reasons]
    return article_label_for_print(articles[-1]) if articles else ""


def _numbered(player: SheetPlayer) -> str:
    return f"{player.name} ({player.tpn})"


def regulations_paper(sheet: RegulationsSheet, wishes: PrintOptions) -> Paper:
    """The regulations of an event, its schedule and, for arbiters, its rule interpretations."""
    with translation.override(wishes.language):
        columns = (ListColumn(heading=_("What"), is_row_header=True), ListColumn(heading=_("Details"), is_bold=True))
        when = (ListColumn(heading=_("Round"), is_row_header=True), ListColumn(heading=_("Starts"), is_bold=True))
        sections = [
            PaperSection(heading="", columns=columns, rows=sheet.lines, css_class="facts"),
            PaperSection(heading=_("Rounds"), columns=when, rows=sheet.schedule),
            PaperSection(
                heading=_("Rule interpretations"),
                columns=columns,
                rows=sheet.readings,
                css_class="facts",
            ),
        ]
        filled = [each for each in sections if each.rows]
        return multi_section_paper(_("Regulations"), filled, wishes, club=sheet.club, event=sheet.event)


def opponent_averages_paper(sheet: OpponentAverageSheet, wishes: PrintOptions, *, by_average: bool = False) -> Paper:
    """Dubov's list of average ratings (ARO), by number or by average."""
    with translation.override(wishes.language):
        columns = (
            ListColumn(heading=_("No."), is_figure=True),
            ListColumn(heading=_("Name")),
            ListColumn(heading=_("Rating"), is_figure=True),
            ListColumn(heading=_("Games"), is_figure=True),
            ListColumn(heading=_("ARO"), is_figure=True, is_bold=True),
        )
        lines = sheet.lines_by_average if by_average else sheet.lines
        return table_paper(
            _("Average rating of opponents after round %(number)s") % {"number": sheet.after_round},
            columns,
            [_average_cells(line) for line in lines],
            wishes,
            club=sheet.club,
            event=sheet.event,
            remark=_("ARO: average rating of opponents in games played. Unrated players count as 0."),
        )


def _average_cells(line: OpponentAverageLine) -> tuple[object, ...]:
    return line.number, name_with_title(line.title, line.name), line.rating or "–", line.games, localize(line.average)


def _of_event(sheet: ArbiterRecordSheet) -> dict[str, object]:
    heading = _("Arbiter's record")
    return {
        "record": sheet,
        "heading": heading,
        "title": f"{heading}, {sheet.event}",
        "club": sheet.club,
        "event": sheet.event,
        "body_class": "list record",
    }


def _of_round(sheet: ArbiterRecordSheet, recorded: RoundWithReasons, wishes: PrintOptions) -> dict[str, object]:
    heading = _("Arbiter's record: round %(number)s") % {"number": recorded.sheet.number}
    context = _of_event(sheet) | {
        "heading": heading,
        "sheet": recorded.sheet,
        "decision": recorded.decision,
        "system_label": recorded.system_label,
        "boards": [(each.board, _sentences(each.reasons, sheet)) for each in recorded.boards],
        "byes": [(each.bye, _sentences(each.reasons, sheet)) for each in recorded.byes],
    }
    if _leaves_a_few(sheet, recorded, wishes, list_head_height(context, wishes, recorded.system_label)):
        context["body_class"] = "list record tight"
    return context


def _leaves_a_few(sheet: ArbiterRecordSheet, recorded: RoundWithReasons, wishes: PrintOptions, head: float) -> bool:
    """Return True if the last sheet would hold only a board or two. `head` is in millimetres."""
    wide, high = wishes.size.size_in_mm
    room = high - TOP_MARGIN - bottom_margin(wishes.letterhead)
    named = [f"{_numbered(each.board.white)} – {_numbered(each.board.black)}" for each in recorded.boards]
    named += [f"{_numbered(each.bye.player)}: {each.bye.label}" for each in recorded.byes]
    filled = head
    why = [*(each.reasons for each in recorded.boards), *(each.reasons for each in recorded.byes)]
    for text, of_line in zip(named, why, strict=True):
        told = " · ".join(f"{said} {article}" for said, article in _sentences(of_line, sheet))
        names = len(wrap_text(text, mm_to_ems(wide - 60, 9), Typeface.TEXT_BOLD))
        reasons = len(wrap_text(told, mm_to_ems(wide - 37, 8), Typeface.TEXT)) if told else 0
        filled += _BETWEEN + 1.3 * MM_PER_POINT * (9 * names + 8 * reasons)
    return filled > room and filled % room < _A_FEW


_BETWEEN, _A_FEW = 1.7, 24.0
"""Millimetres between two boards, and the height of a text that looks lost on a sheet."""


def _sentences(reasons: Iterable[PairingReason], sheet: ArbiterRecordSheet) -> list[tuple[str, str]]:
    """Return each reason in words, with its article."""
    return [(reason_sentence(reason, sheet.names), article_label_for_print(reason.article)) for reason in reasons]
