"""Names as sentences give them."""

from __future__ import annotations

import pytest

from pairing.explanations.named_reasons import names_in_sentences


@pytest.mark.parametrize(
    ("listed", "spoken"),
    [
        ("Rookley, Dunstan", "Dunstan Rookley"),
        ("Knightingale-Horseley, Philippa Jane", "Philippa Jane Knightingale-Horseley"),
        ("Измислен, Петър", "Петър Измислен"),
        ("Chessman", "Chessman"),
        ("Ian Chessman", "Ian Chessman"),
        ("Chessman,", "Chessman,"),
        ("Chessman, Jr.", "Chessman, Jr."),
        ("Chessman, Ian, Jr.", "Chessman, Ian, Jr."),
    ],
)
def test_the_given_name_comes_first_if_it_is_known(listed, spoken):
    assert names_in_sentences({7: listed}) == {7: spoken}
