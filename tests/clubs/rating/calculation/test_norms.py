"""Title norms, compared with the tables of FIDE's title regulations (B.01, 2024) and their annex for nine rounds."""

from __future__ import annotations

import pytest

from clubs.rating.calculation.norms import NormArticle, NormGame, check_norm


def games(
    count: int = 9,
    *,
    half_points: int = 14,
    rating: int = 2400,
    titles: str = "GM GM GM IM IM",
    federations: str = "CZE GER",
) -> list[NormGame]:
    """So many games: titles for the first opponents, federations in turn, points in the first games."""
    held, from_where = titles.split(), federations.split()
    return [
        NormGame(
            rating=rating,
            title=held[place] if place < len(held) else "",
            federation=from_where[place % len(from_where)],
            score=max(0, min(2, half_points - 2 * place)),
        )
        for place in range(count)
    ]


def missing(title: str, played: list[NormGame], federation: str = "POL", **more: int) -> dict[str, tuple[int, int]]:
    result = check_norm(title, played, federation=federation, **more)
    return {each.article: (each.actual, each.required) for each in result.missing}


# -- Not a norm ------------------------------------------------------------------------------------------------------


def test_without_a_game_there_is_nothing_to_say():
    assert check_norm("GM", [], federation="POL") is None


def test_eight_games_are_too_few_but_for_the_exception():
    played = games(8, half_points=14, rating=2500, titles="GM GM GM IM IM")
    assert missing("GM", played) == {NormArticle.GAMES: (8, 9)}
    assert missing("GM", played, min_games=8) == {}


# The annex for nine rounds: the average rating that the opponents must have for a score (in half points).
ANNEX_9 = {
    "GM": [(14, 2380), (13, 2434), (12, 2475), (11, 2520), (10, 2557), (9, 2600), (8, 2643), (7, 2680)],
    "IM": [(14, 2230), (13, 2284), (12, 2325), (11, 2370), (10, 2407), (9, 2450), (8, 2493), (7, 2530)],
    "WGM": [(14, 2180), (13, 2234), (12, 2275), (11, 2320), (10, 2357), (9, 2400), (8, 2443), (7, 2480)],
    "WIM": [(14, 2030), (13, 2084), (12, 2125), (11, 2170), (10, 2207), (9, 2250), (8, 2293), (7, 2330)],
}


@pytest.mark.parametrize(
    ("title", "half_points", "average"), [(title, *line) for title, lines in ANNEX_9.items() for line in lines]
)
def test_the_average_of_the_annex_is_enough_and_one_point_less_is_not(title, half_points, average):
    assert missing(title, games(half_points=half_points, rating=average)) == {}
    assert missing(title, games(half_points=half_points, rating=average - 1))


def test_below_a_third_of_the_points_no_opponents_are_strong_enough():
    assert missing("GM", games(half_points=6, rating=2900)) == {NormArticle.SCORE: (33, 35)}


def test_a_perfect_score_against_weak_opponents_is_none():
    assert missing("GM", games(half_points=18, rating=2379)) == {NormArticle.AVERAGE: (2379, 2380)}


# Games; minimum of titled opponents and of norm titles; maximum from the own and from any one federation: 1.4.4, 1.4.5.
COUNTS = [(9, 5, 3, 5, 6), (10, 5, 4, 6, 6), (11, 6, 4, 6, 7), (12, 6, 4, 7, 8), (13, 7, 5, 7, 8)]


@pytest.mark.parametrize(("count", "titled", "of_rank", "own", "one"), COUNTS)
def test_how_many_hold_titles(count, titled, of_rank, own, one):
    enough = " ".join(["GM"] * of_rank + ["FM"] * (titled - of_rank))
    assert missing("GM", games(count, half_points=2 * count, titles=enough)) == {}
    one_less = " ".join(["GM"] * (of_rank - 1) + ["FM"] * (titled - of_rank))
    assert missing("GM", games(count, half_points=2 * count, titles=one_less)) == {
        NormArticle.TITLED: (titled - 1, titled),
        NormArticle.QUALIFYING_TITLES: (of_rank - 1, of_rank),
    }


@pytest.mark.parametrize(("count", "titled", "of_rank", "own", "one"), COUNTS)
def test_how_many_come_from_one_federation(count, titled, of_rank, own, one):
    def mixed(first: str, of_first: int) -> list[NormGame]:
        others = ["CZE", "GER"] * count
        return games(
            count,
            half_points=2 * count,
            titles="GM " * count,
            federations=" ".join([first] * of_first + others[: count - of_first]),
        )

    assert missing("GM", mixed("POL", own)) == {}
    assert missing("GM", mixed("POL", own + 1))[NormArticle.OWN_FEDERATION] == (own + 1, own)
    assert missing("GM", mixed("HUN", one)) == {}
    assert missing("GM", mixed("HUN", one + 1)) == {NormArticle.ONE_FEDERATION: (one + 1, one)}


@pytest.mark.parametrize("federations", ["CZE POL", "CZE FID POL", "POL CZE POL FID CZE"])
def test_one_foreign_federation_is_not_two_and_fides_flag_is_none(federations):
    assert missing("GM", games(federations=federations))[NormArticle.FOREIGN_FEDERATIONS] == (1, 2)


def test_candidate_masters_hold_no_title_here():
    played = games(titles="GM GM GM CM WCM CM", half_points=14)
    assert missing("GM", played) == {NormArticle.TITLED: (3, 5)}


@pytest.mark.parametrize(
    ("title", "held", "fits"),
    [
        *(("GM", "IM", False), ("GM", "WGM", False), ("IM", "WGM", False), ("IM", "GM", True), ("IM", "IM", True)),
        *(("WGM", "WIM", False), ("WGM", "WGM", True), ("WIM", "WIM", True), ("WIM", "FM", False), ("WIM", "GM", True)),
    ],
)
def test_which_titles_are_of_rank(title, held, fits):
    played = games(titles=f"{held} " * 9, half_points=18)
    assert (NormArticle.QUALIFYING_TITLES not in missing(title, played)) == fits


# -- The lowest opponent ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("title", "floor"), [("GM", 2200), ("IM", 2050), ("WGM", 2000), ("WIM", 1850)])
def test_the_lowest_opponent_alone_is_raised_to_the_floor(title, floor):
    strong = games(8, rating=2500)
    two_weak = [NormGame(rating=rating, title="", federation="CZE", score=2) for rating in (1500, 1600)]
    for weak in ([two_weak[0]], two_weak):
        played = strong + weak
        wanted = (8 * 2500 + floor + sum(game.rating for game in weak[1:]) + len(played) / 2) // len(played)
        assert check_norm(title, played, federation="POL").performance.average_opponent == wanted


def test_an_unrated_opponent_counts_1400_or_the_floor():
    unrated = NormGame(rating=0, title="", federation="CZE", score=2)
    once = check_norm("GM", [*games(8, rating=2500), unrated], federation="POL")
    twice = check_norm("GM", [*games(8, rating=2500), unrated, unrated], federation="POL")
    assert once.performance.average_opponent == round((8 * 2500 + 2200) / 9)
    assert twice.performance.average_opponent == round((8 * 2500 + 2200 + 1400) / 10)
