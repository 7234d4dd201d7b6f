"""``python -m scripts.bench_facts``: facts as inexact as people are, on Atari games.

A minute of each game is played at random. From the numbers of its documented variables, facts are
drawn as a person would state them; then the first match is compared with the variable on every
frame. Of the games that stable-retro knows, every second one is for tuning (``--games tune``); the
others (``report``) and those of ``bench_annotated`` (``annotated``) tell the truth. Only ROMs that
stable-retro names by their SHA-1 take part, because addresses of another revision may differ."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.query.facts import Equals, Fact, fact_text, parse_fact
from integrator.domain.query.rank import Match
from integrator.domain.query.solve import Solution
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.opening import open_session
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from libretro_host.systems.discovery import wheel_core_dir
from scripts.bench_annotated import BOOT_FRAMES, annotated_games, start_game
from scripts.bench_games import play_episodes, rom_dir

Half = Literal["tune", "report", "annotated", "all"]

MINUTE_FRAMES: Final = 3600
_ON_SCREEN: Final = re.compile(
    r"score|lives|level|^time$|minutes|seconds|round|carsRemaining|deadSquads|deadTanks"
)
_DIRECTIONS: Final = ("UP", "DOWN", "LEFT", "RIGHT")
_FEWEST_FRAMES, _MOST_FRAMES = 6, 45
"""Frames for which a player holds a direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A variable that the screen shows, and its number on frames 1 to the newest, int64.

    The bits of a mask are counted from the lowest one, as the screen does. ``told`` is false on
    frames where no source tells the number: of annotated bytes the address alone is documented, so
    that 255 may be -1, and before a game has begun its memory is not cleared."""

    spec: VariableSpec
    numbers: NDArray[np.int64]
    told: NDArray[np.bool_]

    def holds(self, address: int) -> bool:
        """True for an address of the variable's bytes: the upper ones may have stayed zero."""
        return self.spec.address <= address < self.spec.address + self.spec.type.width


def played_games(half: Half, seed: int, only: Sequence[str]) -> Iterator[tuple[str, Session]]:
    """The games of a half with a minute of play each. Raises SessionError without the wheels."""
    known = {hashlib.sha1(rom.read_bytes()).hexdigest(): rom for rom in rom_dir().glob("*.bin")}
    found: dict[Path, Path | None] = {}
    for directory in sorted(stable_integrations().glob("*-Atari2600-v0")):
        roms = map(known.get, (directory / "rom.sha").read_text().split())
        rom = next((each for each in roms if each is not None), None)
        if rom is not None:
            found[directory] = rom
    ours = {"tune": list(found)[::2], "report": list(found)[1::2], "annotated": []}
    with tempfile.TemporaryDirectory() as folder:
        chosen = ours.get(half, list(found))
        if half in ("annotated", "all"):
            chosen += annotated_games(rom_dir(), Path(folder))
        for directory in chosen:
            name = directory.name.split("-")[0]
            if not only or name in only:
                with played_minute(found.get(directory), directory, seed) as session:
                    yield name, session


def stable_integrations() -> Path:
    """The folder of stable-retro's integrations. Raises SessionError without its wheel."""
    cores = wheel_core_dir()
    if cores is None:
        raise SessionError("stable_retro is missing: python -m pip install stable-retro")
    return cores.parent / "data" / "stable"


@contextmanager
def played_minute(rom: Path | None, integration: Path, seed: int) -> Iterator[Session]:
    """A session with a minute of play at random; a new episode begins where one is done.

    An integration with its own ROM has no start state, so that its game is started by a switch."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / integration.name
        shutil.copytree(integration, directory)
        if rom is not None:
            shutil.copy(rom, directory / "rom.a26")
        with open_session(directory, isolated=False) as session:
            rows = _rows(session.system.buttons, seed)
            if rom is None:
                start_game(session)
                session.run(rows)
            else:
                play_episodes(session, rows, KEYFRAME_INTERVAL_FRAMES // 2)
            yield session


def _rows(buttons: Sequence[str | None], seed: int) -> NDArray[np.uint16]:
    """A direction, two or none at a time, and the button in bursts: uint16 (frames, 1)."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(MINUTE_FRAMES, np.uint16)
    frame = 0
    while frame < MINUTE_FRAMES:
        stop = frame + int(rng.integers(_FEWEST_FRAMES, _MOST_FRAMES))
        for name in rng.choice(_DIRECTIONS, rng.choice(3, p=(0.15, 0.65, 0.2)), replace=False):
            rows[frame:stop] |= 1 << buttons.index(str(name))
        if rng.random() < 0.7:
            fire = np.arange(frame, min(stop, MINUTE_FRAMES))
            rows[fire[fire % 8 < 4]] |= 1 << buttons.index("BUTTON")
        frame = stop
    return rows.reshape(-1, 1)


def shown_labels(session: Session) -> list[Label]:
    """Documented variables that the screen shows and that changed in the minute."""
    found, directory = [], session.integration.directory
    for spec in session.integration.variables.values():
        if _ON_SCREEN.search(spec.name) is None:
            continue
        reader = VariableReader({spec.name: spec}, session.memory.space)
        captured = session.timeline.log.ram_ranges(reader.ranges, 1)
        numbers = reader.read_ranges(captured)[spec.name]
        if spec.mask is not None:
            numbers = numbers // (spec.mask & -spec.mask)
        if len(np.unique(numbers)) > 1:
            told = np.ones(len(numbers), np.bool_)
            if not directory.joinpath("rom.sha").is_file():
                told = (numbers < 1 << 7) | (spec.type.width > 1)
                told[:BOOT_FRAMES] = False
            found.append(Label(spec, numbers, told))
    return found


# -- facts ------------------------------------------------------------------------------------

_MOST_FACTS: Final = 4
_REST_FRAMES: Final = 20
"""A number that rests for less is gone before a person has read it."""
_ERROR_FRAMES: Final = 8
_ROUND_CONSTANTS: Final = (5, 9, 10, 20, 50, 60, 99, 100, 200, 255, 500, 1000)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Facts of one draw, and the shown number on frames 1 to the newest, which they are about."""

    facts: tuple[Fact, ...]
    shown: NDArray[np.int64]


Draw = Callable[[NDArray[np.int64], np.random.Generator], Question | None]
"""Facts about a variable's numbers; None when it showed too few different ones."""


def _rests(numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of frames [first, stop) in which a number rests long enough to be read."""
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1)) + 1
    stops = [*starts[1:].tolist(), len(numbers) + 1]
    runs = zip(starts.tolist(), stops, strict=True)
    return [(first, stop) for first, stop in runs if stop - first >= _REST_FRAMES]


def _numbers(
    shown: NDArray[np.int64], rng: np.random.Generator, *, error: int = 0
) -> Question | None:
    """Up to four numbers, different ones first, each at a frame on which the number rested."""
    rests = _rests(shown)
    chosen: list[tuple[int, int]] = []
    for index in rng.permutation(len(rests)).tolist():
        values = {int(shown[first - 1]) for first, _ in chosen}
        if len(chosen) < _MOST_FACTS and int(shown[rests[index][0] - 1]) not in values:
            chosen.append(rests[index])
    if len(chosen) < len(("one", "another")):
        return None
    while len(chosen) < _MOST_FACTS:
        chosen.append(rests[int(rng.integers(len(rests)))])
    facts = []
    for first, stop in chosen:
        seen = int(rng.integers(first, stop))
        said = seen + int(rng.integers(-error, error + 1))
        facts.append(Equals(min(max(said, 1), len(shown)), int(shown[seen - 1])))
    return Question(tuple(facts), shown)


def clean(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers at their frames."""
    return _numbers(numbers, rng)


def off(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers at frames up to eight off."""
    return _numbers(numbers, rng, error=_ERROR_FRAMES)


def late(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Up to four steps, ``512: 3 -> 2``, typed up to eight frames late."""
    rests = _rests(numbers)
    steps = [
        (after[0], int(numbers[before[0] - 1]), int(numbers[after[0] - 1]))
        for before, after in pairwise(rests)
        if before[1] == after[0]
    ]
    if not steps:
        return None
    chosen = [steps[i] for i in rng.permutation(len(steps))[:_MOST_FACTS].tolist()]
    facts = [
        parse_fact(f"{frame + int(rng.integers(_ERROR_FRAMES + 1))}: {before} -> {after}")
        for frame, before, after in chosen
    ]
    return Question(tuple(facts), numbers)


def scaled(factor: int, added: int = 0) -> Draw:
    """Four numbers that the screen shows so many times as high, and so much higher."""
    return lambda numbers, rng: _numbers(numbers * factor + added, rng)


def down(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers that count down from a round one while memory counts up."""
    greatest = int(numbers.max())
    return _numbers(next(n for n in (*_ROUND_CONSTANTS, 10**6) if n >= greatest) - numbers, rng)


CASES: Final[dict[str, Draw]] = {
    "clean": clean,
    "frames +-8": off,
    "late steps": late,
    "+1": scaled(1, 1),
    "x5": scaled(5),
    "x10": scaled(10),
    "x25": scaled(25),
    "x50": scaled(50),
    "n - x": down,
}
"""Every way to draw facts, by its name in the table."""


# -- answers ----------------------------------------------------------------------------------


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
    read = numbers_of(best, session.timeline.log, session.memory.space)
    wrong = np.flatnonzero((read != question.shown) & label.told)
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
    parser.add_argument("--games", choices=("tune", "report", "annotated", "all"), default="report")
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
    for game, session in played_games(half, seed, only or ()):
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
