"""Effects of a corrected result on later rounds."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.explanations.reason_sentences import points_text
from pairing.rounds.lifecycle.draft_checks import changed_scores
from tournaments.audit_log.actions import EventAction
from tournaments.models import Entry, LogEntry, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPoints:
    """A player whose score has changed since the round was paired."""

    name: str
    before: str
    now: str


def changed_points(shown: Round) -> list[ChangedPoints]:
    """Return changed scores since a public round was paired, by name. One query if nothing was corrected."""
    if not shown.is_public or shown.paired_at is None or shown.number == 1:
        return []
    corrections = LogEntry.objects.filter(
        tournament=shown.tournament_id,
        action=EventAction.RESULT_CORRECTED,
        round__number__lt=shown.number,
        at__gt=shown.paired_at,
    )
    if not corrections.exists():
        return []
    changed = changed_scores(shown)
    names = Entry.objects.filter(pk__in=changed).order_by("name", "pk").values_list("pk", "name")
    return [
        ChangedPoints(name=name, before=points_text(changed[key][0]), now=points_text(changed[key][1]))
        for key, name in names
    ]


def correction_consequences(corrected: Round) -> list[str]:
    """Return a sentence for every later paired round, or one sentence if there is none."""
    later = corrected.tournament.rounds.filter(number__gt=corrected.number).exclude(state=Round.State.WAITING)
    said = [_SENTENCES[Round.State(each.state)]() % {"number": each.number} for each in later.order_by("number")]
    return said or [_("The next round isn't paired yet, so it will use the corrected result.")]


_SENTENCES = {
    Round.State.DRAFT: lambda: _("The draft of round %(number)d uses the old result. Discard it and pair again."),
    Round.State.PUBLISHED: lambda: _(
        "Round %(number)d is published and stays as it is. Its page shows how many boards would differ."
    ),
    Round.State.FINISHED: lambda: _("Round %(number)d is finished. Its pairings and results stay as they are."),
}
