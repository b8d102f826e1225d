"""Making an event, and changing what was announced of it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.text.reserved_slugs import RESERVED_EVENT_SLUGS
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.locking import lock_tournament
from tournaments.models import Bye, Round, Tournament
from tournaments.privacy.personal_data import hide_refused_names
from tournaments.problems import ArbiterProblem

FIELDS_FIXED_BY_PAIRING = (
    "system",
    "procedure",
    "acceleration",
    "group_limit_a",
    "group_limit_c",
    "first_colour",
    "point_system",
    "readings",
)
"""What made the pairing of round 1, and so stands once it is paired."""


@transaction.atomic
def create_tournament(club: Club, *, by: User | None, name: str, rounds_announced: int, **fields: Any) -> Tournament:
    """Make an event with all its rounds, waiting.

    `fields` are further fields of Tournament by name (`system`, `starts_on`, ...). The address (`slug`) is made from
    the name and made unique in the club. Raises ArbiterProblem when a field is out of range.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    tournament = Tournament(club=club, name=name, rounds_announced=rounds_announced, **fields)
    tournament.slug = find_free_slug(club, name)
    _save_checked(tournament)
    Round.objects.bulk_create(
        Round(tournament=tournament, number=number) for number in range(1, tournament.rounds_announced + 1)
    )
    record_action(
        tournament, EventAction.TOURNAMENT_CREATED, by=by, name=name, system=tournament.system, rounds=rounds_announced
    )
    return tournament


@transaction.atomic
def change_tournament(tournament: Tournament, *, by: User | None, **changes: Any) -> Tournament:
    """Change fields of an event; only changes whose every consequence can be carried out are accepted.

    Once round 1 is paired, what made its pairing stands (system, procedure, acceleration and its limits, first
    colour, points). `rounds_announced` adds or removes waiting rounds; it is refused while a draft stands (the last
    round is paired by rules of its own), below a round already paired, or where a requested bye would be lost or fall
    on the last round against the event's rule. The address does not change with the name. Raises ArbiterProblem.
    """
    current = lock_tournament(tournament.pk)
    changed = {name: value for name, value in changes.items() if getattr(current, name) != value}
    if not changed:
        return current
    before = {name: getattr(current, name) for name in changed}
    rounds = list(current.rounds.all())
    if any(round.state != Round.State.WAITING for round in rounds) and changed.keys() & set(FIELDS_FIXED_BY_PAIRING):
        raise ArbiterProblem(
            _(
                "Round 1 is paired: the system, the acceleration, the points and the first colour cannot be changed any"
                " more."
            )
        )
    for name, value in changed.items():
        setattr(current, name, value)
    _save_checked(current)
    if "rounds_announced" in changed:
        _fit_rounds(current, rounds)
    if changed.keys() & {"rounds_announced", "bye_in_last_round"}:
        _check_byes_of_last_round(current)
    if changed.keys() & {"rated_as", "starts_on", "ends_on"}:
        schedule_rating_from_month(current.club, None)
    if changed.get("is_public"):
        hide_refused_names(current)
    record_action(
        current,
        EventAction.TOURNAMENT_CHANGED,
        by=by,
        changes={name: [_logged(before[name]), _logged(value)] for name, value in changed.items()},
    )
    return current


def _logged(value: Any) -> str:
    """A value for the log; readings as the command line has them."""
    return ", ".join(f"{name}={each}" for name, each in value.items()) if isinstance(value, dict) else str(value)


def find_free_slug(club: Club, name: str) -> str:
    """An address nobody in the club has yet: the name in plain letters, with a number behind it where needed."""
    longest = Tournament._meta.get_field("slug").max_length or 50
    plain = slugify(_transliterated(name))[: longest - 5].strip("-") or "event"
    taken = RESERVED_EVENT_SLUGS.union(
        Tournament.with_deleted.filter(club=club, slug__startswith=plain).values_list("slug", flat=True)
    )
    slug, number = plain, 2
    while slug in taken:
        slug, number = f"{plain}-{number}", number + 1
    return slug


def _transliterated(text: str) -> str:
    """Letters that no decomposition brings to plain Latin ones, as their countries write them in addresses."""
    return text.translate(_TRANSLITERATION)


_CYRILLIC = dict(zip("абвгдезийклмнопрстуфхъь", "abvgdeziyklmnoprstufhay", strict=True)) | {
    "ж": "zh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "sht",
    "ю": "yu",
    "я": "ya",
}
_TRANSLITERATION = str.maketrans(
    {"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "đ": "d"}
    | _CYRILLIC
    | {letter.upper(): latin.capitalize() for letter, latin in _CYRILLIC.items()}
)


def _save_checked(tournament: Tournament) -> None:
    try:
        tournament.full_clean(exclude=["club"], validate_constraints=False)
        try:
            with transaction.atomic():
                tournament.save()
        except IntegrityError:
            # The database has refused; which constraint it was, and its words, are asked for only now.
            tournament.full_clean(exclude=["club"])
            raise
    except ValidationError as error:
        raise ArbiterProblem("\n".join(_said(error, tournament))) from error


def _said(error: ValidationError, tournament: Tournament) -> list[str]:
    """Messages of a validation, each with the field's name before it."""
    labels = {field.name: field.verbose_name for field in tournament._meta.fields}
    lines = []
    for name, messages in error.message_dict.items():
        label = "" if name == "__all__" else f"{labels[name]}: "
        lines += [f"{label}{message}" for message in messages]
    return lines


def _fit_rounds(tournament: Tournament, rounds: list[Round]) -> None:
    """Add or remove waiting rounds at the end."""
    announced = tournament.rounds_announced
    if any(round.state == Round.State.DRAFT for round in rounds):
        raise ArbiterProblem(_("Publish or discard the draft before changing the number of rounds."))
    surplus = [round for round in rounds if round.number > announced]
    paired = [round.number for round in surplus if round.state != Round.State.WAITING]
    if paired:
        raise ArbiterProblem(_("Round %(round)s is paired already.") % {"round": max(paired)})
    byes = Bye.objects.filter(round__in=surplus).select_related("entry")
    if byes:
        raise ArbiterProblem(
            _("Byes have been noted for rounds that would go: %(names)s.")
            % {"names": "; ".join(sorted({bye.entry.name for bye in byes}))},
            entries=[bye.entry for bye in byes],
        )
    Round.objects.filter(pk__in=[round.pk for round in surplus]).delete()
    Round.objects.bulk_create(
        Round(tournament=tournament, number=number) for number in range(len(rounds) + 1, announced + 1)
    )


def _check_byes_of_last_round(tournament: Tournament) -> None:
    if tournament.bye_in_last_round:
        return
    byes = Bye.objects.filter(
        round__tournament=tournament,
        round__number=tournament.rounds_announced,
        round__state=Round.State.WAITING,
        kind__in=[Bye.Kind.FULL_POINT, Bye.Kind.HALF_POINT],
    ).select_related("entry")
    if byes:
        raise ArbiterProblem(
            _("Byes have been granted for what would be the last round: %(names)s.")
            % {"names": "; ".join(sorted(bye.entry.name for bye in byes))},
            entries=[bye.entry for bye in byes],
        )
