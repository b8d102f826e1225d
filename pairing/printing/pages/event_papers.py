"""Printouts of an event: cards, lists, tables.

Anyone who can see a page can print it; printouts that are cut apart are for officers.
"""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from clubs.roles import can_run_events
from pairing.pages.standings.prize_giving import get_prize_fund, has_public_prizes, prize_sheet
from pairing.printing.pages import paper_definitions
from pairing.printing.pages.paper_definitions import EVENT_OFFICERS, PaperDefinition, PaperGroup, PaperRequest
from pairing.printing.pages.standings_papers import STANDINGS_PAPERS, requested_round_number, requested_standings
from pairing.printing.papers import all_papers
from pairing.printing.papers.all_papers import CARD_FORMATS, PrintOptions
from pairing.printing.papers.events import StartingListOrder
from pairing.printing.pdf.weasyprint_rendering import Paper
from pairing.view_models.sheets.arbiter_record import arbiter_record_sheet
from pairing.view_models.sheets.opponent_averages import opponent_average_sheet
from pairing.view_models.sheets.players_and_results import starting_list_sheet
from pairing.view_models.sheets.regulations import regulations_sheet
from pairing.view_models.sheets.round_robin_schedule import round_robin_schedule_sheet
from pairing.view_models.sheets.standings_sheet import standings_sheet
from pairing.view_models.sheets.start_cards import start_card_sheet
from pairing.view_models.standings.event_standings import get_event_standings, last_round_with_result
from tournaments.check_in.personal_links import personal_link_url
from tournaments.entries.enrolment import pairing_numbers_by_entry
from tournaments.models import PairingSystem, Prize, Round, Tournament

MAX_SPARE = 400
MAX_TABLES = 500
MIN_CARDS, MIN_SLIPS = 16, 8
"""The minimum numbers of cards and slips, for an event without entries."""

EventPaperRequest = PaperRequest[Tournament]


def _cards(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Start cards: `?cards=8|4|2|a5|a6`, `blank`, `only` (a number), `nobody`, `spare`, `stacked`, `backs`."""
    only = 0 if asked.has_option("nobody") else asked.number_option("only")
    spare = asked.number_option("spare", maximum=MAX_SPARE) or 0
    sheet = start_card_sheet(asked.subject, filled=not asked.text_option("blank"), only=only, spare=spare)
    form = CARD_FORMATS.get(asked.text_option("cards"), CARD_FORMATS["4"])
    return all_papers.start_cards_paper(
        sheet, form, wishes, stacked=asked.has_option("stacked"), backs=asked.has_option("backs")
    )


def _starting_list(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The starting list: `?order=number|rating|name`."""
    wanted = asked.text_option("order")
    order = StartingListOrder(wanted) if wanted in set(StartingListOrder) else StartingListOrder.NUMBER
    return all_papers.starting_list_paper(starting_list_sheet(asked.subject), wishes, order=order)


def _schedule(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All rounds of a round robin."""
    return all_papers.schedule_paper(round_robin_schedule_sheet(asked.subject), wishes)


def _attendance(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All players by name, with a box for each round."""
    return all_papers.attendance_paper(starting_list_sheet(asked.subject), wishes)


def _wall_chart(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A wall chart to fill in by hand, or `filled` so far."""
    table = standings_sheet(requested_standings(asked)) if asked.text_option("filled") else None
    return all_papers.wall_chart_paper(starting_list_sheet(asked.subject), wishes, table=table)


def _registration(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A registration form."""
    return all_papers.registration_form_paper(asked.subject.name, asked.subject.club.name, wishes)


def _door_poster(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A poster with the event and its QR code."""
    event = asked.subject
    address = asked.absolute_url("tournament", event.club.slug, event.slug)
    days = [day for day in (event.starts_on, event.ends_on) if day]
    return all_papers.door_poster_paper(event.name, event.club.name, event.city, wishes, address=address, days=days)


def _hall_signs(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Signs for the playing hall."""
    return all_papers.hall_signs_paper(asked.subject.name, asked.subject.club.name, wishes)


def _pack(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """All printouts for an evening without the computer: guide, cards, slips, lists and a score sheet."""
    event = asked.subject
    people = starting_list_sheet(event)
    cards = start_card_sheet(event, filled=False, only=0, spare=max(len(people.players), MIN_CARDS))
    names = (event.name, event.club.name)
    played = last_round_with_result(event)
    table = standings_sheet(get_event_standings(event, played)) if played else None
    form = CARD_FORMATS.get(asked.text_option("cards"), CARD_FORMATS["4"])
    return all_papers.combine_papers(
        [
            all_papers.manual_pairing_guide_paper(*names, wishes, is_jahr=cards.is_jahr),
            all_papers.start_cards_paper(cards, form, wishes),
            all_papers.blank_slips_paper(*names, _boards(event), wishes),
            all_papers.blank_pairings_paper(*names, _boards(event), wishes),
            all_papers.wall_chart_paper(people, wishes, table=table),
            all_papers.score_sheet_paper(*names, wishes),
        ]
    )


def _boards(tournament: Tournament) -> int:
    """Return the number of boards the players need, at least a page of slips."""
    return max(tournament.entries.count() // 2, MIN_SLIPS)


def _place_cards(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """A place card for every player."""
    return all_papers.place_cards_paper(starting_list_sheet(asked.subject), wishes)


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

    return all_papers.badges_paper(starting_list_sheet(tournament), wishes, player_url=player_url)


def _table_numbers(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Table numbers: `?tables=` of them, by default as many as the players need."""
    sheet = starting_list_sheet(asked.subject)
    tables = asked.number_option("tables") or len(sheet.players) // 2
    return all_papers.table_numbers_paper(sheet, min(tables, MAX_TABLES), wishes)


def _prizes(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The prizes. `?signatures=1` adds lines to sign at the prize-giving."""
    with translation.override(wishes.language):
        sheet = prize_sheet(asked.subject)
    with_signatures = can_run_events(asked.visitor, asked.subject.club) and bool(asked.text_option("signatures"))
    return all_papers.prizes_paper(sheet, wishes, with_signatures=with_signatures)


def _averages(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """Dubov's average ratings after `?after=`, a published round. `by_average` puts the highest first."""
    after = requested_round_number(asked)
    last = asked.subject.rounds.only_published().order_by("-number").values_list("number", flat=True).first()
    sheet = opponent_average_sheet(asked.subject, after if after is not None else last or 0)
    return all_papers.opponent_averages_paper(sheet, wishes, by_average=bool(asked.text_option("by_average")))


def _record(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The arbiter's record of all published rounds, or of `?round=`, even a draft. `short` gives one line per board."""
    make = all_papers.short_arbiter_record_paper if asked.text_option("short") else all_papers.arbiter_record_paper
    with translation.override(wishes.language):
        sheet = arbiter_record_sheet(asked.subject, only=asked.number_option("round"))
    return make(sheet, wishes)


def _regulations(asked: EventPaperRequest, wishes: PrintOptions) -> Paper:
    """The regulations, in the printout's language."""
    with translation.override(wishes.language):
        sheet = regulations_sheet(asked.subject)
    return all_papers.regulations_paper(sheet, wishes)


def _is_dubov(tournament: Tournament) -> bool:
    """Return True if the event uses averages of opponents, which only the Dubov system does."""
    return PairingSystem.DUBOV_1997 in (tournament.system, tournament.procedure)


def _has_prizes(tournament: Tournament) -> bool:
    return Prize.objects.filter(fund__tournament=tournament).exists()


def _has_players(tournament: Tournament) -> bool:
    return tournament.entries.exists()


def _has_a_pairing(tournament: Tournament) -> bool:
    return tournament.rounds.exclude(state=Round.State.WAITING).exists()


def _has_schedule(tournament: Tournament) -> bool:
    return tournament.system == PairingSystem.ROUND_ROBIN


def _prizes_are_shown(tournament: Tournament, may_run: bool) -> bool:
    return may_run or has_public_prizes(get_prize_fund(tournament))


EVENT_PAPERS: tuple[PaperDefinition[Tournament], ...] = (
    PaperDefinition(
        code="cards",
        label=_("Start cards"),
        make=_cards,
        fields=("cards", "blank", "only", "spare", "stacked", "backs", "second"),
        roles=EVENT_OFFICERS,
        group=PaperGroup.CARDS,
    ),
    PaperDefinition(
        code="starting_list",
        file="players",
        label=_("Starting list"),
        make=_starting_list,
        fields=("order", "points", "second"),
        is_wall_list=True,
        group=PaperGroup.PLAYERS,
        edition=paper_definitions.player_list_edition,
    ),
    PaperDefinition(
        code="schedule",
        label=_("Schedule"),
        make=_schedule,
        fields=("second",),
        is_relevant=_has_schedule,
        group=PaperGroup.PLAYERS,
    ),
    PaperDefinition(code="regulations", label=_("Regulations"), make=_regulations, group=PaperGroup.HALL),
    *STANDINGS_PAPERS,
    PaperDefinition(
        code="wall_chart",
        label=_("Wall chart"),
        make=_wall_chart,
        fields=("filled",),
        is_wall_list=True,
    ),
    PaperDefinition(
        code="averages",
        label=_("Average rating of opponents (ARO)"),
        make=_averages,
        fields=("after", "by_average"),
        is_relevant=_is_dubov,
    ),
    PaperDefinition(
        code="prizes",
        label=_("Prizes"),
        make=_prizes,
        fields_for_officers=("signatures",),
        is_available=_prizes_are_shown,
        is_relevant=_has_prizes,
    ),
    PaperDefinition(
        code="record",
        label=_("Arbiter's record"),
        make=_record,
        fields=("round", "short"),
        roles=EVENT_OFFICERS,
        is_relevant=_has_a_pairing,
    ),
    PaperDefinition(
        code="attendance",
        label=_("Attendance"),
        make=_attendance,
        roles=EVENT_OFFICERS,
        is_relevant=_has_players,
        group=PaperGroup.PLAYERS,
    ),
    PaperDefinition(
        code="table_numbers",
        label=_("Table numbers"),
        make=_table_numbers,
        fields=("tables",),
        roles=EVENT_OFFICERS,
        is_relevant=_has_players,
        group=PaperGroup.HALL,
    ),
    PaperDefinition(
        code="place_cards",
        label=_("Place cards"),
        make=_place_cards,
        roles=EVENT_OFFICERS,
        is_relevant=_has_players,
        group=PaperGroup.PLAYERS,
    ),
    PaperDefinition(
        code="badges",
        label=_("Badges"),
        make=_badges,
        fields=("code",),
        roles=EVENT_OFFICERS,
        is_relevant=_has_players,
        group=PaperGroup.PLAYERS,
    ),
    PaperDefinition(
        code="door_poster",
        file="door",
        label=_("Door poster"),
        make=_door_poster,
        roles=EVENT_OFFICERS,
        group=PaperGroup.HALL,
    ),
    PaperDefinition(
        code="hall_signs",
        file="signs",
        label=_("Hall signs"),
        make=_hall_signs,
        roles=EVENT_OFFICERS,
        group=PaperGroup.HALL,
    ),
    PaperDefinition(
        code="pack",
        file="no-computer",
        label=_("Emergency pack (no computer needed)"),
        make=_pack,
        fields=("cards",),
        roles=EVENT_OFFICERS,
        group=PaperGroup.EMERGENCY,
    ),
    PaperDefinition(
        code="registration",
        label=_("Registration form"),
        make=_registration,
        roles=EVENT_OFFICERS,
        group=PaperGroup.PLAYERS,
    ),
)
