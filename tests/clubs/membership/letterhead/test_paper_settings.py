"""A club's print settings: who can change them, and which files can be the logo."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageFile, PngImagePlugin

from clubs.membership.letterhead.logo_files import STORED_LOGO_SIZE, InvalidLogo, read_logo
from clubs.models import ClubLetterhead, PaperSize, Role
from common.file_store.upload_limits import MAX_IMAGE_BYTES
from pairing.printing.pdf.paper_templates import club_print_options
from tests.factories import make_club, make_user

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), mode: str = "RGB", **options: object) -> bytes:
    file = BytesIO()
    Image.new(mode, size, "black").save(file, kind, **options)
    return file.getvalue()


def read(data: bytes) -> Image.Image:
    return Image.open(BytesIO(read_logo(BytesIO(data), len(data))))


@pytest.fixture
def sent(secretary, club):
    """Send the form as the secretary."""

    def send(**fields: object):
        browser = Client()
        browser.force_login(secretary)
        data = {"header": "", "footer": "", "language": "", "size": "a4", **fields}
        return browser.post(reverse("letterhead_settings", args=[club.slug]), data)

    return send


# -- The logo -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a picture",
        SVG,
        picture("GIF"),
        picture("BMP"),
        picture("TIFF"),
        picture()[:60],
        picture("JPEG")[:-40],
        b"\x89PNG\r\n\x1a\n",
    ],
    ids=["empty", "text", "svg", "gif", "bmp", "tiff", "cut off", "jpeg cut off", "head alone"],
)
@pytest.mark.parametrize("is_content_with_parts", [False, True])
def test_what_is_no_picture_of_the_two_kinds_is_refused(data, is_content_with_parts, monkeypatch):
    """Also if WeasyPrint is loaded, which makes Pillow accept truncated files."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", is_content_with_parts)
    with pytest.raises(InvalidLogo, match="PNG or JPEG"):
        read_logo(BytesIO(data), len(data))


def test_a_large_file_is_refused_unread():
    with pytest.raises(InvalidLogo, match="2 MB"):
        read_logo(BytesIO(b""), MAX_IMAGE_BYTES + 1)


def test_a_picture_of_too_many_pixels_is_refused():
    data = picture(size=(6001, 1), mode="1")
    with pytest.raises(InvalidLogo, match="6000 pixels"):
        read_logo(BytesIO(data), len(data))


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "1"), ("JPEG", "CMYK")]
)
def test_pictures_are_written_anew_as_png(kind, mode):
    logo = read(picture(kind, mode=mode))
    assert (logo.format, logo.size) == ("PNG", (40, 30))
    assert logo.mode in ("RGB", "RGBA")


def test_what_cannot_be_seen_through_stays_so_and_the_rest_stays_transparent():
    logo = read(picture(mode="RGBA"))
    assert logo.getpixel((0, 0)) == (0, 0, 0, 255)
    clear = BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 0)).save(clear, "PNG")
    assert read(clear.getvalue()).getpixel((0, 0))[3] == 0


def test_a_large_picture_becomes_smaller():
    assert read(picture(size=(3000, 1000))).size == (STORED_LOGO_SIZE[0], 300)


def test_nothing_but_pixels_is_kept():
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Author", "somebody's secret")
    data = picture(pnginfo=notes)
    assert b"secret" in data
    assert b"secret" not in read_logo(BytesIO(data), len(data))


# -- The page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "status"),
    [(None, 404), (Role.MEMBER, 403), (Role.ARBITER, 403), (Role.TREASURER, 403), (Role.SECRETARY, 200)],
)
@pytest.mark.parametrize("name", ["letterhead_settings", "letterhead_logo"])
def test_the_secretary_alone(name, role, status, club):
    ClubLetterhead.objects.create(club=club, logo=picture())
    browser = Client()
    if role is None:
        browser.force_login(
            make_user("stranger", make_club("elsewhere", "Elsewhere"), Role.SECRETARY),
            backend="allauth.account.auth_backends.AuthenticationBackend",
        )
    else:
        browser.force_login(make_user("somebody", club, role))
    assert browser.get(reverse(name, args=[club.slug])).status_code == status


def test_visitors_are_sent_to_sign_in_or_away(club):
    assert Client().get(reverse("letterhead_settings", args=[club.slug])).status_code in (302, 404)


def test_everything_is_remembered(sent, club):
    logo = SimpleUploadedFile("logo.jpg", picture("JPEG"), "image/jpeg")
    answer = sent(header="ul. Zmyślona 1", footer="zmyslony.example", language="cs", size="letter", logo_file=logo)
    assert answer.status_code == 302
    wishes = club_print_options(club)
    assert (wishes.language, wishes.size) == ("cs", PaperSize.LETTER)
    assert (wishes.letterhead.header, wishes.letterhead.footer) == ("ul. Zmyślona 1", "zmyslony.example")
    assert wishes.letterhead.logo.startswith("data:image/png;base64,")


def test_the_logo_stays_until_it_is_taken_off(sent, club):
    sent(logo_file=SimpleUploadedFile("logo.png", picture(), "image/png"))
    sent(header="without a file")
    assert ClubLetterhead.objects.get(club=club).logo
    sent(without_logo="on")
    assert not ClubLetterhead.objects.get(club=club).logo


def test_a_refused_logo_changes_nothing(sent, club):
    answer = sent(header="changed", logo_file=SimpleUploadedFile("logo.svg", SVG, "image/png"))
    assert answer.status_code == 422
    assert "a PNG or JPEG image" in answer.content.decode()
    assert not ClubLetterhead.objects.filter(club=club).exists()


def test_a_size_nobody_prints_on_is_refused(sent, club):
    assert sent(size="a3").status_code == 422
    assert not ClubLetterhead.objects.filter(club=club).exists()


def test_a_club_that_chose_nothing_prints_in_its_own_language_on_a4(club):
    club.language = "bg"
    club.save()
    wishes = club_print_options(club)
    assert (wishes.language, wishes.size, wishes.letterhead.logo) == ("bg", PaperSize.A4, "")


def test_what_is_wished_for_this_time_comes_first(club):
    ClubLetterhead.objects.create(club=club, language="cs", size="letter")
    assert (club_print_options(club, language="de", size="a4").language, club_print_options(club, size="a4").size) == (
        "de",
        "a4",
    )
    assert club_print_options(club, size="a3").size == PaperSize.A3
    assert (club_print_options(club, language="tlh").language, club_print_options(club, size="a7").size) == (
        "cs",
        "letter",
    )
