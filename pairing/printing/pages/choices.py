"""What there is to print, and what can be chosen about each: the catalogue behind the pages where papers are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.membership.members.listing import DUES
from clubs.models import Club, ClubPaper, PaperSize, Role, TimeKind, languages
from clubs.privacy import Part, parts_seen_by
from pairing.printing.pages.documents import Document, Group, found
from pairing.printing.pages.of_club import CLUB_DOCUMENTS, FIRST_YEAR, LAST_YEAR
from pairing.printing.pages.of_event import EVENT_DOCUMENTS
from pairing.printing.pages.of_round import IN_THE_PACK, MOST_COPIES, ROUND_DOCUMENTS, not_in_the_pack
from pairing.view_models.reports.groups import EVERY
from tournaments.models import Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A paper to choose: where it is made, which fields of `PaperForm` it takes, and what is `fixed` about it."""

    code: str
    label: str | Promise
    address: str
    fields: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceGroup:
    """Papers that belong together."""

    heading: str | Promise
    choices: tuple[Choice, ...]


def _copies(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=MOST_COPIES, required=False)


_ONE_OF_EACH = {"pairings": "1", "seating": "1", "slips": "1", "standings": "1"}


class PaperForm(forms.Form):
    """Everything that can be chosen about papers, as their addresses name it; a `Choice` takes some of it."""

    cards = forms.ChoiceField(
        label=_("size"),
        choices=[
            ("4", _("four on a page")),
            ("8", _("eight on a page")),
            ("2", _("two on a page")),
            ("a5", _("each on A5")),
            ("a6", _("each on A6")),
        ],
        required=False,
    )
    blank = forms.ChoiceField(label=_("rounds"), choices=[("", _("filled so far")), ("1", _("empty"))], required=False)
    only = forms.IntegerField(label=_("only number"), min_value=1, max_value=99999, required=False)
    spare = forms.IntegerField(label=_("empty cards besides"), min_value=0, max_value=400, required=False)
    stacked = forms.BooleanField(label=_("in order when the pile has been cut"), required=False)
    backs = forms.BooleanField(label=_("with a form for the player's data on the back"), required=False)
    order = forms.ChoiceField(
        label=_("order"),
        choices=[("number", _("by number")), ("rating", _("by rating")), ("name", _("by name"))],
        required=False,
    )
    after = forms.ChoiceField(label=_("after round"), required=False)
    category = forms.ChoiceField(label=_("category"), required=False)
    best = forms.IntegerField(label=_("players who count"), min_value=1, max_value=99, required=False)
    year = forms.IntegerField(label=_("year"), min_value=FIRST_YEAR, max_value=LAST_YEAR, required=False)
    by_place = forms.ChoiceField(
        label=_("opponents"), choices=[("", _("by number")), ("1", _("by place"))], required=False
    )
    by_average = forms.ChoiceField(
        label=_("order"), choices=[("", _("by number")), ("1", _("by average"))], required=False
    )
    round = forms.ChoiceField(label=_("rounds"), required=False)
    short = forms.ChoiceField(
        label=_("length"), choices=[("", _("with all reasons")), ("1", _("one line a board"))], required=False
    )
    filled = forms.ChoiceField(
        label=_("boxes"),
        choices=[("", _("empty, to be filled by hand")), ("1", _("filled after the latest round"))],
        required=False,
    )
    chart = forms.ChoiceField(label=_("size of the chart"), choices=[("", "A4, Letter"), ("a3", "A3")], required=False)
    signatures = forms.ChoiceField(
        label=_("for"), choices=[("", _("the wall")), ("1", _("handing out, with signatures"))], required=False
    )
    code = forms.ChoiceField(
        label=_("code leads to"),
        choices=[("", _("the player's own page")), ("card", _("the card everyone may see"))],
        required=False,
    )
    places = forms.IntegerField(label=_("places"), min_value=1, max_value=100, required=False)
    tables = forms.IntegerField(label=_("tables"), min_value=1, max_value=500, required=False)
    pairings = _copies(_("pairings: copies"))
    seating = _copies(_("seats: copies"))
    slips = _copies(_("result slips: copies"))
    standings = _copies(_("standings: copies"))
    which = forms.ChoiceField(
        label=_("in one file"),
        choices=[("", _("everything")), ("lists", _("the lists alone")), ("slips", _("the slips alone"))],
        required=False,
    )
    contact = forms.BooleanField(label=_("with telephone and e-mail"), required=False)
    dues = forms.ChoiceField(label=_("who"), choices=[("", _("everyone")), *DUES.items()], required=False)
    kind = forms.ChoiceField(label=_("kind of chess"), choices=TimeKind.choices, required=False)
    paper = forms.ChoiceField(label=_("paper"), choices=PaperSize.choices, required=False)
    language = forms.ChoiceField(label=_("language"), choices=languages, required=False)
    second = forms.ChoiceField(
        label=_("second language"), choices=lambda: [("", _("none")), *languages()], required=False
    )
    chosen = forms.CharField(widget=forms.HiddenInput, initial="1", required=False)
    """Stands in what was chosen here: a box that is missing in it is one that was not ticked."""

    def __init__(
        self,
        asked: QueryDict,
        choice: Choice,
        *,
        usual: ClubPaper,
        habit: Mapping[str, str] | None = None,
        rounds: Sequence[int] = (),
        categories: Sequence[tuple[str, str | Promise]] = (),
    ) -> None:
        """`rounds` are published, `categories` keys and words; `habit` is what was chosen the last time."""
        first: dict[str, Any] = {"paper": usual.size, "language": usual.language or usual.club.language}
        if "chosen" not in asked:
            first |= {**_ONE_OF_EACH, **(habit or {})}
        super().__init__(data={**first, **dict(choice.fixed), **asked.dict(), "chosen": "1"})
        wanted = (*choice.fields, "paper", "language", "chosen")
        for name in [name for name in self.fields if name not in wanted]:
            del self.fields[name]
        numbers = [(str(number), str(number)) for number in rounds]
        for name, all_of_them in (("after", _("the latest")), ("round", _("all"))):
            if name in self.fields:
                self.fields[name].choices = [("", all_of_them), *numbers]  # type: ignore[attr-defined]
        if "category" in self.fields:
            every = [(EVERY, _("each category"))] if categories else []
            self.fields["category"].choices = [("", _("All players")), *every, *categories]  # type: ignore[attr-defined]
        self._fixed = choice.fixed

    @property
    def query(self) -> dict[str, str]:
        """What goes into the paper's address: everything that is chosen and can be."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if name != "chosen"}
        chosen = {name: value for name, value in given.items() if value is not False and value not in ("", None)}
        return {name: "1" if value is True else str(value) for name, value in [*self._fixed, *chosen.items()]}

    @property
    def said(self) -> list[str]:
        """What stands beside a button that prints at once: the languages, the paper, and copies other than one."""
        chosen = self.query
        languages_of = dict(languages())
        names = [languages_of.get(chosen.get(name, "")) for name in ("language", "second")]
        copies = [f"{label} × {chosen[name]}" for name, label in IN_THE_PACK.items() if chosen.get(name, "1") != "1"]
        size = PaperSize(chosen["paper"]).label if chosen.get("paper") in PaperSize.values else ""
        return [each for each in (" + ".join(filter(None, names)), str(size), *copies) if each]


def choices_of_event(tournament: Tournament, this_round: Round | None, *, may_run: bool) -> list[ChoiceGroup]:
    """What may be printed of an event; `this_round` is the one whose papers are offered, None for none."""
    place = [tournament.club.slug, tournament.slug]
    groups = [_group(_("Round"), choices_of_round(this_round, place, may_run=may_run))] if this_round else []
    # Several papers ask the same about the event: each question is put once.
    answers: dict[object, bool] = {}

    def is_relevant(document: Document[Tournament]) -> bool:
        if document.belongs not in answers:
            answers[document.belongs] = document.belongs(tournament)
        return answers[document.belongs]

    offered = [
        each
        for each in EVENT_DOCUMENTS
        if each.is_chosen and (may_run or not each.roles) and each.is_open(tournament, may_run) and is_relevant(each)
    ]
    for heading, of_group in _HEADINGS:
        choices = [_choice(each, place, may_run) for group in of_group for each in offered if each.group is group]
        groups += [_group(heading, choices)] if choices else []
    return groups


def choices_of_round(this_round: Round, place: Sequence[str], *, may_run: bool) -> list[Choice]:
    """What may be printed of a round; `place` are the names of club and event in addresses."""
    is_over, without = this_round.state == Round.State.FINISHED, not_in_the_pack(this_round)
    return [
        _choice(
            each, [*place, this_round.number], may_run, without=without, label=each.label_when_over if is_over else ""
        )
        for each in ROUND_DOCUMENTS
        if may_run or not each.roles
    ]


_HEADINGS = (
    (_("Players"), (Group.CARDS, Group.PLAYERS)),
    (_("Tables and records"), (Group.TABLES,)),
    (_("The hall, and in case of need"), (Group.HALL, Group.NEED)),
)


def choices_of_club(club: Club, roles: Iterable[Role]) -> list[ChoiceGroup]:
    """What may be printed of a club by somebody with these roles in it."""
    held = set(roles)
    sees_contact = Part.CONTACT in parts_seen_by(held)
    choices = [
        _choice(each, [club.slug], sees_contact)
        for each in CLUB_DOCUMENTS
        if each.is_chosen and (not each.roles or each.roles & held)
    ]
    series = [
        Choice(code=f"series-{each.pk}", label=each.name, address=reverse("print_series", args=[club.slug, each.pk]))
        for each in club.series.all()
    ]
    test = _choice(found(CLUB_DOCUMENTS, "printer_test"), [club.slug], False)
    groups = [_group(_("Club"), choices), _group(_("Series"), series), _group(_("Printer"), [test])]
    return [group for group in groups if group.choices]


def chosen_of(groups: Iterable[ChoiceGroup], code: str) -> Choice:
    """The choice with this code, or the first there is."""
    choices = [choice for group in groups for choice in group.choices]
    return next((choice for choice in choices if choice.code == code), choices[0])


def rounds_shown(tournament: Tournament, *, may_run: bool) -> list[Round]:
    """Rounds of which there is a pairing to be printed, the latest first."""
    paired = tournament.rounds.exclude(state=Round.State.WAITING) if may_run else tournament.rounds.published()
    return list(paired.order_by("-number").defer("scores"))


def _choice(
    document: Document[Any],
    place: list[Any],
    is_officer: bool,
    *,
    without: Sequence[str] = (),
    label: str | Promise = "",
) -> Choice:
    fields = (*document.fields, *(document.fields_for_officers if is_officer else ()))
    return Choice(
        code=document.page,
        label=label or document.label,
        address=reverse(document.page, args=place),
        fields=tuple(each for each in fields if each not in without),
    )


def _group(heading: str | Promise, choices: Sequence[Choice]) -> ChoiceGroup:
    return ChoiceGroup(heading=heading, choices=tuple(choices))
