"""Small pictures of start states: made in a hidden core, kept as PNG files in the cache."""

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import read_head
from integrator.session.frame.inputs import input_rows
from integrator.session.setup.game import POWER_ON, read_start_state, restore
from integrator.session.setup.plan import SessionPlan, start_core
from libretro_host.errors import StateError
from libretro_host.frame import Frame
from libretro_host.host import CapturePlan, CoreHost, LoadRequest

Picture = NDArray[np.uint8]
"""uint8 of shape (height, width, 3)."""

_ROM_HEAD_BYTES = 64 << 10
_STATE_FRAMES = 3
"""A state has no picture: several cores draw the first whole one on the third frame."""
_POWER_ON_FRAMES = 240
"""Frames after which a console has shown its logo."""
_TRIES = 4
"""A screen in one colour, as between two scenes, is given more time."""
_MAX_WIDTH = 400


@dataclass(frozen=True, slots=True)
class StatePicture:
    """A state's picture in the core, or the reason why the core does not take the state."""

    name: str
    picture: Picture | None
    problem: str = ""


class PictureStore:
    """PNG files by key in a folder of the cache, which may be removed at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        """The place of a key's picture, existing or not."""
        return self.folder / key[:2] / f"{key}.png"

    def find(self, key: str) -> Path | None:
        """The picture's file; None when there is none yet."""
        path = self.path(key)
        return path if path.is_file() else None

    def keep(self, key: str, picture: Picture) -> Path:
        """Write a picture. Raises SaveError."""
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        step = -(-picture.shape[1] // _MAX_WIDTH)
        write_atomically(path, png_bytes(picture[::step, ::step]))
        return path


def picture_key(request: LoadRequest, state: bytes) -> str:
    """The key of a game, its core, and a state file's bytes (b'' for power-on).

    It does not depend on the place of the files. Raises OSError when one cannot be read.
    """
    rom, core = request.content, request.core
    head = read_head(rom, _ROM_HEAD_BYTES)
    digest = hashlib.sha1(head, usedforsecurity=False)
    digest.update(f"{core.name} {core.stat().st_size} ".encode())
    digest.update(rom.stat().st_size.to_bytes(8, "little"))
    digest.update(state)
    return digest.hexdigest()


def photograph(
    plan: SessionPlan, names: Sequence[str], stopped: Callable[[], bool]
) -> Iterator[StatePicture]:
    """Load each state into one core of a hidden plan and take its picture.

    ``names`` are states of the integration, or POWER_ON. ``stopped`` is asked before each: true
    ends it. Raises HostError when the core cannot be started, or dies.
    """
    if not names:
        return
    host, power_on = start_core(plan)
    try:
        stamp = f"{host.info.library_name} {host.info.library_version}"
        for name in names:
            if stopped():
                return
            try:
                raw = power_on
                if name != POWER_ON:
                    raw, _ = read_start_state(plan.integration, name, stamp)
                restore(host, raw, f"{name}.state")
            except (DocumentError, StateError) as error:
                yield StatePicture(name, None, str(error))
                continue
            frames = _POWER_ON_FRAMES if name == POWER_ON else _STATE_FRAMES
            yield StatePicture(name, _take(host, frames, plan.players))
    finally:
        host.close()


def _take(host: CoreHost, frames: int, players: int) -> Picture | None:
    frame: Frame | None = None
    for _ in range(_TRIES):
        frame = host.run(input_rows((), frames, players), CapturePlan()).frame or frame
        if frame is None:
            continue
        picture = frame.rgb()
        if (picture != picture[0, 0]).any():
            return picture
        frames = max(frames, 30)
    return frame.rgb() if frame is not None else None


def png_bytes(picture: Picture) -> bytes:
    """A picture as a PNG file: true colour, no filter (PNG specification, sections 11 and 9)."""
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    chunks = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
