"""The papers of an event's tables: standings, crosstable, groups, diplomas, and what is reported when it is over."""

from __future__ import annotations

from django.http import Http404
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from clubs.models import TimeKind
from clubs.rating.calculation.norms import LEAST_GAMES
from pairing.printing.pages import editions
from pairing.printing.pages.documents import OFFICERS, Asked, Document
from pairing.printing.papers import papers
from pairing.printing.papers.papers import Wishes
from pairing.printing.papers.pieces import USUAL_DIPLOMAS, Signed
from pairing.printing.pdf.pdfs import Paper
from pairing.view_models.reports.event_report import event_report
from pairing.view_models.reports.groups import categories_sheet, category_tables, group_sheet
from pairing.view_models.reports.norm_report import norm_report
from pairing.view_models.sheets.tables import crosstable_sheet, standings_sheet
from pairing.view_models.standings.categories import offered_categories
from pairing.view_models.standings.event_standings import Standings, last_played, standings
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem

MOST_DIPLOMAS = 100

Wanted = Asked[Tournament]


def table_of(asked: Wanted) -> Standings:
    """The table after the round asked for, or the one to be hung now."""
    after = after_of(asked)
    return standings(asked.of, last_played(asked.of) if after is None else after)


def after_of(asked: Wanted) -> int | None:
    """The published round asked for, None for none; Http404 for one that is not published."""
    after = asked.number("after")
    if after is not None and not asked.of.rounds.published().filter(number=after).exists():
        raise Http404
    return after


def _standings(asked: Wanted, wishes: Wishes) -> Paper:
    """The table after a published round, `?after=`, or the last with a result; `?category=`: a part, `every`: each."""
    address = asked.address("standings", asked.of.club.slug, asked.of.slug)
    if tables := category_tables(table_of(asked), asked.text("category")):
        return papers.category_standings_paper(tables, wishes, address=address)
    return papers.standings_paper(standings_sheet(table_of(asked)), wishes, address=address)


def _crosstable(asked: Wanted, wishes: Wishes) -> Paper:
    """The table with every round: `?after=`, `by_place` to name opponents by their places."""
    by_place = bool(asked.text("by_place"))
    table = table_of(asked)
    sheet = crosstable_sheet(table) if by_place else standings_sheet(table)
    return papers.crosstable_paper(sheet, wishes, by_place=by_place)


def _diplomas(asked: Wanted, wishes: Wishes) -> Paper:
    """Diplomas for the first places, as the table stands, `?places=` of them; `?category=` as for standings."""
    table, event = table_of(asked), asked.of
    places = asked.number("places", most=MOST_DIPLOMAS) or USUAL_DIPLOMAS
    signed = Signed(arbiter=event.chief_arbiter, city=event.city, date=event.ends_on)
    if tables := category_tables(table, asked.text("category")):
        return papers.category_diplomas_paper(tables, wishes, signed=signed, places=places)
    return papers.diplomas_paper(standings_sheet(table), wishes, signed=signed, places=places)


def _clubs(asked: Wanted, wishes: Wishes) -> Paper:
    """Clubs by their best players, `?best=` says of how many each; `?after=` as for standings."""
    sheet = group_sheet(table_of(asked), by_federation=False, counted=asked.number("best"))
    return papers.group_paper(sheet, wishes)


def _federations(asked: Wanted, wishes: Wishes) -> Paper:
    """Federations, as clubs."""
    sheet = group_sheet(table_of(asked), by_federation=True, counted=asked.number("best"))
    return papers.group_paper(sheet, wishes)


def _categories(asked: Wanted, wishes: Wishes) -> Paper:
    """The best of every category; `?after=` as for standings."""
    return papers.categories_paper(categories_sheet(table_of(asked)), wishes)


def _report(asked: Wanted, wishes: Wishes) -> Paper:
    """The chief arbiter's report."""
    with translation.override(wishes.language):
        report = event_report(asked.of, standings(asked.of, last_played(asked.of)))
    return papers.event_report_paper(report, wishes)


def _norms(asked: Wanted, wishes: Wishes) -> Paper:
    """Norms, and how near others came."""
    return papers.norms_paper(norm_report(asked.of), wishes)


def _has_federations(tournament: Tournament) -> bool:
    return len(set(tournament.entries.exclude(federation="").values_list("federation", flat=True))) > 1


def _has_clubs(tournament: Tournament) -> bool:
    return len(set(tournament.entries.exclude(club_name="").values_list("club_name", flat=True))) > 1


def _has_a_table(tournament: Tournament) -> bool:
    return tournament.rounds.published().exists()


def _has_categories(tournament: Tournament) -> bool:
    try:
        return bool(offered_categories(standings(tournament)))
    except ArbiterProblem:
        return False


def _may_bring_norms(tournament: Tournament) -> bool:
    return tournament.rated_as == TimeKind.STANDARD and tournament.rounds_announced >= LEAST_GAMES


TABLE_DOCUMENTS: tuple[Document[Tournament], ...] = (
    Document(
        code="standings",
        file="standings",
        label=_("Standings"),
        make=_standings,
        fields=("after", "category", "second"),
        edition=editions.of_table,
    ),
    Document(
        code="crosstable",
        file="crosstable",
        label=_("Crosstable"),
        make=_crosstable,
        fields=("after", "by_place", "second"),
        belongs=_has_a_table,
        edition=editions.of_table,
    ),
    Document(
        code="categories",
        file="categories",
        label=_("The best of every category"),
        make=_categories,
        fields=("after", "second"),
        belongs=_has_categories,
    ),
    Document(
        code="clubs",
        file="clubs",
        label=_("Clubs"),
        make=_clubs,
        fields=("after", "best", "second"),
        belongs=_has_clubs,
    ),
    Document(
        code="federations",
        file="federations",
        label=_("Federations"),
        make=_federations,
        fields=("after", "best", "second"),
        belongs=_has_federations,
    ),
    Document(
        code="diplomas",
        file="diplomas",
        label=_("Diplomas"),
        make=_diplomas,
        fields=("places", "category"),
        roles=OFFICERS,
        belongs=_has_a_table,
    ),
    Document(code="norms", file="norms", label=_("Norms"), make=_norms, roles=OFFICERS, belongs=_may_bring_norms),
    Document(code="report", file="report", label=_("Report of the chief arbiter"), make=_report, roles=OFFICERS),
)
