"""``python -m scripts.bench_facts``: facts as inexact as people are, on Atari games.

A minute of each game is played at random. From the numbers of its documented variables, facts are
drawn as a person would state them; then the first match is compared with the variable on every
frame. Every second game is for tuning (``--games tune``); the others (``report``) tell the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.facts import fact_text
from integrator.domain.query.rank import Match
from integrator.domain.query.solve import Solution
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.session import Session
from scripts.bench_facts_asked import CASES, Question
from scripts.bench_facts_games import Half, Label, atari_games, played_minute, shown_labels


@dataclass(frozen=True, slots=True)
class Row:
    """The answer to one draw of facts. ``cause`` says why it is wrong, empty when it is right."""

    game: str
    variable: str
    case: str
    facts: tuple[str, ...]
    first: bool
    right: bool
    cause: str
    seconds: float


def ask_all(
    game: str, session: Session, seed: int, cases: Sequence[str], draws: int
) -> Iterator[Row]:
    """A row for each draw of facts about each variable of the game."""
    for label in shown_labels(session):
        for case in cases:
            for draw in range(draws):
                name = f"{game} {label.spec.name} {case} {draw} {seed}"
                question = CASES[case](
                    label.numbers, np.random.default_rng(zlib.crc32(name.encode()))
                )
                if question is not None:
                    yield _row(game, case, session, label, question)


def _row(game: str, case: str, session: Session, label: Label, question: Question) -> Row:
    started = perf_counter()
    solution = session.timeline.query(question.facts)
    seconds = perf_counter() - started
    first, right, cause = _judge(session, label, question, solution)
    facts = tuple(map(fact_text, question.facts))
    return Row(game, label.spec.name, case, facts, first, right, cause, round(seconds, 3))


def _judge(
    session: Session, label: Label, question: Question, solution: Solution
) -> tuple[bool, bool, str]:
    """True when the variable is first, true when the first is right throughout, and the cause."""
    fits = [match for match in solution.matches if match.failed is None]
    if not fits:
        return False, False, "nothing fits"
    best = fits[0]
    first = _names(best, label)
    wrong = np.flatnonzero(
        numbers_of(best, session.timeline.log, session.memory.space) != question.shown
    )
    right = not len(wrong)
    if first and right:
        return True, True, ""
    said = f"0x{best.address:X} {best.type} {best.scale}".strip()
    if not first:
        place = next((rank for rank, each in enumerate(fits, 1) if _names(each, label)), 0)
        where = f"the variable is number {place}" if place else "the variable is not listed"
        return False, right, f"{said} is first{', and right' * right}; {where}"
    return True, False, f"{said} is wrong on {len(wrong)} frames, first on {wrong[0] + 1}"


def _names(match: Match, label: Label) -> bool:
    return any(label.holds(reading.address) for reading in match.readings)


def numbers_of(match: Match, log: Timeline, space: AddressSpace) -> NDArray[np.float64]:
    """Numbers on the screen on frames 1 to the newest, as a match reads them: float64 (frames,)."""
    reader = VariableReader(
        {"it": VariableSpec("it", match.address, match.type, match.mask)}, space
    )
    stored = reader.read_ranges(log.ram_ranges(reader.ranges, 1))["it"]
    return np.array([float(match.scale.shown(int(number))) for number in stored])


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--seed", type=int, default=1, help="of the play and of the facts")
    parser.add_argument("--draws", type=int, default=4, help="of facts, for each variable")
    parser.add_argument("--case", action="append", choices=tuple(CASES), help="default: all")
    parser.add_argument("--only", action="append", help="only this game")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    asked = parser.parse_args()
    rows = measure(
        asked.games, asked.seed, asked.case or tuple(CASES), asked.only, draws=asked.draws
    )
    if asked.json:
        sys.stdout.write(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    else:
        print_table(rows)


def measure(
    half: Half, seed: int, cases: Sequence[str], only: Sequence[str] | None, *, draws: int
) -> list[Row]:
    """Rows of all games of the half."""
    rows: list[Row] = []
    for game, (rom, integration) in atari_games(half).items():
        if only is None or game in only:
            with played_minute(rom, integration, seed) as session:
                rows += ask_all(game, session, seed, cases, draws)
    return rows


def print_table(rows: Sequence[Row]) -> None:
    """Shares by case, then the failures by name and cause."""
    write = sys.stdout.write
    write(f"{'case':12} {'asked':>6} {'first':>7} {'right':>7} {'both':>7} {'seconds':>8}\n")
    for case in CASES:
        mine = [row for row in rows if row.case == case]
        if mine:
            first = np.mean([row.first for row in mine])
            right = np.mean([row.right for row in mine])
            both = np.mean([row.first and row.right for row in mine])
            seconds = np.mean([row.seconds for row in mine])
            shares = f"{first:7.1%} {right:7.1%} {both:7.1%}"
            write(f"{case:12} {len(mine):6} {shares} {seconds:8.3f}\n")
    for row in rows:
        if row.cause:
            write(f"{row.case}: {row.game} {row.variable}: {row.cause} ({'; '.join(row.facts)})\n")


if __name__ == "__main__":
    main()
