"""``python -m scripts.bench_evidence``: suggestions, boxes and proofs judged on exact values.

One small game (``resources/bench``) is assembled for several consoles with its score, lives, timer,
health, level and x in drawn codes, and played with human delays. An answer is right when its type
decodes the number on every frame. ``--unseen`` draws games that were frozen before weights were
chosen with the others. ``--atari`` judges Atari games by their documented addresses. Needs ca65 and
ld65 of the package cc65, and binutils-m68k-linux-gnu."""

from __future__ import annotations

import hashlib
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
from integrator.domain.errors import SearchError, SessionError
from integrator.domain.suggest.suggestion import KINDS, Kind, KindName, Suggestion
from integrator.domain.values.memory import DataType
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.pointing import PointedMatch
from scripts.bench_atari import judge_atari
from scripts.bench_labels import Label
from scripts.reporting import report, show_missing, show_table

ROOT: Final = Path(__file__).parent.parent
_SOURCES: Final = ROOT / "resources" / "bench"
_LINKING: Final = ROOT / "resources" / "demo-game" / "nrom.cfg"
_SECONDS: Final = (20, 60, 120)
_GAMES: Final = 18
_SEED: Final = 2026
_FROZEN: Final = "2a83398416d1311b"
_OFF_PIXELS: Final = 4
_SURE: Final = 0.9
BOOT_FRAMES: Final = 90
Answer = Suggestion | PointedMatch


@dataclass(frozen=True, slots=True)
class Kept:
    """The code of one number of a game: its address, its type, and the number that it counts from.

    ``base`` is the byte of the digit 0, and ``scale`` what is drawn for each one that is kept."""

    address: int
    type: DataType
    base: int = 0
    scale: int = 1

    def defines(self, name: str) -> Iterator[tuple[str, int]]:
        """Symbols of the assembler."""
        yield f"{name}_AT", self.address
        yield f"{name}_CODE", {"d": 1, "n": 2}.get(self.type.kind, 0)
        yield f"{name}_WIDTH", self.type.width
        yield f"{name}_BIG", int(self.type.endian == ">")
        yield f"{name}_BASE", self.base


@dataclass(frozen=True, slots=True)
class BenchConsole:
    """A console for which the game was written, and the codes that its games are likely to use.

    ``corner`` is the pixel at which the first line of numbers is drawn, ``base`` the address of the
    memory from which places count."""

    name: str
    suffix: str
    base: int
    corner: tuple[int, int]
    kinds: tuple[KindName, ...]
    endians: str
    columns: Mapping[Kind, tuple[int, int]]

    def build(self, defines: Mapping[str, int], folder: Path) -> Path:
        """The assembled ROM, in a folder."""
        rom, built = folder / f"game{self.suffix}", folder / "game.o"
        if self.name == "nes":
            given = [part for name, value in defines.items() for part in ("-D", f"{name}={value}")]
            subprocess.run(["ca65", *given, "-o", built, _SOURCES / "numbers.s"], check=True)
            subprocess.run(["ld65", "-C", _LINKING, "-o", rom, built], check=True)
            return rom
        given = [
            part for name, value in defines.items() for part in ("--defsym", f"{name}={value}")
        ]
        tool, linked = "m68k-linux-gnu-", folder / "game.elf"
        source = _SOURCES / "numbers-genesis.s"
        for command in (
            [f"{tool}as", "-m68000", *given, "-o", built, source],
            [f"{tool}ld", "-Ttext", "0", "-e", "0", "-o", linked, built],
            [f"{tool}objcopy", "-O", "binary", "-j", ".text", linked, rom],
        ):
            subprocess.run([str(part) for part in command], check=True)
        return rom


CONSOLES: Final = (
    BenchConsole(
        "nes",
        ".nes",
        0,
        (24, 16),
        ("score", "lives", "timer", "player-x", "player-y"),
        "<<>",
        {"score": (0, 0), "lives": (8, 0), "timer": (16, 0)},
    ),
    BenchConsole(
        "genesis",
        ".md",
        0xFF0000,
        (32, 16),
        ("score", "lives", "timer", "health", "level", "player-x", "player-y"),
        ">>>>>>>>><",
        {"score": (0, 0), "lives": (10, 0), "timer": (20, 0), "health": (0, 2), "level": (10, 2)},
    ),
)


@dataclass(frozen=True, slots=True)
class Coded:
    """One assembly of the game: the code of each kind of number."""

    console: BenchConsole
    numbers: Mapping[Kind, Kept]
    fine: int
    seconds: int
    lives_up: bool = False

    def defines(self) -> dict[str, int]:
        """All symbols of the assembler."""
        symbols = {
            symbol: value
            for kind, kept in self.numbers.items()
            for symbol, value in kept.defines(kind.removeprefix("player-").upper())
        }
        most = 300 if self.numbers["player-x"].type.width > 1 else 238
        zero = int(self.numbers["score"].scale == 10)
        return symbols | {
            "X_FINE": self.fine,
            "X_MOST": most,
            "SCORE_ZERO": zero,
            "LIVES_UP": int(self.lives_up),
        }


_SCORES: Final = ("u2", "d3", "n6", "t6", "u3", "d4", "u4")
_SMALL: Final = ("u1", "d1", "t1", "u1")
_TIMERS: Final = ("u1", "u2", "d2", "n3", "t3")
_PLACES: Final = (("u1", 0), ("u2", 0), ("u2", 0), ("u2", 4))


def drawn_games(seed: int, count: int) -> Iterator[Coded]:
    """Assemblies of the game for each console in turn, in codes that a seed draws."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        console = CONSOLES[number % len(CONSOLES)]
        wide = console.name == "genesis"
        at = iter((0x300 + 16 * rng.permutation(64)[:7] + 2 * rng.integers(0, 4, 7)).tolist())
        coded, fine = _PLACES[rng.integers(len(_PLACES))]
        scale = int(rng.choice([1, 1, 10]))
        specs = {
            "score": str(rng.choice(_SCORES if wide else _SCORES[:5])),
            "lives": str(rng.choice(_SMALL)),
            "timer": str(rng.choice(_TIMERS)),
            "health": str(rng.choice(("u1", "u2"))),
            "level": str(rng.choice(_SMALL)),
            "player-x": coded,
            "player-y": "u1",
        }
        sign = console.endians[rng.integers(len(console.endians))]
        numbers: dict[Kind, Kept] = {
            kind: _kept(next(at), specs[kind], sign, scale if kind == "score" else 1)
            for kind in console.kinds
        }
        seconds = _SECONDS[number // len(CONSOLES) % len(_SECONDS)]
        yield Coded(console, numbers, fine, seconds, bool(rng.random() < 0.2))


def _kept(address: int, spec: str, sign: str, scale: int = 1) -> Kept:
    # Digits of text are digits whose 0 is the byte 0x30.
    base = 0x30 if "t" in spec else 0
    sign = sign if spec[1:] != "1" else "|"
    return Kept(address, DataType.parse(sign + spec.replace("t", "n")), base, scale)


@dataclass(frozen=True, slots=True)
class Row:
    """One answer for a kind in a game: ``table`` is suggest, point or prove.

    ``rank`` is that of the first right answer, 0 without any."""

    table: str
    console: str
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

    def address(self, kind: Kind) -> int:
        """The address of the number of a kind."""
        return self.coded.console.base + self.coded.numbers[kind].address

    def values(self, kind: Kind) -> NDArray[np.int64]:
        """The number of a kind on each frame."""
        return _values(self.session, self.address(kind), self.coded.numbers[kind].type)


def games_of(*, unseen: bool = False, games: int = _GAMES) -> list[Coded]:
    """The games for tuning, or those that are looked at once. Raises SessionError.

    The latter were frozen before anything was tuned with the former."""
    found = list(drawn_games(_SEED + unseen, games))
    told = repr([sorted((name, value) for name, value in each.defines().items()) for each in found])
    if unseen and games == _GAMES and hashlib.sha256(told.encode()).hexdigest()[:16] != _FROZEN:
        raise SessionError("scripts/bench_evidence.py draws other unseen games than were frozen")
    return found


def played_games(*, unseen: bool = False, games: int = _GAMES) -> Iterator[Played]:
    """Each game, played; it closes with the next one."""
    for number, coded in enumerate(games_of(unseen=unseen, games=games)):
        with tempfile.TemporaryDirectory(prefix="bench-evidence-") as folder:
            rom = coded.console.build(coded.defines(), Path(folder))
            with open_session(rom, isolated=False) as session:
                session.reset()
                seed = number + 1000 * unseen
                session.run(human_rows(session.system.buttons, 60 * coded.seconds, seed))
                yield Played(number, coded, session)


def run_evidence(*, unseen: bool = False, games: int = _GAMES) -> EvidenceReport:
    """Judge each game."""
    rows: list[Row] = []
    slowest = 0.0
    for game in played_games(unseen=unseen, games=games):
        started = time.process_time()
        found = game.session.suggest(list(game.coded.console.kinds))
        seconds = time.process_time() - started
        slowest = max(slowest, seconds)
        moved = [kind for kind in game.coded.numbers if np.ptp(game.values(kind))]
        own: list[Row] = []
        for kind in moved:
            own.append(_row("suggest", game, kind, [e for e in found if e.kind == kind]))
            if kind in game.coded.console.columns:
                own += _pointed_rows(game, kind)
            own.append(_proven(game, kind))
        # A run takes many minutes, and one that is stopped has still measured its first games.
        told = f"{game.coded.console.name} {game.number}: {_firsts(own)}; {seconds:.1f} s"
        plain_console(stderr=True).print(told)
        rows += own
    return {"rows": [asdict(row) for row in rows], "slowest": round(slowest, 2)}


def _firsts(rows: Sequence[Row]) -> str:
    """The right first answers of each table, in words."""
    tables = {row.table: [each for each in rows if each.table == row.table] for row in rows}
    return ", ".join(
        f"{table} {sum(row.rank == 1 for row in own)} of {len(own)}"
        for table, own in tables.items()
    )


def run_atari(*, quiet: bool = False) -> EvidenceReport:
    """Judge Atari games, by the addresses that are documented."""
    rows: list[Row] = []
    started = time.process_time()

    def told(
        table: str, game: str, kind: Kind, labels: Sequence[Label], found: Sequence[Answer]
    ) -> None:
        def right(each: Answer) -> bool:
            stop = each.address + each.type.width
            return any(
                each.address < label.address + label.width and label.address < stop
                for label in labels
            )

        rank = next((rank for rank, each in enumerate(found, start=1) if right(each)), 0)
        first = found[0] if found else None
        offered = "" if first is None else f"0x{first.address:X} {first.type}: {first.reason}"
        named = f"{game}: " + " ".join(f"0x{label.address:X}" for label in labels)
        sure = 0.0 if first is None else first.confidence
        rows.append(Row(table, "atari", len(rows), 60, kind, named, rank, sure, offered))

    show_missing(judge_atari(told, _OFF_PIXELS, quiet=quiet))
    seconds = (time.process_time() - started) / max(1, len({row.kept for row in rows}))
    return {"rows": [asdict(row) for row in rows], "slowest": round(seconds, 2)}


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


def _row(table: str, game: Played, kind: Kind, offered: Sequence[Answer]) -> Row:
    truth = game.values(kind)
    ranks = [_is_right(game.session, each, truth) for each in offered]
    rank = ranks.index(True) + 1 if True in ranks else 0
    first = offered[0] if offered else None
    told = "" if first is None else f"0x{first.address:X} {first.type}: {first.reason}"
    return _told(table, game, kind, rank, 0.0 if first is None else first.confidence, told)


def _told(table: str, game: Played, kind: Kind, rank: int, confidence: float, told: str) -> Row:
    kept = game.coded.numbers[kind]
    named = f"0x{game.address(kind):X} {kept.type}" + (
        f" from 0x{kept.base:X}" if kept.base else ""
    )
    console, seconds = game.coded.console.name, game.coded.seconds
    return Row(table, console, game.number, seconds, kind, named, rank, confidence, told)


def _pointed_rows(game: Played, kind: Kind) -> Iterator[Row]:
    """Answers to a box round a drawn number, and to one that people draw."""
    left, top = (at + 8 * by for at, by in zip(*_places(game, kind), strict=True))
    rng = np.random.default_rng(game.number)
    for table, off in (("point", 0), ("point off", _OFF_PIXELS)):
        x, y, right, bottom = rng.integers(-off, off + 1, 4).tolist()
        zero = 8 * (game.coded.numbers[kind].scale == 10)
        box = left + x, top + y, 48 + zero + right - x, 8 + bottom - y
        try:
            found = game.session.point(*box)
        except SearchError:
            found = []
        yield _row(table, game, kind, found)


def _places(game: Played, kind: Kind) -> tuple[tuple[int, int], tuple[int, int]]:
    return game.coded.console.corner, game.coded.console.columns[kind]


def _proven(game: Played, kind: Kind) -> Row:
    """The verdict of the number as it is kept, whose form has to give the same values."""
    kept, address = game.coded.numbers[kind], game.address(kind)
    [verdict] = game.session.prove([(address, kept.type)])
    rank, told = int(verdict.ruling == "original"), str(verdict.ruling)
    if rank and verdict.form is not None and verdict.form.type is not None:
        at = address if verdict.form.address is None else verdict.form.address
        told = f"0x{at:X} {verdict.form.type}"
        rank = int((_values(game.session, at, verdict.form.type) == game.values(kind)).all())
    return _told("prove", game, kind, rank, 1.0, told)


def _is_right(session: Session, each: Answer, truth: NDArray[np.int64]) -> bool:
    values = _values(session, each.address, each.type)
    if each.mask is not None:
        values = (values & each.mask) // (each.mask & -each.mask)
    return bool((values == truth).all())


def _values(session: Session, address: int, data_type: DataType) -> NDArray[np.int64]:
    recorded = session.recorded_play()
    values = recorded.numbers([(address, data_type)], len(recorded.inputs) + 1)[0]
    return values[BOOT_FRAMES:]


def print_evidence(measured: EvidenceReport) -> None:
    """Print shares by table, console and kind, then each answer whose first place is wrong."""
    rows = measured["rows"]
    for table in dict.fromkeys(row["table"] for row in rows):
        shares = []
        for console in dict.fromkeys(row["console"] for row in rows):
            for kind in KINDS:
                own = [
                    row
                    for row in rows
                    if (row["table"], row["console"], row["kind"]) == (table, console, kind)
                ]
                sure = [row for row in own if row["confidence"] >= _SURE]
                top = sum(row["rank"] == 1 for row in own), sum(0 < row["rank"] < 4 for row in own)
                right = f"{sum(row['rank'] == 1 for row in sure)}/{len(sure)}"
                shares.append((console, kind, *top, len(own), right))
        titles = ("console", "kind", "first", "first three", "games", f"right at {_SURE}")
        show_table(f"{table}: numbers in value and type", titles, [s for s in shares if s[4]])
    wrong = [row.values() for row in rows if row["rank"] != 1]
    show_table("Not first", list(rows[0]), wrong)
    plain_console().print(f"processor time of a look: at most {measured['slowest']} s")


if __name__ == "__main__":
    flags = {flag for flag in ("--unseen", "--atari") if flag in sys.argv}
    sys.argv = [each for each in sys.argv if each not in flags]
    report(
        __doc__,
        lambda quiet: (
            run_atari(quiet=quiet)
            if "--atari" in flags
            else run_evidence(unseen="--unseen" in flags)
        ),
        print_evidence,
    )
