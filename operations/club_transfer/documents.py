"""Documents for other programs and for printing: an event's report, tables, PGN headers, log and printouts."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import translation
from django.utils.formats import get_format

from clubs.finance.accounting.reports import build_year_report, journal_entries, journal_table
from clubs.models import Club
from common.tabular.file_responses import render_csv
from pairing.printing.papers.arbiter_records import arbiter_record_paper
from pairing.printing.papers.clubs import accounting_journal_paper, annual_accounts_paper
from pairing.printing.papers.events import crosstable_paper, standings_paper
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.pdf.paper_templates import club_print_options, render_pdf
from pairing.public.exports.event_tables import EXPORT_TABLES
from pairing.public.exports.pgn_and_text import pgn_headers
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.standings_sheet import crosstable_sheet, standings_sheet
from pairing.view_models.standings.event_standings import get_event_standings
from tournaments.audit_log.log_file import render_log_file
from tournaments.import_export.trf_export import export_trf
from tournaments.models import Tournament
from tournaments.problems import ArbiterProblem


def event_documents(event: Tournament, *, with_papers: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each document of an event. A table that can't be made is left out."""
    yield "report.trf", export_trf(event)
    yield "log.jsonl", render_log_file(event)
    for name, table in EXPORT_TABLES.items():
        try:
            made = table.make(event)
        except ArbiterProblem:
            continue
        yield f"{name}.csv", render_csv(made.headings, made.rows)
    rounds = list(event.rounds.only_published().order_by("number"))
    for each in rounds:
        each.tournament = event
    yield "games.pgn", pgn_headers(event, rounds)
    if with_papers and rounds:
        yield "papers.pdf", _event_papers(event)


def year_documents(club: Club, year: int, *, with_papers: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each document of an accounting year."""
    headings, rows = journal_table(club, year)
    yield f"{year}.csv", render_csv(headings, rows, decimal_mark=str(get_format("DECIMAL_SEPARATOR")))
    if with_papers:
        wishes = club_print_options(club)
        with translation.override(wishes.language):
            accounts = annual_accounts_paper(club, build_year_report(club, year), wishes)
            journal = accounting_journal_paper(club, journal_entries(club, year), wishes, year=year)
        yield f"{year}.pdf", render_pdf(combine_papers([accounts, journal]))


def _event_papers(event: Tournament) -> bytes:
    """Return the arbiter's record of all rounds, with standings and crosstable if the tie-breaks are known."""
    wishes = club_print_options(event.club)
    with translation.override(wishes.language):
        record = arbiter_record_paper(arbiter_record_sheet(event), wishes)
        try:
            table = get_event_standings(event)
        except ArbiterProblem:
            return render_pdf(record)
        standings = standings_paper(standings_sheet(table), wishes)
        crosstable = crosstable_paper(crosstable_sheet(table), wishes)
    return render_pdf(combine_papers([standings, crosstable, record]))
