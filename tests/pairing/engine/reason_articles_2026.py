"""The article of each reason of `dutch-2026`, from its cause and its facts.

Whether the cause itself is true is derived anew elsewhere: criteria in `reason_criteria_2026.py`, obstacles and colours
in `reason_checks.py`.
"""

from __future__ import annotations

from pairing.engine.paired_round import ColourCause, DecisionCause, PairingReason, ReasonKind

COLOURS = {
    ColourCause.BOTH_DUE: "5.2.1",
    ColourCause.ONLY_ONE_DUE: "5.2.1",
    ColourCause.ABSOLUTE: "5.2.2",
    ColourCause.STRONGER: "5.2.2",
    ColourCause.DIFFERENCE: "5.2.2",
    ColourCause.HISTORY: "5.2.3",
    ColourCause.HIGHER_PLAYER: "5.2.4",
    ColourCause.NUMBER_PARITY: "5.2.5",
}
OBSTACLES = {DecisionCause.MET: "C1", DecisionCause.FORBIDDEN: "C1", DecisionCause.SAME_ABSOLUTE_COLOUR: "C3"}
WITHOUT_PLAY = (DecisionCause.HAD_BYE, DecisionCause.HAD_POINT_WITHOUT_PLAY)
MAY_BE = {
    DecisionCause.BLOCKS_REST: ("C4",),
    DecisionCause.HIGHER_BYE: ("C5",),
    DecisionCause.BLOCKS_GROUP: ("C6", "C4"),
    DecisionCause.LOOK_AHEAD: ("C8",),
    DecisionCause.ODD_GROUP: ("C6",),
    DecisionCause.NO_OPPONENT: ("C1", "C3", "C6"),
    DecisionCause.BETTER_CANDIDATE: ("4.2", "4.3", "4.4"),
    DecisionCause.FLOATED_BEFORE: ("C14", "C15", "C16", "C17", "C19", "C21"),
    DecisionCause.SAME_DUE_COLOUR: ("C12", "C13"),
}
"""Where the snapshot decides among several: the article has to be one of these."""


def article_of(why: PairingReason) -> str:
    """The number without the system's name; AssertionError for a kind that the system does not have."""
    number = why.article.removeprefix("dutch-2026 ")
    match why.kind:
        case ReasonKind.SCORE_GROUP:
            return "1.3"
        case ReasonKind.BYE:
            return "C5"
        case ReasonKind.MOVED_TO_HALF | ReasonKind.EXCHANGES_TRIED:
            return "4.3"
        case ReasonKind.LACK_OPPONENTS:
            return "C4"
        case ReasonKind.OPPONENT:
            passed = why.get_fact("place") > 1
            if why.get_fact("step") == "exchange":
                return "4.3"
            assert why.get_fact("step") == "moved down" or passed == (why.get_fact("step") == "transposition")
            return "4.2" if passed else "3.3"
        case ReasonKind.COLOUR:
            return COLOURS[ColourCause(why.get_fact("because"))]
    cause = DecisionCause(why.get_fact("because"))
    if cause is DecisionCause.WORSE_BY_CRITERION:
        return str(why.get_fact("criterion"))
    if cause in WITHOUT_PLAY:
        return "C2"
    if cause in OBSTACLES:
        return OBSTACLES[cause]
    allowed = MAY_BE[cause]
    return number if number in allowed else allowed[0]
