"""What correcting a result of a finished round means for the rounds after it, in sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Round


def what_follows(corrected: Round) -> list[str]:
    """A sentence for every later round that is paired, or one that none is."""
    later = corrected.tournament.rounds.filter(number__gt=corrected.number).exclude(state=Round.State.WAITING)
    said = [_SENTENCES[Round.State(each.state)]() % {"number": each.number} for each in later.order_by("number")]
    return said or [_("No later round is paired yet: the next one is paired by the corrected result.")]


_SENTENCES = {
    Round.State.DRAFT: lambda: _("Round %(number)d is a draft that rests on the old result: pair it anew."),
    Round.State.PUBLISHED: lambda: _(
        "Round %(number)d is published and stays as it is; its page says at once on how many boards it would differ."
    ),
    Round.State.FINISHED: lambda: _("Round %(number)d is finished: its pairing and its results stay as they are."),
}
