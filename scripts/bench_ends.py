"""``python -m scripts.bench_ends``: done conditions mined from the marked ends of episodes.

Seeded random play goes through ends of each game; the documented done condition only tells where
they are. The conditions found are right when one of the first three ends every episode on the same
frame as the documented one, in the recorded play and in play of another seed that is not shown.
Marks are exact, up to 60 frames late, as those of people are, and 60 to 150 frames late. The rules
were tuned on every second game by name (``--tuned``: these alone); the others are reported apart.
ROMs come from the package ale-py (``pip install --no-deps ale-py``), and Airstriker from
stable-retro's own."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.console import plain_console
from integrator.commands.shared.options import airstriker
from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.errors import SearchError
from integrator.domain.scenario.tree import Condition, Measurement
from integrator.domain.values.variables import VariableSpec
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.hidden_look import EndsRun
from scripts.bench_games import atari_games, judge_games, played_rows, seed_of
from scripts.bench_search import airstriker_rows
from scripts.reporting import report, show_missing, show_table

WANTED: Final = 0.9
_CHUNK_FRAMES: Final = 60
MARKS: Final = {"exact": (0, 0), "0 to 60 late": (0, 60), "60 to 150 late": (60, 150)}
"""The frames by which marks are late."""
_RECORDED, _UNSEEN = (4, 40_000), (3, 25_000)
"""Episodes that are played, and the most frames for them."""

Lamp = NDArray[np.bool_]
Rows = Callable[[int, int], NDArray[np.uint16]]
"""Inputs of a number of frames with a seed."""


@dataclass(frozen=True, slots=True)
class EndsRow:
    """A game. Ranks are those of the first right condition, 0 without any.

    They are those of ``MARKS`` in turn, each with the documented variables and then without any."""

    game: str
    tuned: bool
    seed: int
    ends: int
    ranks: tuple[int, ...]
    instead: tuple[str, ...]
    seconds: float


class EndsReport(TypedDict):
    """The document of ``--json``. ``missing`` are games without a judgement, with the cause."""

    shares: list[dict[str, object]]
    rows: list[dict[str, Any]]
    missing: dict[str, str]


def run_ends_bench(*, quiet: bool = False, tuned: bool = False) -> EndsReport:
    """Play all games, or those for tuning, through ends, and judge the conditions."""
    with tempfile.TemporaryDirectory(prefix="bench-ends-") as folder:
        games = [*atari_games(Path(folder)), airstriker()]
        if tuned:
            rows, missing = judge_games(games[::2], _judge, quiet=quiet, tuned=True)
        else:
            rows, missing = judge_games(games, _judge, quiet=quiet)
    shares = list(_shares(rows))
    return {"shares": shares, "rows": [asdict(row) for row in rows], "missing": missing}


def _rows(session: Session) -> Rows:
    is_atari = session.system.name == "Atari2600"
    return partial(played_rows, session.system.buttons) if is_atari else _airstriker_rows


def _airstriker_rows(frames: int, seed: int) -> NDArray[np.uint16]:
    rows = airstriker_rows(frames + seed % 97)
    return rows[seed % 97 :]


def play_ends(session: Session, rows: Rows, seed: int, episodes: int, frames: int) -> list[int]:
    """Play until so many episodes or frames are over; returns the documented ends.

    Play goes on for a moment after each end, as that of people does, then begins again."""
    ends: list[int] = []
    left, tries = frames, 0
    while len(ends) < episodes and left > 0:
        first = session.reset().number
        inputs = rows(left, seed * 1000 + tries)
        tries += 1
        for begin in range(0, len(inputs), _CHUNK_FRAMES):
            session.run(inputs[begin : begin + _CHUNK_FRAMES])
            left -= _CHUNK_FRAMES
            done = np.flatnonzero(session.timeline.log.done(first))
            if len(done) and len(session.timeline.log.done(first)) - done[0] > _CHUNK_FRAMES:
                ends.append(first + int(done[0]))
                break
    return ends


class Found(Protocol):
    """A condition, however it was found."""

    @property
    def tests(self) -> tuple[EndTest, ...]:
        """Its tests."""
        ...

    @property
    def condition(self) -> Condition:
        """The way in which they are joined."""
        ...


AnyFound = TypeVar("AnyFound", bound=Found)


def looks_at(
    directory: Path, mined: Callable[[EndsRun], list[AnyFound]]
) -> tuple[int, list[list[tuple[AnyFound, bool]]]]:
    """The ends that were marked, and for each look the conditions, each with whether it is right.

    Looks are those of ``EndsRow.ranks``."""
    seed = _seed(directory)
    with open_session(directory, isolated=False) as session:
        ends = play_ends(session, _rows(session), seed, *_RECORDED)
        if not ends:
            raise SearchError("random play does not reach the documented end")
        named: Mapping[str, VariableSpec] = dict(session.integration.variables)
        runs = [
            replace(session.ends_run(_late_marks(session, ends, seed, *late)), specs=specs)
            for late in MARKS.values()
            for specs in (named, {})
        ]
        lists = [mined(run) for run in runs]
        seen = [[_equal(session, each) for each in found] for found in lists]
    with open_session(directory, isolated=False) as session:
        play_ends(session, _rows(session), seed + 1, *_UNSEEN)
        return len(ends), [
            [(each, fits and _equal(session, each)) for each, fits in zip(*pair, strict=True)]
            for pair in zip(lists, seen, strict=True)
        ]


def _seed(directory: Path) -> int:
    return seed_of(directory) if directory != airstriker() else 1


def _judge(name: str, directory: Path, tuned: bool) -> list[EndsRow]:
    seconds: list[float] = []

    def mined(run: EndsRun) -> list[EndCondition]:
        started = time.process_time()
        found = run.run()
        seconds.append(round(time.process_time() - started, 2))
        return found

    ends, looks = looks_at(directory, mined)
    ranks = tuple(_first(right for _, right in look) for look in looks)
    instead = tuple(
        "" if rank == 1 else str(look[0][0]) if look else "nothing"
        for rank, look in zip(ranks, looks, strict=True)
    )
    return [EndsRow(name, tuned, _seed(directory), ends, ranks, instead, max(seconds))]


def _late_marks(
    session: Session, ends: Sequence[int], seed: int, least: int, most: int
) -> list[int]:
    """Marks as many frames after the ends as a person may be late, before the next jump."""
    log, draw = session.timeline.log, np.random.default_rng(seed)
    jumps = [jump.frame for jump in log.markers("episode", "state", "reset")]
    stops = [min((each for each in jumps if each >= end), default=log.length) for end in ends]
    drawn = draw.integers(least, most, len(ends), endpoint=True).tolist()
    return [min(end + by, stop) for end, by, stop in zip(ends, drawn, stops, strict=True)]


def _first(right: Iterator[bool]) -> int:
    return next((number for number, each in enumerate(right, start=1) if each), 0)


def _equal(session: Session, condition: Found) -> bool:
    """True when a condition ends every episode of the line on the documented frame."""
    log = session.timeline.log
    starts = [mark.frame + 1 for mark in log.markers("episode")]
    holds, done = _lamp(session, condition, starts), np.concatenate([[False], log.done()])
    stops = [*starts[1:], log.length + 1]
    return all(
        _onset(holds[start:stop]) == _onset(done[start:stop])
        for start, stop in zip(starts, stops, strict=True)
    )


def _onset(lamp: Lamp) -> int | None:
    return int(lamp.argmax()) if lamp.any() else None


def _lamp(session: Session, condition: Found, starts: Sequence[int]) -> Lamp:
    """The frames on which a condition holds, read from recorded RAM again."""
    lamps = []
    for test in condition.tests:
        offsets = session.memory.space.offsets(test.address, test.type.width)
        ram = session.timeline.log.ram_ranges([(int(offset), 1) for offset in offsets])
        values = test.type.decode_array(ram)
        spec = session.integration.variables.get(test.spec.name)
        if spec is not None and spec.signed_mask is not None:
            values &= spec.signed_mask
        if test.spec.measurement is Measurement.DELTA:
            values = np.diff(values, prepend=values[:1])
            values[starts] = 0
        lamps.append(test.spec.op.apply(values, test.spec.reference).astype(np.bool_))
    joined: Lamp = (np.all if condition.condition is Condition.ALL else np.any)(lamps, axis=0)
    return joined


def _shares(rows: Sequence[EndsRow]) -> Iterator[dict[str, object]]:
    looks = [f"{marks}, {how}" for marks in MARKS for how in ("named", "without variables")]
    for tuned in (True, False):
        own = [row for row in rows if row.tuned is tuned]
        for number, look in enumerate(looks if own else ()):
            yield {
                "games": "tuned on" if tuned else "held out",
                "marks": look,
                "count": len(own),
                "first": sum(row.ranks[number] == 1 for row in own),
                "first_three": sum(1 <= row.ranks[number] <= 3 for row in own),
                "wanted": WANTED,
            }


def print_ends_bench(measured: EndsReport) -> None:
    """Print the shares, then each failure with the conditions that came first instead."""
    columns: list[str] = ["games", "marks", "count", "first", "first three", "wanted"]
    shares = (share.values() for share in measured["shares"])
    show_table("Documented ends among the conditions found", columns, shares)
    keys = ("game", "seed", "ends", "ranks", "instead")
    failures = ([row[key] for key in keys] for row in measured["rows"] if set(row["ranks"]) != {1})
    show_table("Not first", ["game", "seed", "ends", "ranks", "first instead"], failures)
    seconds = [float(row["seconds"]) for row in measured["rows"]]
    plain_console().print(f"processor time of a look: at most {max(seconds, default=0.0)} s")
    show_missing(measured["missing"])


if __name__ == "__main__":
    tuned = "--tuned" in sys.argv
    sys.argv = [each for each in sys.argv if each != "--tuned"]
    report(__doc__, lambda quiet: run_ends_bench(quiet=quiet, tuned=tuned), print_ends_bench)
