"""Made-up plays that the audit judges."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.rules import judge_game, judge_play

FPS = 60.0
FRAMES = 3000
SCENE = Scene(
    {"score": (0, 65535), "lives": (0, 255), "low": (0, 255), "x": (0, 255)},
    ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"),
)


def play(
    terms: Mapping[str, NDArray[np.floating]],
    values: Mapping[str, NDArray[np.integer]],
    *,
    done: int | None = None,
    held: int | None = None,
    source: str = "movie.bk2",
) -> ScoredPlay:
    """A play whose rewards are the sums of its terms; ``done`` is the row from which it is true."""
    frames = len(next(iter(terms.values())))
    random = np.random.default_rng(len(source))
    inputs = random.integers(0, 16, frames) if held is None else np.full(frames, held)
    return ScoredPlay(
        source=source,
        fps=FPS,
        inputs=inputs.astype(np.uint16),
        rewards=np.sum(list(terms.values()), axis=0, dtype=np.float32),
        terms={name: column.astype(np.float32) for name, column in terms.items()},
        done=np.arange(frames) >= (frames if done is None else done),
        values={name: column.astype(np.int64) for name, column in values.items()},
    )


def rises(values: NDArray[np.integer], reward: float = 1.0) -> NDArray[np.float64]:
    """A term that pays for rises alone."""
    return np.diff(values, prepend=values[:1]).clip(min=0) * reward


def noise(frame: int) -> NDArray[np.uint8]:
    """Memory whose bytes stand still for half a second each, at other moments, then change."""
    blocks = [hashlib.sha256(bytes([byte]) + str((frame + byte) // 30).encode()).digest()[0]
              for byte in range(64)]  # fmt: skip
    return np.array([*blocks, frame & 255], np.uint8)


def audited(*plays: ScoredPlay, scene: Scene = SCENE) -> list[Trap]:
    """The traps of some plays, each by itself and all together."""
    own = [trap for each in plays for trap in judge_play(each, noise, scene)]
    return [*own, *judge_game(plays, scene)]


def kinds(traps: list[Trap]) -> set[str]:
    return {trap.kind for trap in traps if trap.is_serious}


SCORE = np.cumsum(np.arange(FRAMES) % 97 == 0) * 10
LIVES = np.full(FRAMES, 3)
MORTAL = play(
    {"score": rises(SCORE)},
    {"score": SCORE, "lives": np.where(np.arange(FRAMES) < 2500, 3, 2)},
    source="mortal.bk2",
)
"""A play that shows which number counts lives."""
