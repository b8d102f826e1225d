"""What there is to print, and what can be chosen about each: the catalogue behind the pages where papers are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, ClubPaper, Language, PaperSize, Role, TimeKind
from clubs.people.listing import DUES
from clubs.privacy import Part, parts_seen_by
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


class PaperForm(forms.Form):
    """Everything that can be chosen about papers, as their addresses name it; a `Choice` takes some of it."""

    cards = forms.ChoiceField(
        label=_("size"),
        choices=[
            ("4", _("four on a page")),
            ("8", _("eight on a page")),
            ("2", _("two on a page")),
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
    by_place = forms.ChoiceField(
        label=_("opponents"), choices=[("", _("by number")), ("1", _("by place"))], required=False
    )
    by_average = forms.ChoiceField(
        label=_("order"), choices=[("", _("by number")), ("1", _("by average"))], required=False
    )
    round = forms.ChoiceField(label=_("rounds"), required=False)
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
    contact = forms.BooleanField(label=_("with telephone and e-mail"), required=False)
    dues = forms.ChoiceField(label=_("who"), choices=[("", _("everyone")), *DUES.items()], required=False)
    kind = forms.ChoiceField(label=_("kind of chess"), choices=TimeKind.choices, required=False)
    paper = forms.ChoiceField(label=_("paper"), choices=PaperSize.choices, required=False)
    language = forms.ChoiceField(label=_("language"), choices=Language.choices, required=False)

    def __init__(self, asked: QueryDict, choice: Choice, *, usual: ClubPaper, rounds: Sequence[int] = ()) -> None:
        """`rounds` are those that are published."""
        first = {"paper": usual.size, "language": usual.language or usual.club.language}
        super().__init__(data={**first, **dict(choice.fixed), **asked.dict()})
        wanted = (*choice.fields, "paper", "language")
        for name in [name for name in self.fields if name not in wanted]:
            del self.fields[name]
        numbers = [(str(number), str(number)) for number in rounds]
        for name, all_of_them in (("after", _("the latest")), ("round", _("all"))):
            if name in self.fields:
                self.fields[name].choices = [("", all_of_them), *numbers]  # type: ignore[attr-defined]
        self._fixed = choice.fixed

    @property
    def query(self) -> dict[str, str]:
        """What goes into the paper's address: everything that is chosen and can be."""
        self.is_valid()
        chosen = {name: value for name, value in self.cleaned_data.items() if value not in ("", None, False)}
        return {name: "1" if value is True else str(value) for name, value in [*self._fixed, *chosen.items()]}


def choices_of_event(
    tournament: Tournament, number: int | None, *, may_run: bool, with_prizes: bool
) -> list[ChoiceGroup]:
    """What may be printed of an event; `number` is the round whose papers are offered, None for none."""
    place = [tournament.club.slug, tournament.slug]
    groups = [] if number is None else [_of_round(place, number, may_run=may_run)]
    if may_run:
        groups.append(_cards(place))
    groups.append(_of_event(place, may_run=may_run, with_prizes=with_prizes))
    return groups


def choices_of_club(club: Club, roles: Iterable[Role]) -> list[ChoiceGroup]:
    """What may be printed of a club by somebody with these roles in it."""
    place = [club.slug]
    sees = parts_seen_by(roles)
    contact = ("contact",) if Part.CONTACT in sees else ()
    choices = [_choice("print_members", _("Members"), place, *contact)]
    if Part.MONEY in sees:
        choices.append(_choice("print_dues", _("Dues"), place, "dues"))
    choices.append(_choice("print_ratings", _("Rating list"), place, "kind"))
    series = [
        Choice(code=f"series-{each.pk}", label=each.name, address=reverse("print_series", args=[club.slug, each.pk]))
        for each in club.series.all()
    ]
    groups = [
        ChoiceGroup(heading=_("Club"), choices=tuple(choices)),
        ChoiceGroup(heading=_("Series"), choices=tuple(series)),
        ChoiceGroup(heading=_("Printer"), choices=(_choice("print_printer_test", _("Printer test"), place),)),
    ]
    return [group for group in groups if group.choices]


def chosen_of(groups: Iterable[ChoiceGroup], code: str) -> Choice:
    """The choice with this code, or the first there is."""
    choices = [choice for group in groups for choice in group.choices]
    return next((choice for choice in choices if choice.code == code), choices[0])


def rounds_shown(tournament: Tournament, *, may_run: bool) -> list[Round]:
    """Rounds of which there is a pairing to be printed, the latest first."""
    paired = tournament.rounds.exclude(state=Round.State.WAITING) if may_run else tournament.rounds.published()
    return list(paired.order_by("-number").defer("scores"))


def _of_round(place: list[Any], number: int, *, may_run: bool) -> ChoiceGroup:
    at = [*place, number]
    choices = [
        _choice("print_pairings", _("Pairings"), at),
        _choice("print_seating", _("Where do I sit?"), at),
    ]
    if may_run:
        choices += [
            _choice("print_slips", _("Result slips"), at),
            _choice("print_round", _("Everything for this round"), at),
        ]
    return ChoiceGroup(heading=_("Round"), choices=tuple(choices))


def _cards(place: list[Any]) -> ChoiceGroup:
    address = reverse("print_cards", args=place)
    return ChoiceGroup(
        heading=_("Cards"),
        choices=(
            Choice(
                code="print_cards",
                label=_("Start cards"),
                address=address,
                fields=("cards", "blank", "only", "spare", "stacked", "backs"),
            ),
            Choice(
                code="print_pack",
                label=_("Empty cards, in case the computer fails"),
                address=address,
                fields=("cards", "spare"),
                fixed=(("nobody", "1"), ("spare", "40")),
            ),
        ),
    )


def _of_event(place: list[Any], *, may_run: bool, with_prizes: bool) -> ChoiceGroup:
    choices = [
        _choice("print_starting_list", _("Starting list"), place, "order"),
        _choice("print_standings", _("Standings"), place, "after"),
        _choice("print_crosstable", _("Crosstable"), place, "after", "by_place"),
        _choice("print_wall_chart", _("Wall chart"), place),
        _choice("print_averages", _("Average ratings of opponents (ARO)"), place, "after", "by_average"),
    ]
    if with_prizes:
        choices.append(_choice("print_prizes", _("Prizes"), place, *(("signatures",) if may_run else ())))
    if may_run:
        choices += [
            _choice("print_record", _("Arbiter's record"), place, "round"),
            _choice("print_attendance", _("Attendance"), place),
            _choice("print_table_numbers", _("Table numbers"), place, "tables"),
            _choice("print_place_cards", _("Place cards"), place),
            _choice("print_badges", _("Badges"), place, "code"),
            _choice("print_diplomas", _("Diplomas"), place, "places"),
        ]
    return ChoiceGroup(heading=_("Event"), choices=tuple(choices))


def _choice(name: str, label: Any, place: list[Any], *fields: str) -> Choice:
    return Choice(code=name, label=label, address=reverse(name, args=place), fields=fields)
