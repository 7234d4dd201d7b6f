"""The request to start a core with a game, as plain values that need no import of numpy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CoreLimits:
    """Limits of a core, far above the needs of its system's cores.

    A larger picture than ``picture_pixels``, a larger state than ``state_bytes`` and more flat RAM
    than ``ram_bytes`` are refused. A core's process may use ``memory_bytes`` of writable memory and
    map ``address_space_bytes``, both in addition to the use of a host without a core, and may write
    files of up to ``file_bytes``; 0 is no limit. These three limits apply only in child processes,
    where all cores share them."""

    picture_pixels: int = 2048 * 2048
    state_bytes: int = 16 << 20
    ram_bytes: int = 256 << 20
    memory_bytes: int = 4 << 30
    address_space_bytes: int = 8 << 30
    file_bytes: int = 2 << 30


@dataclass(frozen=True, slots=True)
class AxisColumn:
    """A column of the input rows that supplies one axis of a device to the core. ``device``,
    ``index`` and ``id`` are libretro's numbers of a stick, trigger, mouse, pointer or light gun at
    ``port``; buttons of these devices are axes with the values 0 and 1. The core reads the column's
    number, int16, times ``scale`` plus ``shift``."""

    column: int
    port: int
    device: int
    index: int
    id: int
    scale: float = 1.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """Everything needed to start a core with a piece of content.

    ``rambase`` is the address of SYSTEM_RAM for cores that announce no memory maps. ``options`` are
    core option values that override the core's defaults. ``port_devices`` are libretro device
    numbers for ports 0, 1, ... (1 is the joypad). ``reload_on_restore`` makes ``reset`` and
    ``unserialize`` reopen the library first, because stella otherwise keeps hidden state.
    ``reopen_frames`` makes ``unserialize`` reopen the library and run that many idle frames first,
    so that nothing of earlier play is left and equal states continue equally; None disables this.
    ``subsystem`` is the core's name of a kind of game that it loads from ``files``, which are in
    the subsystem's order, with None for a file that is left out; ``content`` is then the list of
    these files, which the core does not get. ``windows`` are (address, size) pairs, ascending and
    apart, and only memory in a window is part of a region; without windows, all memory is.
    ``limits`` bound the core's use of the machine. ``axes`` are the columns after the masks in rows
    of inputs; an axis beyond the end of a row is at rest."""

    core: Path
    content: Path
    rambase: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    port_devices: tuple[int, ...] = (1, 1)
    system_dir: Path | None = None
    save_dir: Path | None = None
    reload_on_restore: bool = False
    reopen_frames: int | None = None
    windows: tuple[tuple[int, int], ...] = ()
    limits: CoreLimits = CoreLimits()
    axes: tuple[AxisColumn, ...] = ()
    subsystem: str = ""
    files: tuple[Path | None, ...] = ()

    @property
    def reopens(self) -> bool:
        """True if restoring a state reopens the library."""
        return self.reload_on_restore or self.reopen_frames is not None
