"""Creating an event and changing its settings."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from clubs.models import Club, User
from common.locking import lock_row
from common.text.reserved_slugs import RESERVED_EVENT_SLUGS
from tournaments.access import lock_tournament
from tournaments.audit_log.actions import EventAction
from tournaments.audit_log.recorder import record_action
from tournaments.club_ratings.recalculation import schedule_rating_from_month
from tournaments.events.fide_rating_eligibility import require_accepted_system
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
    "keizer_options",
)
"""Settings that the pairing of round 1 depends on, fixed once it is paired."""


@transaction.atomic
def create_tournament(club: Club, *, by: User | None, name: str, rounds_announced: int, **fields: Any) -> Tournament:
    """Create an event with all its rounds, which wait to be paired.

    `fields` are further fields of Tournament by name (`system`, `starts_on`, ...). The `slug` is made from the name and
    unique in the club. Raises ArbiterProblem if a field is invalid.
    """
    lock_row(Club, club.pk)
    tournament = Tournament(club=club, name=name, rounds_announced=rounds_announced, **fields)
    tournament.slug = find_free_slug(club, name)
    require_accepted_system(tournament)
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
    """Change fields of an event.

    Once round 1 is paired, the fields its pairing depends on are fixed. `rounds_announced` adds or removes waiting
    rounds. It can't change while there is a draft, since the last round has its own rules. It can't drop a paired
    round, nor lose a noted bye. It can't move a bye to the last round against the event's rule. The slug doesn't change
    with the name. Raises ArbiterProblem if a change is refused.
    """
    current = lock_tournament(tournament.pk)
    changed = {name: value for name, value in changes.items() if getattr(current, name) != value}
    if not changed:
        return current
    before = {name: getattr(current, name) for name in changed}
    rounds = list(current.rounds.all())
    if any(round.state != Round.State.WAITING for round in rounds) and changed.keys() & set(FIELDS_FIXED_BY_PAIRING):
        raise ArbiterProblem(
            _("Round 1 is paired, so the system, acceleration, points and first colour can no longer change.")
        )
    for name, value in changed.items():
        setattr(current, name, value)
    if changed.keys() & {"fide_rated", "system"}:
        require_accepted_system(current)
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
    """Return a value for the log, with interpretations as on the command line."""
    return ", ".join(f"{name}={each}" for name, each in value.items()) if isinstance(value, dict) else str(value)


def find_free_slug(club: Club, name: str) -> str:
    """Return a slug that is free in the club: the transliterated name, numbered if necessary."""
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
    """Transliterate letters that Unicode decomposition doesn't reduce to plain Latin ones."""
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
            # Only now validate the constraints, to find out which one failed and its message.
            tournament.full_clean(exclude=["club"])
            raise
    except ValidationError as error:
        raise ArbiterProblem("\n".join(_said(error, tournament))) from error


def _said(error: ValidationError, tournament: Tournament) -> list[str]:
    """Return the messages of a validation error, each after its field's name."""
    labels = {field.name: field.verbose_name for field in tournament._meta.fields}
    lines = []
    for name, messages in error.message_dict.items():
        label = "" if name == "__all__" else f"{labels[name]}: "
        lines += [f"{label}{message}" for message in messages]
    return lines


def _fit_rounds(tournament: Tournament, rounds: list[Round]) -> None:
    """Add or remove waiting rounds at the end.

    Raises ArbiterProblem if there is a draft, or a round to remove is paired or has byes.
    """
    announced = tournament.rounds_announced
    if any(round.state == Round.State.DRAFT for round in rounds):
        raise ArbiterProblem(_("Publish or discard the draft before you change the number of rounds."))
    surplus = [round for round in rounds if round.number > announced]
    paired = [round.number for round in surplus if round.state != Round.State.WAITING]
    if paired:
        raise ArbiterProblem(_("Round %(round)s is already paired.") % {"round": max(paired)})
    byes = Bye.objects.filter(round__in=surplus).select_related("entry")
    if byes:
        raise ArbiterProblem(
            _("These players have byes in rounds that would be removed: %(names)s.")
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
            _("These players have byes in what would become the last round: %(names)s.")
            % {"names": "; ".join(sorted(bye.entry.name for bye in byes))},
            entries=[bye.entry for bye in byes],
        )
