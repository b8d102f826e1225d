"""The papers of an event: cards, lists, tables. Who may see a page may print it; what is cut apart is for officers."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from clubs.access import can_run
from pairing.pages.standings.prize_giving import are_prizes_open, fund_of, prize_sheet
from pairing.printing.pages import editions
from pairing.printing.pages.documents import OFFICERS, Asked, Document, Group
from pairing.printing.pages.of_tables import TABLE_DOCUMENTS, after_of, table_of
from pairing.printing.papers import papers
from pairing.printing.papers.events import PeopleOrder
from pairing.printing.papers.papers import CARD_FORMATS, Wishes
from pairing.printing.pdf.pdfs import Paper
from pairing.view_models.sheets.averages import average_sheet
from pairing.view_models.sheets.cards import card_sheet
from pairing.view_models.sheets.people import people_sheet
from pairing.view_models.sheets.record import record_sheet
from pairing.view_models.sheets.regulations import regulations_sheet
from pairing.view_models.sheets.schedule import schedule_sheet
from pairing.view_models.sheets.tables import standings_sheet
from pairing.view_models.standings.event_standings import last_played, standings
from tournaments.check_in.personal_links import handed_out_address
from tournaments.entries.entering import numbers_of
from tournaments.models import Prize, Round, System, Tournament

MOST_SPARE = 400
MOST_TABLES = 500
MIN_PACK, MIN_SLIPS = 16, 8
"""So many cards and slips there are at least, of an event that nobody has entered yet."""

Wanted = Asked[Tournament]


def _cards(asked: Wanted, wishes: Wishes) -> Paper:
    """Start cards: `?cards=8|4|2|a5|a6`, `blank`, `only` (a number), `nobody`, `spare`, `stacked`, `backs`."""
    only = 0 if asked.has("nobody") else asked.number("only")
    spare = asked.number("spare", most=MOST_SPARE) or 0
    sheet = card_sheet(asked.of, filled=not asked.text("blank"), only=only, spare=spare)
    form = CARD_FORMATS.get(asked.text("cards"), CARD_FORMATS["4"])
    return papers.cards_paper(sheet, form, wishes, stacked=asked.has("stacked"), backs=asked.has("backs"))


def _starting_list(asked: Wanted, wishes: Wishes) -> Paper:
    """The starting list: `?order=number|rating|name`."""
    wanted = asked.text("order")
    order = PeopleOrder(wanted) if wanted in set(PeopleOrder) else PeopleOrder.NUMBER
    return papers.starting_list_paper(people_sheet(asked.of), wishes, order=order)


def _schedule(asked: Wanted, wishes: Wishes) -> Paper:
    """Every round of a round robin."""
    return papers.schedule_paper(schedule_sheet(asked.of), wishes)


def _attendance(asked: Wanted, wishes: Wishes) -> Paper:
    """Everyone by name, with a box for each round."""
    return papers.attendance_paper(people_sheet(asked.of), wishes)


def _wall_chart(asked: Wanted, wishes: Wishes) -> Paper:
    """A chart to be filled by hand, or `filled` so far; `?chart=a3` for the large one."""
    table = standings_sheet(table_of(asked)) if asked.text("filled") else None
    return papers.wall_chart_paper(people_sheet(asked.of), wishes, table=table, is_a3=asked.text("chart") == "a3")


def _blank_slips(asked: Wanted, wishes: Wishes) -> Paper:
    """Slips to be written by hand; `?spare=` says how many, else as many as there are boards."""
    count = asked.number("spare", most=MOST_SPARE) or _boards(asked.of)
    return papers.blank_slips_paper(asked.of.name, asked.of.club.name, count, wishes)


def _blank_pairings(asked: Wanted, wishes: Wishes) -> Paper:
    """A pairing list to be written by hand."""
    return papers.blank_pairings_paper(asked.of.name, asked.of.club.name, _boards(asked.of), wishes)


def _score_sheet(asked: Wanted, wishes: Wishes) -> Paper:
    """A sheet to write a game down."""
    return papers.score_sheet_paper(asked.of.name, asked.of.club.name, wishes)


def _registration(asked: Wanted, wishes: Wishes) -> Paper:
    """A form for whoever wants to play."""
    return papers.registration_paper(asked.of.name, asked.of.club.name, wishes)


def _door_poster(asked: Wanted, wishes: Wishes) -> Paper:
    """The event and its code, for the door."""
    event = asked.of
    address = asked.address("tournament", event.club.slug, event.slug)
    days = [day for day in (event.starts_on, event.ends_on) if day]
    return papers.door_poster_paper(event.name, event.club.name, event.city, wishes, address=address, days=days)


def _hall_signs(asked: Wanted, wishes: Wishes) -> Paper:
    """Signs for the hall."""
    return papers.hall_signs_paper(asked.of.name, asked.of.club.name, wishes)


def _pack(asked: Wanted, wishes: Wishes) -> Paper:
    """All that an evening needs without the computer: how to reckon, cards, slips, a pairing sheet, what was played."""
    event = asked.of
    people = people_sheet(event)
    cards = card_sheet(event, filled=False, only=0, spare=max(len(people.people), MIN_PACK))
    names = (event.name, event.club.name)
    played = last_played(event)
    table = standings_sheet(standings(event, played)) if played else None
    form = CARD_FORMATS.get(asked.text("cards"), CARD_FORMATS["4"])
    return papers.round_set_paper(
        [
            papers.reckoning_paper(*names, wishes, is_jahr=cards.is_jahr),
            papers.cards_paper(cards, form, wishes),
            papers.blank_slips_paper(*names, _boards(event), wishes),
            papers.blank_pairings_paper(*names, _boards(event), wishes),
            papers.wall_chart_paper(people, wishes, table=table),
        ]
    )


def _boards(tournament: Tournament) -> int:
    """As many boards as the players need, and a page of slips at least."""
    return max(tournament.entries.count() // 2, MIN_SLIPS)


def _place_cards(asked: Wanted, wishes: Wishes) -> Paper:
    """A folded card for everyone's place."""
    return papers.place_cards_paper(people_sheet(asked.of), wishes)


def _badges(asked: Wanted, wishes: Wishes) -> Paper:
    """A badge for everyone, with the code of his own page, or with `?code=card` of the card that everyone may see."""
    tournament = asked.of
    is_own = asked.text("code") != "card"
    entries = list(tournament.entries.select_related("member")) if is_own else []
    numbers = numbers_of(entries)
    own = {numbers[entry.pk]: handed_out_address(entry) for entry in entries}

    def player_url(number: int) -> str:
        if is_own:
            return asked.request.build_absolute_uri(own[number])
        return asked.address("player", tournament.club.slug, tournament.slug, number)

    return papers.badges_paper(people_sheet(tournament), wishes, address_of=player_url)


def _table_numbers(asked: Wanted, wishes: Wishes) -> Paper:
    """Numbers for the tables; `?tables=` says how many, else as many as the players need."""
    sheet = people_sheet(asked.of)
    tables = asked.number("tables") or len(sheet.people) // 2
    return papers.table_numbers_paper(sheet, min(tables, MOST_TABLES), wishes)


def _prizes(asked: Wanted, wishes: Wishes) -> Paper:
    """Who gets what; `?signatures=1` for handing it out."""
    with translation.override(wishes.language):
        sheet = prize_sheet(asked.of)
    with_signatures = can_run(asked.visitor, asked.of.club) and bool(asked.text("signatures"))
    return papers.prizes_paper(sheet, wishes, with_signatures=with_signatures)


def _averages(asked: Wanted, wishes: Wishes) -> Paper:
    """Dubov's average ratings of opponents, `?after=` a published round; `by_average` for the highest first."""
    after = after_of(asked)
    last = asked.of.rounds.published().order_by("-number").values_list("number", flat=True).first()
    sheet = average_sheet(asked.of, after if after is not None else last or 0)
    return papers.averages_paper(sheet, wishes, by_average=bool(asked.text("by_average")))


def _record(asked: Wanted, wishes: Wishes) -> Paper:
    """The arbiter's record of all rounds published, or of one, `?round=`, a draft as well; `short`: a line a board."""
    make = papers.short_record_paper if asked.text("short") else papers.record_paper
    with translation.override(wishes.language):
        sheet = record_sheet(asked.of, only=asked.number("round"))
    return make(sheet, wishes)


def _regulations(asked: Wanted, wishes: Wishes) -> Paper:
    """What is announced of the event, in the paper's language."""
    with translation.override(wishes.language):
        sheet = regulations_sheet(asked.of)
    return papers.regulations_paper(sheet, wishes)


def _is_dubov(tournament: Tournament) -> bool:
    """By the averages of the opponents nobody else pairs."""
    return System.DUBOV_1997 in (tournament.system, tournament.procedure)


def _has_prizes(tournament: Tournament) -> bool:
    return Prize.objects.filter(fund__tournament=tournament).exists()


def _has_players(tournament: Tournament) -> bool:
    return tournament.entries.exists()


def _has_a_pairing(tournament: Tournament) -> bool:
    return tournament.rounds.exclude(state=Round.State.WAITING).exists()


def _has_schedule(tournament: Tournament) -> bool:
    return tournament.system == System.ROUND_ROBIN


def _prizes_are_shown(tournament: Tournament, may_run: bool) -> bool:
    return may_run or are_prizes_open(fund_of(tournament))


EVENT_DOCUMENTS: tuple[Document[Tournament], ...] = (
    Document(
        code="cards",
        file="cards",
        label=_("Start cards"),
        make=_cards,
        fields=("cards", "blank", "only", "spare", "stacked", "backs", "second"),
        roles=OFFICERS,
        group=Group.CARDS,
    ),
    Document(
        code="starting_list",
        file="players",
        label=_("Starting list"),
        make=_starting_list,
        fields=("order", "second"),
        group=Group.PLAYERS,
        edition=editions.of_players,
    ),
    Document(
        code="schedule",
        file="schedule",
        label=_("Schedule"),
        make=_schedule,
        fields=("second",),
        belongs=_has_schedule,
        group=Group.PLAYERS,
    ),
    Document(code="regulations", file="regulations", label=_("Regulations"), make=_regulations, group=Group.HALL),
    *TABLE_DOCUMENTS,
    Document(code="wall_chart", file="wall-chart", label=_("Wall chart"), make=_wall_chart, fields=("filled", "chart")),
    Document(
        code="averages",
        file="averages",
        label=_("Average ratings of opponents (ARO)"),
        make=_averages,
        fields=("after", "by_average"),
        belongs=_is_dubov,
    ),
    Document(
        code="prizes",
        file="prizes",
        label=_("Prizes"),
        make=_prizes,
        fields_for_officers=("signatures",),
        is_open=_prizes_are_shown,
        belongs=_has_prizes,
    ),
    Document(
        code="record",
        file="record",
        label=_("Arbiter's record"),
        make=_record,
        fields=("round", "short"),
        roles=OFFICERS,
        belongs=_has_a_pairing,
    ),
    Document(
        code="attendance",
        file="attendance",
        label=_("Attendance"),
        make=_attendance,
        roles=OFFICERS,
        belongs=_has_players,
        group=Group.PLAYERS,
    ),
    Document(
        code="table_numbers",
        file="table-numbers",
        label=_("Table numbers"),
        make=_table_numbers,
        fields=("tables",),
        roles=OFFICERS,
        belongs=_has_players,
        group=Group.HALL,
    ),
    Document(
        code="place_cards",
        file="place-cards",
        label=_("Place cards"),
        make=_place_cards,
        roles=OFFICERS,
        belongs=_has_players,
        group=Group.PLAYERS,
    ),
    Document(
        code="badges",
        file="badges",
        label=_("Badges"),
        make=_badges,
        fields=("code",),
        roles=OFFICERS,
        belongs=_has_players,
        group=Group.PLAYERS,
    ),
    Document(
        code="door_poster",
        file="door",
        label=_("Poster for the door"),
        make=_door_poster,
        roles=OFFICERS,
        group=Group.HALL,
    ),
    Document(
        code="hall_signs", file="signs", label=_("Hall signs"), make=_hall_signs, roles=OFFICERS, group=Group.HALL
    ),
    Document(
        code="pack",
        file="no-computer",
        label=_("Everything for an evening without the computer"),
        make=_pack,
        fields=("cards",),
        roles=OFFICERS,
        group=Group.NEED,
    ),
    Document(
        code="blank_slips",
        file="blank-slips",
        label=_("Blank result slips"),
        make=_blank_slips,
        fields=("spare", "second"),
        roles=OFFICERS,
        group=Group.NEED,
    ),
    Document(
        code="blank_pairings",
        file="blank-pairings",
        label=_("Blank pairing sheet"),
        make=_blank_pairings,
        roles=OFFICERS,
        group=Group.NEED,
    ),
    Document(
        code="score_sheet",
        file="score-sheet",
        label=_("Score sheet"),
        make=_score_sheet,
        roles=OFFICERS,
        group=Group.NEED,
    ),
    Document(
        code="registration",
        file="registration",
        label=_("Registration form"),
        make=_registration,
        roles=OFFICERS,
        group=Group.PLAYERS,
    ),
)
