"""Button masks held down, and numbers of axes behind them, as rows for a core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from libretro_host.systems.axes import PluggedAxis

Inputs = NDArray[np.uint16]

Held = Mapping[str, int] | None
"""Numbers of axes by their names; the others are at rest."""


def input_rows(masks: Sequence[int], frames: int, ports: int) -> Inputs:
    """``frames`` rows of ``masks``, uint16 of shape (frames, ports); missing ports are idle."""
    if len(masks) > ports:
        raise SessionError(
            f"{len(masks)} button masks, but players={ports}; open with players={len(masks)}"
        )
    if any(not 0 <= mask <= 0xFFFF for mask in masks):
        raise SessionError(f"a button mask has 16 bits, got {list(masks)}")
    row = np.zeros(ports, dtype=np.uint16)
    row[: len(masks)] = masks
    return np.broadcast_to(row, (frames, ports)).copy()


def widened(rows: Inputs, players: int, columns: int) -> Inputs:
    """Rows of masks alone with all axes at rest; whole rows as they are."""
    if rows.shape[1] == columns or rows.shape[1] != players:
        return rows
    return np.pad(rows, ((0, 0), (0, columns - players)))


def with_axes(rows: Inputs, axes: Sequence[PluggedAxis], moved: Held) -> Inputs:
    """Rows of masks with axes held at numbers, by their names. Raises SessionError."""
    if not moved:
        return rows
    held = dict.fromkeys((each.name for each in axes), 0)
    unknown = sorted(moved.keys() - held.keys())
    if unknown:
        known = f"; there are {', '.join(held)}" if held else ", and no other axis"
        raise SessionError(f"this game has no {', '.join(unknown)}{known}")
    for each in axes:
        number, axis = moved.get(each.name, 0), each.axis
        if not axis.least <= number <= axis.most:
            raise SessionError(f"{each.name} is {axis.least} to {axis.most}, not {number}")
        held[each.name] = number
    return beside(rows, [*held.values()])


def beside(rows: Inputs, numbers: Sequence[int]) -> Inputs:
    """Rows of masks with the same numbers of axes behind each, as int16 in two's complement."""
    columns = np.array(numbers, np.int16).view(np.uint16)
    return np.hstack([rows, np.broadcast_to(columns, (len(rows), len(columns)))])
