"""Games of ``bench_facts``: Atari ROMs of ale-py's wheel with the documented variables as labels.

Only ROMs that stable-retro's integrations name by their SHA-1 take part, because the addresses of
another revision may differ.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.opening import open_session
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from scripts.bench_games import play_episodes

Half = Literal["tune", "report", "all"]
"""Every second game is for tuning, the others only for reporting."""

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

    The bits of a mask are counted from the lowest one, as the screen does.
    """

    spec: VariableSpec
    numbers: NDArray[np.int64]

    def holds(self, address: int) -> bool:
        """True for an address of the variable's bytes: the upper ones may have stayed zero."""
        return self.spec.address <= address < self.spec.address + self.spec.type.width


def atari_games(half: Half) -> Mapping[str, tuple[Path, Path]]:
    """ROM and integration directory by the game's name. Raises SessionError without the wheels."""
    roms, integrations = _folder("ale_py", "roms"), stable_integrations()
    by_hash = {hashlib.sha1(rom.read_bytes()).hexdigest(): rom for rom in roms.glob("*.bin")}
    games = {}
    for directory in sorted(integrations.glob("*-Atari2600-v0")):
        known = [by_hash.get(line) for line in (directory / "rom.sha").read_text().split()]
        found = next((rom for rom in known if rom is not None), None)
        if found is not None:
            games[directory.name.split("-")[0]] = (found, directory)
    names = {"tune": list(games)[::2], "report": list(games)[1::2], "all": list(games)}[half]
    return {name: games[name] for name in names}


def stable_integrations() -> Path:
    """The folder of stable-retro's integrations. Raises SessionError without its wheel."""
    return _folder("stable_retro", "data/stable")


def _folder(package: str, folder: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SessionError(f"{package} is missing: python -m pip install {package}")
    return Path(spec.origin).parent / folder


@contextmanager
def played_minute(rom: Path, integration: Path, seed: int) -> Iterator[Session]:
    """A session with a minute of play at random; a new episode begins where one is done."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / integration.name
        shutil.copytree(integration, directory)
        shutil.copy(rom, directory / "rom.a26")
        with open_session(directory, isolated=False) as session:
            rows = _rows(session.system.buttons, seed)
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
    found = []
    for spec in session.integration.variables.values():
        if _ON_SCREEN.search(spec.name) is None:
            continue
        reader = VariableReader({spec.name: spec}, session.memory.space)
        captured = session.timeline.log.ram_ranges(reader.ranges, 1)
        numbers = reader.read_ranges(captured)[spec.name]
        if spec.mask is not None:
            numbers = numbers // (spec.mask & -spec.mask)
        if len(np.unique(numbers)) > 1:
            found.append(Label(spec, numbers))
    return found
