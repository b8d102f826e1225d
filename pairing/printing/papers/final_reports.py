"""Printouts at the end of an event or a year: the arbiter's report, norms, the yearbook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from urllib.parse import quote

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import TimeControlKind
from clubs.rating.calculation.norms import REQUIREMENTS_BY_TITLE, NormCheck, describe_missing_condition
from pairing.explanations.reason_sentences import points_text
from pairing.printing.papers.generic_tables import ListColumn, PaperSection, facts_section, multi_section_paper
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.event_report import EventReport, NormReport, NormReportPlayer
from pairing.view_models.reports.year_book import ClubYearBook, YearBookEvent, YearBookRating
from pairing.view_models.sheets.players_and_results import name_with_title


def event_report_paper(report: EventReport, wishes: PrintOptions) -> Paper:
    """The chief arbiter's report, with blanks for what only they know."""
    name, rounds = ListColumn(heading=_("Name"), is_row_header=True), ListColumn(heading=_("Round"), is_figure=True)
    what, reason = ListColumn(heading=_("What")), ListColumn(heading=_("Reason"), is_unbroken=True)
    place, points = (ListColumn(heading=each, is_figure=True) for each in (_("Place"), _("Points")))
    game = (
        rounds,
        ListColumn(heading=_("Board"), is_figure=True),
        ListColumn(heading=_("White")),
        ListColumn(heading=_("Black")),
        ListColumn(heading=_("Result"), is_unbroken=True),
    )
    facts = [
        *report.regulations.lines,
        *report.regulations.readings,
        (_("FIDE rated"), _("yes") if report.fide_rated else _("no")),
        (_("Players"), _counted(report)),
        (_("Federations"), ", ".join(f"{code} {count}" for code, count in report.federations)),
    ]
    best = [(line.place, line.player.name_with_title, line.values[0]) for line in report.best]
    forfeits = [(each.round, each.board, each.white, each.black, each.result) for each in report.forfeits]
    byes = [(each.round, each.name, each.label) for each in report.byes]
    corrections = [(number or "–", words) for number, words in report.corrections]
    without_legal_pairing = _("Decisions where no legal pairing was possible")
    listed = partial(PaperSection, empty_text=_("None."))
    sections = [
        facts_section(_("The event"), [fact for fact in facts if fact[1]]),
        listed(heading=_("Top places"), columns=(place, name, points), rows=best),
        _rounds(report),
        listed(heading=_("Unplayed games"), columns=game, rows=forfeits),
        listed(heading=_("Byes and absences"), columns=(rounds, name, reason), rows=byes),
        listed(heading=_("Late entries"), columns=(name, rounds), rows=report.late),
        listed(heading=_("Withdrawn"), columns=(name, rounds), rows=report.withdrawn),
        listed(heading=_("Corrected results"), columns=(rounds, what), rows=corrections),
        listed(heading=without_legal_pairing, columns=(rounds, what), rows=report.decisions),
        PaperSection(heading=_("Incidents, penalties, devices found"), blanks=("",) * 3),
        PaperSection(heading=_("Appeals and decisions"), blanks=("",) * 3),
        PaperSection(heading=_("Hall, equipment, remarks"), blanks=("",) * 2),
        PaperSection(
            heading=_("Chief arbiter"),
            lead=report.arbiter,
            blanks=(_("Date and signature"),),
            is_kept_with_previous=True,
        ),
    ]
    lead = "" if report.is_over else _("The event is not over yet.")
    return multi_section_paper(_("Chief arbiter's report"), sections, report.regulations, wishes, lead=lead)


def norms_paper(report: NormReport, wishes: PrintOptions) -> Paper:
    """Norms with the games behind them: one page per player with a norm, and the other players together."""
    where = ", ".join([*([report.city] if report.city else []), " – ".join(_day(day) for day in report.days)])
    reached = [each for each in report.players if each.has_reached_norm]
    sections = [_certificate(each, report, is_first=not place) for place, each in enumerate(reached)]
    sections += [
        PaperSection(
            heading=_named(each),
            lead="\n".join(line for result in each.norms.results for line in (_done(result), *_missing(result))),
        )
        for each in report.players
        if not each.has_reached_norm
    ]
    if not sections:
        sections = [PaperSection(heading="", lead=_("No player has enough games for a norm."))]
    remark = _(
        "Based on FIDE's title regulations in force since January 2024 and on the games alone. The "
        "event's registration, arbiters and schedule are not checked. All games count, even ones a player "
        "could leave out. An opponent without a federation counts as being from the club's federation."
    )
    return multi_section_paper(_("Norms"), sections, report, wishes, lead=where.strip(", "), remark=remark)


def year_book_paper(book: ClubYearBook, wishes: PrintOptions) -> Paper:
    """The yearbook: events with their tables, rating changes by kind of time control, attendance."""
    name = ListColumn(heading=_("Name"), is_row_header=True)
    events = PaperSection(
        heading=_("Events"),
        columns=(
            ListColumn(heading=_("When"), is_unbroken=True),
            ListColumn(heading=_("Event"), is_row_header=True),
            ListColumn(heading=_("Players"), is_figure=True),
            ListColumn(heading=_("First place"), is_bold=True),
        ),
        rows=[(_days(each.days), each.name, each.players, _first(each)) for each in book.events],
        empty_text=_("No event that year has standings."),
    )
    evenings = PaperSection(
        heading=_("Evenings"),
        lead=_("%(count)s evenings, %(average)s players on average")
        % {"count": len(book.evenings.players), "average": book.evenings.average_players_per_evening},
        picture=_bars(book.evenings.players),
        picture_alt=_said_of(book.evenings.players),
        columns=(name, ListColumn(heading=_("Evenings"), is_figure=True), ListColumn(heading="%", is_figure=True)),
        rows=[(row.member.name, row.evenings, row.share) for row in book.evenings.members],
    )
    sections = [events, *([evenings] if book.evenings.players else [])]
    sections += [_ratings(kind, rows) for kind, rows in book.ratings]
    sections += [_table(each) for each in book.events]
    heading = _("Yearbook %(year)s") % {"year": book.year}
    return multi_section_paper(heading, sections, PaperNames(club=book.club), wishes)


# -- The arbiter's report ---------------------------------------------------------------------------------------------


def _counted(report: EventReport) -> str:
    words = _("%(count)s (%(rated)s rated, %(titled)s titled)") % {
        "count": report.players,
        "rated": report.rated,
        "titled": report.titled,
    }
    average = _("average rating %(rating)s") % {"rating": report.average} if report.average else ""
    return f"{words}; {average}" if average else words


def _rounds(report: EventReport) -> PaperSection:
    return PaperSection(
        heading=_("Rounds"),
        columns=(
            ListColumn(heading=_("Round"), is_figure=True, is_row_header=True),
            ListColumn(heading=_("Starts")),
            ListColumn(heading=_("Boards"), is_figure=True),
            ListColumn(heading=_("Not played"), is_figure=True),
            ListColumn(heading=_("No result"), is_figure=True),
            ListColumn(heading=_("Not playing"), is_figure=True),
        ),
        rows=[
            (
                each.number,
                date_format(localtime(each.starts_at), "SHORT_DATETIME_FORMAT") if each.starts_at else "",
                each.boards,
                each.forfeits,
                each.open,
                each.byes,
            )
            for each in report.rounds
        ],
        empty_text=_("No rounds published yet."),
    )


# -- Norms ------------------------------------------------------------------------------------------------------------


def _certificate(player: NormReportPlayer, report: NormReport, *, is_first: bool) -> PaperSection:
    """The known facts of FIDE's certificate of a title result (IT1), and the requirements of a title (IT2)."""
    entry = player.norms.entry
    born = _("born %(day)s") % {"day": entry.birth} if entry.birth else ""
    about = [
        " · ".join(each for each in (entry.federation, f"FIDE {entry.fide_id}" if entry.fide_id else "", born) if each)
    ]
    for result in player.norms.results:
        about += [_done(result), *_missing(result)]
    games = len(player.norms.opponents)
    for each in player.earlier_norms:
        titles = ", ".join(result.title for result in each.results if not result.missing)
        about.append(f"{_('Reached before')}: {titles}, {each.event.name}")
    about.append(
        _(
            "For the title, the player also needs norms covering 27 games in total (this event: %(games)s) and "
            "the required rating."
        )
        % {"games": games}
    )
    about.append(f"{_('Chief arbiter')}: {report.arbiter}" if report.arbiter else "")
    return PaperSection(
        heading=_named(player),
        lead="\n".join(filter(None, about)),
        columns=(
            ListColumn(heading=_("Round"), is_figure=True),
            ListColumn(heading=_("Opponent"), is_row_header=True),
            ListColumn(heading=_("Fed."), is_unbroken=True),
            ListColumn(heading=_("Title"), is_unbroken=True),
            ListColumn(heading=_("Rating"), is_figure=True),
            ListColumn(heading=_("Result"), is_figure=True, is_bold=True),
        ),
        rows=[
            (
                each.round,
                each.name,
                each.game.federation,
                each.game.title,
                each.game.rating or "–",
                points_text(each.game.score),
            )
            for each in player.norms.opponents
        ],
        blanks=(_("Date and signature"),),
        begins_page=not is_first,
    )


def _named(player: NormReportPlayer) -> str:
    entry = player.norms.entry
    return name_with_title(entry.title, entry.name)


def _done(result: NormCheck) -> str:
    words = _("No %(title)s norm.") if result.missing else _("%(title)s norm achieved.")
    done, norm = result.performance, REQUIREMENTS_BY_TITLE[result.title]
    told = _("%(score)s out of %(games)s, average opponent rating %(average)s, performance rating %(rating)s.") % {
        "score": points_text(done.score),
        "games": done.games,
        "average": done.average_opponent,
        "rating": done.rating,
    }
    asked = _("Needed: average opponent rating %(average)s, performance rating %(rating)s.") % {
        "average": norm.average,
        "rating": norm.performance,
    }
    return f"{words % {'title': result.title}} {told} {asked}"


def _missing(result: NormCheck) -> Iterable[str]:
    return (
        f"– {describe_missing_condition(each, result.title)} (B.01, {each.article[:6].strip()})"
        for each in result.missing
    )


# -- The yearbook ----------------------------------------------------------------------------------------------------


def _first(event: YearBookEvent) -> str:
    """Return the players in first place, marked as so far if the event is not over."""
    first, table = "; ".join(line.player.name_with_title for line in event.table.lines if line.place == 1), event.table
    is_final = table.after_round >= table.rounds_announced and not table.is_provisional
    so_far = pgettext("first place", "so far").replace(" ", "\N{NO-BREAK SPACE}")
    return first if is_final else f"{first} ({so_far})"


def _table(event: YearBookEvent) -> PaperSection:
    return PaperSection(
        heading=event.name,
        lead=_days(event.days),
        columns=(
            ListColumn(heading=_("Place"), is_figure=True, is_bold=True),
            ListColumn(heading=_("Name"), is_row_header=True),
            ListColumn(heading=_("Rating"), is_figure=True),
            *(ListColumn(heading=str(column.heading), is_figure=True) for column in event.table.columns),
        ),
        rows=[
            (line.place, line.player.name_with_title, line.player.rating or "–", *line.values)
            for line in event.table.lines
        ],
        meanings=[(str(column.heading), str(column.meaning)) for column in event.table.columns if column.meaning],
    )


def _ratings(kind: str, rows: Sequence[YearBookRating]) -> PaperSection:
    had_one_before = any(row.before is not None for row in rows)
    return PaperSection(
        heading=f"{_('Rating list')}: {capfirst(str(TimeControlKind(kind).label))}",
        columns=(
            ListColumn(heading=_("Name"), is_row_header=True),
            ListColumn(heading=_("Before"), is_figure=True),
            ListColumn(heading=_("After") if had_one_before else _("Rating"), is_figure=True, is_bold=True),
            ListColumn(heading=_("Change"), is_figure=True),
            ListColumn(heading=_("Games"), is_figure=True),
        ),
        rows=[
            (
                row.name,
                "–" if row.before is None else row.before,
                row.after,
                "–" if row.rating_change is None else f"{row.rating_change:+}".replace("-", "−"),
                row.games,
            )
            for row in rows
        ],
    )


def _days(days: Sequence[date]) -> str:
    return " – ".join(map(_day, days))


def _day(day: object) -> str:
    return date_format(day, "SHORT_DATE_FORMAT") if isinstance(day, date) else ""


def _said_of(players: Sequence[tuple[date, int]]) -> str:
    """Return the text alternative of the picture: the range of attendance, first and last evening."""
    counts, days = [count for _day, count in players] or [0], [day for day, _count in players]
    words = _("Players per evening, from %(least)s to %(most)s") % {"least": min(counts), "most": max(counts)}
    return f"{words} ({_days(list(dict.fromkeys([min(days), max(days)])))})" if days else words


_WIDE, _HIGH, _ABOVE = 180, 34, 4
"""Millimetres of the attendance chart, and of the numbers above its bars."""
_MOST_WITH_FIGURES = 45


def _bars(players: Sequence[tuple[date, int]]) -> str:
    """Return a bar chart of the evenings as a data URI, in outlines, which every printer draws.

    If there is space, each bar has its number of players. `_said_of` describes the chart in words.
    """
    if not players:
        return ""
    most, step = max(count for _day, count in players), _WIDE / max(len(players), 12)
    tops, foot = [_ABOVE + _HIGH - count * (_HIGH - 1) / most for _day, count in players], _ABOVE + _HIGH
    bars = "".join(
        f"M{place * step:.2f} {foot}h{step * 0.7:.2f}V{top:.2f}h-{step * 0.7:.2f}z" for place, top in enumerate(tops)
    )
    counts = "".join(
        _figures(count, (place + 0.35) * step, top - 1)
        for place, (top, (_day, count)) in enumerate(zip(tops, players, strict=True))
        if len(players) <= _MOST_WITH_FIGURES
    )
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDE}mm" height="{foot}.2mm" viewBox="0 0 {_WIDE} {foot}.2">'
        f'<g fill="none" stroke="#000" stroke-width="0.25"><path d="{bars}M0 {foot}H{_WIDE}"/>{counts}</g></svg>'
    )
    return f"data:image/svg+xml,{quote(picture)}"


def _figures(count: int, middle: float, foot: float) -> str:
    """Draw a number as lines, two millimetres high: letters would be text without a PDF tag."""
    figures = str(count)
    left = middle - (len(figures) * 1.4 - 0.4) / 2
    return "".join(
        f'<path transform="translate({left + place * 1.4:.2f} {foot - 2:.2f}) scale(.5)" stroke-width=".45"'
        f' d="{_STROKES[int(figure)]}"/>'
        for place, figure in enumerate(figures)
    )


_STROKES = (
    "M1 0A1 1 0 0 1 2 1V3A1 1 0 0 1 0 3V1A1 1 0 0 1 1 0Z",
    "M.3 1L1.2 0V4",
    "M0 1A1 1 0 0 1 2 1C2 2 0 3 0 4H2",
    "M.1 .7A1 .95 0 1 1 1 1.9A1 1.05 0 1 1 0 3.2",
    "M1.5 4V0L0 2.8H2",
    "M1.9 0H.3L.1 1.8A1.1 1.2 0 1 1 0 3.4",
    "M1.6 0C.6 .8 0 1.8 0 2.9A1 1.1 0 1 0 2 2.9A1 1.1 0 1 0 0 2.9",
    "M0 0H2L.7 4",
    "M1 0A.9 .95 0 1 0 1.01 0ZM1 1.9A1 1.05 0 1 0 1.01 1.9Z",
    "M.4 4C1.4 3.2 2 2.2 2 1.1A1 1.1 0 1 0 0 1.1A1 1.1 0 1 0 2 1.1",
)
"""The digits from 0, two wide and four high."""
