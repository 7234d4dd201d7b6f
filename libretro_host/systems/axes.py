"""Sticks, triggers, touch screens, mice, light guns and disc drives of a console's descriptor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from libretro_host.request import AxisColumn

PLAYLIST: Final = ".m3u"  # the suffix of a file that lists the discs of a game


@dataclass(frozen=True, slots=True)
class Axis:
    """One direction or button of a device that is no joypad. ``name`` and the numbers from
    ``least`` to ``most`` are those of BizHawk's movies; 0 is at rest. When the core reads
    ``device``, ``index`` and ``id`` (libretro's numbers), it gets the number times ``scale`` plus
    ``shift``. ``port`` is the port of the console's only such device; None means that each player
    has one. The axis exists while core options have the values ``needs``."""

    name: str
    device: str
    index: int
    id: int
    least: int
    most: int
    scale: float = 1.0
    shift: float = 0.0
    port: int | None = None
    needs: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, entry: Mapping[str, Any]) -> "Axis":
        fields = dict(entry)
        return cls(name=fields.pop("axis"), index=fields.pop("index", 0), **fields)

    @property
    def is_button(self) -> bool:
        return (self.least, self.most) == (0, 1)

    def limited(self, value: float) -> int:
        """Return the axis number in range for which the core reads the value nearest ``value``."""
        return max(self.least, min(self.most, round((value - self.shift) / self.scale)))


@dataclass(frozen=True, slots=True)
class PluggedAxis:
    """An axis at a port. ``name`` is the name of its column in movies, such as ``P1 X Axis``."""

    name: str
    port: int
    axis: Axis


def plugged(
    axes: Sequence[Axis], players: int, options: Mapping[str, str], content: Path
) -> tuple[PluggedAxis, ...]:
    """Return the axes for these players and core options; only playlists have disc axes."""
    usable = [axis for axis in axes if content.suffix.lower() == PLAYLIST or axis.device != "disc"]
    there = [axis for axis in usable if axis.needs.items() <= options.items()]
    found = [PluggedAxis(axis.name, axis.port, axis) for axis in there if axis.port is not None]
    for player in range(players):
        own = (axis for axis in there if axis.port is None)
        found += [PluggedAxis(f"P{player + 1} {axis.name}", player, axis) for axis in own]
    return tuple(found)


def columns(axes: Sequence[PluggedAxis], players: int) -> tuple[AxisColumn, ...]:
    """Return the axes as columns of input rows, which follow the players' button masks."""
    # libretro's device numbers, except the disc drive's, which ``shim_api.h`` defines.
    devices = {"mouse": 2, "light-gun": 4, "analog": 5, "pointer": 6, "disc": 255}
    found = []
    for column, (port, axis) in enumerate(((each.port, each.axis) for each in axes), players):
        device = devices[axis.device]
        found.append(AxisColumn(column, port, device, axis.index, axis.id, axis.scale, axis.shift))
    return tuple(found)
