"""GIFs written with PyAV: half of the frames, each with the colours that it has."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SaveError
from integrator.session.film.video import CanvasTooSmall, Picture, VideoTiming, scaled

EVERY = 2
"""A GIF counts in hundredths of a second; viewers slow down one of over 50 pictures a second."""

_CENTISECOND = Fraction(1, 100)


class GifWriter:
    """One GIF that repeats for ever. It is fed as a VideoWriter is, and has no sound.

    Pictures have at most 256 colours: each gets those that serve it best.
    """

    def __init__(
        self, target: Path, timing: VideoTiming, size: tuple[int, int], *, scale: int = 1
    ) -> None:
        self._target = target
        self._timing = timing
        self._size = size
        self._scale = scale
        self._frames = 0
        self._container: Any
        try:
            self._container = av.open(str(target), "w", format="gif")
        except OSError as error:
            raise SaveError(f"{target}: can not be written: {error.strerror}") from error
        stream: Any = self._container.add_stream("gif", rate=100)
        stream.width, stream.height = (length * scale for length in size)
        stream.pix_fmt = "pal8"
        # Leaving out unchanged pixels fails where the colours are numbered anew.
        stream.options = {"gifflags": "-transdiff"}
        stream.codec_context.time_base = _CENTISECOND
        self._stream = stream
        self._graph, self._source, self._sink = self._colour_filter(stream.width, stream.height)

    @staticmethod
    def _colour_filter(width: int, height: int) -> tuple[Any, Any, Any]:
        """Each picture goes two ways: one finds its colours, the other is drawn with them."""
        graph: Any = av.filter.Graph()
        source = graph.add_buffer(
            width=width, height=height, format="rgb24", time_base=_CENTISECOND
        )
        split = graph.add("split")
        find = graph.add("palettegen", "stats_mode=single:reserve_transparent=0")
        use = graph.add("paletteuse", "new=1:dither=none")
        sink = graph.add("buffersink")
        source.link_to(split)
        split.link_to(find, 0, 0)
        split.link_to(use, 1, 0)
        find.link_to(use, 0, 1)
        use.link_to(sink)
        graph.configure()
        return graph, source, sink

    def add_frame(self, picture: Picture | None) -> None:
        """Add a picture, uint8 of shape (height, width, 3); every second one is kept."""
        number = self._frames
        self._frames += 1
        if number % EVERY:
            return
        frame = av.VideoFrame.from_ndarray(self._on_canvas(picture), format="rgb24")
        frame.pts = round(number * 100 / self._timing.fps)
        frame.time_base = _CENTISECOND
        self._source.push(frame)
        try:
            while True:
                self._mux(self._sink.pull())
        except (av.BlockingIOError, av.EOFError):  # that was all so far
            return

    def _on_canvas(self, picture: Picture | None) -> Picture:
        width, height = self._size
        canvas = np.zeros((height, width, 3), np.uint8)
        if picture is not None:
            rows, columns = picture.shape[:2]
            if rows > height or columns > width:
                raise CanvasTooSmall((max(width, columns), max(height, rows)))
            top, left = (height - rows) // 2, (width - columns) // 2
            canvas[top : top + rows, left : left + columns] = picture
        return np.ascontiguousarray(scaled(canvas, self._scale))

    def add_audio(self, samples: NDArray[np.int16] | None) -> None:
        """Do nothing: a GIF is silent."""

    def _mux(self, frame: Any) -> None:
        try:
            self._container.mux(self._stream.encode(frame))
        except (av.FFmpegError, OSError) as error:
            raise SaveError(f"{self._target}: the GIF can not be written: {error}") from error

    def close(self) -> None:
        """Write the file's end. Idempotent. Raises SaveError."""
        if self._container is not None:
            self._mux(None)
            self.give_up()

    def give_up(self) -> None:
        """Let go of the unfinished file. Idempotent. Raises SaveError."""
        container, self._container = self._container, None
        if container is not None:
            try:
                container.close()
            except (av.FFmpegError, OSError) as error:
                raise SaveError(f"{self._target}: the GIF can not be written: {error}") from error
