"""PNG and animated PNG files, written without PyAV, and the profiles of PyAV's videos."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.atomic import writing

Picture = NDArray[np.uint8]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class VideoTiming:
    """The console's rates: frames and sound samples a second."""

    fps: float
    sample_rate: float

    @property
    def rate(self) -> Fraction:
        """The frames a second as a fraction that every container can hold."""
        return Fraction(self.fps).limit_denominator(10_000)


@dataclass(frozen=True, slots=True)
class VideoProfile:
    """Container, codecs and options of a video; ``even``: width and height must be even."""

    container: str
    suffix: str
    codec: str
    pixel_format: str
    audio_codec: str
    options: Mapping[str, str] = field(default_factory=dict)
    audio_bit_rate: int | None = None
    even: bool = False


_SMALL, _EXACT = {"preset": "fast", "crf": "17"}, {"preset": "fast", "qp": "0"}
PROFILES: Mapping[str | None, VideoProfile] = {  # by ``--lossless``; None is small, but lossy
    None: VideoProfile("mp4", ".mp4", "libx264", "yuv420p", "aac", _SMALL, 128_000, even=True),
    "mp4": VideoProfile("mp4", ".mp4", "libx264", "yuv444p", "aac", _EXACT, 192_000),
    "mp4rgb": VideoProfile("mp4", ".mp4", "libx264rgb", "rgb24", "aac", _EXACT, 192_000),
    "png": VideoProfile("mov", ".mov", "png", "rgb24", "pcm_s16le"),
    "ffv1": VideoProfile("matroska", ".mkv", "ffv1", "bgr0", "flac"),
}

VIEWER_PROFILE = VideoProfile("nut", "", "rawvideo", "rgb24", "pcm_s16le")


class CanvasTooSmall(Exception):  # noqa: N818 - no error: the video is started again, larger
    """A picture does not fit on the canvas; ``size``, (width, height), would hold all so far."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(f"the video has to be {size[0]}x{size[1]}")
        self.size = size


def scaled(picture: Picture, scale: int) -> Picture:
    return picture if scale == 1 else picture.repeat(scale, axis=0).repeat(scale, axis=1)


def on_canvas(picture: Picture | None, size: tuple[int, int], scale: int) -> Picture:
    """Return the enlarged picture in the middle of a black canvas. Raises CanvasTooSmall."""
    width, height = size
    canvas = np.zeros((height, width, 3), np.uint8)
    if picture is not None:
        rows, columns = picture.shape[:2]
        if rows > height or columns > width:
            raise CanvasTooSmall((max(width, columns), max(height, rows)))
        top, left = (height - rows) // 2, (width - columns) // 2
        canvas[top : top + rows, left : left + columns] = picture
    return np.ascontiguousarray(scaled(canvas, scale))


def png_bytes(picture: Picture) -> bytes:
    """Return a picture, uint8 of shape (height, width, 3), as the bytes of a PNG file."""
    chunks = _header(picture), _chunk(b"IDAT", _packed(picture)), _chunk(b"IEND")
    return b"".join((_SIGNATURE, *chunks))


def _chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _header(picture: Picture) -> bytes:
    height, width = picture.shape[:2]
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def _packed(picture: Picture) -> bytes:
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # a row begins with its filter; 0 is none
    rows[:, 1:] = picture.reshape(height, -1)
    return zlib.compress(rows.tobytes(), 6)


class AnimatedPngWriter:
    """An animated PNG that repeats forever; each picture holds only the changed rectangle."""

    def __init__(
        self, target: Path, timing: VideoTiming, size: tuple[int, int], *, scale: int = 1
    ) -> None:
        self._timing, self._size, self._scale = timing, size, scale
        self._seen = self._written = 0
        self._shown: Picture | None = None
        self._waiting: tuple[int, int, Picture] | None = None
        """The left edge, top edge and pixels of a picture whose duration is not yet known."""
        self._since = 0
        with writing(target):
            self._file = target.open("wb")
        self._file.write(_SIGNATURE)

    def add_frame(self, picture: Picture | None) -> None:
        """Add a picture; None stands for a black picture."""
        number, self._seen = self._seen, self._seen + 1
        before, now = self._shown, on_canvas(picture, self._size, self._scale)
        self._shown = now
        if before is None:
            self._file.write(_header(now) + _chunk(b"acTL", bytes(8)))
            self._waiting = (0, 0, now)
            return
        rows, columns = np.nonzero((now != before).any(axis=2))
        if not len(rows):
            return
        self._flush(number)
        left, top = int(columns.min()), int(rows.min())
        changed = now[top : int(rows.max()) + 1, left : int(columns.max()) + 1]
        self._waiting = (left, top, changed)

    def _flush(self, number: int) -> None:
        """Write the waiting picture, which is shown until frame ``number``."""
        if self._waiting is None:
            return
        left, top, pixels = self._waiting
        height, width = pixels.shape[:2]
        # The format has 16 bits for the time and 16 for its unit, a part of a second.
        unit = 1000 if number - self._since < 60 * self._timing.fps else 10
        begin, end = (round(at * unit / self._timing.fps) for at in (self._since, number))
        lasts = (min(end - begin, 0xFFFF), unit)
        # Both chunks of each picture have a sequence number, except the first one's pixels.
        first = max(0, 2 * self._written - 1)
        control = struct.pack(">IIIIIHHBB", first, width, height, left, top, *lasts, 0, 0)
        self._file.write(_chunk(b"fcTL", control))
        if self._written:
            data = struct.pack(">I", 2 * self._written) + _packed(pixels)
            self._file.write(_chunk(b"fdAT", data))
        else:
            self._file.write(_chunk(b"IDAT", _packed(pixels)))
        self._written += 1
        self._waiting, self._since = None, number

    def close(self) -> None:
        """Write the file's end, and the number of pictures at its beginning. Idempotent."""
        if self._file.closed:
            return
        self._flush(self._seen)
        self._file.write(_chunk(b"IEND"))
        self._file.seek(len(_SIGNATURE) + len(_chunk(b"IHDR", bytes(13))))
        self._file.write(_chunk(b"acTL", struct.pack(">II", self._written, 0)))
        self.give_up()

    def give_up(self) -> None:
        self._file.close()
