"""Names in Latin letters: the examples of laws and manuals, combined letters, and letters without a rule."""

from __future__ import annotations

import pytest

from common.text.latin_letters import is_latin, transliterate_name


@pytest.mark.parametrize("name", ["王, 五", "כהן", "Абв 王"])
def test_a_script_without_a_rule_is_not_guessed(name):
    assert transliterate_name(name) is None
    assert not is_latin(name)


@pytest.mark.parametrize(
    ("name", "country", "latin"),
    [
        # From Ukraine's resolution 55.
        ("Згорани Розгон", "UKR", "Zghorany Rozghon"),
        ("Єнакієве Їжакевич Йосипівка Стрий", "UKR", "Yenakiieve Yizhakevych Yosypivka Stryi"),
        ("Знам'янка, Костянтин", "UKR", "Znamianka, Kostiantyn"),
        # Bulgaria's law: final -ия is -ia, within a word -iya-.
        ("София, Илияна Щърбева-Жечева", "BUL", "Sofia, Iliyana Shtarbeva-Zhecheva"),
        # ICAO's table, for players whose country has no rule of its own here.
        ("Щукин, Юрий", "", "Shchukin, Iurii"),
        ("ЩУКИН, Ю.", "KAZ", "SHCHUKIN, Iu."),
        ("Ђурић, Љиљана", "SRB", "Đurić, Ljiljana"),
        ("Παπαδόπουλος, Ευάγγελος", "GRE", "Papadopoulos, Evangelos"),
        ("Μπούρας, Αυτουργός", "GRE", "Bouras, Aftourgos"),
        ("ბერიძე, ნინო", "GEO", "Beridze, Nino"),
        ("Սարգսյան, Ոսկան", "ARM", "Sargsyan, Voskan"),
        ("Żółć, Łucja", "BUL", "Żółć, Łucja"),
    ],
)
def test_names_are_written_by_their_country(name, country, latin):
    assert transliterate_name(name, country) == latin
    assert is_latin(latin)
