"""Are the reasons sufficient? Cases for a reader who must name the opponent: `python -m lab.naming_trial FOLDER`.

Writes two files a system: `cases_SYSTEM.md` for the reader, twenty boards of twenty made-up events with the event
before the round and all that the replay says of the board, and `key_SYSTEM.json` with the answers. One of the two
players is hidden: `[?]` stands for his name and number wherever a sentence speaks of him, and for his rating. Only the
lists of a whole group (who is still to be paired; Jahr's order) name everybody, for a list without him would betray
him. The same seed gives the same files. `--judge` holds `answers_SYSTEM.json`, an object of case to name or number,
against the keys.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from pairing.cli.standalone_runner import _sentences as start_the_words
from pairing.engine.paired_round import PairedRound, PairingReason, ReasonKind
from pairing.engine.pairing_trace import TraceStep, TraceStepKind, trace_pairing_steps
from pairing.engine.simulator import SIMULATION_PRESETS, SimulationPlan, simulate_event
from pairing.engine.snapshot import Colour, PairingCard, RoundRecord, TournamentSnapshot
from pairing.engine.systems import SWISS_SYSTEMS

CASES = 20
HIDDEN = "[?]"
REGIMES = ("plain", "byes", "forfeits", "retirements", "late", "unrated", "draws")
_SYLLABLES = (
    "ba",
    "de",
    "fi",
    "go",
    "ka",
    "lu",
    "mo",
    "ne",
    "pi",
    "ra",
    "su",
    "to",
    "va",
    "wi",
    "zo",
    "dra",
    "ste",
    "bri",
)
_ENDS = ("n", "r", "k", "l", "s", "nt", "rd", "m")
_EXCHANGES = (ReasonKind.EXCHANGED, ReasonKind.MOVED_TO_HALF, ReasonKind.COLUMN)
_WHOLE_LISTS = (ReasonKind.ORDER,)
_RATINGS = ("rating", "chosen_rating", "other_rating")
_LISTED_RATINGS = {"ratings": None, "compared_ratings": "compared", "candidate_ratings": "candidates"}
"""Facts with one rating for each player of another fact, or of the reason itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board suitable for a question, and its kind."""

    snapshot: TournamentSnapshot
    made: PairedRound
    pair: TraceStep
    kind: str
    origin: str


def boards(system: str, seed: int) -> Iterator[Board]:
    """The boards of one event from round 3 on for which somebody had a choice."""
    chance = Random(f"{system} {seed}")
    regime = REGIMES[seed % len(REGIMES)]
    plan = SimulationPlan(
        players=chance.randrange(10, 19),
        rounds=chance.randrange(5, 8),
        system=system,
        seed=seed,
        ends_early=True,
        **SIMULATION_PRESETS[regime],
    )
    rounds: list[tuple[TournamentSnapshot, PairedRound]] = []

    def pair(snapshot: TournamentSnapshot) -> PairedRound:
        made = SWISS_SYSTEMS[system](snapshot)
        rounds.append((snapshot, made))
        return made

    simulate_event(plan, pair)
    for snapshot, made in rounds[2:]:
        for step in trace_pairing_steps(made):
            if step.kind is TraceStepKind.PAIR and len(step.waiting) >= 4:
                origin = f"{regime}, seed {seed}, round {snapshot.round_number}"
                yield Board(snapshot=snapshot, made=made, pair=step, kind=_kind(made, step), origin=origin)


def chosen(system: str, first_seed: int) -> list[tuple[Board, Random]]:
    """Twenty boards from twenty events: equal numbers of each kind if possible."""
    found: list[tuple[Board, Random]] = []
    wanted = Counter({"plain": 4, "passed over": 6, "floater": 6, "exchange": 4})
    for seed in range(first_seed, first_seed + 400):
        if seed == first_seed + 100:
            # Not every system exchanges players.
            wanted["passed over"] += wanted.pop("exchange", 0)
        chance = Random(f"choice {system} {seed}")
        there = list(boards(system, seed))
        chance.shuffle(there)
        open_kinds = +wanted
        board = next((each for each in there if each.kind in open_kinds), None)
        if board is not None:
            wanted[board.kind] -= 1
            found.append((board, chance))
        if len(found) == CASES:
            return found
    raise SystemExit(f"{system}: only {len(found)} boards found")


def _kind(made: PairedRound, pair: TraceStep) -> str:
    (game,) = (each for each in made.games if {each.white, each.black} == set(pair.players))
    kinds = {why.kind for why in game.reasons}
    if ReasonKind.FLOATED in kinds:
        return "floater"
    if kinds & set(_EXCHANGES):
        return "exchange"
    return "passed over" if ReasonKind.PASSED_OVER in kinds else "plain"


class Case:
    """One board as shown to the reader."""

    def __init__(self, board: Board, chance: Random) -> None:
        self.board = board
        cards = board.snapshot.cards
        names = _names(len(cards), chance)
        self.names = {card.tpn: f"{name} ({card.tpn})" for card, name in zip(cards, names, strict=True)}
        chooser, other = board.pair.players
        # In three of four cases the chooser's opponent is hidden, otherwise the chooser.
        self.asked, self.hidden = (other, chooser) if chance.randrange(4) == 0 else (chooser, other)
        self.veiled = {**self.names, self.hidden: HIDDEN}

    @property
    def cited(self) -> set[str]:
        return {why.article for step in self._steps() for why in step.reasons}

    def text(self, number: int) -> str:
        snapshot = self.board.snapshot
        last = ", the last round" if snapshot.is_last_round else ""
        lines = [
            f"## Case {number}",
            "",
            f"Round {snapshot.round_number} of {snapshot.rounds_announced}{last}. Before it:",
            "",
            *self._table(),
            "",
            f"**Who plays {self.names[self.asked]}?** The explanation:",
            "",
        ]
        for step in self._steps():
            lines += [f"- {line}" for line in self._lines(step)]
        return "\n".join(lines)

    def _steps(self) -> list[TraceStep]:
        pair = set(self.board.pair.players)
        return [
            step
            for step in trace_pairing_steps(self.board.made)
            if (step.kind in (TraceStepKind.PAIR, TraceStepKind.BOARD) and set(step.players) == pair)
            or (step.kind is TraceStepKind.FLOAT and step.players[0] in pair)
        ]

    def _lines(self, step: TraceStep) -> Iterator[str]:
        from pairing.explanations.step_sentences import step_headline, unpaired_players_sentence

        yield step_headline(step, self.veiled)
        if waiting := unpaired_players_sentence(step, self.names):
            yield f"  {waiting}"
        for why in step.reasons:
            yield f"  {why.article}: {self._sentence(why)}"

    def _sentence(self, why: PairingReason) -> str:
        from pairing.explanations.reason_sentences import reason_sentence

        return reason_sentence(self._unrated(why), self.names if why.kind in _WHOLE_LISTS else self.veiled)

    def _unrated(self, why: PairingReason) -> PairingReason:
        """The reason without the hidden player's rating, which in the table would identify them."""
        (hidden,) = (card for card in self.board.snapshot.cards if card.tpn == self.hidden)
        facts: dict[str, Any] = dict(why.facts)
        if self.hidden in why.players:
            facts |= {name: HIDDEN for name in _RATINGS if facts.get(name) == hidden.rating}
        for name, of in _LISTED_RATINGS.items():
            players: Any = facts.get(of) if of else why.players
            if name in facts:
                listed = zip(players, facts[name], strict=True)
                facts[name] = tuple(HIDDEN if tpn == self.hidden else rating for tpn, rating in listed)
        return replace(why, facts=tuple(sorted(facts.items())))

    def _table(self) -> Iterator[str]:
        rounds = self.board.snapshot.rounds_paired
        heads = " | ".join(f"R{number}" for number in range(1, rounds + 1))
        yield f"| player (number) | rating | points | {heads} | |"
        yield f"|---|---|---|{'---|' * rounds}---|"
        points = {score.tpn: score.score for score in self.board.made.scores}
        for card in self.board.snapshot.cards:
            cells = " | ".join(_cell(record) for record in card.records)
            yield (
                f"| {self.names[card.tpn]} | {card.rating or ''} | {points[card.tpn] / 2:g} | {cells} |"
                f" {self._note(card)} |"
            )

    def _note(self, card: PairingCard) -> str:
        if card.unavailable is not None:
            return "not in this round"
        bye = self.board.made.bye
        return "has the bye" if bye and bye.player == card.tpn else ""

    def answer(self) -> dict[str, Any]:
        name = self.names[self.hidden].rpartition(" ")[0]
        return {"opponent": name, "number": self.hidden, "kind": self.board.kind, "event": self.board.origin}


def _names(count: int, chance: Random) -> list[str]:
    """So many different names, in random order."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[(chance.choice(_SYLLABLES) + chance.choice(_SYLLABLES) + chance.choice(_ENDS)).capitalize()] = None
    return list(names)


def _cell(record: RoundRecord) -> str:
    """As in report files: opponent, colour, result; a letter for a round without a game."""
    if record.opponent is None:
        return record.result.value
    colour = {Colour.WHITE: "w", Colour.BLACK: "b"}.get(record.colour, "-") if record.colour else "-"
    return f"{record.opponent}{colour}{record.result.value}"


def write(folder: Path, system: str, first_seed: int) -> Counter[str]:
    """Write the cases of a system and their key. Return the number of each kind."""
    from pairing.explanations.articles import article_text

    cases = [Case(board, chance) for board, chance in chosen(system, first_seed)]
    cited = sorted({article for case in cases for article in case.cited})
    lines = [
        f"# Who plays whom? {CASES} boards paired by {system}",
        "",
        "Each case shows an event before a round, and the explanation of one board. Name the opponent, who is hidden:",
        f"{HIDDEN} stands for his name and number. Lists of whole groups name everybody. Use nothing but what is here.",
        "",
        "In the table a round is opponent's number, colour (w, b) and result (1, =, 0; + and - won and lost by",
        "forfeit; W, D, L not rated); U is a pairing-allocated bye, H a half-point, F a full-point bye, Z or - an",
        "absence.",
        "",
        "## The articles that are cited",
        "",
        *(f"- **{article}**: {article_text(article)}" for article in cited if article_text(article)),
        "",
    ]
    lines += [f"{case.text(number)}\n" for number, case in enumerate(cases, start=1)]
    (folder / f"cases_{system}.md").write_text("\n".join(lines), encoding="utf-8")
    key = {str(number): case.answer() for number, case in enumerate(cases, start=1)}
    (folder / f"key_{system}.json").write_text(json.dumps(key, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return Counter(case.board.kind for case in cases)


def judged(answers: Mapping[str, str | int], key: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The cases with a wrong or missing answer; an answer is a name, a number, or both as `Name (7)`."""

    def is_right(number: str) -> bool:
        answer = str(answers.get(number, "")).strip()
        right = key[number]
        return answer in (right["opponent"], str(right["number"]), f"{right['opponent']} ({right['number']})")

    return [number for number in key if not is_right(number)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where cases and keys are, or go")
    parser.add_argument("--seed", type=int, default=1700, help="the first event's")
    parser.add_argument("--system", choices=sorted(SWISS_SYSTEMS), action="append")
    parser.add_argument("--judge", action="store_true", help="hold answers_SYSTEM.json in the folder against the keys")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for system in options.system or SWISS_SYSTEMS:
        if options.judge:
            read = [json.loads((options.folder / f"{what}_{system}.json").read_text()) for what in ("answers", "key")]
            wrong = judged(*read)
            print(f"{system}: {len(read[1]) - len(wrong)} of {len(read[1])} right; wrong: {', '.join(wrong) or 'none'}")
        else:
            start_the_words()
            print(f"{system}: {dict(write(options.folder, system, options.seed))}")


if __name__ == "__main__":
    main()
