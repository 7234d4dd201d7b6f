"""``python -m scripts.bench_point``: a box round the score on the screen, and nothing typed.

A minute of each Atari game is played with seeded inputs. The box is the part of the picture that
differs between two poked scores. The first number that explains the box is right when its bytes
overlap the score's; its type is right when it is the documented one after Prove. Boxes that are up
to three pixels off on each side, as people draw them, and games in which fewer than four pictures
of the score were seen are reported apart. The rules were tuned on the
games of stable-retro; those of ``bench_annotated`` are held out. ROMs come from the package ale-py
(``pip install --no-deps ale-py``).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.variables import VariableSpec
from integrator.session.opening import open_session
from integrator.session.proof.proof import prepare
from integrator.session.session import Session
from integrator.session.suggestions.box import Box
from integrator.session.suggestions.pointing import PointRun
from libretro_host.host import CapturePlan
from scripts.bench_annotated import annotated_games, start_game
from scripts.bench_games import atari_games, judge_games, rom_dir, seed_of
from scripts.bench_suggest import play_minute
from scripts.bench_suggest_labels import documented
from scripts.reporting import report, show_missing, show_table

ENOUGH_PICTURES: Final = 4
WANTED: Final = {"first": 0.9, "type": 0.8}
_MOMENTS: Final = 8
_MOST_MOMENTS: Final = 0.5
_DIGITS: Final = (1, 7)
_DRAWN_AFTER: Final = 4
_OFF_PIXELS: Final = 3
_OFF_BOXES: Final = 2


@dataclass(frozen=True, slots=True)
class PointRow:
    """A box in a game. ``cause`` says why it is wrong, empty when it is right.

    ``pictures`` are those of the exact box, ``off`` is true for another one.
    """

    game: str
    tuned: bool
    off: bool
    seed: int
    pictures: int
    first: bool
    type_right: bool
    cause: str
    seconds: float


class PointReport(TypedDict):
    """The document of ``--json``. ``missing`` are games without a judgement, with the cause."""

    shares: list[dict[str, object]]
    rows: list[dict[str, object]]
    missing: dict[str, str]


def run_point_bench(*, quiet: bool = False) -> PointReport:
    """Play all games, draw a box in each, and judge the first number."""
    with tempfile.TemporaryDirectory(prefix="bench-point-") as folder:
        tuned = judge_games(atari_games(Path(folder)), _judge, quiet=quiet, tuned=True)
        others = annotated_games(rom_dir(), Path(folder))
        unseen = judge_games(others, _judge, quiet=quiet, tuned=False)
    rows, missing = [*tuned[0], *unseen[0]], {**tuned[1], **unseen[1]}
    shares = list(_shares(rows))
    return {"shares": shares, "rows": [asdict(row) for row in rows], "missing": missing}


def _judge(name: str, directory: Path, tuned: bool) -> list[PointRow]:
    seed = seed_of(directory)
    with open_session(directory, isolated=False) as session:
        session.reset()
        if not tuned:
            start_game(session)
        states = list(play_minute(session, seed))
        scores = _scores(session)
        box = _box(session, scores, states)
        first = _row(session, box, scores, (name, tuned, False, seed), None)
        others = [
            _row(session, other, scores, (name, tuned, True, seed), first.pictures)
            for other in _off(box, np.random.default_rng(seed))
        ]
        return [first, *others]


def _off(box: Box, rng: np.random.Generator) -> Iterator[Box]:
    """The box as people draw it."""
    for _ in range(_OFF_BOXES):
        left, top, right, bottom = rng.integers(-_OFF_PIXELS, _OFF_PIXELS + 1, 4).tolist()
        x, y = max(0, box.x - left), max(0, box.y - top)
        yield Box(x, y, box.x + box.width + right - x, max(2, box.y + box.height + bottom - y))


def _row(
    session: Session,
    box: Box,
    scores: Sequence[VariableSpec],
    told: tuple[str, bool, bool, int],
    pictures: int | None,
) -> PointRow:
    state = session.save_state()
    started = time.process_time()
    try:
        pointed = PointRun(session.recorded_play(), box).look(session.host)
    except SearchError as error:
        if pictures is None:
            raise
        return PointRow(
            *told, pictures, first=False, type_right=False, cause=str(error), seconds=0.0
        )
    seconds = round(time.process_time() - started, 2)
    session.host.unserialize(state)
    right, typed, cause = _compare(session, pointed.suggestions, scores)
    seen = pointed.pictures if pictures is None else pictures
    return PointRow(*told, seen, right, typed, cause, seconds)


def _compare(
    session: Session, found: Sequence[Suggestion], scores: Sequence[VariableSpec]
) -> tuple[bool, bool, str]:
    """True for the right address, true for the right type after Prove, and the cause if not."""
    if not found:
        return False, False, "no number explains the box"
    best = found[0]
    ends = best.address + best.type.width
    right = any(
        best.address < spec.address + spec.type.width and spec.address < ends for spec in scores
    )
    [verdict] = prepare(session, [(best.address, best.type)]).run()
    proven = best.address, best.type
    if verdict.form is not None and verdict.form.type is not None:
        address = verdict.form.address
        proven = (best.address if address is None else address, verdict.form.type)
    typed = proven in {(spec.address, spec.type) for spec in scores}
    told = " ".join(f"{spec.name} 0x{spec.address:X} {spec.type}" for spec in scores)
    cause = f"0x{proven[0]:X} {proven[1]} for {told}: {best.reason}"
    return right, typed, "" if right and typed else cause


def _scores(session: Session) -> list[VariableSpec]:
    """The documented variables of the player's score that changed. Raises SearchError."""
    places = {label.address for label in documented(session) if label.kind == "score"}
    specs = [
        spec
        for spec in session.integration.variables.values()
        if spec.address in places and spec.name.lower().startswith("score")
    ]
    if not specs:
        raise SearchError("no documented score changed in the minute that was played")
    return specs


def _box(session: Session, scores: Sequence[VariableSpec], states: Sequence[bytes]) -> Box:
    """The part of the picture that differs between two scores. Raises SearchError without one."""
    present = session.save_state()
    seen = [
        one != other
        for state in states[:: max(1, len(states) // _MOMENTS)]
        for one, other in [[_picture(session, scores, state, digit) for digit in _DIGITS]]
        if one.shape == other.shape
    ]
    session.host.unserialize(present)
    drawn = np.mean(seen, axis=0) > _MOST_MOMENTS
    places = np.argwhere(drawn)
    if not len(places):
        raise SearchError("poked scores look the same: the game draws them later, or not at all")
    (top, left), (bottom, right) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    return Box(left, top, right - left + 1, bottom - top + 1)


def _picture(
    session: Session, scores: Sequence[VariableSpec], state: bytes, digit: int
) -> NDArray[np.uint32]:
    """The picture a few frames after all digits of a score were poked."""
    session.host.unserialize(state)
    for spec in scores:
        values = np.unique(session.timeline.column(spec.name))
        number = int(str(digit) * 2 * spec.type.width)
        if spec.type.kind not in "dn":
            number = int(values[len(values) * digit // 8])
        for offset, raw in session.memory.space.encode_write(
            spec.address, spec.type, min(number, spec.type.maximum)
        ):
            session.host.write_ram(offset, raw)
    run = session.host.run(np.zeros((_DRAWN_AFTER, 1), np.uint16), CapturePlan())
    assert run.frame is not None
    return Box(0, 0, 1 << 12, 1 << 12).cut(run.frame)


def _shares(rows: Sequence[PointRow]) -> Iterator[dict[str, object]]:
    for tuned, off in product((True, False), repeat=2):
        for enough in (True, False):
            own = [
                row
                for row in rows
                if (row.tuned, row.off, row.pictures >= ENOUGH_PICTURES) == (tuned, off, enough)
            ]
            yield {
                "games": "tuned on" if tuned else "held out",
                "box": f"up to {_OFF_PIXELS} off" if off else "exact",
                "pictures": f"{ENOUGH_PICTURES} or more" if enough else "fewer",
                "count": len(own),
                "first": sum(row.first for row in own),
                "type": sum(row.type_right for row in own),
            }


def print_point_bench(measured: PointReport) -> None:
    """Print the shares, then each failure with its cause."""
    columns = ("games", "box", "pictures", "count", "address first", "exact type")
    shares = (share.values() for share in measured["shares"])
    show_table(f"Score in a box: wanted {WANTED} with four or more pictures", columns, shares)
    columns = ("game", "seed", "off", "pictures", "first", "cause")
    failures = ([row[key] for key in columns] for row in measured["rows"] if row["cause"])
    show_table("Wrong address or type", columns, failures)
    show_missing(measured["missing"])


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_point_bench(quiet=quiet), print_point_bench)
