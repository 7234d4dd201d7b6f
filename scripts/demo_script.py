"""The recorded game of the demo: its inputs as rows, and numbers on the screen at some frames."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator import paths
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.session.session import KEYFRAME_INTERVAL_FRAMES, Session
from integrator.session.setup.plan import POWER_ON_FRAMES

_BEFORE_FIRST_ROW = 1
"""stable-retro's emulator, which recorded the script, runs a frame in its constructor."""
_OFFSET = _BEFORE_FIRST_ROW - POWER_ON_FRAMES
"""From a frame of the script to the frame of a timeline that starts at power-on."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Numbers on the screen at ``frame`` of the timeline, by name."""

    frame: int
    note: str
    values: Mapping[str, int]


def play_script(session: Session) -> tuple[Observation, ...]:
    """Play the script from power-on in a session of the demo game opened with ``POWER_ON``.

    Afterwards the timeline holds the whole game, from frame 1 on."""
    path = paths.shipped("resources") / "demo-game" / "input-script.json"
    script: dict[str, Any] = json.loads(read_text(path, TEXT_BYTES))
    session.reset()
    rows = _rows(script["inputs"], session.system.buttons)
    rows = rows[1 - _OFFSET :]
    # In pieces, because each leaves a state on the timeline to start from.
    for first in range(0, len(rows), KEYFRAME_INTERVAL_FRAMES):
        session.run(rows[first : first + KEYFRAME_INTERVAL_FRAMES])
    return tuple(_observation(entry) for entry in script["observations"])


def _rows(inputs: Sequence[Mapping[str, Any]], buttons: Sequence[str | None]) -> NDArray[np.uint16]:
    masks = [
        [sum(1 << buttons.index(name) for name in entry["buttons"])] * entry["frames"]
        for entry in inputs
    ]
    return np.array([mask for part in masks for mask in part], np.uint16).reshape(-1, 1)


def _observation(entry: Mapping[str, Any]) -> Observation:
    values = {name: value for name, value in entry.items() if name not in {"frame", "note"}}
    return Observation(entry["frame"] + _OFFSET, entry["note"], values)
