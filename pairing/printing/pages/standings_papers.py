"""Printouts of an event's tables and records: standings, crosstable, groups, diplomas, prizes and reports."""

from __future__ import annotations

from functools import partial

from django.http import Http404
from django.utils.translation import gettext_lazy as _

from clubs.roles import can_run_events
from pairing.pages.standings.prize_giving import get_prize_fund, has_public_prizes, prize_sheet
from pairing.printing.pages.paper_definitions import (
    EVENT_OFFICERS,
    PaperDefinition,
    PaperRequest,
    register_paper,
    standings_edition,
)
from pairing.printing.papers import arbiter_records, badges_and_diplomas, events, final_reports, group_standings
from pairing.printing.papers.badges_and_diplomas import DEFAULT_DIPLOMAS, DiplomaSignature
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.event_report import event_report, norm_report
from pairing.view_models.reports.group_standings import (
    category_leaders_sheet,
    category_standings_tables,
    group_standings_sheet,
)
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.opponent_averages import opponent_average_sheet
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.standings_sheet import crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import (
    EventStandings,
    get_event_standings,
    last_round_with_result,
    parts_of_season,
)
from pairing.view_models.standings.player_categories import offered_categories
from tournaments.club_ratings.member_norms import has_norms
from tournaments.models import PairingSystem, Prize, Round, Tournament
from tournaments.problems import ArbiterProblem

MAX_DIPLOMAS = 100

EventPaperRequest = PaperRequest[Tournament]
STANDINGS_PAPERS: list[PaperDefinition[Tournament]] = []
_printout = partial(register_paper, STANDINGS_PAPERS)
_for_officers = partial(_printout, roles=EVENT_OFFICERS)
_wall_list = partial(_printout, is_wall_list=True)


_OF_GROUPS = ("after", "best", "points", "second")


def requested_standings(asked: EventPaperRequest) -> EventStandings:
    """Return the table after the requested round, or the current one."""
    after = requested_round_number(asked)
    return get_event_standings(asked.subject, last_round_with_result(asked.subject) if after is None else after)


def requested_round_number(asked: EventPaperRequest) -> int | None:
    """Return the requested round, or None if none was given. Raises Http404 if it is not published."""
    after = asked.number_option("after")
    if after is not None and not asked.subject.rounds.only_published().filter(number=after).exists():
        raise Http404
    return after


def _is_dubov(tournament: Tournament) -> bool:
    """Return True if the event uses averages of opponents, which only the Dubov system does."""
    return PairingSystem.DUBOV_1997 in (tournament.system, tournament.procedure)


def _has_a_pairing(tournament: Tournament) -> bool:
    return tournament.rounds.exclude(state=Round.State.WAITING).exists()


def _has_a_table(tournament: Tournament) -> bool:
    return tournament.rounds.only_published().exists()


def _has_categories(tournament: Tournament) -> bool:
    try:
        return bool(offered_categories(get_event_standings(tournament)))
    except ArbiterProblem:
        return False


def _has_several(field: str, tournament: Tournament) -> bool:
    """Return True if the players are from several clubs or federations."""
    return len(set(tournament.entries.exclude(**{field: ""}).values_list(field, flat=True))) > 1


def _has_prizes(tournament: Tournament) -> bool:
    return Prize.objects.filter(fund__tournament=tournament).exists()


def _prizes_are_shown(tournament: Tournament, may_run: bool) -> bool:
    return may_run or has_public_prizes(get_prize_fund(tournament))


@_wall_list("standings", _("Standings"), fields=("after", "category", "points", "second"), edition=standings_edition)
def _standings(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The table after `?after=` or the last round with a result. `?category=` selects one, `every` all of them.

    `?from=` is the first round of a part of a Keizer season.
    """
    address = asked.absolute_url("standings", asked.subject.club.slug, asked.subject.slug)
    table = requested_standings(asked)
    if tables := category_standings_tables(table, asked.text_option("category")):
        make = partial(events.standings_paper, wishes=wishes, address=address)
        return combine_papers(make(each.table, category=str(each.label)) for each in tables)
    first = asked.number_option("from")
    if first and first in parts_of_season(asked.subject, table.after_round):
        table = get_event_standings(asked.subject, table.after_round, first_round=first)
    return events.standings_paper(standings_sheet(table), wishes, address=address)


@_wall_list(
    "crosstable",
    _("Crosstable"),
    fields=("after", "by_place", "second"),
    is_relevant=_has_a_table,
    edition=standings_edition,
)
def _crosstable(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The crosstable after `?after=`. `by_place` gives opponents by place."""
    by_place = bool(asked.text_option("by_place"))
    table = requested_standings(asked)
    sheet = crosstable_sheet(table) if by_place else standings_sheet(table)
    return events.crosstable_paper(sheet, wishes, by_place=by_place)


@_wall_list("categories", _("Best in each category"), fields=("after", "points", "second"), is_relevant=_has_categories)
def _categories(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The best players of every category. `?after=` as for standings."""
    return group_standings.category_leaders_paper(category_leaders_sheet(requested_standings(asked)), wishes)


@_wall_list("clubs", _("Clubs"), fields=_OF_GROUPS, is_relevant=partial(_has_several, "club_name"))
def _clubs(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Clubs by their best players, `?best=` of each. `?after=` as for standings."""
    return _groups(asked, wishes, by_federation=False)


@_wall_list("federations", _("Federations"), fields=_OF_GROUPS, is_relevant=partial(_has_several, "federation"))
def _federations(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Federations by their best players, with options as for clubs."""
    return _groups(asked, wishes, by_federation=True)


def _groups(asked: EventPaperRequest, wishes: PrintOptions, *, by_federation: bool) -> Paper:
    counted = asked.number_option("best")
    sheet = group_standings_sheet(requested_standings(asked), by_federation=by_federation, counted=counted)
    return group_standings.group_standings_paper(sheet, wishes)


@_for_officers("diplomas", _("Diplomas"), fields=("places", "category"), is_relevant=_has_a_table)
def _diplomas(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Diplomas for the first `?places=` of the current table. `?category=` as for standings."""
    table, event = requested_standings(asked), asked.subject
    places = asked.number_option("places", maximum=MAX_DIPLOMAS) or DEFAULT_DIPLOMAS
    signed = DiplomaSignature(arbiter=event.chief_arbiter, city=event.city, date=event.ends_on)
    make = partial(badges_and_diplomas.diplomas_paper, wishes=wishes, signed=signed, places=places)
    if tables := category_standings_tables(table, asked.text_option("category")):
        return combine_papers(make(each.table, category=str(each.label)) for each in tables)
    return make(standings_sheet(table))


@_for_officers("norms", _("Norms"), is_relevant=has_norms)
def _norms(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Norms, and how close other players came."""
    return final_reports.norms_paper(norm_report(asked.subject), wishes)


@_for_officers("report", _("Chief arbiter's report"))
def _report(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The chief arbiter's report."""
    table = get_event_standings(asked.subject, last_round_with_result(asked.subject))
    return final_reports.event_report_paper(event_report(asked.subject, table), wishes)


@_wall_list("wall_chart", _("Wall chart"), fields=("filled",))
def _wall_chart(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A wall chart to fill in by hand, or `filled` so far."""
    table = standings_sheet(requested_standings(asked)) if asked.text_option("filled") else None
    return events.wall_chart_paper(starting_list_sheet(asked.subject), wishes, table=table)


@_printout("averages", _("Average rating of opponents (ARO)"), fields=("after", "by_average"), is_relevant=_is_dubov)
def _averages(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Dubov's average ratings after `?after=`, a published round. `by_average` puts the highest first."""
    after = requested_round_number(asked)
    last = asked.subject.rounds.only_published().order_by("-number").values_list("number", flat=True).first()
    sheet = opponent_average_sheet(asked.subject, after if after is not None else last or 0)
    return arbiter_records.opponent_averages_paper(sheet, wishes, by_average=bool(asked.text_option("by_average")))


@_printout(
    "prizes", _("Prizes"), fields_for_officers=("signatures",), is_available=_prizes_are_shown, is_relevant=_has_prizes
)
def _prizes(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The prizes. `?signatures=1` adds lines to sign at the prize-giving."""
    with_signatures = can_run_events(asked.visitor, asked.subject.club) and bool(asked.text_option("signatures"))
    return events.prizes_paper(prize_sheet(asked.subject), wishes, with_signatures=with_signatures)


@_for_officers("record", _("Arbiter's record"), fields=("round", "short"), is_relevant=_has_a_pairing)
def _record(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The arbiter's record of all published rounds, or of `?round=`, even a draft. `short` gives one line per board."""
    sheet = arbiter_record_sheet(asked.subject, only=asked.number_option("round"))
    if asked.text_option("short"):
        return arbiter_records.short_arbiter_record_paper(sheet, wishes)
    return arbiter_records.arbiter_record_paper(sheet, wishes)
