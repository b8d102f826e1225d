"""A club's last options for each of its printouts, offered again next time.

Languages and paper size are remembered for each event, as events have different guests. Defaults for all events are set
with the club's letterhead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from clubs.finance.accounting.reports import years_with_entries
from clubs.membership.members.member_list import DUES_FILTERS
from clubs.models import (
    USUAL_PAPER_SIZES,
    BookAccount,
    Club,
    ClubLetterhead,
    PaperSize,
    Role,
    TimeControlKind,
    language_choices,
)
from clubs.privacy import DataCategory, visible_data_categories
from clubs.roles import AUDITOR_ROLES
from pairing.models import PaperPreference
from pairing.printing.pages.club_papers import CLUB_PAPERS, FIRST_YEAR, LAST_YEAR
from pairing.printing.pages.event_papers import EVENT_PAPERS
from pairing.printing.pages.paper_definitions import PaperDefinition, PaperGroup, find_paper_definition
from pairing.printing.pages.round_papers import MAX_COPIES, ROUND_PACK_LABELS, ROUND_PAPERS, unavailable_pack_options
from pairing.printing.papers.member_cards_and_labels import LABEL_FORMATS
from pairing.printing.pdf.paper_templates import FONT_SIZES
from pairing.view_models.reports.group_standings import ALL_CATEGORIES
from tournaments.models import Round, Tournament

NEVER_REMEMBERED = frozenset(
    {"only", "after", "round", "spare", "which", "contact", "category", "year", "used", "receipt", "q"}
)
"""Options for this time only."""

REMEMBERED_PER_EVENT = frozenset({"language", "second", "paper"})


def load_saved_print_options(club: Club, document: str, event: Tournament | None = None) -> dict[str, str]:
    """Return the last options for a printout by field. Empty if it was never printed."""
    return load_all_saved_print_options(club, event, document=document).get(document, {})


def load_all_saved_print_options(club: Club, event: Tournament | None = None, **of: str) -> dict[str, dict[str, str]]:
    """Return the last options for all printouts of the club or its event, by the printout's code."""
    found: dict[str, dict[str, str]] = {}
    for habit in PaperPreference.objects.filter(club=club, tournament=None, **of):
        kept = {
            name: value for name, value in habit.options.items() if event is None or name not in REMEMBERED_PER_EVENT
        }
        found[habit.document] = kept
    for habit in event.paper_habits.filter(**of) if event else ():
        found[habit.document] = {**found.get(habit.document, {}), **habit.options}
    return found


def save_print_options(club: Club, document: str, options: Mapping[str, str], event: Tournament | None = None) -> None:
    """Store the options for next time."""
    kept = {name: value for name, value in options.items() if name not in NEVER_REMEMBERED}
    if event:
        own = {name: kept.pop(name) for name in REMEMBERED_PER_EVENT & kept.keys()}
        PaperPreference.objects.update_or_create(
            club=club, document=document, tournament=event, defaults={"options": own}
        )
    PaperPreference.objects.update_or_create(club=club, document=document, tournament=None, defaults={"options": kept})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperChoice:
    """A printout that can be chosen: its URL, and the fields of `PaperForm` that it uses."""

    code: str
    label: str | Promise
    address: str
    fields: tuple[str, ...] = ()
    is_wall_list: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperChoiceGroup:
    """A group of printouts under a heading."""

    heading: str | Promise
    choices: Sequence[PaperChoice]


def _choice_of(label: Any, *choices: tuple[str, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _number(label: Any, minimum: int, maximum: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=minimum, max_value=maximum, required=False)


def _tick(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


_ONE_OF_EACH = {"pairings": "1", "seating": "1", "slips": "1", "standings": "1"}


class PaperForm(forms.Form):
    """All options for printouts, named as in URLs. A `PaperChoice` uses some of them."""

    cards = _choice_of(
        _("size"),
        ("4", _("4 per page")),
        ("8", _("8 per page")),
        ("2", _("2 per page")),
        ("a5", _("1 per A5 sheet")),
        ("a6", _("1 per A6 sheet")),
    )
    blank = _choice_of(_("rounds"), ("", _("filled in so far")), ("1", _("blank")))
    only = _number(_("only for player number"), 1, 99999)
    spare = _number(_("extra blank cards"), 0, 400)
    stacked = _tick(_("cards in order after cutting the stack of sheets"))
    backs = _tick(_("player details form on the back"))
    order = _choice_of(_("order"), ("number", _("by number")), ("rating", _("by rating")), ("name", _("by name")))
    after = _choice_of(_("after round"))
    category = _choice_of(_("category"))
    best = _number(_("number of players counted"), 1, 99)
    year = _number(_("year"), FIRST_YEAR, LAST_YEAR)
    by_place = _choice_of(_("opponents"), ("", _("by number")), ("1", _("by place")))
    by_average = _choice_of(_("order"), ("", _("by number")), ("1", _("by average")))
    round = _choice_of(_("rounds"))
    short = _choice_of(_("length"), ("", _("with all reasons")), ("1", _("one line per board")))
    filled = _choice_of(_("boxes"), ("", _("blank, to fill in by hand")), ("1", _("filled in up to the latest round")))
    signatures = _choice_of(_("purpose"), ("", _("display on the wall")), ("1", _("prize giving, with signatures")))
    code = _choice_of(
        _("QR code opens"), ("", _("the player's personal page")), ("card", _("the player's public card"))
    )
    places = _number(_("places"), 1, 100)
    tables = _number(_("tables"), 1, 500)
    pairings = _number(_("pairing list copies"), 0, MAX_COPIES)
    seating = _number(_("seating list copies"), 0, MAX_COPIES)
    slips = _number(_("result slip copies"), 0, MAX_COPIES)
    standings = _number(_("standings copies"), 0, MAX_COPIES)
    which = _choice_of(_("contents"), ("", _("everything")), ("lists", _("lists only")), ("slips", _("slips only")))
    without_opponents = _choice_of(
        _("seating list"), ("", _("with opponents")), ("1", _("name, board and colour in larger type"))
    )
    points = _choice_of(_("font size"), ("", _("largest that fits")), *((each, f"{each} pt") for each in FONT_SIZES))
    contact = _tick(_("with phone and email"))
    q = forms.CharField(label=_("only names containing"), max_length=80, required=False)
    labels = _choice_of(_("sheet of labels"), *((each, f"Avery {each.upper()}") for each in LABEL_FORMATS))
    used = _number(_("labels already used"), 0, 29)
    receipt = _number(_("only receipt number"), 1, 99999)
    dues = _choice_of(_("who"), ("", _("everyone")), *DUES_FILTERS.items())
    kind = _choice_of(_("standard, rapid or blitz"), *TimeControlKind.choices)
    paper = _choice_of(_("paper size"), *PaperSize.choices)
    language = forms.ChoiceField(label=_("language"), choices=language_choices, required=False)
    second = forms.ChoiceField(
        label=_("second language"),
        choices=lambda: [("", pgettext("language", "none")), *language_choices()],
        required=False,
    )
    chosen = forms.CharField(widget=forms.HiddenInput, initial="1", required=False)
    """Marks submitted options: a checkbox missing in them is unticked."""

    def __init__(
        self,
        asked: QueryDict,
        choice: PaperChoice,
        *,
        usual: ClubLetterhead,
        habit: Mapping[str, str] | None = None,
        rounds: Sequence[int] = (),
        categories: Sequence[tuple[str, str | Promise]] = (),
    ) -> None:
        """Keep the fields of the choice.

        `rounds` are published rounds, `categories` pairs of key and label, `habit` the options used last time.
        """
        first: dict[str, Any] = {"paper": usual.size, "language": usual.language or usual.club.language}
        if "chosen" not in asked:
            first |= {**_ONE_OF_EACH, **(habit or {})}
        super().__init__(data={**first, **asked.dict(), "chosen": "1"})
        wanted = (*choice.fields, "paper", "language", "chosen")
        for name in [name for name in self.fields if name not in wanted]:
            del self.fields[name]
        if not choice.is_wall_list:
            self.fields["paper"].choices = USUAL_PAPER_SIZES  # type: ignore[attr-defined]
        numbers = [(str(number), str(number)) for number in rounds]
        for name, all_of_them in (("after", _("latest")), ("round", _("all"))):
            if name in self.fields:
                self.fields[name].choices = [("", all_of_them), *numbers]  # type: ignore[attr-defined]
        if "category" in self.fields:
            every = [(ALL_CATEGORIES, _("each category"))] if categories else []
            self.fields["category"].choices = [("", _("All players")), *every, *categories]  # type: ignore[attr-defined]

    @property
    def query_parameters(self) -> dict[str, str]:
        """Return the chosen options for the printout's URL."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if name != "chosen"}
        chosen = {name: value for name, value in given.items() if value is not False and value not in ("", None)}
        return {name: "1" if value is True else str(value) for name, value in chosen.items()}

    @property
    def option_summary(self) -> list[str]:
        """Return the options shown next to a Print button: languages, paper, and numbers of copies other than 1."""
        chosen = self.query_parameters
        languages_of = dict(language_choices())
        names = [languages_of.get(chosen.get(name, "")) for name in ("language", "second")]
        copies = [
            f"{label} × {chosen[name]}" for name, label in ROUND_PACK_LABELS.items() if chosen.get(name, "1") != "1"
        ]
        size = PaperSize(chosen["paper"]).label if chosen.get("paper") in PaperSize.values else ""
        sizes = dict(self.fields["points"].choices) if "points" in self.fields else {}  # type: ignore[attr-defined]
        type_size = f"{self.fields['points'].label}: {sizes[chosen.get('points', '')]}" if sizes else ""
        return [each for each in (" + ".join(filter(None, names)), str(size), type_size, *copies) if each]


def event_paper_choices(tournament: Tournament, this_round: Round | None, *, may_run: bool) -> list[PaperChoiceGroup]:
    """Return an event's printouts. `this_round` is the round whose printouts are included, or None."""
    place = [tournament.club.slug, tournament.slug]
    of_round = round_paper_choices(this_round, place, may_run=may_run) if this_round else []
    groups = [PaperChoiceGroup(heading=_("Round"), choices=of_round)]
    # Several papers have the same condition: it is checked once.
    is_relevant = cache(lambda condition: condition(tournament))
    offered = [
        each
        for each in EVENT_PAPERS
        if (may_run or not each.roles) and each.is_available(tournament, may_run) and is_relevant(each.is_relevant)
    ]
    for heading, of_group in _HEADINGS:
        choices = [_choice(each, place, may_run) for group in of_group for each in offered if each.group is group]
        groups.append(PaperChoiceGroup(heading=heading, choices=choices))
    return [group for group in groups if group.choices]


def round_paper_choices(this_round: Round, place: Sequence[str], *, may_run: bool) -> list[PaperChoice]:
    """Return the printouts of a round. `place` is the club and event in URLs."""
    is_over, without = this_round.state == Round.State.FINISHED, unavailable_pack_options(this_round)
    return [
        _choice(
            each, [*place, this_round.number], may_run, without=without, label=each.label_when_over if is_over else ""
        )
        for each in ROUND_PAPERS
        if may_run or not each.roles
    ]


_HEADINGS = (
    (_("Players"), (PaperGroup.CARDS, PaperGroup.PLAYERS)),
    (_("Tables and records"), (PaperGroup.TABLES,)),
    (_("Playing hall and emergencies"), (PaperGroup.HALL, PaperGroup.EMERGENCY)),
)


def club_paper_choices(club: Club, roles: Iterable[Role]) -> list[PaperChoiceGroup]:
    """Return the printouts of a club for somebody with these roles in it."""
    held = set(roles)
    sees_contact = DataCategory.CONTACT in visible_data_categories(held)
    offered = [
        each
        for each in CLUB_PAPERS
        if each.is_offered and (not each.roles or each.roles & held) and each.is_relevant(club)
    ]
    of_members, of_money = (
        [_choice(each, [club.slug], sees_contact) for each in offered if (each.group is PaperGroup.MONEY) is is_money]
        for is_money in (False, True)
    )
    if held & AUDITOR_ROLES:
        of_money += _books(club)
    series = [
        PaperChoice(
            code=f"series-{each.pk}", label=each.name, address=reverse("print_series", args=[club.slug, each.pk])
        )
        for each in club.series.all()
    ]
    test = _choice(find_paper_definition(CLUB_PAPERS, "printer_test"), [club.slug], False)
    groups = ((_("Club"), of_members), (_("Dues and accounting"), of_money), (_("Series"), series))
    found = [PaperChoiceGroup(heading=heading, choices=choices) for heading, choices in groups if choices]
    return [*found, PaperChoiceGroup(heading=_("Printer"), choices=[test])]


def _books(club: Club) -> Iterable[PaperChoice]:
    """Yield the accounts and the journal of the latest years, and each cash or bank account of the last one."""
    years = years_with_entries(club)[:_YEARS_OF_BOOKS]
    for year in years:
        for code in ("annual_accounts", "accounting_journal"):
            document = find_paper_definition(CLUB_PAPERS, code)
            label, address = str(document.label) % {"year": year}, reverse(document.url_name, args=[club.slug, year])
            yield PaperChoice(code=f"{code}-{year}", label=label, address=address)
    for account in club.book_accounts.filter(kind__in=BookAccount.MONEY_KINDS) if years else ():
        address = reverse("print_account_sheet", args=[club.slug, account.pk, years[0]])
        yield PaperChoice(code=f"account-{account.pk}", label=f"{account.name} {years[0]}", address=address)


_YEARS_OF_BOOKS = 2
"""The years whose books are offered; earlier ones are printed from their pages."""


def selected_choice(groups: Iterable[PaperChoiceGroup], code: str) -> PaperChoice:
    """Return the choice with this code, or the first one."""
    choices = [choice for group in groups for choice in group.choices]
    return next((choice for choice in choices if choice.code == code), choices[0])


def printable_rounds(tournament: Tournament, *, may_run: bool) -> list[Round]:
    """Return the rounds with a pairing to print, the latest first."""
    paired = tournament.rounds.exclude(state=Round.State.WAITING) if may_run else tournament.rounds.only_published()
    return list(paired.order_by("-number").defer("scores"))


def _choice(
    document: PaperDefinition[Any],
    place: list[Any],
    is_officer: bool,
    *,
    without: Sequence[str] = (),
    label: str | Promise = "",
) -> PaperChoice:
    fields = (*document.fields, *(document.fields_for_officers if is_officer else ()))
    return PaperChoice(
        code=document.url_name,
        label=label or document.label,
        address=reverse(document.url_name, args=place),
        fields=tuple(each for each in fields if each not in without),
        is_wall_list=document.is_wall_list,
    )
