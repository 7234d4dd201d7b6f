"""``python -m scripts.bench_pieces``: scores in pieces, found from four facts.

Atari games are played for four minutes with seeded inputs; their pieces are the documented ones. Of
other consoles, whose ROMs nobody ships, each layout of two or more variables ``score0``, ``score1``
and so on that stable-retro's integrations document is planted: a score that grows at random, in
memory of which a fifth jumps about. An answer is right when its number is the score on every frame.
Draws of facts that change one piece alone are left out, because they say nothing of the others.
ROMs come from the package ale-py (``pip install --no-deps ale-py``)."""

from __future__ import annotations

import json
import re
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.domain.query.facts import Equals, Fact
from integrator.domain.query.pieces import Coding, Pieces
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.opening import open_session
from integrator.session.searches import query_types
from integrator.session.session import Session
from scripts.bench_facts import clean, numbers_of, stable_integrations
from scripts.bench_games import atari_games, play_episodes, played_rows
from scripts.reporting import report, show_table

DRAWS: Final = 3
SEEDS: Final = (1, 2)
_PLAYED, _RUN = 4 * 3600, 1200
"""Frames of play, and how many are run before a new episode begins where one is done."""
_ATARI: Final[Mapping[str, tuple[Coding, int, tuple[int, ...]]]] = {
    "Alien": (Coding(10, 8, 0x78), 10, (139, 137, 135, 133, 131)),
    "Bowling": (Coding(100), 1, (161, 166)),
    "ChopperCommand": (Coding(100), 100, (238, 236)),
    "DemonAttack": (Coding(100), 1, (133, 131, 129)),
    "Riverraid": (Coding(10, 8), 1, (215, 213, 211, 209, 207, 205)),
    "SpaceInvaders": (Coding(100), 1, (232, 230)),
    "TimePilot": (Coding(100), 100, (141, 143)),
    "Tutankham": (Coding(100), 1, (156, 154)),
    "VideoPinball": (Coding(100), 1, (176, 178, 180)),
}
"""Coding, worth of the lowest digit, and addresses of the digits, the lowest first."""
_PIECE: Final = re.compile(r"(.*score|time|money_byte)_?(\d+|Lo|Hi|_ones|_tens)")
_SHORT: Final = {"_ones": 0, "_tens": 1, "Lo": 0, "Hi": 1}
_RAM_BYTES, _FRAMES, _FIRST = 8192, 1800, 0x2000
_ZEROS: Final = (0, 0, 0x30, 0x10, 0xA0)
_TYPES: Final = ("|u1", "|i1", "|d1", "<u2", ">u2", "<d2", ">d2", "<u4", ">u4", "<d4", ">d4")


@dataclass(frozen=True, slots=True)
class Row:
    """An answer to four facts: the ``place`` of the right one, 0 if it is not listed."""

    game: str
    source: str
    coding: str
    place: int
    cause: str
    seconds: float


class PiecesReport(TypedDict):
    """The document of ``--json``."""

    rows: list[dict[str, object]]


def run_bench(*, quiet: bool) -> PiecesReport:  # noqa: ARG001 - as all benchmarks
    """Ask of every game and layout."""
    rows = [*_atari(), *_planted()]
    return {"rows": [asdict(row) for row in rows]}


def _atari() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for directory in atari_games(Path(folder)):
            game = directory.name.split("-")[0]
            if game not in _ATARI:
                continue
            for seed in SEEDS:
                with open_session(directory, isolated=False) as session:
                    rows = played_rows(session.system.buttons, _PLAYED, seed)
                    play_episodes(session, rows, _RUN)
                    yield from _played(game, session)


def _played(game: str, session: Session) -> Iterator[Row]:
    coding, weight, addresses = _ATARI[game]
    log, space = session.timeline.log, session.memory.space
    ranges = [(int(space.index_of(each)), 1) for each in addresses]
    raw = np.concatenate([log.ram_ranges([each], 1) for each in ranges], axis=1)
    digits = np.maximum(coding.digits(raw), 0)
    shown = digits @ np.array([weight * coding.base**n for n in range(len(addresses))])
    types = query_types(session.system.types, space.size_bytes)
    for draw in range(DRAWS):
        yield from _ask(game, "played", coding, log, space, shown, types, draw)


def _planted() -> Iterator[Row]:
    for game, layout in _layouts():
        rng = np.random.default_rng(zlib.crc32(game.encode()))
        coding = Coding(100) if layout[0][1] == "|d1" else Coding(10)
        if layout[0][1] == "|u1":
            coding = Coding(10, zero=int(rng.choice(_ZEROS)))
        if len(layout) == 2 and layout[0][1] == "|u1":
            coding = Coding(256)
        gains = rng.choice((10, 50, 100, 110, 220), _FRAMES) * (rng.random(_FRAMES) < 1 / 50)
        shown = np.cumsum(gains.astype(np.int64)) % coding.base ** len(layout)
        rams = _memory(rng)
        lowest = min(address for address, _ in layout)
        for place, (address, _) in enumerate(layout):
            digits = shown // coding.base**place % coding.base
            if coding.base == 100:
                digits = digits // 10 << 4 | digits % 10
            rams[:, 1000 + address - lowest] = (digits * coding.step + coding.zero).astype(np.uint8)
        space = AddressSpace([Region(_FIRST, _RAM_BYTES)])
        log = _timeline(rams)
        types = tuple(map(DataType.parse, _TYPES))
        for draw in range(DRAWS):
            yield from _ask(game, "planted", coding, log, space, shown[1:], types, draw)
        log.close()


def _layouts() -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Games other than Atari's, with address and type of each piece, the lowest first."""
    for file in sorted(stable_integrations().glob("*/data.json")):
        if "Atari2600" in file.parent.name:
            continue
        groups: dict[str, dict[int, tuple[int, str]]] = {}
        info: dict[str, Any] = json.loads(read_text(file, TEXT_BYTES))["info"]
        for name, entry in info.items():
            found = _PIECE.fullmatch(name)
            if found is not None and entry["type"] in ("|u1", "|n1", "|d1", "|i1"):
                number = _SHORT.get(found[2])
                number = int(found[2]) if number is None else number
                groups.setdefault(found[1], {})[number] = entry["address"], entry["type"]
        for group in groups.values():
            layout = [group[number] for number in sorted(group)]
            span = max(layout)[0] - min(layout)[0]
            if len(layout) > 1 and span < 64 and span >= len(layout):
                yield file.parent.name, layout


def _memory(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Memory over frames, uint8 (frames, bytes): a fifth jumps about, half are zeros."""
    rams = np.tile(rng.integers(0, 256, _RAM_BYTES, dtype=np.uint8), (_FRAMES, 1))
    rams[:, rng.random(_RAM_BYTES) < 0.5] = 0
    jumping = np.flatnonzero(rng.random(_RAM_BYTES) < 0.2)
    rams[:, jumping] = rng.integers(0, 256, (_FRAMES, len(jumping)), dtype=np.uint8)
    return rams


def _timeline(rams: NDArray[np.uint8]) -> Timeline:
    log, count = Timeline(_RAM_BYTES, 1), len(rams) - 1
    log.discontinuity("state", b"", rams[0])
    log.append(
        np.zeros((count, 1), np.uint16),
        rams[1:],
        rewards=np.zeros((count, 1), np.float32),
        done=np.zeros(count, np.bool_),
    )
    return log


def _ask(
    game: str,
    source: str,
    coding: Coding,
    log: Timeline,
    space: AddressSpace,
    shown: NDArray[np.int64],
    types: Sequence[DataType],
    draw: int,
) -> Iterator[Row]:
    """A row for facts about a score that is ``shown`` on frames 1 on; none if it hardly moves."""
    rng = np.random.default_rng(zlib.crc32(f"{game} {draw}".encode()))
    question = clean(shown, rng)
    if question is None or not _tells(coding, question.facts):
        return
    began = time.perf_counter()
    solution = forgiving(space, types, [Evidence(log, question.facts)])
    seconds = round(time.perf_counter() - began, 3)
    right = [(_shown(each, log, space) == shown).all() for each in solution.in_pieces]
    plain = next((each for each in solution.matches if each.failed is None), None)
    if not right and plain is not None:
        right = [(numbers_of(plain, log, space) == shown).all()]
    place = right.index(True) + 1 if any(right) else 0
    yield Row(game, source, str(coding), place, _cause(solution, place), seconds)


def _tells(coding: Coding, facts: Sequence[Fact]) -> bool:
    """False for facts that change only one piece: it then is a plain number."""
    values = [each.value for each in facts if isinstance(each, Equals)]
    digits = [{value // coding.base**place % coding.base for value in values} for place in range(8)]
    return sum(len(each) > 1 for each in digits) > 1


def _shown(pieces: Pieces, log: Timeline, space: AddressSpace) -> NDArray[np.int64]:
    parts = [log.ram_ranges([(space.offset(each.address), 1)], 1) for each in pieces.pieces]
    return pieces.numbers(np.concatenate(parts, axis=1))


def _cause(solution: Solution, place: int) -> str:
    if place == 1:
        return ""
    if solution.in_pieces:
        return f"first: {solution.in_pieces[0]}"
    best = next((each for each in solution.matches if each.failed is None), None)
    if best is None:
        return "nothing fits"
    return f"0x{best.address:X} {best.type} {best.scale} fits and is likely".replace("  ", " ")


def print_bench(measured: PiecesReport) -> None:
    """Print shares by source, then each failure with its cause."""
    rows, shares = measured["rows"], []
    for source in ("played", "planted"):
        own = [row for row in rows if row["source"] == source]
        if own:
            first = np.mean([row["place"] == 1 for row in own])
            listed = np.mean([bool(row["place"]) for row in own])
            games = len({str(row["game"]) for row in own})
            seconds = np.median([float(str(row["seconds"])) for row in own])
            figures = (f"{first:.0%}", f"{listed:.0%}", f"{seconds:.2f}")
            shares.append((source, games, len(own), *figures))
    title = f"Scores in pieces, {DRAWS} draws of four facts each"
    show_table(title, ("source", "games", "asked", "first", "listed", "seconds"), shares)
    columns = ("game", "coding", "place", "cause")
    failures = ([row[key] for key in columns] for row in rows if row["cause"])
    show_table("Not first", columns, failures)


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_bench(quiet=quiet), print_bench)
