"""The interface to a core: the CoreHost protocol and the values that it takes and returns."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from libretro_host.request import AxisColumn, CoreLimits, LoadRequest

__all__ = ["AxisColumn", "CoreLimits", "LoadRequest"]  # re-exported


class PixelFormat(IntEnum):
    """Pixel formats by their libretro number (``enum retro_pixel_format``)."""

    RGB1555 = 0
    XRGB8888 = 1
    RGB565 = 2

    @property
    def bytes_per_pixel(self) -> int:
        return 4 if self is PixelFormat.XRGB8888 else 2

    @property
    def channel_bits(self) -> tuple[int, int, int]:
        return {0: (5, 5, 5), 1: (8, 8, 8), 2: (5, 6, 5)}[self.value]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, as the core drew it. ``pixels`` is uint8 of shape (height, pitch), owned by the
    frame, without the core's padding; ``pitch`` is the bytes of a row rounded up to a multiple of
    4, so that rows are word-aligned. ``rotation`` counts quarter turns counter-clockwise, as
    SET_ROTATION announces them; ``pixels`` are not rotated. ``duplicate``: the core passed NULL,
    which repeats the last picture."""

    pixels: NDArray[np.uint8] = field(repr=False)
    width: int
    height: int
    pixel_format: PixelFormat
    rotation: int = 0
    duplicate: bool = False

    @property
    def pitch(self) -> int:
        """Bytes from one row to the next."""
        return int(self.pixels.shape[1])

    @property
    def words(self) -> NDArray[np.unsignedinteger]:
        """A view of the pixels with one number per pixel: shape (height, width), not rotated."""
        return self.pixels.view(f"u{self.pixel_format.bytes_per_pixel}")[:, : self.width]

    def rgb(self) -> NDArray[np.uint8]:
        """Return a copy of the picture, uint8 of shape (height, width, 3), rotation applied."""
        return np.ascontiguousarray(np.rot90(self.drawn_rgb(), self.rotation % 4))

    def drawn_rgb(self) -> NDArray[np.uint8]:
        """Return the picture as the core drew it: uint8 (height, width, 3), not rotated."""
        row = self.pixels[:, : self.width * self.pixel_format.bytes_per_pixel]
        rows = np.ascontiguousarray(row)
        if self.pixel_format is PixelFormat.XRGB8888:
            return rows.reshape(rows.shape[0], -1, 4)[:, :, 2::-1]
        packed, channels = rows.view("<u2"), []
        for bits in self.pixel_format.channel_bits[::-1]:
            channel = packed & ((1 << bits) - 1)
            # Short channels are widened by repeating their top bits.
            channels.append(channel << (8 - bits) | channel >> (2 * bits - 8))
            packed = packed >> bits
        return np.stack(channels[::-1], axis=-1).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class RamChanges:
    """The bytes of RAM that changed from each frame to the next. ``counts`` is int64 of shape
    (frames,): how many bytes changed in each frame. ``offsets`` (uint32) and ``values`` (uint8),
    both of length ``counts.sum()``, give the flat RAM offset, ascending within a frame, and the new
    byte. The first frame compares with RAM before the run."""

    counts: NDArray[np.int64]
    offsets: NDArray[np.uint32]
    values: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of one run. All arrays belong to the caller.

    ``frame`` is the last picture (None if the plan asked for none, or the core has drawn none yet);
    ``pictures`` holds the picture of every k-th frame if the plan asked for them. ``ram`` is uint8
    of shape (frames, ram_bytes): the writable regions one after another in address order, bytes as
    in the core's memory. ``ranges`` is uint8 of shape (frames, sum of the plan's range lengths).
    ``audio`` is int16 of shape (samples, 2). A field that the plan did not ask for is None. ``lag``
    holds the rows, ascending, in which the core never read a button; many cores read the buttons in
    every frame, so their ``lag`` is always empty. ``hashes`` is uint32 of shape (frames,): equal
    pictures have equal hashes; a frame in which the core drew nothing, or with OpenGL, has 0."""

    frames: int
    frame: Frame | None
    pictures: tuple[Frame, ...] = ()
    ram: NDArray[np.uint8] | None = None
    changes: RamChanges | None = None
    ranges: NDArray[np.uint8] | None = None
    audio: NDArray[np.int16] | None = None
    messages: tuple[str, ...] = ()
    lag: tuple[int, ...] = ()
    hashes: NDArray[np.uint32] | None = None


@dataclass(frozen=True, slots=True)
class AvInfo:
    """AV facts, the newest of ``retro_get_system_av_info``, SET_GEOMETRY, SET_SYSTEM_AV_INFO."""

    base_width: int
    base_height: int
    max_width: int
    max_height: int
    aspect_ratio: float
    fps: float
    sample_rate: float


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """One writable region of the address space; ``address`` is absolute, ``size`` in bytes."""

    address: int
    size: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class InputName:
    """A core's name for one input, identified by libretro's numbers; device 1 is the joypad."""

    port: int
    device: int
    index: int
    id: int
    text: str


@dataclass(frozen=True, slots=True)
class CoreInfo:
    """Facts about a loaded core and content: identity, timing, memory layout. ``regions`` are
    sorted by address and do not overlap; flat RAM is their concatenation. ``state_bytes`` is the
    size at load; some cores change it while running. ``whole_ram_bytes`` is the length of flat RAM
    without the request's windows. ``inputs`` are the core's descriptions at load; many cores
    describe none."""

    library_name: str
    library_version: str
    valid_extensions: tuple[str, ...]
    need_fullpath: bool
    av: AvInfo
    regions: tuple[MemoryRegion, ...]
    state_bytes: int
    whole_ram_bytes: int
    inputs: tuple[InputName, ...] = ()

    @property
    def ram_bytes(self) -> int:
        return sum([region.size for region in self.regions])

    @property
    def sees_all_memory(self) -> bool:
        """True if the request's windows leave out no memory."""
        return self.ram_bytes == self.whole_ram_bytes


@dataclass(frozen=True, slots=True)
class CoreOption:
    """One declared option: the core accepts only ``values``, and ``default`` is its own default."""

    key: str
    title: str
    values: tuple[str, ...]
    default: str
    value: str
    help: str = ""


MAX_PORTS = 8  # controller ports a host accepts masks for


@dataclass(frozen=True, slots=True)
class CapturePlan:
    """The data to capture in one run; data that is not asked for costs nothing. ``ram``: whole RAM
    of each frame. ``changes``: differences against the frame before. ``ranges``: (offset, length)
    pairs in flat RAM, captured for each frame. ``picture``: the last picture; ``picture_every``:
    also that of every k-th frame (0: none). ``audio``: samples. ``hashes``: a hash of each frame's
    picture, much cheaper than the picture."""

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

        Raises CoreNotFoundError, CoreLoadError, ContentError, UnsupportedCoreError."""

    @property
    def info(self) -> CoreInfo:
        """The core and content, with the newest AvInfo. Raises HostClosedError before ``load``."""

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        """Run one frame for each row of ``inputs``.

        ``inputs`` is uint16 of shape (frames, ports): joypad bit masks, bit i = RETRO_DEVICE_ID i.
        Further columns are the request's axes, each number an int16 in two's complement."""

    def reset(self) -> None:
        """Press the console's reset button (``retro_reset``)."""

    def serialize(self) -> bytes:
        """Return the core's raw state. Raises StateError if the core cannot save one."""

    def unserialize(self, state: bytes, fresh: bool = True) -> None:
        """Restore a raw state of any length. Raises StateError when the core refuses it.

        If not ``fresh``, the library stays open even if the request wants it reopened. This takes a
        tenth of the time, but keeps the variables that the core does not save in its states."""

    def read_ram(self) -> NDArray[np.uint8]:
        """Return a copy of the flat RAM, uint8 of shape (ram_bytes,)."""

    def write_ram(self, offset: int, data: bytes) -> None:
        """Write into the flat RAM. Raises MemoryAccessError if the data does not fit."""

    def options(self) -> tuple[CoreOption, ...]:
        """Return the options that the core declared, with their current values."""

    def set_option(self, key: str, value: str) -> None:
        """Change a core option; the core sees it before its next frame."""

    def log(self) -> tuple[str, ...]:
        """Return the core's last log lines, oldest first, each prefixed with its level."""

    def close(self) -> None:
        """Unload content and core. Idempotent."""
