"""A new language's catalogue, its updates, and the languages offered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.core.management import call_command
from django.utils.formats import date_format
from django.utils.translation import override

from clubs.models import Club
from config.languages import available_languages
from config.message_extraction import MessageKey, SourceMessages, extract_messages
from config.translation_catalogues import CatalogueError, catalogue_path, main, update_catalogue
from tests.test_conventions import ROOT

POLISH = """
msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Board"
msgstr "Szachownica"

msgctxt "box of a card"
msgid "Rd"
msgstr "R"

#, python-format
msgid "%(count)s player"
msgid_plural "%(count)s players"
msgstr[0] "%(count)s zawodnik"
msgstr[1] "%(count)s zawodników"
msgstr[2] "%(count)s zawodników"
"""

ASKED = SourceMessages(
    frozenset({MessageKey("box of a card", "Rd"), MessageKey(None, "%(count)s player", "%(count)s players")}),
    texts=frozenset({"Board", "May"}),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With one language, Polish."""
    path = catalogue_path(tmp_path, "pl")
    path.parent.mkdir(parents=True)
    path.write_text(POLISH, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("code", ["xx", "", "../es", "es/../fr", "en", "ES", "klingon"])
def test_what_is_no_language_to_be_begun_writes_nothing(folder, code):
    before = sorted(folder.rglob("*"))
    with pytest.raises(CatalogueError):
        update_catalogue(code, ASKED, folder)
    assert sorted(folder.rglob("*")) == before
    assert main([code]) == 1


def test_a_broken_catalogue_is_left_as_it_is(folder):
    path, _left = update_catalogue("es", ASKED, folder)
    path.write_text('msgid "Board"\nmsgstr "Tablero"\nmsgid\n', encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(CatalogueError, match="es"):
        update_catalogue("es", ASKED, folder)
    assert path.read_bytes() == before


def test_a_language_is_begun_with_every_message_and_its_own_plurals(folder):
    path, left = update_catalogue("es", ASKED, folder)
    assert {message.id for message in left} == {"Board", "Rd", ("%(count)s player", "%(count)s players")}
    with path.open("rb") as file:
        begun = read_po(file, locale="es", abort_invalid=True)
    assert begun.num_plurals == 2
    assert begun.get("Rd", "box of a card") is not None
    assert "python-format" in begun.get(("%(count)s player", "%(count)s players")).flags


def test_bringing_up_keeps_what_is_translated_and_drops_what_nobody_asks_for(folder):
    path, _left = update_catalogue("es", ASKED, folder)
    text = path.read_text(encoding="utf-8").replace('msgid "Board"\nmsgstr ""', 'msgid "Board"\nmsgstr "Tablero"')
    path.write_text(text + '\nmsgid "Clock"\nmsgstr "Reloj"\n', encoding="utf-8")
    _path, left = update_catalogue("es", ASKED, folder)
    assert len(left) == 2
    after = path.read_text(encoding="utf-8")
    assert 'msgstr "Tablero"' in after
    assert "Reloj" not in after


def test_where_nothing_is_new_not_a_byte_changes(folder):
    path, _left = update_catalogue("pl", ASKED, folder)
    before = path.read_bytes()
    assert update_catalogue("pl", ASKED, folder) == (path, [])
    assert path.read_bytes() == before
    assert "@" not in before.decode()


def test_a_new_message_waits_and_a_word_that_now_goes_by_number_too(folder):
    asked = SourceMessages(ASKED.keys | {MessageKey(None, "Clock"), MessageKey(None, "Board", "Boards")}, ASKED.texts)
    _path, left = update_catalogue("pl", asked, folder)
    assert [(message.id, message.string) for message in left] == [(("Board", "Boards"), ("", "", "")), ("Clock", "")]


def test_messages_are_found_in_modules_templates_and_letters(tmp_path):
    module, page, letter = (
        tmp_path / place for place in ("clubs/one.py", "templates/page.html", "templates/letter.txt")
    )
    for path in (module, page, letter):
        path.parent.mkdir(exist_ok=True)
    module.write_text(
        "from django.utils.translation import gettext as _, ngettext, pgettext\n"
        'LABEL = "Label"\n'
        "def said(n):\n"
        '    return _("two" " parts"), ngettext("%(n)s game", "%(n)s games", n), pgettext("a card", "Rd")\n'
    )
    page.write_text(
        "{% load i18n %}<p title=\"{% translate 'quoted' %}\">{% if x %}\n"
        "  {% blocktranslate count n=x %}{{ n }} board{% plural %}{{ n }} boards{% endblocktranslate %}\n"
        ' {% endif %}{% translate "May" context "month" %}{{ y|default:_("none") }}100 %</p>'
    )
    letter.write_text("{% load i18n %}{% blocktranslate %}Dear {{ name }}{% endblocktranslate %}")
    found = extract_messages(tmp_path)
    assert found.keys == {
        MessageKey(None, "two parts"),
        MessageKey(None, "%(n)s game", "%(n)s games"),
        MessageKey("a card", "Rd"),
        MessageKey(None, "quoted"),
        MessageKey(None, "%(n)s board", "%(n)s boards"),
        MessageKey("month", "May"),
        MessageKey(None, "none"),
        MessageKey(None, "Dear %(name)s"),
    }
    assert {"Label", "Yes"} <= found.texts, "of a module, and of Django"


def test_a_folder_is_a_language(folder):
    assert available_languages(folder) == [("en", "English"), ("pl", "polski")]
    update_catalogue("uk", ASKED, folder)
    update_catalogue("es", ASKED, folder)
    assert [code for code, _name in available_languages(folder)] == ["en", "es", "pl", "uk"]


@pytest.mark.django_db
@pytest.mark.one_database
def test_another_language_needs_no_migration(settings):
    settings.LANGUAGES = [*settings.LANGUAGES, ("eo", "esperanto")]
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    Club(name="Klubo", slug="klubo", language="eo").full_clean()


def test_every_folder_of_ours_is_offered(settings):
    assert dict(settings.LANGUAGES).keys() == {"en", *(path.name for path in (ROOT / "locale").iterdir())}


def test_months_that_a_language_writes_in_its_own_way_stay(folder):
    path, _left = update_catalogue("it", ASKED, folder)
    with path.open("a", encoding="utf-8") as file:
        file.write('\nmsgctxt "alt. month"\nmsgid "May"\nmsgstr "maggio"\n\nmsgid "gone"\nmsgstr "sparito"\n')
    again = update_catalogue("it", ASKED, folder)[0].read_text(encoding="utf-8")
    assert '"maggio"' in again
    assert "sparito" not in again


@pytest.mark.parametrize(
    ("language", "day", "in_month", "evening"),
    [
        ("en", "3 May 2026", "3 May", "3 May 2026, 18:05"),
        ("pl", "3 maja 2026", "3 maja", "3 maja 2026, 18:05"),
        ("cs", "3. května 2026", "3. května", "3. května 2026, 18:05"),
        ("bg", "3 май 2026 г.", "3 май", "3 май 2026 г., 18:05"),
        ("de", "3. Mai 2026", "3. Mai", "3. Mai 2026, 18:05"),
        ("es", "3 de mayo de 2026", "3 de mayo", "3 de mayo de 2026 a las 18:05"),
        ("fr", "3 mai 2026", "3 mai", "3 mai 2026 18:05"),
        ("it", "3 maggio 2026", "3 maggio", "3 maggio 2026, 18:05"),
        ("uk", "3 травня 2026 р.", "3 травня", "3 травня 2026 р., 18:05"),
    ],
)
def test_days_and_clocks_are_as_each_language_writes_them(language, day, in_month, evening):
    time = datetime(2026, 5, 3, 18, 5)
    with override(language):
        written = [date_format(time, style) for style in ("DATE_FORMAT", "MONTH_DAY_FORMAT", "DATETIME_FORMAT")]
    assert written == [day, in_month, evening]
