"""Invented names in eight languages, each spelt as in its country, as in rating lists and as in other countries.

The tables of letters are those that countries use for foreign names (the German one is Duden's, the French and Polish
ones those of their newspapers, "passport" is ICAO 9303), written without a look at what the search makes of them.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeltName:
    """A player's name in the alphabet of a language."""

    language: str
    family: str
    given: str

    def written(self, manner: str) -> tuple[str, str]:
        """Family and given name in another spelling, one of the language's `manners`."""
        change = _MANNERS[self.language][manner]
        return change(self.family).title(), change(self.given).title()

    @property
    def manners(self) -> tuple[str, ...]:
        return tuple(_MANNERS[self.language])


LISTED = {"cyrillic": ("FIDE", "FIDE", "passport", "letter by letter"), "latin": ("two letters", "plain")}
"""How rating lists write: Cyrillic mostly as FIDE, Latin letters without marks, by habit as two or as one."""


def spelt_names(count: int, *, seed: int = 4) -> Iterator[tuple[SpeltName, str]]:
    """So many names, each with its spelling in the list."""
    chance = random.Random(seed)
    languages = tuple(_FAMILIES)
    for _place in range(count):
        language = chance.choice(languages)
        stem, ending = chance.choice(_FAMILIES[language]), chance.choice(_ENDINGS[language])
        name = SpeltName(language=language, family=stem + ending, given=chance.choice(_GIVEN[language]))
        manners = LISTED["cyrillic" if language in _CYRILLIC else "latin"]
        yield name, chance.choice(manners)


# -- Letters -----------------------------------------------------------------------------------------------------------

_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїє"
_TABLES = {
    "FIDE": "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya e i yi ye",
    "passport": "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y - e iu ia e i i ie",
    "German": "a b w g d e sch s i j k l m n o p r s t u f ch z tsch sch schtsch - y - e ju ja jo i ji je",
    "Polish": "a b w g d e ż z i j k ł m n o p r s t u f ch c cz sz szcz - y - e ju ja io i ji je",
    "Czech": "a b v g d e ž z i j k l m n o p r s t u f ch c č š šč - y - e ju ja jo i ji je",
    "French": "a b v g d e j z i ï k l m n o p r s t ou f kh ts tch ch chtch - y - e iou ia io i ï ie",
}
_BY_LAW = {
    # Ukraine's resolution of 2010 and Bulgaria's law of 2009, which FIDE follows; other languages use the same sounds.
    "Ukrainian": {"г": "h", "и": "y"},
    "Bulgarian": {"ъ": "a", "щ": "sht", "х": "h"},
}


def _table(values: str) -> dict[int, str]:
    return {ord(letter): value.replace("-", "") for letter, value in zip(_LETTERS, values.split(), strict=True)}


def _by_table(values: str, language: str, *, is_short: bool = True) -> Callable[[str], str]:
    table = _table(values) | {ord(letter): value for letter, value in _BY_LAW.get(language, {}).items()}

    def change(name: str) -> str:
        small = name.lower()
        # Newspapers and FIDE write a final -ий or -ый with one letter, and кс as x.
        for ending in ("ий", "ый", "ій"):
            if is_short and small.endswith(ending):
                small = small[:-2] + "y"
        return (small.replace("кс", "x") if is_short else small).translate(table)

    return change


def _own(name: str) -> str:
    return name


def _plain(name: str) -> str:
    """Letters without their marks."""
    singles = unicodedata.normalize("NFD", _replaced(name, {"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae"}))
    return "".join(letter for letter in singles if not unicodedata.combining(letter))


def _two_letters(name: str) -> str:
    """German and Nordic letters as two, others without marks."""
    twos = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
    return _plain(_replaced(name, twos))


def _replaced(name: str, letters: dict[str, str]) -> str:
    return "".join(letters.get(letter, letter) for letter in name.lower())


def _cyrillic(language: str) -> dict[str, Callable[[str], str]]:
    foreign = {name: _by_table(values, language) for name, values in _TABLES.items()}
    return {"own": _own, **foreign, "letter by letter": _by_table(_TABLES["FIDE"], language, is_short=False)}


_CYRILLIC = ("Russian", "Ukrainian", "Bulgarian")
_MANNERS: dict[str, dict[str, Callable[[str], str]]] = {
    **{language: _cyrillic(language) for language in _CYRILLIC},
    **{
        language: {"own": _own, "two letters": _two_letters, "plain": _plain}
        for language in ("German", "Nordic", "Polish", "Czech", "Hungarian")
    },
}

# -- Names: stems and endings of families, given names ---------------------------------------------------------------

_FAMILIES = {
    language: tuple(stems.split())
    for language, stems in {
        "Russian": "Шевч Щербак Черныш Жук Хохл Юрь Яковл Цветк Соловь Кузнец Воробь Григорь Зайц Михайл Журавл Быстр"
        " Рыж Чайк Хвост Шишк Ключ Гусь Лебед Ворон Щук Ерш Окун Чижик Дятл Сыч Филин Жаворонк Лягушк Барсук Волч"
        " Медвед Лисиц Белк Ежик Комар Муравь Паук Жужел Стрекоз Цапл Кулик Утк Чернух Пшениц Овсян Гречих Просян",
        "Ukrainian": "Шевч Щерб Чорн Жайвор Хмель Юрч Яким Цвір Солов Ковал Гороб Григор Зайч Михайл Журав Бистр Рижк"
        " Чумач Харч Шишк Ключ Гусь Лебед Ворон Щур Єрш Їжач Кравч Бондар Гончар Мельнич Ткач Лисич Вовч Ведмед",
        "Bulgarian": "Жеч Цон Щер Юлиян Яким Църн Ръж Гълъб Кън Вълч Христ Чавдар Шиш Желяз Гърбач Пъст Дълбок Янк",
        "German": "Müll Schäf Größ Böhm Jäg Köhl Krüg Bäck Schröd Vög Zieg Weiß Preuß Strauß Hübn Löffl Kühn Günth Büch"
        " Dörf Förs Gärtn Häus Kött Lüd Mähl Nöck Pröll Rösl Süß Töpf Wächt Zöll Schütz Fröhl Möck Äpf Öchsl"
        " Übl Scheff",
        "Nordic": "Sør Møll Bjørk Åk Hågen Næss Bær Kjær Sjö Sjöb Grön Ström Öst Väst Hägg Älv Lång Nygård Skår Ødeg"
        " Fjær Rød Grøn Lærk Skjød Vång Åström Bergstrøm Hø Tjär Björk Dybdå Østerg Sæth Tørr Mårt Gåsv Hvål Røyk",
        "Polish": "Łoś Żur Śliw Ćwik Źreb Gąsior Wąs Węgrz Kłos Błasz Żaków Świerk Cieśl Dąbr Gołęb Jabłoń Kądzioł Łęc"
        " Mączk Nędz Ogórk Pączk Różań Sójk Trzęs Wróbl Zając Żbik Grzyb Szczyg Brzoz Chrząszcz Krzyż Trzcin",
        "Czech": "Šťastn Řeh Ďur Čech Dvořá Žiž Kří Růž Hříb Březin Cvrč Doubravk Havrán Jeřáb Kos Křeč Ledňá Mráč"
        " Ořech"
        " Pěnk Rychlí Skřiván Špač Třešň Úhoř Včel Zají Žáb Čáp Ještěr Šneč Želv Jedlič Smrč",
        "Hungarian": "Szőr Kővár Gyöng Tóth Nagyréti Kéri Fehérvár Zöldi Sárköz Bíró Völgy Erdős Hegyes Körtvély Szűcs"
        " Mészár Kádár Bognár Süveg Ötvös Üveges Csíkos Dióss Füvess Győri Hársfa Jávor",
    }.items()
}
_ENDINGS = {
    "Russian": ("ов", "ев", "ин", "енко", "овский", "ёв", "ова", "ева", "ина", "овская"),
    "Ukrainian": ("енко", "ук", "ів", "ський", "чук", "ик", "івський", "ська"),
    "Bulgarian": ("ев", "ов", "ева", "ова", "ински", "енски", "чев", "чева"),
    "German": ("er", "ner", "mann", "le", "bach", "inger", "eck", "hoff", "feld", "müller", "höfer", "städter"),
    "Nordic": ("sen", "ssen", "berg", "ström", "strand", "gård", "dahl", "lund", "quist", "vik", "sæter", "nes", "by"),
    "Polish": ("ski", "ska", "ak", "czyk", "owski", "owska", "iewicz", "ek", "ówna", "yński", "ała", "niak"),
    "Czech": ("ý", "á", "ek", "ková", "ík", "íček", "ovský", "ička", "áček", "ová", "oň", "án"),
    "Hungarian": ("i", "y", "ffy", "házi", "falvi", "szegi", "völgyi", "kői", "vári", "ös"),
}
_GIVEN = {
    language: tuple(names.split())
    for language, names in {
        "Russian": "Сергей Дмитрий Алексей Юлия Евгений Андрей Наталья Василий Георгий Михаил Юрий Ярослав Екатерина"
        " Александр Хачатур Эдуард Яна Виталий Геннадий Людмила Татьяна Фёдор Пётр Григорий Илья Аркадий Ирина Ольга",
        "Ukrainian": "Сергій Дмитро Олексій Юлія Євген Андрій Наталія Василь Георгій Михайло Юрій Ярослав Катерина"
        " Олександр Їжакевич Захар Яна Віталій Геннадій Людмила Тетяна Федір Петро Григорій Ілля Ірина Ольга Богдан",
        "Bulgarian": "Петър Юлиян Мария Христо Живко Цветан Румяна Йордан Димитър Асен Галина Щилиян Янко Чавдар Софья",
        "German": "Jürgen Günther Jörg Björn Käthe Bärbel Ute Hans Matthias Götz Rüdiger Sören Thorsten"
        " Christoph Grete",
        "Nordic": "Søren Jørgen Åse Bjørn Øyvind Kåre Håkon Göran Björn Åke Märta Ragnhild Torbjørn"
        " Sigrid Henrik Solveig",
        "Polish": "Łukasz Żaneta Świętosław Grażyna Wiesław Stanisław Małgorzata Michał Paweł Józef Agnieszka"
        " Jędrzej Zdzisław",
        "Czech": "Jiří Ďuro Václav Květa Lukáš Ondřej Matěj Štěpán Žofie Bohuslav Zdeněk Růžena Luboš Tomáš Jáchym",
        "Hungarian": "Győző Zoltán László György Ildikó Péter Zsuzsa Jenő Béla Ágnes Tünde Gergő Ödön Judit Sándor",
    }.items()
}
