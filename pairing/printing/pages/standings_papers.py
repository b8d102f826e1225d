"""Printouts of an event's tables: standings, crosstable, groups, diplomas and final reports."""

from __future__ import annotations

from django.http import Http404
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from clubs.models import TimeControlKind
from clubs.rating.calculation.norms import MIN_NORM_GAMES
from pairing.printing.pages import paper_definitions
from pairing.printing.pages.paper_definitions import EVENT_OFFICERS, PaperDefinition, PaperRequest
from pairing.printing.papers import all_papers
from pairing.printing.papers.all_papers import PrintOptions
from pairing.printing.papers.badges_and_diplomas import DEFAULT_DIPLOMAS, DiplomaSignature
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.reports.event_report import event_report, norm_report
from pairing.view_models.reports.group_standings import (
    category_leaders_sheet,
    category_standings_tables,
    group_standings_sheet,
)
from pairing.view_models.sheets.standings_sheet import crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import (
    EventStandings,
    get_event_standings,
    last_round_with_result,
    parts_of_season,
)
from pairing.view_models.standings.player_categories import offered_categories
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

MAX_DIPLOMAS = 100

EventPaperRequest = PaperRequest[Tournament]


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


def _standings(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The table after `?after=` or the last round with a result. `?category=` selects one, `every` all of them.

    `?from=` is the first round of a part of a Keizer season.
    """
    address = asked.absolute_url("standings", asked.subject.club.slug, asked.subject.slug)
    if tables := category_standings_tables(requested_standings(asked), asked.text_option("category")):
        return all_papers.category_standings_paper(tables, wishes, address=address)
    table = requested_standings(asked)
    first = asked.number_option("from")
    if first and first in parts_of_season(asked.subject, table.after_round):
        table = get_event_standings(asked.subject, table.after_round, first_round=first)
    return all_papers.standings_paper(standings_sheet(table), wishes, address=address)


def _crosstable(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The crosstable after `?after=`. `by_place` gives opponents by place."""
    by_place = bool(asked.text_option("by_place"))
    table = requested_standings(asked)
    sheet = crosstable_sheet(table) if by_place else standings_sheet(table)
    return all_papers.crosstable_paper(sheet, wishes, by_place=by_place)


def _diplomas(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Diplomas for the first `?places=` of the current table. `?category=` as for standings."""
    table, event = requested_standings(asked), asked.subject
    places = asked.number_option("places", maximum=MAX_DIPLOMAS) or DEFAULT_DIPLOMAS
    signed = DiplomaSignature(arbiter=event.chief_arbiter, city=event.city, date=event.ends_on)
    if tables := category_standings_tables(table, asked.text_option("category")):
        return all_papers.category_diplomas_paper(tables, wishes, signed=signed, places=places)
    return all_papers.diplomas_paper(standings_sheet(table), wishes, signed=signed, places=places)


def _clubs(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Clubs by their best players, `?best=` of each. `?after=` as for standings."""
    sheet = group_standings_sheet(requested_standings(asked), by_federation=False, counted=asked.number_option("best"))
    return all_papers.group_standings_paper(sheet, wishes)


def _federations(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Federations by their best players, with options as for clubs."""
    sheet = group_standings_sheet(requested_standings(asked), by_federation=True, counted=asked.number_option("best"))
    return all_papers.group_standings_paper(sheet, wishes)


def _categories(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The best players of every category. `?after=` as for standings."""
    return all_papers.category_leaders_paper(category_leaders_sheet(requested_standings(asked)), wishes)


def _report(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The chief arbiter's report."""
    with translation.override(wishes.language):
        report = event_report(asked.subject, get_event_standings(asked.subject, last_round_with_result(asked.subject)))
    return all_papers.event_report_paper(report, wishes)


def _norms(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Norms, and how close other players came."""
    return all_papers.norms_paper(norm_report(asked.subject), wishes)


def _has_federations(tournament: Tournament) -> bool:
    return len(set(tournament.entries.exclude(federation="").values_list("federation", flat=True))) > 1


def _has_clubs(tournament: Tournament) -> bool:
    return len(set(tournament.entries.exclude(club_name="").values_list("club_name", flat=True))) > 1


def _has_a_table(tournament: Tournament) -> bool:
    return tournament.rounds.only_published().exists()


def _has_categories(tournament: Tournament) -> bool:
    try:
        return bool(offered_categories(get_event_standings(tournament)))
    except ArbiterProblem:
        return False


def _has_norms(tournament: Tournament) -> bool:
    is_long = tournament.rated_as == TimeControlKind.STANDARD and tournament.rounds_announced >= MIN_NORM_GAMES
    return is_long and any(player.has_reached_norm for player in norm_report(tournament).players)


STANDINGS_PAPERS: tuple[PaperDefinition[Tournament], ...] = (
    PaperDefinition(
        code="standings",
        label=_("Standings"),
        make=_standings,
        fields=("after", "category", "points", "second"),
        is_wall_list=True,
        edition=paper_definitions.standings_edition,
    ),
    PaperDefinition(
        code="crosstable",
        label=_("Crosstable"),
        make=_crosstable,
        fields=("after", "by_place", "second"),
        is_wall_list=True,
        is_relevant=_has_a_table,
        edition=paper_definitions.standings_edition,
    ),
    PaperDefinition(
        code="categories",
        label=_("Best in each category"),
        make=_categories,
        fields=("after", "points", "second"),
        is_wall_list=True,
        is_relevant=_has_categories,
    ),
    PaperDefinition(
        code="clubs",
        label=_("Clubs"),
        make=_clubs,
        fields=("after", "best", "points", "second"),
        is_wall_list=True,
        is_relevant=_has_clubs,
    ),
    PaperDefinition(
        code="federations",
        label=_("Federations"),
        make=_federations,
        fields=("after", "best", "points", "second"),
        is_wall_list=True,
        is_relevant=_has_federations,
    ),
    PaperDefinition(
        code="diplomas",
        label=_("Diplomas"),
        make=_diplomas,
        fields=("places", "category"),
        roles=EVENT_OFFICERS,
        is_relevant=_has_a_table,
    ),
    PaperDefinition(code="norms", label=_("Norms"), make=_norms, roles=EVENT_OFFICERS, is_relevant=_has_norms),
    PaperDefinition(code="report", label=_("Chief arbiter's report"), make=_report, roles=EVENT_OFFICERS),
)
