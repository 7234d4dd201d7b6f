"""The effect of a core option on a game: memory, pictures and states beside another value's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.session.library.consoles.console_check import checksums
from integrator.session.library.consoles.console_draft import state_remark
from libretro_host.errors import HostError
from libretro_host.host import CoreHost, LoadRequest
from libretro_host.processes.temporary import OwnedFolder

FRAMES: Final = 180
_HELD_FRAMES: Final = 6
_JOYPAD_IDS: Final = 12


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """The first frames with another memory and picture, None: all same; a remark on states."""

    memory: int | None
    picture: int | None
    state_remark: str


def option_effect(
    request: LoadRequest,
    key: str,
    values: tuple[str, str],
    new_host: Callable[[], CoreHost],
    wanted: Callable[[], bool] = lambda: True,
) -> OptionEffect:
    """Play a game with either value of an option and random buttons. Raises HostError."""
    pressed = np.random.default_rng(1).random((FRAMES // _HELD_FRAMES, _JOYPAD_IDS)) < 0.2
    masks = (pressed * (1 << np.arange(_JOYPAD_IDS))).sum(axis=1).astype(np.uint16)
    inputs = np.repeat(masks, _HELD_FRAMES)[:, None]
    seen, remark = [], ""
    for value in values:
        with OwnedFolder() as saves:
            options = {**request.options, key: value}
            host = new_host()
            try:
                host.load(replace(request, options=options, save_dir=saves))
                seen.append(_played(host, inputs, wanted))
                remark = state_remark(host)
            finally:
                host.close()
    first, second = seen
    return OptionEffect(_other(first, second, 0), _other(first, second, 1), remark)


def _played(
    host: CoreHost, inputs: NDArray[np.uint16], wanted: Callable[[], bool]
) -> list[tuple[int, int]]:
    seen: list[tuple[int, int]] = []
    for at in range(0, len(inputs), _HELD_FRAMES):
        if not wanted():
            raise HostError("stopped")
        seen += checksums(host, inputs[at : at + _HELD_FRAMES])
    return seen


def _other(
    first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]], part: int
) -> int | None:
    """The number of the first frame on which two runs differ."""
    both = enumerate(zip(first, second, strict=True), 1)
    return next((frame for frame, (a, b) in both if a[part] != b[part]), None)
