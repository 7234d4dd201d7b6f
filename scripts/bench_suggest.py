"""``python -m scripts.bench_suggest``: the share of variables that suggestions name by themselves.

A recorded minute of each Atari game is played with seeded inputs: a direction held for a while, the
button pressed now and then. A suggestion is right when its bytes overlap those of a label of its
kind. The rules were tuned on every second game by name; the others are reported apart. ROMs come
from the package ale-py (``pip install --no-deps ale-py``), labels from ``bench_suggest_labels``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.domain.errors import IntegratorError, SessionError
from integrator.domain.suggest.suggestion import Kind, Suggestion
from integrator.session.opening import open_session
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from libretro_host.errors import HostError
from libretro_host.systems.discovery import wheel_core_dir
from scripts.bench_suggest_labels import Label, documented, positions
from scripts.reporting import report

MINUTE_FRAMES: Final = 3600
_MOMENT_FRAMES: Final = 150
SUFFIX: Final = "-Atari2600-v0"
_WANTED: Final[Mapping[Kind, float]] = {
    "player-x": 0.95,
    "player-y": 0.90,
    "score": 0.95,
    "lives": 0.95,
    "timer": 0.80,
    "level": 0.0,
}
"""Shares of unseen games in which one of the first three suggestions is to be right."""


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in a game. ``rank`` is that of the first right suggestion, 0 without any."""

    game: str
    tuned: bool
    kind: Kind
    labels: tuple[str, ...]
    rank: int
    instead: str
    seconds: float


class SuggestReport(TypedDict):
    """The document of ``--json``."""

    shares: list[dict[str, object]]
    rows: list[dict[str, object]]
    missing: dict[str, str]


def run_suggest_bench(*, quiet: bool = False) -> SuggestReport:
    """Play all games and judge the suggestions. Games that can not be played are ``missing``."""
    rows: list[Row] = []
    missing: dict[str, str] = {}
    with (
        tempfile.TemporaryDirectory(prefix="bench-suggest-") as folder,
        plain_progress(quiet=quiet) as progress,
    ):
        games = list(atari_games(Path(folder)))
        task = progress.add_task("suggest", total=len(games))
        for number, directory in enumerate(games):
            name = directory.name.removesuffix(SUFFIX)
            progress.update(task, description=name)
            try:
                rows += _judge(name, directory, tuned=number % 2 == 0)
            except (HostError, IntegratorError) as error:
                missing[name] = str(error)
            progress.advance(task)
    return {
        "shares": list(_shares(rows)),
        "rows": [asdict(row) for row in rows],
        "missing": missing,
    }


def atari_games(folder: Path) -> Iterator[Path]:
    """Copies of stable-retro's integrations with their ROMs, by name. Raises SessionError."""
    package, cores = importlib.util.find_spec("ale_py"), wheel_core_dir()
    if package is None or package.origin is None or cores is None:
        raise SessionError("the benchmark needs games: pip install --no-deps ale-py stable-retro")
    roms = Path(package.origin).parent / "roms"
    by_hash = {hashlib.sha1(rom.read_bytes()).hexdigest(): rom for rom in roms.glob("*.bin")}
    for source in sorted((cores.parent / "data" / "stable").glob(f"*{SUFFIX}")):
        hashes = (source / "rom.sha").read_text().split()
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", source.name.removesuffix(SUFFIX)).lower()
        # Some labels are of another dump of the same game, with the same addresses.
        rom = next((by_hash[each] for each in hashes if each in by_hash), roms / f"{snake}.bin")
        if rom.is_file():
            game = Path(shutil.copytree(source, folder / source.name))
            shutil.copy(rom, game / "rom.a26")
            yield game


def played_rows(buttons: Sequence[str | None], frames: int, seed: int) -> NDArray[np.uint16]:
    """A direction or none held for a while, and presses of the button: uint16 (frames, 1)."""
    rng = np.random.default_rng(seed)
    up, down, left, right, fire = (
        1 << buttons.index(name) for name in ("UP", "DOWN", "LEFT", "RIGHT", "BUTTON")
    )
    straight = [0, left, right, up, down]
    ways = [*straight, left | up, right | up, left | down, right | down]
    shares = [0.15, 0.2, 0.2, 0.13, 0.12, 0.05, 0.05, 0.05, 0.05]
    rows = np.zeros(frames, np.uint16)
    frame = 0
    while frame < frames:
        lasting = int(rng.integers(8, 45))
        rows[frame : frame + lasting] |= np.uint16(rng.choice(ways, p=shares))
        frame += lasting
    frame = 0
    while frame < frames:
        frame += int(rng.integers(6, 50))
        lasting = int(rng.integers(2, 14))
        rows[frame : frame + lasting] |= np.uint16(fire)
        frame += lasting
    return rows.reshape(-1, 1)


def seed_of(directory: Path) -> int:
    """The seed of a game, which its name tells."""
    return int(hashlib.sha1(directory.name.encode()).hexdigest()[:6], 16)


def _judge(name: str, directory: Path, *, tuned: bool) -> list[Row]:
    seed = seed_of(directory)
    with open_session(directory, isolated=False) as session:
        session.reset()
        states = list(play_minute(session, seed))
        started = time.process_time()
        found = session.suggest(list(_WANTED))
        seconds = round(time.process_time() - started, 2)
        labels = [*documented(session), *positions(name, session, states)]
    kinds = [kind for kind in _WANTED if any(label.kind == kind for label in labels)]
    return [_row(name, kind, labels, found, seconds, tuned=tuned) for kind in kinds]


def play_minute(session: Session, seed: int) -> Iterator[bytes]:
    """Play a minute; yields states on the way, for experiments."""
    rows = played_rows(session.system.buttons, MINUTE_FRAMES, seed)
    for first in range(0, len(rows), KEYFRAME_INTERVAL_FRAMES):
        session.run(rows[first : first + KEYFRAME_INTERVAL_FRAMES])
        if first % _MOMENT_FRAMES < KEYFRAME_INTERVAL_FRAMES:
            yield session.save_state()


def _row(
    game: str,
    kind: Kind,
    labels: Sequence[Label],
    found: Sequence[Suggestion],
    seconds: float,
    *,
    tuned: bool,
) -> Row:
    wanted = [label for label in labels if label.kind == kind]
    offered = [each for each in found if each.kind == kind]

    def right(each: Suggestion) -> bool:
        ends = each.address + each.type.width
        return any(
            each.address < label.address + label.width and label.address < ends for label in wanted
        )

    rank = next((number for number, each in enumerate(offered, start=1) if right(each)), 0)
    first = "" if rank == 1 or not offered else _told(offered[0])
    names = tuple(f"0x{label.address:X}" for label in wanted)
    return Row(game, tuned, kind, names, rank, first or ("" if rank else "nothing"), seconds)


def _told(each: Suggestion) -> str:
    return f"0x{each.address:X} {each.type} ({each.confidence:.2f}): {each.reason}"


def _shares(rows: Sequence[Row]) -> Iterator[dict[str, object]]:
    for kind, wanted in _WANTED.items():
        for tuned in (True, False):
            own = [row for row in rows if row.kind == kind and row.tuned is tuned]
            if own:
                yield {
                    "kind": kind,
                    "games": "tuned on" if tuned else "held out",
                    "count": len(own),
                    "first": sum(row.rank == 1 for row in own),
                    "first_three": sum(1 <= row.rank <= 3 for row in own),
                    "wanted": wanted,
                }


def print_suggest_bench(measured: SuggestReport) -> None:
    """Print the shares, then each failure with the suggestion that came first instead."""
    console = plain_console()
    table = Table(title="Variables among the suggestions, from a minute of play")
    for column in ("kind", "games", "count", "first", "first three", "wanted"):
        table.add_column(column)
    for share in measured["shares"]:
        table.add_row(*(str(share[key]) for key in share))
    console.print(table)
    failures = Table(title="Not among the first three")
    for column in ("game", "kind", "labels", "rank", "first instead"):
        failures.add_column(column, overflow="fold")
    for row in measured["rows"]:
        if not 1 <= int(str(row["rank"])) <= 3:
            labels = " ".join(row["labels"]) if isinstance(row["labels"], tuple) else ""
            cells = (row["game"], row["kind"], labels, row["rank"], row["instead"])
            failures.add_row(*map(str, cells))
    console.print(failures)
    seconds = [float(str(row["seconds"])) for row in measured["rows"]]
    console.print(f"processor time of a look: at most {max(seconds, default=0.0)} s")
    for name, reason in measured["missing"].items():
        console.print(f"{name} was left out: {reason}")


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_suggest_bench(quiet=quiet), print_suggest_bench)
