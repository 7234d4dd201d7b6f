"""The one seam to a core: the CoreHost protocol and the plain values that go in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from libretro_host.frame import CoreInfo, RunResult


@dataclass(frozen=True, slots=True)
class CoreOption:
    """One declared option: ``values`` are accepted by the core, ``default`` is the core's own."""

    key: str
    title: str
    values: tuple[str, ...]
    default: str
    value: str
    help: str = ""


MAX_PORTS = 8
"""Controller ports a host accepts masks for."""


@dataclass(frozen=True, slots=True)
class CoreLimits:
    """Limits of a core, far above the needs of its system's cores.

    A larger picture than ``picture_pixels``, a larger state than ``state_bytes`` and more flat RAM
    than ``ram_bytes`` are refused. A core's process may write to ``memory_bytes`` and map
    ``address_space_bytes``, both besides the use of a host without a core, and write files of up to
    ``file_bytes``; 0 is no limit. The last three hold in processes of a core's own (RemoteHost).
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
    light gun at ``port``; its buttons are axes of 0 and 1. The core is told the column's number,
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
    ``reopen_frames`` makes ``unserialize`` reopen the library and run so many idle frames first, so
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


@dataclass(frozen=True, slots=True)
class CapturePlan:
    """The wishes of one run, so that its cost follows the need.

    ``ram``: whole RAM of each frame. ``changes``: differences against the frame before. ``ranges``:
    (offset, length) pairs in flat RAM, captured for each frame. ``picture``: the last picture;
    ``picture_every``: besides, that of every k-th frame (0: none). ``audio``: samples. ``hashes``:
    a hash of each frame's picture, much cheaper than the picture.
    """

    ram: bool = False
    changes: bool = False
    ranges: tuple[tuple[int, int], ...] = ()
    picture: bool = True
    picture_every: int = 0
    audio: bool = False
    hashes: bool = False


class CoreHost(Protocol):
    """One libretro core with one content. Not thread-safe: one thread owns a host."""

    def load(self, request: LoadRequest) -> CoreInfo:
        """Load core and content.

        Raises CoreNotFoundError, CoreLoadError, ContentError, UnsupportedCoreError.
        """
        ...

    @property
    def info(self) -> CoreInfo:
        """The loaded core and content, with the newest AvInfo.

        Raises HostClosedError before ``load``.
        """
        ...

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        """Run one frame for each row of ``inputs``.

        ``inputs`` is uint16 of shape (frames, ports): joypad bit masks, bit i = RETRO_DEVICE_ID i.
        Columns behind them are the request's axes, each number an int16 in two's complement.
        """
        ...

    def reset(self) -> None:
        """Press the console's reset button (``retro_reset``)."""
        ...

    def serialize(self) -> bytes:
        """The core's raw state. Raises StateError when the core cannot."""
        ...

    def unserialize(self, state: bytes, fresh: bool = True) -> None:
        """Restore a raw state of any length. Raises StateError when the core refuses it.

        Not ``fresh``: the library stays open even where the request wants it reopened, which takes
        a tenth of the time, and leaves what the core hides from its states.
        """
        ...

    def read_ram(self) -> NDArray[np.uint8]:
        """A copy of the flat RAM, uint8 of shape (ram_bytes,)."""
        ...

    def write_ram(self, offset: int, data: bytes) -> None:
        """Write into the flat RAM. Raises MemoryAccessError when the span does not fit."""
        ...

    def options(self) -> tuple[CoreOption, ...]:
        """Core options as the core declared them, with their present values."""
        ...

    def set_option(self, key: str, value: str) -> None:
        """Change a core option; the core sees it before its next frame."""
        ...

    def log(self) -> tuple[str, ...]:
        """The core's last log lines, oldest first, each prefixed with its level."""
        ...

    def close(self) -> None:
        """Unload content and core. Idempotent."""
        ...
