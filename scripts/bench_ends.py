"""``python -m scripts.bench_ends``: done conditions mined from the marked ends of episodes.

Seeded random play goes through ends of each game; the documented done condition only tells where
they are. The conditions found are right when one of the first three ends every episode on the same
frame as the documented one, in the recorded play and in play of another seed that is not shown. A
second look has marks up to 60 frames late, as those of people are. The rules were tuned on every
second game by name; the others are reported apart. ROMs come from the package ale-py (``pip install
--no-deps ale-py``), and Airstriker from stable-retro's own.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.console import plain_console
from integrator.commands.shared.options import airstriker
from integrator.domain.ends.condition import EndCondition
from integrator.domain.errors import SearchError
from integrator.domain.scenario.tree import Condition, Measurement
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.ends import EndsRun
from scripts.bench_games import atari_games, judge_games, played_rows, seed_of
from scripts.bench_search import airstriker_rows
from scripts.reporting import report, show_missing, show_table

WANTED: Final = 0.9
_CHUNK_FRAMES: Final = 60
_LATE: Final = 60
_RECORDED, _UNSEEN = (4, 40_000), (3, 25_000)
"""Episodes that are played, and the most frames for them."""

Lamp = NDArray[np.bool_]
Rows = Callable[[int, int], NDArray[np.uint16]]
"""Inputs of a number of frames with a seed."""


@dataclass(frozen=True, slots=True)
class EndsRow:
    """A game. Ranks are those of the first right condition, 0 without any."""

    game: str
    tuned: bool
    seed: int
    ends: int
    rank: int
    raw_rank: int
    late_rank: int
    late_raw_rank: int
    instead: str
    seconds: float


class EndsReport(TypedDict):
    """The document of ``--json``. ``missing`` are games without a judgement, with the cause."""

    shares: list[dict[str, object]]
    rows: list[dict[str, object]]
    missing: dict[str, str]


def run_ends_bench(*, quiet: bool = False) -> EndsReport:
    """Play all games through ends, and judge the conditions."""
    with tempfile.TemporaryDirectory(prefix="bench-ends-") as folder:
        games = [*atari_games(Path(folder)), airstriker()]
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

    Play goes on for a moment after each end, as that of people does, then begins anew.
    """
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


def _judge(name: str, directory: Path, tuned: bool) -> list[EndsRow]:
    seed = seed_of(directory) if directory != airstriker() else 1
    with open_session(directory, isolated=False) as session:
        ends = play_ends(session, _rows(session), seed, *_RECORDED)
        if not ends:
            raise SearchError("random play does not reach the documented end")
        started = time.process_time()
        found = session.episode_ends(ends)
        seconds = round(time.process_time() - started, 2)
        late = _late_marks(session, ends, seed)
        space, log = session.memory.space, session.timeline.log
        lists = [found, EndsRun.take(space, log, {}, ends).run()]
        lists += [session.episode_ends(late), EndsRun.take(space, log, {}, late).run()]
        seen = [[_equal(session, each) for each in found] for found in lists]
    with open_session(directory, isolated=False) as session:
        play_ends(session, _rows(session), seed + 1, *_UNSEEN)
        ranks = [
            _first(fits and _equal(session, each) for fits, each in zip(*pair, strict=True))
            for pair in zip(seen, lists, strict=True)
        ]
    instead = "" if ranks[2] == 1 else str(lists[2][0]) if lists[2] else "nothing"
    rank, raw, late_rank, late_raw = ranks
    return [EndsRow(name, tuned, seed, len(ends), rank, raw, late_rank, late_raw, instead, seconds)]


def _late_marks(session: Session, ends: Sequence[int], seed: int) -> list[int]:
    """Marks up to so many frames after the ends as a person may be late, before the next jump."""
    log, draw = session.timeline.log, np.random.default_rng(seed)
    jumps = [jump.frame for jump in log.markers("episode", "state", "reset")]
    stops = [min((each for each in jumps if each >= end), default=log.length) for end in ends]
    drawn = draw.integers(0, _LATE, len(ends), endpoint=True).tolist()
    return [min(end + by, stop) for end, by, stop in zip(ends, drawn, stops, strict=True)]


def _first(right: Iterator[bool]) -> int:
    return next((number for number, each in enumerate(right, start=1) if each), 0)


def _equal(session: Session, condition: EndCondition) -> bool:
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


def _lamp(session: Session, condition: EndCondition, starts: Sequence[int]) -> Lamp:
    """The frames on which a condition holds, read from recorded RAM anew."""
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
    for tuned in (True, False):
        own = [row for row in rows if row.tuned is tuned]
        yield {
            "games": "tuned on" if tuned else "held out",
            "count": len(own),
            "first": sum(row.rank == 1 for row in own),
            "first_three": sum(1 <= row.rank <= 3 for row in own),
            "raw_first_three": sum(1 <= row.raw_rank <= 3 for row in own),
            "late_first": sum(row.late_rank == 1 for row in own),
            "late_first_three": sum(1 <= row.late_rank <= 3 for row in own),
            "late_raw_first_three": sum(1 <= row.late_raw_rank <= 3 for row in own),
            "wanted": WANTED,
        }


def print_ends_bench(measured: EndsReport) -> None:
    """Print the shares, then each failure with the condition that came first instead."""
    columns: list[str] = ["games", "count", "first", "first three", "without variables"]
    columns += ["marks late: first", "first three", "without variables", "wanted"]
    shares = (share.values() for share in measured["shares"])
    show_table("Documented ends among the conditions found", columns, shares)
    ranks = ("rank", "raw_rank", "late_rank", "late_raw_rank")
    keys = ("game", "seed", "ends", *ranks, "instead")
    failures = (
        [row[key] for key in keys]
        for row in measured["rows"]
        if {row["rank"], row["late_rank"]} != {1} or 0 in (row["raw_rank"], row["late_raw_rank"])
    )
    title = "Not first, or not listed without variables"
    columns = ["game", "seed", "ends", "rank", "without variables", "late", "late, without"]
    columns.append("first instead")
    show_table(title, columns, failures)
    seconds = [float(str(row["seconds"])) for row in measured["rows"]]
    plain_console().print(f"processor time of a look: at most {max(seconds, default=0.0)} s")
    show_missing(measured["missing"])


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_ends_bench(quiet=quiet), print_ends_bench)
