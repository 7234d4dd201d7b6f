"""Games that the benchmarks of answers are judged on, and the loop that judges each of them.

The rules of the program were tuned on every second game by name, so the others are reported apart.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.console import plain_progress
from integrator.domain.errors import IntegratorError, SessionError
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from libretro_host.systems.discovery import wheel_core_dir

MINUTE_FRAMES: Final = 3600
_MOMENT_FRAMES: Final = 150
_SUFFIX: Final = "-Atari2600-v0"

Row = TypeVar("Row")


def judge_games(
    games: Iterable[Path],
    judge: Callable[[str, Path, bool], Sequence[Row]],
    *,
    quiet: bool,
    tuned: bool | None = None,
) -> tuple[list[Row], dict[str, str]]:
    """The rows of all games, and the cause why a game has none, by its name.

    ``judge`` gets a game's name and directory, and true when the rules were tuned on it:
    ``tuned`` for all games, or None for every second one."""
    rows: list[Row] = []
    missing: dict[str, str] = {}
    waiting = list(games)
    with plain_progress(quiet=quiet) as progress:
        task = progress.add_task("games", total=len(waiting))
        for number, directory in enumerate(waiting):
            name = directory.name.rsplit("-", 2)[0]
            progress.update(task, description=name)
            try:
                rows += judge(name, directory, number % 2 == 0 if tuned is None else tuned)
            except IntegratorError as error:
                missing[name] = str(error)
            progress.advance(task)
    return rows, missing


def rom_dir() -> Path:
    """The ROMs of the package ale-py. Raises SessionError."""
    package = importlib.util.find_spec("ale_py")
    if package is None or package.origin is None:
        raise SessionError("the benchmark needs games: pip install --no-deps ale-py")
    return Path(package.origin).parent / "roms"


def atari_games(folder: Path) -> Iterator[Path]:
    """Copies of stable-retro's integrations with their ROMs, by name. Raises SessionError."""
    cores, roms = wheel_core_dir(), rom_dir()
    if cores is None:
        raise SessionError("the benchmark needs integrations: pip install --no-deps stable-retro")
    by_hash = {hashlib.sha1(rom.read_bytes()).hexdigest(): rom for rom in roms.glob("*.bin")}
    for source in sorted((cores.parent / "data" / "stable").glob(f"*{_SUFFIX}")):
        hashes = (source / "rom.sha").read_text().split()
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", source.name.removesuffix(_SUFFIX)).lower()
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


def play_minute(session: Session, seed: int) -> Iterator[bytes]:
    """Play a minute; yields states on the way, for experiments."""
    rows = played_rows(session.system.buttons, MINUTE_FRAMES, seed)
    for first in range(0, len(rows), KEYFRAME_INTERVAL_FRAMES):
        session.run(rows[first : first + KEYFRAME_INTERVAL_FRAMES])
        if first % _MOMENT_FRAMES < KEYFRAME_INTERVAL_FRAMES:
            yield session.save_state()


def play_episodes(session: Session, rows: NDArray[np.uint16], every: int) -> None:
    """Play rows from a reset on; at fixed intervals, an episode that is done begins again."""
    session.reset()
    for first in range(0, len(rows), every):
        if session.run(rows[first : first + every])[-1].last.outcome.done:
            session.reset()


def seed_of(directory: Path) -> int:
    """The seed of a game, which its name tells."""
    return int(hashlib.sha1(directory.name.encode()).hexdigest()[:6], 16)
