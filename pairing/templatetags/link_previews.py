"""Tags for link previews in the head of a page. They make no database queries."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import override

from pairing.public.embeds.share_cards import (
    board_title,
    can_draw_share_cards,
    format_round_date,
    round_title,
    standings_title,
)
from pairing.view_models.sheets.standings_sheet import StandingsSheet
from tournaments.events.next_evening import NextEvening
from tournaments.models import Round, Tournament

register = template.Library()
TEMPLATE = "pairing/public/embeds/link_preview.html"


@register.inclusion_tag(TEMPLATE, takes_context=True)
def round_link_preview(context: dict[str, Any], this_round: Round) -> dict[str, Any]:
    """`{% round_link_preview round %}`: preview of a published round of a public event, otherwise nothing."""
    tournament = this_round.tournament
    if not this_round.is_public or not _is_shared(context, tournament):
        return {}
    args = [tournament.club.slug, tournament.slug, this_round.number]
    with override(tournament.club.language):
        words = (round_title(this_round), format_round_date(this_round))
    return _preview(context, tournament, words, ("round", args), ("round_share_image", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def board_link_preview(context: dict[str, Any], this_round: Round, board: int) -> dict[str, Any]:
    """`{% board_link_preview round number %}`: preview of one of the round's boards."""
    tournament = this_round.tournament
    if not this_round.is_public or not _is_shared(context, tournament):
        return {}
    args = [tournament.club.slug, tournament.slug, this_round.number, board]
    with override(tournament.club.language):
        words = (board_title(this_round, board), format_round_date(this_round))
    return _preview(context, tournament, words, ("board", args), ("board_share_image", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_standings(
    context: dict[str, Any], tournament: Tournament, sheet: StandingsSheet, *, is_latest: bool
) -> dict[str, Any]:
    """`{% preview_of_standings tournament sheet is_latest=... %}`: preview of the latest or earlier standings."""
    if not _is_shared(context, tournament):
        return {}
    event = [tournament.club.slug, tournament.slug]
    with override(tournament.club.language):
        words = (standings_title(sheet), "")
    if is_latest or not sheet.after_round:
        return _preview(context, tournament, words, ("standings", event), ("standings_share_image", event))
    args = [*event, sheet.after_round]
    return _preview(context, tournament, words, ("standings_after", args), ("standings_share_image_after", args))


@register.inclusion_tag(TEMPLATE, takes_context=True)
def preview_of_event(context: dict[str, Any], tournament: Tournament, evening: NextEvening | None) -> dict[str, Any]:
    """`{% preview_of_event tournament evening %}`: preview of the event's page: its next evening and its standings."""
    if not _is_shared(context, tournament):
        return {}
    event = [tournament.club.slug, tournament.slug]
    with override(tournament.club.language):
        about = " · ".join(each for each in (evening.dated_sentence if evening else "", tournament.city) if each)
    return _preview(context, tournament, ("", about), ("tournament", event), ("standings_share_image", event))


def _is_shared(context: dict[str, Any], tournament: Tournament) -> bool:
    """Return True for a full page of a public event without a signed-in user. Preview programs never sign in."""
    request = context["request"]
    return tournament.is_public and not request.user.is_authenticated and not hasattr(request, "layout")


def _preview(
    context: dict[str, Any],
    tournament: Tournament,
    words: tuple[str, str],
    page: tuple[str, list[Any]],
    picture: tuple[str, list[Any]],
) -> dict[str, Any]:
    """Build the preview. `words` are title and description, `page` and `picture` URL names with arguments."""
    request = context["request"]
    versions = getattr(request, "versions", None)
    # The URL changes with every change of the event, so that programs fetch the new picture.
    since = f"?{versions.players}" if versions else ""
    address, of_picture = (request.build_absolute_uri(reverse(name, args=args)) for name, args in (page, picture))
    return {
        "title": " · ".join(each for each in (words[0], tournament.name) if each),
        "about": words[1],
        "club": tournament.club.name,
        "address": address,
        "picture": f"{of_picture}{since}" if can_draw_share_cards() else "",
    }
