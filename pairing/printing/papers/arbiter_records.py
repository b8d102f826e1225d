"""Printouts for the arbiter's files: the record of the rounds, regulations, averages of opponents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.engine.paired_round import PairingReason, ReasonKind
from pairing.explanations.articles import article_label_for_print
from pairing.explanations.reason_sentences import reason_sentence
from pairing.printing.papers.generic_tables import (
    ListColumn,
    PaperSection,
    facts_section,
    multi_section_paper,
    table_paper,
)
from pairing.printing.pdf.paper_templates import PrintOptions, render_paper
from pairing.printing.pdf.weasyprint_rendering import Paper, PaperPart
from pairing.view_models.sheets.arbiter_record import ArbiterRecordSheet, RoundWithReasons
from pairing.view_models.sheets.opponent_averages import OpponentAverageLine, OpponentAverageSheet
from pairing.view_models.sheets.players_and_results import SheetPlayer, name_with_title
from pairing.view_models.sheets.regulations import RegulationsSheet


def arbiter_record_paper(sheet: ArbiterRecordSheet, wishes: PrintOptions) -> Paper:
    """The arbiter's record: every board and bye of each round, with the reasons in words.

    A reason of several boards is printed once in a round, and the others refer to it.
    """
    heading = _("Arbiter's record")
    if len(sheet.rounds) == 1:
        heading = _("Arbiter's record: round %(number)s") % {"number": sheet.rounds[0].sheet.number}
    context = {"record": sheet, "rounds": [_with_reasons(each, sheet) for each in sheet.rounds]}
    css = ("lists", "arbiter_record")
    return render_paper("arbiter_record", heading, sheet, wishes, *css, body_class="list record", context=context)


def short_arbiter_record_paper(sheet: ArbiterRecordSheet, wishes: PrintOptions) -> Paper:
    """The short arbiter's record: one line per board, with the article that decided it."""
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
        parts += table_paper(heading, columns, rows, sheet, wishes).parts
    return Paper(parts=tuple(parts)) if parts else arbiter_record_paper(sheet, wishes)


_CHOOSING = (ReasonKind.OPPONENT, ReasonKind.EXCHANGED)


def _deciding(reasons: Sequence[PairingReason]) -> str:
    """Return the article that chose the opponent. If no reason says which, return the last article given."""
    articles = [each.article for each in reasons if each.kind in _CHOOSING] or [each.article for each in reasons]
    return article_label_for_print(articles[-1]) if articles else ""


def _numbered(player: SheetPlayer) -> str:
    return f"{player.name} ({player.number})"


def regulations_paper(sheet: RegulationsSheet, wishes: PrintOptions) -> Paper:
    """The regulations of an event, its schedule and, for arbiters, its rule interpretations."""
    when = (ListColumn(heading=_("Round"), is_row_header=True), ListColumn(heading=_("Starts"), is_bold=True))
    sections = [
        facts_section("", sheet.lines),
        PaperSection(heading=_("Rounds"), columns=when, rows=sheet.schedule),
        facts_section(_("Rule interpretations"), sheet.readings),
    ]
    filled = [each for each in sections if each.rows]
    return multi_section_paper(_("Regulations"), filled, sheet, wishes)


def opponent_averages_paper(sheet: OpponentAverageSheet, wishes: PrintOptions, *, by_average: bool = False) -> Paper:
    """Dubov's list of average ratings (ARO), by number or by average."""
    columns = (
        ListColumn(heading=_("No."), is_figure=True),
        ListColumn(heading=_("Name")),
        ListColumn(heading=_("Rating"), is_figure=True),
        ListColumn(heading=_("Games"), is_figure=True),
        ListColumn(heading=_("ARO"), is_figure=True, is_bold=True),
    )
    lines = sheet.lines_by_average if by_average else sheet.lines
    heading = _("Average rating of opponents after round %(number)s") % {"number": sheet.after_round}
    remark = _("ARO: average rating of opponents in games played. Unrated players count as 0.")
    return table_paper(heading, columns, list(map(_average_cells, lines)), sheet, wishes, remark=remark)


def _average_cells(line: OpponentAverageLine) -> tuple[object, ...]:
    return line.number, name_with_title(line.title, line.name), line.rating or "–", line.games, localize(line.average)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonsInWords:
    """The reasons of a board or bye: sentences with their articles, and the boards where other reasons are printed."""

    sentences: Sequence[tuple[str, str]]
    see_boards: Sequence[int]

    @property
    def reference(self) -> str:
        """The boards where the other reasons are, in words. Empty if there are none."""
        if not self.see_boards:
            return ""
        boards = ", ".join(map(str, self.see_boards))
        return ngettext("See also board %(boards)s.", "See also boards %(boards)s.", len(self.see_boards)) % {
            "boards": boards
        }


_OF_BOARD = ("paired", "paired_before", "floated", "absent", "with_bye")
"""The facts about who was no longer free: they differ from board to board, and the record has every board."""
_OF_ROUND = ("step", "order")
"""The facts that say in which order opponents are tried, if that is the same for many boards."""
_SAME_ORDER = (None, "first try", "correction", "order", "transposition", "exchange")


def _as_recorded(reason: PairingReason, orders: set[object]) -> PairingReason:
    """Return a reason without what other boards of the round show. `orders` are those that they explain."""
    if reason.kind not in (ReasonKind.ORDER, ReasonKind.OPPONENT):
        return reason
    left_out = set(_OF_BOARD)
    if reason.kind is ReasonKind.OPPONENT and reason.get_fact("step") in _SAME_ORDER:
        is_first, has_limit = reason.get_fact("place") == 1, reason.get_fact("near_ratings") is not None
        order = (reason.article, is_first, has_limit, *map(reason.get_fact, _OF_ROUND))
        left_out |= set(_OF_ROUND) if order in orders else set()
        # The columns are printed with their score group: they show who came after the first.
        left_out |= {"candidates", "more"} if is_first and reason.get_fact("step") == "first try" else set()
        orders.add(order)
    return replace(reason, facts=tuple(fact for fact in reason.facts if fact[0] not in left_out))


def _cited(article: str, system: str) -> str:
    """Return an article's label, without the document if it is that of the event's system, which is above the round."""
    document, _gap, number = article.partition(" ")
    return number if document == system else article_label_for_print(article)


def _with_reasons(recorded: RoundWithReasons, sheet: ArbiterRecordSheet) -> dict[str, object]:
    """Return the context of a round."""
    printed: dict[tuple[str, str], int] = {}
    orders: set[object] = set()

    def in_words(reasons: Iterable[PairingReason], board: int) -> ReasonsInWords:
        kept = [_as_recorded(each, orders) for each in reasons]
        said = [(reason_sentence(each, recorded.names), _cited(each.article, sheet.system)) for each in kept]
        new = [each for each in said if each not in printed]
        known = sorted({printed[each] for each in said if each in printed})
        printed.update(dict.fromkeys(new, board) if board else {})
        return ReasonsInWords(sentences=new, see_boards=known)

    return {
        "sheet": recorded.sheet,
        "decision": recorded.decision,
        "system_label": recorded.system_label,
        "boards": [(each.board, in_words(each.reasons, each.board.board)) for each in recorded.boards],
        "byes": [(each.bye, in_words(each.reasons, 0)) for each in recorded.byes],
    }
