"""``python -m scripts.bench_search``: the number of facts that find each variable, and its proof.

A minute of each game is played, then facts are pinned as a person would who watched: the number on
the screen at a frame, one fact more at a time, until the variable is the first candidate. Then it
is proven. Besides: the time of a query over ten minutes of play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.commands.bench import search_and_stable_retro
from integrator.commands.shared.console import plain_progress
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import IntegratorError, SessionError
from integrator.domain.query.facts import Equals, Fact, Trend, fact_text
from integrator.domain.query.rank import Match, Reading
from integrator.domain.query.solve import Solution
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.consoles.console_check import ProofRom, proof_roms
from integrator.session.opening import open_session
from integrator.session.proof.proof import Verdict, prepare
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.roots import systems
from libretro_host.systems.discovery import training_core
from scripts.bench_search_report import (
    MOST_FACTS,
    Row,
    SearchReport,
    claims,
    print_search_bench,
)
from scripts.bench_search_speed import measure_large
from scripts.demo_script import play_script
from scripts.reporting import report

MINUTE_FRAMES: Final = 3600
_SAMPLES: Final = 240
_MARGIN_FRAMES: Final = 8
"""A person does not see to the frame when a number began to rest."""
_BOOT_FRAMES: Final = 90
"""Before that frame a console has garbage in RAM, and no number on its screen."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A documented variable, and the difference by which the screen shows it higher than memory."""

    spec: VariableSpec
    shown_above: int = 0


def run_search_bench(*, quiet: bool = False) -> SearchReport:
    """Play all games, find and prove their variables. Games without their core are ``missing``."""
    rows: list[Row] = []
    missing: dict[str, str] = {}
    games = _games()
    with plain_progress(quiet=quiet) as progress:
        task = progress.add_task("search", total=len(games) + 3)
        progress.update(task, description="stable-retro")
        ratios = _ratios(missing)
        progress.update(task, advance=1, description="8 MiB")
        large = measure_large()
        progress.advance(task)
        for name, find in games.items():
            progress.update(task, description=name)
            try:
                rows += find()
            except IntegratorError as error:
                missing[name] = str(error)
            progress.advance(task)
        progress.update(task, description="ten minutes of play")
        seconds = ten_minutes()
    return {
        "claims": claims(rows, ratios, large, seconds),
        "rows": [{**asdict(row), "found": row.found} for row in rows],
        "missing": missing,
        "ratios_to_stable_retro": {name: round(ratio, 1) for name, ratio in ratios.items()},
        "large": [asdict(step) for step in large],
        "query_seconds_10_minutes": seconds,
    }


def _ratios(missing: dict[str, str]) -> Mapping[str, float]:
    try:
        times = search_and_stable_retro()
    except SessionError as error:
        missing["stable-retro"] = str(error)
        return {}
    return {each["search"]: each["times_as_fast"] for each in times}


# -- finding one variable ----------------------------------------------------------------------


def find_variables(game: str, session: Session, asked: Sequence[Asked]) -> Iterator[Row]:
    """A row for each variable, after the game was played."""
    for each in asked:
        facts = choose_facts(shown_numbers(session, each))
        used, solution, seconds = _pin(session, facts, each)
        started = time.perf_counter()
        [verdict] = prepare(session, [(each.spec.address, each.spec.type)]).run()
        proof_seconds = time.perf_counter() - started
        yield _row(session, game, each, used, solution, verdict, (seconds, proof_seconds))


def shown_numbers(session: Session, asked: Asked) -> NDArray[np.int64]:
    """Numbers on the screen on frames 1 to the newest, by the documented address."""
    return _stored_numbers(session, asked.spec.address, asked.spec.type) + asked.shown_above


def _stored_numbers(session: Session, address: int, data_type: DataType) -> NDArray[np.int64]:
    """Numbers in memory at that address on frames 1 to the newest."""
    offsets = session.memory.space.offsets(address, data_type.width)
    ranges = [(int(offset), 1) for offset in offsets]
    return data_type.decode_array(session.timeline.log.ram_ranges(ranges, 1))


def choose_facts(numbers: NDArray[np.int64]) -> list[Fact]:
    """Up to four facts about ``numbers``, which are those of frames 1, 2, ...

    Numbers that differ much, each in the middle of the time that it was shown. For a number with
    few values, also a long rest."""
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
    lasting = np.diff([*starts, len(numbers)])
    middles = starts + (lasting - 1) // 2
    usable = middles >= _BOOT_FRAMES
    starts, lasting, middles = starts[usable], lasting[usable], middles[usable]
    if not len(middles):
        return []
    chosen = [int(middles[np.argmax(np.abs(numbers[middles]))])]
    while len(chosen) < min(MOST_FACTS, len(middles)):
        distance = np.abs(numbers[middles][:, None] - numbers[chosen][None, :]).min(axis=1)
        if not distance.any():
            break
        # Of frames of equal use the later: garbage has been overwritten by then.
        chosen.append(int(middles[len(middles) - 1 - np.argmax(distance[::-1])]))
    facts: list[Fact] = [Equals(frame + 1, int(numbers[frame])) for frame in chosen]
    for rest in np.argsort(-lasting, kind="stable").tolist():
        first, last = int(starts[rest]) + 1, int(starts[rest] + lasting[rest])
        if len(facts) == MOST_FACTS or last - first < 4 * _MARGIN_FRAMES:
            break
        start, stop = max(first, _BOOT_FRAMES) + _MARGIN_FRAMES, last - _MARGIN_FRAMES
        facts.append(Trend(start, stop - 1, "unchanged"))
    return facts


def _pin(
    session: Session, facts: Sequence[Fact], asked: Asked
) -> tuple[Sequence[Fact], Solution, float]:
    """Pin one fact more at a time until the variable comes first."""
    for count in range(1, len(facts) + 1):
        started = time.perf_counter()
        solution = session.timeline.query(facts[:count])
        seconds = time.perf_counter() - started
        if _rank(solution, asked.spec) == 1 and not _others(session, solution.matches[0], asked):
            break
    return facts[:count], solution, seconds


def _rank(solution: Solution, spec: VariableSpec) -> int:
    for number, match in enumerate(solution.matches, start=1):
        if match.failed is not None:
            break
        wanted = (spec.address, str(spec.type))
        if wanted in {(reading.address, str(reading.type)) for reading in match.readings}:
            return number
    return 0


def _others(session: Session, match: Match, asked: Asked) -> list[Reading]:
    """Readings of a match that are not the variable: at some time they showed another number."""
    length = session.timeline.length
    frames = np.unique(np.linspace(_BOOT_FRAMES, length, _SAMPLES).astype(int)) - 1
    wanted = shown_numbers(session, asked)[frames]

    def differs(reading: Reading) -> bool:
        stored = _stored_numbers(session, reading.address, reading.type)[frames]
        scale = reading.scale
        shown = (stored - scale.bias) * scale.divisor
        return bool((shown != wanted * scale.multiplier).any())

    return [reading for reading in match.readings if differs(reading)]


def _row(
    session: Session,
    game: str,
    asked: Asked,
    facts: Sequence[Fact],
    solution: Solution,
    verdict: Verdict,
    seconds: tuple[float, float],
) -> Row:
    rank = _rank(solution, asked.spec)
    exact = [match for match in solution.matches if match.failed is None]
    others = len(_others(session, exact[rank - 1], asked)) if rank else 0
    return Row(
        game,
        asked.spec.name,
        f"0x{asked.spec.address:X} {asked.spec.type}",
        tuple(fact_text(fact) for fact in facts),
        rank,
        len(exact[rank - 1].copies) - others if rank else 0,
        others,
        len(exact) - 1 if rank else len(exact),
        verdict.ruling,
        "" if verdict.copy_of is None else str(verdict.copy_of),
        round(seconds[0], 2),
        round(seconds[1], 2),
    )


# -- the games ---------------------------------------------------------------------------------


def _games() -> Mapping[str, Callable[[], list[Row]]]:
    games: dict[str, Callable[[], list[Row]]] = {
        "Ember Moth": find_demo_game,
        "Airstriker": find_airstriker,
    }
    for system, rom in proof_roms().items():
        # A session has the user's system folder.
        if not rom.system_dir and training_core(systems()[system]):
            games[f"proof ROM, {system}"] = lambda rom=rom: find_proof_rom(rom)  # type: ignore[misc]
    return games


def find_demo_game() -> list[Row]:
    """Score in its three forms, high score, lives, level, clock, embers, counters, position."""
    names = ("score", "score_digits", "high_score", "lives", "level", "time", "embers")
    more = ("embers_left", "play_frames", "frame_counter", "x", "y")
    with played_demo_game() as session:
        variables = session.integration.variables
        asked = [Asked(variables[name], int(name == "lives")) for name in (*names, *more)]
        return list(find_variables("Ember Moth", session, asked))


@contextmanager
def played_demo_game() -> Iterator[Session]:
    """The demo game's recorded play, 32 seconds of it, with the core in the first game."""
    with open_session(demo_game(), state=POWER_ON) as session:
        play_script(session)
        session.timeline.seek(860)
        yield session


def find_airstriker() -> list[Row]:
    """Score and lives, in play at random."""
    with open_session(airstriker()) as session:
        session.reset()
        _play(session, airstriker_rows(MINUTE_FRAMES))
        asked = [Asked(session.integration.variables[name]) for name in ("score", "lives")]
        return list(find_variables("Airstriker", session, asked))


def airstriker_rows(frames: int) -> NDArray[np.uint16]:
    """Random steps to the sides, and shots: uint16 (frames, 1)."""
    rng = np.random.default_rng(1)
    sides = np.repeat(rng.choice([1 << 6, 1 << 7], frames // 25 + 1), 25)[:frames]
    return (sides | (np.arange(frames) % 12 < 6)).astype(np.uint16).reshape(-1, 1)


def find_proof_rom(rom: ProofRom) -> list[Row]:
    """Counter, score, lives and game over of a proof ROM."""
    with open_session(rom.path) as session:
        session.reset()
        _play(session, _proof_rows(rom, session.system.buttons))
        names = ("score", "lives", "frame_counter")
        asked = [Asked(rom.variables[name]) for name in names]
        return list(find_variables(f"proof ROM, {rom.system}", session, asked))


def _proof_rows(rom: ProofRom, buttons: Sequence[str | None]) -> NDArray[np.uint16]:
    """Points at random, two lives lost, the last one lost, and a new game."""
    frames = np.arange(MINUTE_FRAMES)
    rows = np.zeros(MINUTE_FRAMES, np.uint16)
    rng = np.random.default_rng(1)
    presses = np.cumsum(rng.integers(8, 60, 200))
    for press in presses[(presses > _BOOT_FRAMES) & (presses < MINUTE_FRAMES)].tolist():
        rows[press : press + 4] |= 1 << buttons.index(rom.score_button)
    for press in (1000, 1900, 2800):
        rows[press : press + 4] = 1 << buttons.index(rom.lives_button)
    if rom.reset_button is not None:
        rows[(frames >= 3100) & (frames < 3110)] = 1 << buttons.index(rom.reset_button)
    return rows.reshape(-1, 1)


def _play(session: Session, rows: NDArray[np.uint16]) -> None:
    for first in range(0, len(rows), KEYFRAME_INTERVAL_FRAMES):
        session.run(rows[first : first + KEYFRAME_INTERVAL_FRAMES])


# -- time --------------------------------------------------------------------------------------


def ten_minutes(directory: Path | None = None) -> dict[str, float]:
    """Seconds of queries with five facts over 36,000 frames of Airstriker, 64 KiB of RAM.

    Processor time of the one thread that works. The facts of the last case say nearly nothing, so
    that millions of candidates are left."""
    with open_session(directory or airstriker()) as session:
        session.reset()
        _play(session, airstriker_rows(10 * MINUTE_FRAMES))
        spec = session.integration.variables["score"]
        numbers = shown_numbers(session, Asked(spec))
        points = [f"{frame} = {numbers[frame - 1]}" for frame in (600, 640, 1444, 9000, 36000)]
        ranges = ["700..760 unchanged", "600..1440 only grows", "2000..36000 unchanged"]
        worst = ["100..35000 unchanged", "2000..34000 only grows", "500..30000 only falls"]
        cases = {
            "five numbers": points,
            "two numbers, three ranges": [*points[1:3], *ranges],
            "two zeros, three ranges that all rest in": [*points[3:], *worst],
        }
        return {name: _seconds(session, "\n".join(facts)) for name, facts in cases.items()}


def _seconds(session: Session, facts: str) -> float:
    started = time.thread_time()
    session.timeline.query(facts)
    return round(time.thread_time() - started, 3)


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_search_bench(quiet=quiet), print_search_bench)
