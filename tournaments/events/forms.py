"""The event form and the form for changing the pairing system."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import TimeControlKind
from clubs.request_types import parse_key
from pairing.engine.acceleration.progressive import DEFAULT_GROUP_LIMITS, GroupLimitsError, check_group_limits
from pairing.engine.standings import KEIZER_TIE_BREAKS
from pairing.engine.systems.round_robin.system import berger_table_size
from tournaments.events.acceleration_groups import (
    AccelerationGrouping,
    describe_maxi_event_rules,
    explain_refused_group_limits,
    group_players_by_limits,
)
from tournaments.events.arbiters import parse_deputy_arbiters
from tournaments.events.event_setup import FIELDS_FIXED_BY_PAIRING
from tournaments.events.fide_rating_eligibility import FIDE_RATING_NOTES, choose_another_system, fide_rating_warning
from tournaments.events.keizer_fields import keizer_fields, pop_keizer_options
from tournaments.events.rule_interpretations import (
    interpretation_field_names,
    interpretation_fields,
    pop_chosen_interpretations,
)
from tournaments.events.tie_break_field import TieBreaksField
from tournaments.models import MAX_ROUNDS, Acceleration, PairingSystem, Tournament
from tournaments.models.point_systems import USUAL_POINTS, check_points_compatible, describe_point_system

SYSTEM_DESCRIPTIONS = {
    PairingSystem.JAHR: gettext_lazy(
        "Ulrich Jahr's method of 1981. Each game adds a tenth of the opponent's total to the player's own. "
        "These totals decide the pairings and the places of players with equal scores. It needs no ratings "
        "and has its own start cards. The bye is worth half a point."
    ),
    PairingSystem.FIDE_1989: gettext_lazy(
        "The FIDE rules of 1987, amended in 1988 and 1989. Score groups, upper half against lower "
        "half, and colours as balanced as possible."
    ),
    PairingSystem.DUTCH_1992: gettext_lazy(
        "The Dutch system as adopted in 1992. Upper half against lower half in rating order, with "
        "exact rules for transpositions, exchanges and floaters."
    ),
    PairingSystem.DUBOV_1997: gettext_lazy(
        "The Dubov system of 1997. It balances the opponents' ratings within a score group, so that "
        "players on equal points face equal opposition."
    ),
    PairingSystem.DUTCH_2026: gettext_lazy(
        "The FIDE (Dutch) system in force since February 2026. Choose it for FIDE-rated events. 21 "
        "criteria, applied in order, decide every pairing."
    ),
    PairingSystem.ROUND_ROBIN: gettext_lazy(
        "Everyone plays everyone, once or twice, using the Berger tables. Best for small groups. The full "
        "schedule is known once the numbers are drawn."
    ),
    PairingSystem.KEIZER: gettext_lazy(
        "For a season of club evenings with different players every week. The players present are paired in "
        "the order of the ranking. Beating a strong player is worth more, and missing an evening costs little."
    ),
}

HISTORICAL_SYSTEMS = {
    PairingSystem.JAHR: gettext_lazy("Best for clubs that pair with cards and have few rated players."),
    PairingSystem.FIDE_1989: gettext_lazy(
        "Best for pairing by hand, or for reproducing the pairings of an event from the late 1980s."
    ),
    PairingSystem.DUTCH_1992: gettext_lazy("Best for reproducing or checking the pairings of an event from the 1990s."),
    PairingSystem.DUBOV_1997: gettext_lazy(
        "Best where players should face equally strong opposition, for example in title events."
    ),
}
"""The systems no longer in force, each with what it is for."""

SIGN_UP_SYSTEMS = frozenset({PairingSystem.KEIZER.value})
"""The systems in which usually only players who say they're coming are paired."""

OFFERED_POINT_SYSTEMS = (USUAL_POINTS, "2-1-0", "3-1-0")
"""The points offered for events; others come with a report file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOption:
    """A pairing system to choose: its radio button, its descriptions, a note on FIDE rating, and its name."""

    radio: Any
    sentence: str | Promise
    rated: str | Promise
    name: str
    purpose: str | Promise = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOptions:
    """The chosen system, if any, the current systems to choose from, and the historical ones."""

    chosen: list[SystemOption]
    current: list[SystemOption]
    historical: list[SystemOption]


class ChangeSystemForm(forms.ModelForm):
    """A different pairing system from the next round onwards, and the reason. Saved by `system_change`."""

    reason = forms.CharField(label=gettext_lazy("reason (for the log)"), max_length=300)

    class Meta:
        model = Tournament
        fields = ("system", "procedure")
        widgets = {"system": forms.RadioSelect}
        error_messages = {"system": {"required": gettext_lazy("Choose a pairing system.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["procedure"].choices = _procedures(self.fields["procedure"].choices)  # type: ignore[attr-defined]

    @property
    def system_options(self) -> SystemOptions:
        return _system_options(self["system"])

    def _post_clean(self) -> None:
        """Leave the instance unchanged, like `TournamentForm`."""


def _procedures(choices: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    return [("", _("default")), *(choice for choice in choices if choice[0])]


def _system_options(field: Any) -> SystemOptions:
    options = {
        system: SystemOption(
            radio=radio,
            sentence=SYSTEM_DESCRIPTIONS[system],
            rated=FIDE_RATING_NOTES[system],
            name=system.value,
            purpose=HISTORICAL_SYSTEMS.get(system, ""),
        )
        for radio, system in zip(field, PairingSystem, strict=True)
    }
    chosen = [options.pop(system) for system in PairingSystem if system == field.value()]
    return SystemOptions(
        chosen=chosen,
        current=[option for system, option in options.items() if system not in HISTORICAL_SYSTEMS],
        historical=[options[system] for system in HISTORICAL_SYSTEMS if system in options],
    )


ACCELERATION_DESCRIPTIONS = {
    Acceleration.NONE: gettext_lazy(
        "Rounds are paired by actual scores. Suitable for up to about 40 players in 9 rounds."
    ),
    Acceleration.PROGRESSIVE: gettext_lazy(
        "Players are split into 3 groups by rating. Higher groups start with more fictitious points, and "
        "lower groups gain them by scoring. Nobody gets any in the last 2 rounds."
    ),
    Acceleration.BAKU: gettext_lazy(
        "The upper half of the list starts with 1 fictitious point, which drops to half a point and later to 0."
    ),
}


class TournamentForm(forms.ModelForm):
    """The settings of an event. Saved by `event_setup`, never by this form."""

    rounds_announced = forms.IntegerField(
        label=gettext_lazy("rounds"),
        min_value=1,
        max_value=MAX_ROUNDS,
        error_messages={
            "required": gettext_lazy("Enter the number of rounds. You can change it later."),
            "min_value": gettext_lazy("Enter at least 1 round."),
            "max_value": gettext_lazy("Enter at most 99 rounds."),
        },
    )

    bye_deadline_hours = forms.IntegerField(
        label=Tournament._meta.get_field("bye_deadline_hours").verbose_name,
        min_value=0,
        max_value=720,
        required=False,
        help_text=gettext_lazy(
            "If empty, players can answer until the round is paired. Arbiters can always grant a bye."
        ),
        error_messages={"invalid": gettext_lazy("Enter the hours as a whole number, such as 4.")},
    )

    only_sign_ups = forms.ChoiceField(
        label=gettext_lazy("who is paired"),
        required=False,
        help_text=gettext_lazy("Players answer on their phones. Check-in on the night takes priority."),
    )

    tie_breaks = TieBreaksField()

    point_system = forms.ChoiceField(
        label=Tournament._meta.get_field("point_system").verbose_name,
        required=False,
        help_text=gettext_lazy(
            "Historic systems use 1, ½ and 0, or 2, 1 and 0. For other points, choose the FIDE system of 2026."
        ),
    )

    class Meta:
        model = Tournament
        fields = (
            "name",
            "system",
            "procedure",
            "rounds_announced",
            "tie_breaks",
            "point_system",
            "starts_on",
            "ends_on",
            "acceleration",
            "group_limit_a",
            "group_limit_c",
            "first_colour",
            "requested_bye_worth",
            "requested_byes_allowed",
            "bye_in_last_round",
            "bye_deadline_hours",
            "only_sign_ups",
            "late_entry_worth",
            "players_check_in",
            "players_report_results",
            "city",
            "chief_arbiter",
            "chief_arbiter_fide_id",
            "deputy_arbiters",
            "time_control",
            "rated_as",
            "fide_rated",
            "is_public",
        )
        widgets = {
            "system": forms.RadioSelect,
            "acceleration": forms.RadioSelect,
            "deputy_arbiters": forms.Textarea(attrs={"rows": 2}),
            "starts_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }
        help_texts = {
            "name": gettext_lazy("As shown on printouts, such as “Autumn Swiss”."),
            "procedure": gettext_lazy(
                "Jahr's method orders the score groups. The procedure you choose here pairs them. Other "
                "systems have their own procedure."
            ),
            "group_limit_a": gettext_lazy(
                "Only for progressive acceleration. Players with this rating or higher are in group A."
            ),
            "group_limit_c": gettext_lazy("Players below this rating are in group C."),
            "first_colour": gettext_lazy("Usually drawn by lot before round 1."),
            "requested_byes_allowed": gettext_lazy("How many byes each player can request in the event."),
            "players_check_in": gettext_lazy("Players use a QR code on the wall or their personal link."),
            "players_report_results": gettext_lazy(
                "Players use their personal link. If both players report the same result, it's entered. If "
                "not, the arbiter decides."
            ),
            "is_public": gettext_lazy(
                "Players can find their board on their phones without signing in. Drafts are never shown."
            ),
            "fide_rated": gettext_lazy(
                "Select this if a federation will rate the games. Some pairing systems are then not allowed "
                "(see above)."
            ),
            "rated_as": gettext_lazy("Games in finished rounds then count towards members' club ratings."),
            "time_control": gettext_lazy("Such as “90 min + 30 s”."),
            "chief_arbiter_fide_id": gettext_lazy("Rating officers need this ID."),
            "deputy_arbiters": gettext_lazy("One per line, with the FIDE ID in brackets after the name."),
        }
        error_messages = {
            "name": {"required": gettext_lazy("Enter a name for the event.")},
            "system": {"required": gettext_lazy("Choose a pairing system.")},
            "starts_on": {"invalid": gettext_lazy("Enter the date as year-month-day, such as 2026-09-17.")},
            "ends_on": {"invalid": gettext_lazy("Enter the date as year-month-day, such as 2026-09-17.")},
        }

    def __init__(self, data: Any = None, *args: Any, is_paired: bool = False, **kwargs: Any) -> None:
        super().__init__(_with_offer_taken(data), *args, **kwargs)
        self._ratings = list(self.instance.entries.values_list("rating", flat=True)) if self.instance.pk else []
        self.is_paired = is_paired
        self.fields["name"].widget.attrs["autofocus"] = not (self.is_bound or self.instance.pk)
        self._readings = interpretation_fields(self.instance.readings, disabled=is_paired)
        self.fields.update(self._readings)
        self.fields.update(keizer_fields(self.instance.keizer_options, disabled=is_paired))
        for name in set(FIELDS_FIXED_BY_PAIRING) & set(self.fields) if is_paired else ():
            self.fields[name].disabled = True
        self.fields["procedure"].choices = _procedures(self.fields["procedure"].choices)  # type: ignore[attr-defined]
        self.fields["point_system"].choices = [  # type: ignore[attr-defined]
            (each, describe_point_system(each))
            for each in dict.fromkeys((*OFFERED_POINT_SYSTEMS, self.instance.point_system))
        ]
        usual = [] if self.instance.pk else [("", _("as usual for the pairing system"))]
        self.fields["only_sign_ups"].choices = [  # type: ignore[attr-defined]
            *usual,
            ("False", _("everyone, unless they say they can't come")),
            ("True", _("only players who say they're coming")),
        ]
        self.fields["rated_as"].choices = [("", _("not rated")), *TimeControlKind.choices]  # type: ignore[attr-defined]

    def clean_bye_deadline_hours(self) -> int:
        return self.cleaned_data["bye_deadline_hours"] or 0

    def clean_only_sign_ups(self) -> bool:
        chosen = self.cleaned_data["only_sign_ups"]
        if chosen:
            return bool(chosen == "True")
        return self.instance.only_sign_ups if self.instance.pk else self.data.get("system") in SIGN_UP_SYSTEMS

    def clean_chief_arbiter_fide_id(self) -> str:
        number: str = self.cleaned_data["chief_arbiter_fide_id"]
        if number and not (number.isascii() and number.isdigit()):
            raise ValidationError(_("A FIDE ID contains only digits."))
        return number

    def clean_deputy_arbiters(self) -> str:
        return "\n".join(parse_deputy_arbiters(self.cleaned_data["deputy_arbiters"]))

    def clean_point_system(self) -> str:
        return self.cleaned_data["point_system"] or self.instance.point_system

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._check_counting(cleaned)
        starts, ends = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts and ends and ends < starts:
            self.add_error("ends_on", _("The event ends before it starts. Change one of the dates."))
        is_keizer = cleaned.get("system") == PairingSystem.KEIZER
        options = pop_keizer_options(cleaned, self.instance.keizer_options, is_keizer=is_keizer)
        if is_keizer:
            # The system has a ranking of its own, and no score groups.
            cleaned["acceleration"], cleaned["tie_breaks"] = Acceleration.NONE.value, []
        elif unfit := KEIZER_TIE_BREAKS.intersection(cleaned.get("tie_breaks", ())):
            self.add_error("tie_breaks", _("Only for Keizer events: %(codes)s.") % {"codes": ", ".join(sorted(unfit))})
        if cleaned.get("system") != PairingSystem.JAHR:
            cleaned["procedure"] = ""
        if cleaned.get("acceleration") != Acceleration.PROGRESSIVE:
            cleaned["group_limit_a"] = cleaned["group_limit_c"] = None
        if self.fide_rating_warning:
            self.add_error("fide_rated", choose_another_system())
        self._check_group_limits(cleaned.get("group_limit_a"), cleaned.get("group_limit_c"))
        readings = pop_chosen_interpretations(
            cleaned, self.instance.readings, system=cleaned.get("system", ""), procedure=cleaned.get("procedure", "")
        )
        # After round 1 they are fixed, including those of systems that paired earlier rounds.
        return cleaned | {
            "readings": self.instance.readings if self.is_paired else readings,
            "keizer_options": self.instance.keizer_options if self.is_paired else options,
        }

    def _check_counting(self, cleaned: dict[str, Any]) -> None:
        """Check that the system, acceleration and tie-breaks allow the chosen points."""
        try:
            check_points_compatible(
                cleaned.get("point_system", USUAL_POINTS),
                system=cleaned.get("system", ""),
                acceleration=cleaned.get("acceleration", ""),
                tie_breaks=cleaned.get("tie_breaks", ()),
            )
        except ValidationError as error:
            self.add_error(None, error)

    def _check_group_limits(self, upper: int | None, lower: int | None) -> None:
        if (upper is None) != (lower is None):
            missing = "group_limit_a" if upper is None else "group_limit_c"
            self.add_error(missing, _("Enter both limits, or leave both empty for 2000 and 1600."))
        elif upper is not None and lower is not None and upper <= lower:
            self.add_error("group_limit_a", _("The limit for group A must be above the limit for group C."))
        elif self._must_fit:
            try:
                check_group_limits(self._limits or DEFAULT_GROUP_LIMITS, self._ratings)
            except GroupLimitsError as error:
                self.add_error("acceleration", explain_refused_group_limits(error))

    def _post_clean(self) -> None:
        """Leave the instance unchanged, because `event_setup` saves the event and compares it with the new values."""

    @property
    def changed_values(self) -> dict[str, Any]:
        """The fields that differ from the event."""
        return {name: value for name, value in self.cleaned_data.items() if value != getattr(self.instance, name)}

    @property
    def system_options(self) -> SystemOptions:
        return _system_options(self["system"])

    @property
    def fide_rating_warning(self) -> str:
        """A warning if the form asks for FIDE rating with a system that FIDE doesn't accept."""
        earlier = [each["system"] for each in self.instance.earlier_systems]
        return fide_rating_warning(
            fide_rated=bool(self["fide_rated"].value()), systems=[*earlier, str(self["system"].value() or "")]
        )

    @property
    def acceleration_options(self) -> list[tuple[Any, Any, str]]:
        """Each acceleration's radio button, its description and its name (empty for no acceleration)."""
        names = ("" if name == Acceleration.NONE else name.value for name in Acceleration)
        return list(zip(self["acceleration"], ACCELERATION_DESCRIPTIONS.values(), names, strict=True))

    @property
    def interpretation_options(self) -> list[tuple[Any, str]]:
        """The field for each rule interpretation that affects the event's system, and the page of its document."""
        system, procedure = str(self["system"].value() or ""), self["procedure"].value() or None
        names = interpretation_field_names(system, procedure)
        return [
            (self[name], str(field.label).partition(" ")[0]) for name, field in self._readings.items() if name in names
        ]

    @property
    def is_keizer_section_open(self) -> bool:
        """True if the section with the rules of a Keizer season starts open."""
        return self["system"].value() == PairingSystem.KEIZER or bool(self.errors.keys() & {"keizer_options"})

    @property
    def is_interpretations_section_open(self) -> bool:
        """True if the collapsible section starts open, because of an error or a chosen interpretation."""
        return self.has_errors_in_details or bool(self.instance.readings)

    @property
    def maxi_rules_note(self) -> str:
        """A sentence on whether FIDE's maxi rules apply, by the players entered and the rounds in the form."""
        rounds = self["rounds_announced"].value()
        return describe_maxi_event_rules(len(self._ratings), parse_key(str(rounds or "")) or None)

    @property
    def round_robin_note(self) -> str:
        """The number of rounds in a round robin with these players. Empty if the form has too few rounds."""
        players, rounds = len(self._ratings), parse_key(str(self["rounds_announced"].value() or ""))
        if players < 3 or not rounds or players > rounds + 2:
            return ""
        return ngettext(
            "%(players)s player needs %(once)s rounds to play everyone once, %(twice)s to play everyone twice.",
            "%(players)s players need %(once)s rounds to play each other once, or %(twice)s to play each other twice.",
            players,
        ) % {"players": players, "once": berger_table_size(players) - 1, "twice": 2 * berger_table_size(players) - 2}

    @property
    def acceleration_grouping(self) -> AccelerationGrouping | None:
        """The entered players in the three groups, or None if there are no players or round 1 is paired."""
        return None if self.is_paired or not self._ratings else group_players_by_limits(self._ratings, self._limits)

    @property
    def folded_values(self) -> dict[str, Any]:
        """The values chosen in the collapsible sections, shown on the lines that open the sections."""
        return {
            "tie_breaks": self["tie_breaks"].value() or _("default"),
            **{
                name: dict(self.fields[field].choices).get(self[field].value() or "", "")  # type: ignore[attr-defined]
                for name, field in {"rated": "rated_as", "acceleration": "acceleration"}.items()
            },
        }

    @property
    def has_errors_in_details(self) -> bool:
        """True if a field in a collapsible section has an error."""
        always_seen = {"name", "system", "procedure", "rounds_announced", "starts_on", "__all__"}
        return bool(set(self.errors) - always_seen)

    @property
    def is_acceleration_section_open(self) -> bool:
        """True if the collapsible section starts open, because of an error or a chosen acceleration."""
        return self.has_errors_in_details or self["acceleration"].value() not in (None, Acceleration.NONE)

    @property
    def _must_fit(self) -> bool:
        """True if the limits must fit the players entered, because round 1 isn't paired yet."""
        is_progressive = self.cleaned_data.get("acceleration") == Acceleration.PROGRESSIVE
        return is_progressive and not self.is_paired and bool(self._ratings)

    @property
    def _limits(self) -> tuple[int, int] | None:
        """Both limits in the form, if both are numbers."""
        upper, lower = (str(self[name].value() or "") for name in ("group_limit_a", "group_limit_c"))
        return (parse_key(upper), parse_key(lower)) if parse_key(upper) and parse_key(lower) else None


def _with_offer_taken(data: Any) -> Any:
    """Return the form data. A click on the offered limits chooses progressive acceleration with them."""
    upper, _comma, lower = (data or {}).get("take_limits", "").partition(",")
    if not (parse_key(upper) and parse_key(lower)):
        return data
    taken = data.copy()
    taken["acceleration"] = Acceleration.PROGRESSIVE.value
    taken["group_limit_a"], taken["group_limit_c"] = upper, lower
    return taken
