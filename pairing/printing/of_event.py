"""The papers of an event: cards, lists, tables. Who may see a page may print it; what is cut apart is for officers."""

from __future__ import annotations

from django.http import Http404
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from clubs.access import RUNNING_ROLES, can_run
from pairing.paper import papers
from pairing.paper.events import PeopleOrder
from pairing.paper.papers import CARD_FORMATS, Wishes
from pairing.paper.pieces import USUAL_DIPLOMAS
from pairing.printing.documents import Asked, Document
from pairing.sheets.averages import average_sheet
from pairing.sheets.cards import card_sheet
from pairing.sheets.people import people_sheet
from pairing.sheets.record import record_sheet
from pairing.sheets.schedule import schedule_sheet
from pairing.sheets.tables import crosstable_sheet, standings_sheet
from pairing.standings.event_standings import Standings, standings
from pairing.tables.prize_giving import are_prizes_open, fund_of, prize_sheet
from pairing.typesetting.pdfs import Paper
from tournaments.door.personal_links import handed_out_address
from tournaments.entries.entering import numbers_of
from tournaments.models import Tournament

MOST_SPARE = 400
MOST_TABLES = 500
MOST_DIPLOMAS = 100
OFFICERS = frozenset(RUNNING_ROLES)

Wanted = Asked[Tournament]


def _cards(asked: Wanted, wishes: Wishes) -> Paper:
    """Start cards: `?cards=8|4|2|a6`, `blank`, `only` (a number), `nobody`, `spare` (how many), `stacked`, `backs`."""
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


def _standings(asked: Wanted, wishes: Wishes) -> Paper:
    """The table after a published round, `?after=`, or after the latest."""
    address = asked.address("standings", asked.of.club.slug, asked.of.slug)
    return papers.standings_paper(standings_sheet(_table(asked)), wishes, address=address)


def _crosstable(asked: Wanted, wishes: Wishes) -> Paper:
    """The table with every round: `?after=`, `by_place` to name opponents by their places."""
    by_place = bool(asked.text("by_place"))
    table = _table(asked)
    sheet = crosstable_sheet(table) if by_place else standings_sheet(table)
    return papers.crosstable_paper(sheet, wishes, by_place=by_place)


def _attendance(asked: Wanted, wishes: Wishes) -> Paper:
    """Everyone by name, with a box for each round."""
    return papers.attendance_paper(people_sheet(asked.of), wishes)


def _wall_chart(asked: Wanted, wishes: Wishes) -> Paper:
    """A chart to be filled by hand."""
    return papers.wall_chart_paper(people_sheet(asked.of), wishes)


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

    def address_of(number: int) -> str:
        if is_own:
            return asked.request.build_absolute_uri(own[number])
        return asked.address("player", tournament.club.slug, tournament.slug, number)

    return papers.badges_paper(people_sheet(tournament), wishes, address_of=address_of)


def _diplomas(asked: Wanted, wishes: Wishes) -> Paper:
    """Diplomas for the first places, as the table stands; `?places=` says how many."""
    return papers.diplomas_paper(
        standings_sheet(standings(asked.of)),
        wishes,
        places=asked.number("places", most=MOST_DIPLOMAS) or USUAL_DIPLOMAS,
        arbiter=asked.of.chief_arbiter,
        city=asked.of.city,
        date=asked.of.ends_on,
    )


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
    after = _after(asked)
    last = asked.of.rounds.published().order_by("-number").values_list("number", flat=True).first()
    sheet = average_sheet(asked.of, after if after is not None else last or 0)
    return papers.averages_paper(sheet, wishes, by_average=bool(asked.text("by_average")))


def _record(asked: Wanted, wishes: Wishes) -> Paper:
    """The arbiter's record of all rounds published, or of one, `?round=`, a draft as well."""
    return papers.record_paper(record_sheet(asked.of, only=asked.number("round")), wishes)


def _table(asked: Wanted) -> Standings:
    return standings(asked.of, _after(asked))


def _after(asked: Wanted) -> int | None:
    """The published round asked for, None for none; Http404 for one that is not published."""
    after = asked.number("after")
    if after is not None and not asked.of.rounds.published().filter(number=after).exists():
        raise Http404
    return after


def _prizes_are_shown(tournament: Tournament, may_run: bool) -> bool:
    return may_run or are_prizes_open(fund_of(tournament))


EVENT_DOCUMENTS: tuple[Document[Tournament], ...] = (
    Document(
        code="cards",
        file="cards",
        label=_("Start cards"),
        make=_cards,
        fields=("cards", "blank", "only", "spare", "stacked", "backs"),
        roles=OFFICERS,
        is_chosen=False,
    ),
    Document(code="starting_list", file="players", label=_("Starting list"), make=_starting_list, fields=("order",)),
    Document(code="schedule", file="schedule", label=_("Schedule"), make=_schedule, is_chosen=False),
    Document(code="standings", file="standings", label=_("Standings"), make=_standings, fields=("after",)),
    Document(
        code="crosstable", file="crosstable", label=_("Crosstable"), make=_crosstable, fields=("after", "by_place")
    ),
    Document(code="wall_chart", file="wall-chart", label=_("Wall chart"), make=_wall_chart),
    Document(
        code="averages",
        file="averages",
        label=_("Average ratings of opponents (ARO)"),
        make=_averages,
        fields=("after", "by_average"),
    ),
    Document(
        code="prizes",
        file="prizes",
        label=_("Prizes"),
        make=_prizes,
        fields_for_officers=("signatures",),
        is_open=_prizes_are_shown,
    ),
    Document(
        code="record", file="record", label=_("Arbiter's record"), make=_record, fields=("round",), roles=OFFICERS
    ),
    Document(code="attendance", file="attendance", label=_("Attendance"), make=_attendance, roles=OFFICERS),
    Document(
        code="table_numbers",
        file="table-numbers",
        label=_("Table numbers"),
        make=_table_numbers,
        fields=("tables",),
        roles=OFFICERS,
    ),
    Document(code="place_cards", file="place-cards", label=_("Place cards"), make=_place_cards, roles=OFFICERS),
    Document(code="badges", file="badges", label=_("Badges"), make=_badges, fields=("code",), roles=OFFICERS),
    Document(code="diplomas", file="diplomas", label=_("Diplomas"), make=_diplomas, fields=("places",), roles=OFFICERS),
)
