"""A club's colour and logo: refused if unreadable, readable in both colour schemes, and cached by their version."""

from __future__ import annotations

import colorsys
import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from clubs.models import ClubLetterhead
from common.text.colours import (
    MIN_CONTRAST,
    check_colour_contrast,
    contrast_ratio,
    tones_for_dark_background,
    tones_for_light_background,
)
from tests.factories import make_club

COLOURS = ("#000000", "#ffffff", "#14613f", "#1f4e79", "#ffe600", "#ff0000", "#00ff00", "#777777", "#0000ff")


def test_contrast_is_that_of_the_guidelines():
    """The extremes, and the best-known greys of the guidelines: #767676 is the lightest on white."""
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21)
    assert contrast_ratio("#14613f", "#14613f") == pytest.approx(1)
    assert contrast_ratio("#767676", "#ffffff") >= MIN_CONTRAST > contrast_ratio("#777777", "#ffffff")


@pytest.mark.parametrize(
    "value", ["", "green", "#fff", "#14613F", "#14613f ", "14613f", "#14613g", "#14613f0", "#14613f\n"]
)
def test_what_is_no_colour_is_refused(value):
    with pytest.raises(ValidationError, match="such as #14613f"):
        check_colour_contrast(value)


@pytest.mark.parametrize("value", ["#ffffff", "#ffe600", "#00ff00", "#777777"])
def test_a_colour_too_light_is_refused_with_the_nearest_that_can_be_read(value):
    with pytest.raises(ValidationError) as refused:
        check_colour_contrast(value)
    nearest = re.search(r"#[0-9a-f]{6}", refused.value.messages[0])
    assert nearest is not None
    check_colour_contrast(nearest[0])


@pytest.mark.django_db
def test_a_club_checks_its_colour():
    club = make_club()
    club.colour = "#ffe600"
    with pytest.raises(ValidationError) as refused:
        club.clean()
    assert list(refused.value.message_dict) == ["colour"]
    club.colour = "#1f4e79"
    club.clean()


@pytest.mark.parametrize("colour", COLOURS)
def test_tones_are_readable_in_both_looks(colour):
    for tones, ground in (
        (tones_for_light_background(colour), "#ffffff"),
        (tones_for_dark_background(colour), "#191f1c"),
    ):
        assert contrast_ratio(tones.accent, ground) >= MIN_CONTRAST
        assert contrast_ratio(tones.on, tones.accent) >= MIN_CONTRAST
        assert contrast_ratio(tones.accent, tones.wash) >= 3


@pytest.mark.django_db
def test_pages_of_a_club_wear_its_colour_and_no_others_do(client):
    club, other = make_club(), make_club("inny", "Inny")
    club.colour = "#1f4e79"
    club.save()
    sheet = reverse("club_colours_css", args=["1f4e79", "auto"])
    assert sheet in client.get(reverse("club", args=[club.slug])).content.decode()
    assert "/look/" not in re.sub(
        r'action="[^"]*"', "", client.get(reverse("club", args=[other.slug])).content.decode()
    )
    answer = client.get(sheet)
    assert answer.headers["Content-Type"] == "text/css"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "--accent:#1f4e79" in answer.content.decode()
    light, _in_the, dark = answer.content.decode().partition("@media screen and (prefers-color-scheme:dark)")
    assert "--accent:#1f4e79" in light
    assert "--accent:#1f4e79" not in dark
    assert client.get(reverse("club_colours_css", args=["1f4e79", "light"])).content.decode() == light
    assert client.get(reverse("club_colours_css", args=["1f4e79", "dark"])).content.decode().strip() in dark
    for look in ("light", "dark"):
        client.cookies["look"] = look
        assert f"/look/1f4e79/{look}.css" in client.get(reverse("club", args=[club.slug])).content.decode()


@pytest.mark.parametrize("address", ["/look/1f4e7/light.css", "/look/1f4e79/red.css", "/look/zzzzzz/light.css"])
@pytest.mark.django_db
def test_other_sheets_are_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_the_logo_is_found_by_its_mark_alone(client):
    club, other = make_club(), make_club("inny", "Inny")
    ClubLetterhead.objects.create(club=club, logo=b"\x89PNG made up")
    club.logo_mark = "0123456789ab"
    club.save()
    assert client.get(reverse("club_logo_image", args=[club.slug, "0123456789ab"])).content == b"\x89PNG made up"
    assert client.get(reverse("club_logo_image", args=[club.slug, "other"])).status_code == 404
    assert client.get(reverse("club_logo_image", args=[other.slug, "0123456789ab"])).status_code == 404
    assert (
        reverse("club_logo_image", args=[club.slug, "0123456789ab"])
        in client.get(reverse("club", args=[club.slug])).content.decode()
    )


@pytest.mark.parametrize("colour", [each for each in COLOURS if len({each[1:3], each[3:5], each[5:]}) > 1])
def test_on_a_dark_page_links_are_bright_and_no_greyer_than_the_colour(colour):
    def saturation(of: str) -> float:
        return colorsys.rgb_to_hls(*(int(of[at : at + 2], 16) / 255 for at in (1, 3, 5)))[2]

    accent = tones_for_dark_background(colour).accent
    assert contrast_ratio(accent, "#191f1c") >= 7
    assert saturation(accent) >= min(0.6, saturation(colour))
