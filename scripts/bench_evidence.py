"""``python -m scripts.bench_evidence``: suggestions judged on exact values, in many codes.

One small game (``resources/bench/numbers.s``) is assembled with its score, lives, timer and x in
drawn codes, and played with human delays. A suggestion is right when its type decodes the number on
every frame. Weights were chosen with these games in sight; ``--unseen`` draws others. Needs ca65
and ld65 of the package cc65.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.console import plain_console
from integrator.domain.suggest.suggestion import Kind, Suggestion
from integrator.domain.values.datatype import DataType
from integrator.session.opening import open_session
from integrator.session.session import Session
from scripts.reporting import report, show_table

ROOT: Final = Path(__file__).parent.parent
_SOURCE: Final = ROOT / "resources" / "bench" / "numbers.s"
_LINKING: Final = ROOT / "resources" / "demo-game" / "nrom.cfg"
_SECONDS: Final = (20, 60, 120)
_GAMES: Final = 12
_SEED: Final = 2026
BOOT_FRAMES: Final = 90
_KINDS: Final[tuple[Kind, ...]] = ("score", "lives", "timer", "player-x", "player-y")


@dataclass(frozen=True, slots=True)
class Kept:
    """The code of one number of a game: its address, its type, and the number that it counts from.

    ``base`` is the byte of the digit 0, and ``scale`` what is drawn for each one that is kept.
    """

    address: int
    type: DataType
    base: int = 0
    scale: int = 1

    def defines(self, name: str) -> Iterator[str]:
        """Arguments of the assembler."""
        code = {"d": 1, "n": 2}.get(self.type.kind, 0)
        big = int(self.type.endian == ">")
        parts = ("AT", self.address), ("CODE", code), ("WIDTH", self.type.width), ("BIG", big)
        for part, value in (*parts, ("BASE", self.base)):
            yield from ("-D", f"{name}_{part}={value}")


@dataclass(frozen=True, slots=True)
class Coded:
    """One assembly of the game: the code of each kind of number."""

    numbers: Mapping[Kind, Kept]
    fine: int
    seconds: int
    lives_up: bool = False

    def assemble(self, folder: Path) -> Path:
        """The ROM, in a folder."""
        x, y = self.numbers["player-x"], self.numbers["player-y"]
        defines = [
            each
            for kind in ("score", "lives", "timer")
            for each in self.numbers[kind].defines(kind.upper())
        ]
        rest = {
            "X_AT": x.address,
            "X_WIDTH": x.type.width,
            "X_BIG": int(x.type.endian == ">"),
            "X_FINE": self.fine,
            "Y_AT": y.address,
            "SCORE_ZERO": int(self.numbers["score"].scale == 10),
            "LIVES_UP": int(self.lives_up),
        }
        defines += [part for name, value in rest.items() for part in ("-D", f"{name}={value}")]
        rom, built = folder / "game.nes", folder / "game.o"
        subprocess.run(["ca65", *defines, "-o", built, _SOURCE], check=True)
        subprocess.run(["ld65", "-C", _LINKING, "-o", rom, built], check=True)
        return rom


_SCORES: Final = (*(f"{sign}{kind}" for sign in "<>" for kind in ("u2", "d3", "n6", "t6", "u3")),)
_SMALL: Final = ("|u1", "|d1", "|t1")
_TIMERS: Final = ("|u1", "<u2", ">u2", "<d2", ">d2", ">n3", ">t3", "<t3")
_PLACES: Final = (("|u1", 0), ("<u2", 0), (">u2", 0), ("<u2", 4), (">u2", 4))


def drawn_games(seed: int, count: int) -> Iterator[Coded]:
    """Assemblies of the game in codes that a seed draws."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        at = iter((0x300 + 16 * rng.permutation(64)[:5] + rng.integers(0, 8, 5)).tolist())
        coded, fine = _PLACES[rng.integers(len(_PLACES))]
        scale = int(rng.choice([1, 1, 10]))
        numbers = {
            "score": _kept(next(at), str(_SCORES[rng.integers(len(_SCORES))]), scale),
            "lives": _kept(next(at), str(rng.choice(_SMALL))),
            "timer": _kept(next(at), str(rng.choice(_TIMERS))),
            "player-x": _kept(next(at), coded),
            "player-y": _kept(next(at), "|u1"),
        }
        yield Coded(numbers, fine, _SECONDS[number % len(_SECONDS)], bool(rng.random() < 0.2))


def _kept(address: int, spec: str, scale: int = 1) -> Kept:
    # Digits of text are digits whose 0 is the byte 0x30.
    base = 0x30 if "t" in spec else 0
    return Kept(address, DataType.parse(spec.replace("t", "n")), base, scale)


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in a game. ``rank`` is that of the first right suggestion, 0 without any."""

    game: int
    seconds: int
    kind: Kind
    kept: str
    rank: int
    confidence: float
    offered: str


class EvidenceReport(TypedDict):
    """The document of ``--json``."""

    rows: list[dict[str, Any]]
    slowest: float


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """A game that was played."""

    number: int
    coded: Coded
    session: Session

    def values(self, kind: Kind) -> NDArray[np.int64]:
        """The number of a kind on each frame."""
        kept = self.coded.numbers[kind]
        return _values(self.session, kept.address, kept.type)


def played_games(*, unseen: bool = False, games: int = _GAMES) -> Iterator[Played]:
    """Each game, played; it closes with the next one."""
    for number, coded in enumerate(drawn_games(_SEED + unseen, games)):
        with tempfile.TemporaryDirectory(prefix="bench-evidence-") as folder:
            rom = coded.assemble(Path(folder))
            with open_session(rom, isolated=False) as session:
                session.reset()
                session.run(human_rows(session.system.buttons, 60 * coded.seconds, number))
                yield Played(number, coded, session)


def run_evidence(*, unseen: bool = False, games: int = _GAMES) -> EvidenceReport:
    """Judge each game."""
    rows: list[Row] = []
    slowest = 0.0
    for game in played_games(unseen=unseen, games=games):
        started = time.process_time()
        found = game.session.suggest(list(_KINDS))
        slowest = max(slowest, time.process_time() - started)
        rows += _rows(game, found)
    return {"rows": [asdict(row) for row in rows], "slowest": round(slowest, 2)}


def human_rows(buttons: Sequence[str | None], frames: int, seed: int) -> NDArray[np.uint16]:
    """Directions held for a quarter of a second to one and a half, and a press now and then."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((frames, 1), np.uint16)
    ways = [1 << buttons.index(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]
    frame = 60
    while frame < frames:
        lasting = int(rng.integers(15, 90))
        rows[frame : frame + lasting] |= np.uint16(rng.choice([0, *ways, *ways]))
        frame += lasting + int(rng.integers(0, 20))
    frame = 90
    while frame < frames:
        rows[frame : frame + int(rng.integers(3, 9))] |= np.uint16(1 << buttons.index("A"))
        frame += int(rng.integers(20, 120))
    return rows


def _rows(game: Played, found: Sequence[Suggestion]) -> Iterator[Row]:
    """Each number that changed."""
    for kind, kept in game.coded.numbers.items():
        truth = game.values(kind)
        if (truth == truth[0]).all():
            continue
        offered = [each for each in found if each.kind == kind]
        ranks = [_is_right(game.session, each, truth) for each in offered]
        rank = ranks.index(True) + 1 if True in ranks else 0
        named = f"0x{kept.address:X} {kept.type}" + (f" base 0x{kept.base:X}" if kept.base else "")
        first = offered[0] if offered else None
        told = "" if first is None else f"0x{first.address:X} {first.type}: {first.reason}"
        confidence = 0.0 if first is None else first.confidence
        yield Row(game.number, game.coded.seconds, kind, named, rank, confidence, told)


def _is_right(session: Session, each: Suggestion, truth: NDArray[np.int64]) -> bool:
    values = _values(session, each.address, each.type)
    if each.mask is not None:
        values = (values & each.mask) // (each.mask & -each.mask)
    return bool((values == truth).all())


def _values(session: Session, address: int, data_type: DataType) -> NDArray[np.int64]:
    recorded = session.recorded_play()
    values = recorded.numbers([(address, data_type)], len(recorded.inputs) + 1)[0]
    return values[BOOT_FRAMES:]


def print_evidence(measured: EvidenceReport) -> None:
    """Print shares by kind, then each number whose first suggestion is wrong."""
    rows = measured["rows"]
    shares = []
    for kind in _KINDS:
        own = [row for row in rows if row["kind"] == kind]
        sure = [row for row in own if row["confidence"] >= 0.9]
        top = sum(row["rank"] == 1 for row in own), sum(1 <= row["rank"] <= 3 for row in own)
        right = sum(row["rank"] == 1 for row in sure)
        shares.append((kind, *top, len(own), f"{right}/{len(sure)}"))
    titles = ("kind", "first", "first three", "games", "right at 0.9")
    show_table("Numbers in value and type", titles, shares)
    wrong = [row.values() for row in rows if row["rank"] != 1]
    show_table("Not first", list(rows[0]), wrong)
    plain_console().print(f"processor time of a look: at most {measured['slowest']} s")


if __name__ == "__main__":
    unseen = "--unseen" in sys.argv
    sys.argv = [each for each in sys.argv if each != "--unseen"]
    report(__doc__, lambda _: run_evidence(unseen=unseen), print_evidence)
