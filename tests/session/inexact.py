"""Play on the toy core whose states leave something out, frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import integrator
from integrator.session.frame.result import FrameResult
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session
from libretro_host.host import CapturePlan

Open = Callable[..., Session]
FRAMES = 400
A = 1 << 8


def pixels(frame: FrameResult) -> bytes:
    assert frame.frame is not None
    return frame.frame.rgb().tobytes()


def play(session: Session, frames: int = FRAMES) -> dict[int, tuple[bytes, bytes]]:
    """Hold A now and then; the picture and RAM of each frame."""
    rng = np.random.default_rng(2)
    seen = {}
    for _ in range(frames):
        frame = session.advance((int(rng.integers(0, 2)) * A,))
        seen[frame.number] = pixels(frame), session.memory.ram.tobytes()
    return seen


def shows(session: Session, frame: FrameResult, seen: dict[int, tuple[bytes, bytes]]) -> bool:
    return (pixels(frame), session.memory.ram.tobytes()) == seen[frame.number]


def is_in_step(session: Session, movie: Path) -> bool:
    """Return True if a movie of the session's game replays in another one."""
    with integrator.open_session(session.integration.directory) as other:
        return import_movie(other, movie).desync_row is None


def stray(session: Session) -> None:
    """Let the core count frames that nobody records."""
    state = session.save_state()
    session.host.run(np.full((5, 1), A, np.uint16), CapturePlan())
    session.host.unserialize(state)
