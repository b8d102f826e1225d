"""The words of the demo club, in English and in Polish. The names are invented: they are pieces, squares and moves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTexts:
    """The demo club in one language. `members` are lines: family name; given name; sex; rating; federation; title;
    birth year.
    """

    language: str
    slug: str
    name: str
    city: str
    federation: str
    email: str
    currency: str
    bank_account: str
    finished_event: str
    running_event: str
    chief_arbiter: str
    forbidden_pair_remark: str
    series: str
    rating_list: str
    national_id_prefix: str
    members: str


ENGLISH = DemoTexts(
    language="en",
    slug="rook-lane",
    name="Rook Lane Chess Club",
    city="Castlewick",
    federation="ENG",
    email="treasurer@rook-lane.example",
    currency="GBP",
    bank_account="GB82 WEST 1234 5698 7654 32",
    finished_event="White Rook Memorial",
    running_event="Rook Lane Tuesdays",
    chief_arbiter="Clockmaker, Chester",
    forbidden_pair_remark="brother and sister",
    series="Rook Lane Grand Prix",
    rating_list="National list",
    national_id_prefix="EN",
    members="""
Castlewright;Beatrix;w;2287;ENG;WGM;1984
Rookwell;Wilfred;m;2241;ENG;FM;1979
Bishopsgate;Edmund;m;2208;ENG;FM;1988
Arrowmere;Zoë;w;2176;ENG;WIM;1991
Towersby;Swithin;m;2154;ENG;CM;1968
Queensbury-Pawnham;Percival;m;2131;ENG;;1975
Knightingale-Horseley;Philippa Jane;w;2098;SCO;WFM;1996
Kingsmere;Ansel;m;2077;ENG;;1982
Checkerfield;Silas;m;2054;ENG;;1957
Castling;Florence;w;2033;WAL;;1989
Ponyfield;Dorothea;w;2018;ENG;;1999
Officersleigh;Desmonda;w;1996;ENG;WCM;1994
Matebury;Lucas;m;1985;ENG;;1963
Rookley;Dunstan;m;1972;ENG;;1971
Gambitt;Jasper;m;1954;SCO;;1986
Pawnsworth;Cuthbert;m;1941;ENG;;1977
Castleton-Shortside;Griselda;w;1927;ENG;;1993
Figurine;Conrad;m;1913;IRL;;1952
Pawnbridge-Passed;Drusilla Willow;w;1898;ENG;;2001
Ladyman;Ogden;m;1884;ENG;;1966
Zugswang;Mortimer;m;1871;ENG;;1990
Horseman;Lancelot;m;1857;WAL;;1983
Staleman;Zenobia;w;1842;ENG;;1987
Coltsworth;Clementine;w;1826;ENG;;2003
Piecely;Sebastian;m;1811;ENG;;1949
Boardwell;Rosalind;w;1796;ENG;;1980
Diagonall;Eggert;m;1779;ENG;;1973
Castleman;Lucian;m;1764;SCO;;1998
Drawbridge;Lavinia;w;1748;ENG;;1992
Stalewright-Move;Beatrice;w;1731;ENG;;1985
Tempoley;Oscar;m;1713;ENG;;2005
Mateley;Rachelle;w;1698;ENG;;2002
Clockmaker;Chester;m;1677;ENG;;1961
Pawnley;Gregor;m;1659;ENG;;1978
Openfield;Daphne;w;1636;ENG;;2004
Gambitson;Niamh;w;1612;IRL;;2006
Movewell;Zachary;m;1588;ENG;;1955
Bishopley;Duncan;m;1561;ENG;;2000
Squareman;Georgina;w;1537;ENG;;2008
Walkwell;Sherwin;m;1504;ENG;;2007
Beginner;Gilbert;m;1450;ENG;;2010
Novice;Nancy;w;1400;ENG;;2011
Chessman;Ian;m;0;ENG;;2012
Firstgrade;Jason;m;0;ENG;;2013
""",
)
POLISH = DemoTexts(
    language="pl",
    slug="pod-wieza",
    name="Klub Szachowy „Pod Wieżą”",
    city="Zamatowice",
    federation="POL",
    email="skarbnik@pod-wieza.example",
    currency="PLN",
    bank_account="PL61 1090 1014 0000 0712 1981 2874",
    finished_event="Memoriał Białej Wieży",
    running_event="Wtorki pod Wieżą",
    chief_arbiter="Zegarowicz, Ćwiercimir",
    forbidden_pair_remark="rodzeństwo",
    series="Grand Prix Pod Wieżą",
    rating_list="PZSz",
    national_id_prefix="PL",
    members="""
Arcymistrzowska;Bogumiła;w;2287;POL;WGM;1984
Hetmański;Wieńczysław;m;2241;POL;FM;1979
Топалски-Шахов;Любомир;m;2208;BUL;FM;1988
Střelcová;Žofie;w;2176;CZE;WIM;1991
Wieżyński;Świętopełk;m;2154;POL;CM;1968
Dámský;Přemysl;m;2131;CZE;;1975
Gońcowska-Skoczkowa;Świętosława Żaneta;w;2098;POL;WFM;1996
Царев;Асен;m;2077;BUL;;1982
Szachownicki;Zdzisław;m;2054;POL;;1957
Rošádová;Květoslava;w;2033;CZE;;1989
Konikowiak;Ździsława;w;2018;POL;;1999
Офицерова;Десислава;w;1996;BUL;WCM;1994
Matowicz;Łucjan;m;1985;POL;;1963
Věžička;Dobromil;m;1972;CZE;;1971
Gambitowski;Jaczemir;m;1954;POL;;1986
Пешков;Цветан;m;1941;BUL;;1977
Roszadzka;Grzymisława;w;1927;POL;;1993
Figurka;Ctibor;m;1913;CZE;;1952
Pionkiewicz-Przelotowa;Dobrochna Wielisława;w;1898;POL;;2001
Ладиев;Огнян;m;1884;BUL;;1966
Zugzwangowicz;Mścisław;m;1871;POL;;1990
Jezdecký;Vlastislav;m;1857;CZE;;1983
Patowska;Żywia;w;1842;POL;;1987
Конева;Цветелина;w;1826;BUL;;2003
Bierka;Ściborzysław;m;1811;POL;;1949
Šachovnicová;Růžena;w;1796;CZE;;1980
Przekątny;Ęgiert;m;1779;POL;;1973
Рокадов;Светлозар;m;1764;BUL;;1998
Remisowa;Łada;w;1748;POL;;1992
Patová-Tahová;Božislava;w;1731;CZE;;1985
Tempowski;Óskar;m;1713;POL;;2005
Матова;Ралица;w;1698;BUL;;2002
Zegarowicz;Ćwiercimir;m;1677;POL;;1961
Pěšec;Řehoř;m;1659;CZE;;1978
Otwarta;Dąbrówka;w;1636;POL;;2004
Гамбитова;Невена;w;1612;BUL;;2006
Ruchowski;Zawisza;m;1588;POL;;1955
Diagonála;Ďuro;m;1561;CZE;;2000
Kratka;Jagna;w;1537;POL;;2008
Ходов;Щерю;m;1504;BUL;;2007
Debiutant;Żelisław;m;1450;POL;;2010
Nováčková;Ňusja;w;1400;CZE;;2011
Szach;Jan;m;0;POL;;2012
Първокласников;Ясен;m;0;BUL;;2013
""",
)


def demo_texts(language: str | None) -> DemoTexts:
    """Return the demo texts in this language."""
    return POLISH if language == POLISH.language else ENGLISH
