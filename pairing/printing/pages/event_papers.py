"""Printouts of an event: cards, lists, tables.

Anyone who can see a page can print it; printouts that are cut apart are for officers.
"""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from pairing.printing.pages.paper_definitions import (
    EVENT_OFFICERS,
    PaperDefinition,
    PaperGroup,
    player_list_edition,
    register_paper,
)
from pairing.printing.pages.standings_papers import STANDINGS_PAPERS, EventPaperRequest
from pairing.printing.papers import arbiter_records, badges_and_diplomas, blanks_and_posters, events, start_cards
from pairing.printing.papers.rounds import combine_papers
from pairing.printing.papers.start_cards import CARD_FORMATS
from pairing.printing.pdf.paper_templates import PaperNames, PrintOptions
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.regulations import regulations_sheet
from pairing.view_models.sheets.round_robin_schedule import round_robin_schedule_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.sheets.start_cards import start_card_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.check_in.personal_links import personal_link_url
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.models import PairingSystem, Tournament

MAX_SPARE = 400
MAX_TABLES = 500
MIN_CARDS, MIN_SLIPS = 16, 8
"""The minimum numbers of cards and slips, for an event without entries."""

EVENT_PAPERS: list[PaperDefinition[Tournament]] = []
_printout = partial(register_paper, EVENT_PAPERS)
_for_officers = partial(_printout, roles=EVENT_OFFICERS)


def _has_players(tournament: Tournament) -> bool:
    return tournament.entries.exists()


def _has_schedule(tournament: Tournament) -> bool:
    return tournament.system == PairingSystem.ROUND_ROBIN


@_for_officers(
    "cards",
    _("Start cards"),
    fields=("cards", "blank", "only", "spare", "stacked", "backs", "second"),
    group=PaperGroup.CARDS,
)
def _cards(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Start cards: `?cards=8|4|2|a5|a6`, `blank`, `only` (a number), `nobody`, `spare`, `stacked`, `backs`."""
    only = 0 if asked.has_option("nobody") else asked.number_option("only")
    spare = asked.number_option("spare", maximum=MAX_SPARE) or 0
    sheet = start_card_sheet(asked.subject, filled=not asked.text_option("blank"), only=only, spare=spare)
    form = CARD_FORMATS.get(asked.text_option("cards"), CARD_FORMATS["4"])
    return start_cards.start_cards_paper(
        sheet, form, wishes, stacked=asked.has_option("stacked"), backs=asked.has_option("backs")
    )


@_printout(
    "starting_list",
    _("Starting list"),
    file="players",
    fields=("order", "points", "second"),
    is_wall_list=True,
    group=PaperGroup.PLAYERS,
    edition=player_list_edition,
)
def _starting_list(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The starting list: `?order=number|rating|name`."""
    return events.starting_list_paper(starting_list_sheet(asked.subject), wishes, order=asked.text_option("order"))


@_printout("schedule", _("Schedule"), fields=("second",), is_relevant=_has_schedule, group=PaperGroup.PLAYERS)
def _schedule(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All rounds of a round robin."""
    return events.schedule_paper(round_robin_schedule_sheet(asked.subject), wishes)


@_printout("regulations", _("Regulations"), group=PaperGroup.HALL)
def _regulations(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The regulations."""
    return arbiter_records.regulations_paper(regulations_sheet(asked.subject), wishes)


@_for_officers("attendance", _("Attendance"), is_relevant=_has_players, group=PaperGroup.PLAYERS)
def _attendance(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All players by name, with a box for each round."""
    return events.attendance_paper(starting_list_sheet(asked.subject), wishes)


@_for_officers("table_numbers", _("Table numbers"), fields=("tables",), is_relevant=_has_players, group=PaperGroup.HALL)
def _table_numbers(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Table numbers: `?tables=` of them, by default as many as the players need."""
    sheet = starting_list_sheet(asked.subject)
    tables = asked.number_option("tables") or len(sheet.players) // 2
    return badges_and_diplomas.table_numbers_paper(sheet, min(tables, MAX_TABLES), wishes)


@_for_officers("place_cards", _("Place cards"), is_relevant=_has_players, group=PaperGroup.PLAYERS)
def _place_cards(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A place card for every player."""
    return badges_and_diplomas.place_cards_paper(starting_list_sheet(asked.subject), wishes)


@_for_officers("badges", _("Badges"), fields=("code",), is_relevant=_has_players, group=PaperGroup.PLAYERS)
def _badges(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A badge for every player, with the QR code of their personal page.

    With `?code=card` the code leads to the player's public card.
    """
    tournament = asked.subject
    is_own = asked.text_option("code") != "card"
    entries = list(tournament.entries.select_related("member")) if is_own else []
    numbers = pairing_numbers_by_entry(entries)
    own = {numbers[entry.pk]: personal_link_url(entry) for entry in entries}

    def player_url(number: int) -> str:
        if is_own:
            return asked.request.build_absolute_uri(own[number])
        return asked.absolute_url("player", tournament.club.slug, tournament.slug, number)

    return badges_and_diplomas.badges_paper(starting_list_sheet(tournament), wishes, player_url=player_url)


@_for_officers("door_poster", _("Door poster"), file="door", group=PaperGroup.HALL)
def _door_poster(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A poster with the event and its QR code."""
    event = asked.subject
    address = asked.absolute_url("tournament", event.club.slug, event.slug)
    days = [day for day in (event.starts_on, event.ends_on) if day]
    return blanks_and_posters.door_poster_paper(_names(event), event.city, wishes, address=address, days=days)


@_for_officers("hall_signs", _("Hall signs"), file="signs", group=PaperGroup.HALL)
def _hall_signs(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Signs for the playing hall."""
    return blanks_and_posters.hall_signs_paper(_names(asked.subject), wishes)


def _names(event: Tournament) -> PaperNames:
    return PaperNames(event=event.name, club=event.club.name)


@_for_officers(
    "pack", _("Emergency pack (no computer needed)"), file="no-computer", fields=("cards",), group=PaperGroup.EMERGENCY
)
def _pack(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All printouts for an evening without the computer: guide, cards, slips, lists and a score sheet."""
    event = asked.subject
    people = starting_list_sheet(event)
    cards = start_card_sheet(event, filled=False, only=0, spare=max(len(people.players), MIN_CARDS))
    names = _names(event)
    played = last_round_with_result(event)
    table = standings_sheet(get_event_standings(event, played)) if played else None
    form = CARD_FORMATS.get(asked.text_option("cards"), CARD_FORMATS["4"])
    return combine_papers(
        [
            blanks_and_posters.manual_pairing_guide_paper(names, wishes, is_jahr=cards.is_jahr),
            start_cards.start_cards_paper(cards, form, wishes),
            blanks_and_posters.blank_slips_paper(names, _boards(event), wishes),
            blanks_and_posters.blank_pairings_paper(names, _boards(event), wishes),
            events.wall_chart_paper(people, wishes, table=table),
            blanks_and_posters.score_sheet_paper(names, wishes),
        ]
    )


def _boards(tournament: Tournament) -> int:
    """Return the number of boards the players need, at least a page of slips."""
    return max(tournament.entries.count() // 2, MIN_SLIPS)


@_for_officers("registration", _("Registration form"), group=PaperGroup.PLAYERS)
def _registration(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A registration form."""
    return blanks_and_posters.registration_form_paper(_names(asked.subject), wishes)


EVENT_PAPERS += STANDINGS_PAPERS
