"""Values that a run of the core hands back: pictures, audio, memory and announcements."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


class PixelFormat(IntEnum):
    """Pixel formats by their libretro number (``enum retro_pixel_format``)."""

    RGB1555 = 0
    XRGB8888 = 1
    RGB565 = 2

    @property
    def bytes_per_pixel(self) -> int:
        """Bytes of one pixel in a row."""
        return 4 if self is PixelFormat.XRGB8888 else 2

    @property
    def channel_bits(self) -> tuple[int, int, int]:
        """Bits of red, green and blue."""
        return {0: (5, 5, 5), 1: (8, 8, 8), 2: (5, 6, 5)}[self.value]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, as the core drew it.

    ``pixels`` is uint8 of shape (height, pitch), owned by the frame. The core's padding is gone;
    ``pitch`` is the bytes of a row rounded up to a multiple of 4, so that rows are word-aligned.
    ``rotation`` counts quarter turns counter-clockwise, as SET_ROTATION announces them; ``pixels``
    are not rotated. ``duplicate`` is true when the core passed NULL, which repeats the last
    picture.
    """

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

    def rgb(self) -> NDArray[np.uint8]:
        """The picture as uint8 of shape (height, width, 3), rotation applied; a copy."""
        return np.ascontiguousarray(np.rot90(self.drawn_rgb(), self.rotation % 4))

    def drawn_rgb(self) -> NDArray[np.uint8]:
        """The picture as the core drew it, uint8 of shape (height, width, 3), not rotated."""
        row = self.pixels[:, : self.width * self.pixel_format.bytes_per_pixel]
        return _expand(np.ascontiguousarray(row), self.pixel_format)


def _expand(rows: NDArray[np.uint8], pixel_format: PixelFormat) -> NDArray[np.uint8]:
    """Packed rows to (height, width, 3); short channels are widened by repeating their top bits."""
    if pixel_format is PixelFormat.XRGB8888:
        return rows.reshape(rows.shape[0], -1, 4)[:, :, 2::-1]
    packed = rows.view("<u2")
    green_bits = 6 if pixel_format is PixelFormat.RGB565 else 5
    red = packed >> (5 + green_bits) & 0x1F
    green = packed >> 5 & ((1 << green_bits) - 1)
    blue = packed & 0x1F
    channels = (_widen(red, 5), _widen(green, green_bits), _widen(blue, 5))
    return np.stack(channels, axis=-1).astype(np.uint8)


def _widen(channel: NDArray[Any], bits: int) -> NDArray[Any]:
    return channel << (8 - bits) | channel >> (2 * bits - 8)


@dataclass(frozen=True, slots=True)
class RamChanges:
    """Differences of each frame's RAM against the frame before it.

    ``counts`` is int64 of shape (frames,): how many bytes changed in each frame. ``offsets``
    (uint32) and ``values`` (uint8), both of length ``counts.sum()``, give the flat RAM offset,
    ascending within a frame, and the new byte. The first frame compares with the RAM as it was
    when the run began.
    """

    counts: NDArray[np.int64]
    offsets: NDArray[np.uint32]
    values: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a chunk of frames. All arrays belong to the caller.

    ``frame`` is the last picture (None when the plan asked for none, or the core has drawn none
    yet), ``pictures`` those of every k-th frame when asked for. ``ram`` is uint8 of shape (frames,
    ram_bytes), the writable regions one after another in address order, bytes as they lie in the
    core's memory. ``ranges`` is uint8 of shape (frames, sum of the plan's range lengths). ``audio``
    is int16 of shape (samples, 2). A field that the plan did not ask for is None. ``lag`` are the
    rows, ascending, of the frames in which the core never asked for a button. Many cores ask in
    every frame, so that they never have any. ``hashes`` is uint32 of shape (frames,): equal
    pictures have equal hashes; a frame in which the core drew nothing, or by OpenGL, has 0.
    """

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
    """The newest of ``retro_get_system_av_info``, SET_GEOMETRY and SET_SYSTEM_AV_INFO."""

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
    """A core's word for one input, by the numbers of libretro: device 1 is the joypad."""

    port: int
    device: int
    index: int
    id: int
    text: str


@dataclass(frozen=True, slots=True)
class CoreInfo:
    """A loaded core and content: identity, timing, memory layout.

    ``regions`` are sorted by address and do not overlap; flat RAM is their concatenation.
    ``state_bytes`` is the size at load; some cores change it while running. ``whole_ram_bytes`` is
    the length of flat RAM without the request's windows. ``inputs`` are as the core described them
    at load; many cores describe none.
    """

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
        """Length of the flat RAM."""
        return sum(region.size for region in self.regions)

    @property
    def sees_all_memory(self) -> bool:
        """True when the request's windows leave out no memory."""
        return self.ram_bytes == self.whole_ram_bytes
