"""What programs that show a shared link read in a page's head. None of it asks the database for anything."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import override

from pairing.public.embeds.cards import day_of, title_of_board, title_of_round, title_of_table
from pairing.public.embeds.drawing import can_draw
from pairing.view_models.sheets.tables import StandingsSheet
from tournaments.models import Round, Tournament

register = template.Library()
TEMPLATE = "pairing/public/embeds/preview.html"


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_round(context: dict[str, Any], this_round: Round) -> dict[str, Any]:
    """`{% preview_of_round round %}`: of a published round of a public event; nothing otherwise."""
    tournament = this_round.tournament
    if not this_round.is_public or not _is_shared(context, tournament):
        return {}
    args = [tournament.club.slug, tournament.slug, this_round.number]
    with override(tournament.club.language):
        words = (title_of_round(this_round), day_of(this_round))
    return _preview(context, tournament, words, ("round", args), ("round_picture", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_board(context: dict[str, Any], this_round: Round, board: int) -> dict[str, Any]:
    """`{% preview_of_board round number %}`: of one of its boards."""
    tournament = this_round.tournament
    if not this_round.is_public or not _is_shared(context, tournament):
        return {}
    args = [tournament.club.slug, tournament.slug, this_round.number, board]
    with override(tournament.club.language):
        words = (title_of_board(this_round, board), day_of(this_round))
    return _preview(context, tournament, words, ("board", args), ("board_picture", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_table(
    context: dict[str, Any], tournament: Tournament, sheet: StandingsSheet, *, is_latest: bool
) -> dict[str, Any]:
    """`{% preview_of_table tournament sheet is_latest=... %}`: of its table, the latest or one that stays."""
    if not _is_shared(context, tournament):
        return {}
    event = [tournament.club.slug, tournament.slug]
    with override(tournament.club.language):
        words = (title_of_table(sheet), "")
    if is_latest or not sheet.after_round:
        return _preview(context, tournament, words, ("standings", event), ("table_picture", event))
    args = [*event, sheet.after_round]
    return _preview(context, tournament, words, ("standings_after", args), ("table_picture_after", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_event(context: dict[str, Any], tournament: Tournament) -> dict[str, Any]:
    """`{% preview_of_event tournament %}`: of its front page, with its table."""
    if not _is_shared(context, tournament):
        return {}
    event = [tournament.club.slug, tournament.slug]
    return _preview(context, tournament, ("", tournament.city), ("tournament", event), ("table_picture", event))


def _is_shared(context: dict[str, Any], tournament: Tournament) -> bool:
    """Open to everyone, and a whole page for somebody who may be such a program: they do not sign in."""
    request = context["request"]
    return tournament.is_public and not request.user.is_authenticated and not hasattr(request, "layout")


def _preview(
    context: dict[str, Any],
    tournament: Tournament,
    words: tuple[str, str],
    page: tuple[str, list[Any]],
    picture: tuple[str, list[Any]],
) -> dict[str, Any]:
    """`words` are title and description; `page` and `picture` the names and arguments of addresses."""
    request = context["request"]
    versions = getattr(request, "versions", None)
    # Another address after whatever happens in the event: who has fetched the old picture fetches the new one.
    since = f"?{versions.players}" if versions else ""
    address, of_picture = (request.build_absolute_uri(reverse(name, args=args)) for name, args in (page, picture))
    return {
        "title": " · ".join(each for each in (words[0], tournament.name) if each),
        "about": words[1],
        "club": tournament.club.name,
        "address": address,
        "picture": f"{of_picture}{since}" if can_draw() else "",
    }
