"""The request to start a core with a game: plain values, which cost no import of numpy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CoreLimits:
    """Limits of a core, far above the needs of its system's cores.

    A larger picture than ``picture_pixels``, a larger state than ``state_bytes`` and more flat RAM
    than ``ram_bytes`` are refused. A core's process may write to ``memory_bytes`` and map
    ``address_space_bytes``, both beyond the use of a host without a core, and write files of up to
    ``file_bytes``; 0 is no limit. The last three hold in child processes, where all
    cores share them.
    """

    picture_pixels: int = 2048 * 2048
    state_bytes: int = 16 << 20
    ram_bytes: int = 256 << 20
    memory_bytes: int = 4 << 30
    address_space_bytes: int = 8 << 30
    file_bytes: int = 2 << 30


@dataclass(frozen=True, slots=True)
class AxisColumn:
    """A column of input rows that answers a core's questions for an axis.

    ``device``, ``index`` and ``id`` are libretro's numbers of a stick, trigger, mouse, pointer or
    light gun at ``port``; its buttons are axes of 0 and 1. The core gets the column's number,
    int16, times ``scale`` plus ``shift``.
    """

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
    ``reopen_frames`` makes ``unserialize`` reopen the library and run these idle frames first, so
    that nothing of earlier play is left and equal states go on equally; None: it does not.
    ``subsystem`` is the core's name of a kind of game that it loads out of ``files``, in the
    subsystem's order, None where one is left out; ``content`` is then the list of these files,
    which the core does not get. ``windows`` are (address, size) of the memory that counts,
    ascending and apart; memory outside of them is in no region. None: all memory counts. ``limits``
    bound the core's use of the machine. ``axes`` follow the masks in rows of inputs; rows that end
    before them leave them at rest.
    """

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
        """True when restoring a state reopens the library."""
        return self.reload_on_restore or self.reopen_frames is not None
