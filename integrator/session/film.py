"""Pictures and sound written with PyAV: video files, GIFs, and the stream of a viewer."""

import contextlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SaveError, reason
from integrator.domain.files.atomic import writing
from integrator.session.stills import Picture, VideoProfile, VideoTiming, on_canvas

try:
    import av
except ImportError as missing:
    raise SaveError('videos and GIFs need PyAV: pip install "retro-integrator[video]"') from missing


@contextlib.contextmanager
def _writing(target: object) -> Iterator[None]:
    with writing(Path(str(target))):
        try:
            yield
        except av.FFmpegError as error:
            raise OSError(error.errno, reason(error)) from error


_AAC_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000)


class _FilmWriter(contextlib.AbstractContextManager[Any]):
    """A video file that grows by packets; an exception in its context leaves it unfinished."""

    def __init__(
        self,
        target: Path | IO[bytes],
        timing: VideoTiming,
        size: tuple[int, int],
        scale: int,
        container: str,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self._target, self._timing, self._size, self._scale = target, timing, size, scale
        self._frames = 0
        self._stream: Any = None
        file: Any = str(target) if isinstance(target, Path) else target
        with _writing(target):
            self._container = av.open(file, "w", format=container, options=dict(options or {}))

    def _mux(self, stream: Any, *frames: Any) -> None:
        with _writing(self._target):
            for frame in frames:
                self._container.mux(stream.encode(frame))

    def close(self) -> None:
        """Write the encoders' last packets and the file's end. Idempotent. Raises SaveError."""
        if self._stream is not None:
            self._mux(self._stream, None)
            self.give_up()

    def give_up(self) -> None:
        """Close the file unfinished. Idempotent. Raises SaveError."""
        self._stream = None
        with _writing(self._target):
            self._container.close()

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None:
            self.close()
        else:
            self.give_up()


class VideoWriter(_FilmWriter):
    """A video file with sound.

    ``size`` is (width, height) of the canvas in the console's pixels. Smaller pictures stand in its
    middle; a larger one raises CanvasTooSmall, or is cut with ``crop``. ``scale`` repeats pixels.
    One thread encodes, so that the file does not depend on the number of processors. FFmpeg's own
    codecs then write the same bytes each time. x264 does not always: up to 3 in 40 encodings of the
    same pictures differed in a few bits. With ``trellis=0``, 48 of 360 differed, and with
    ``asm=avx2`` in addition none of 240, so x264's AVX-512 code is the likely cause."""

    def __init__(
        self,
        target: Path | IO[bytes],
        profile: VideoProfile,
        timing: VideoTiming,
        size: tuple[int, int],
        *,
        scale: int = 1,
        audio: bool = True,
        crop: bool = False,
    ) -> None:
        # Without this flag, Matroska files get random identifiers.
        options = {"fflags": "+bitexact"}
        if profile.container == "mp4":
            options["movflags"] = "+faststart"
        super().__init__(target, timing, size, scale, profile.container, options)
        self._crop, self._samples = crop, 0
        stream: Any = self._container.add_stream(profile.codec, rate=timing.rate)
        self._stream = stream
        step = 2 if profile.even else 1
        stream.width, stream.height = (-(-n * scale // step) * step for n in size)
        stream.pix_fmt = profile.pixel_format
        stream.options = dict(profile.options)
        stream.codec_context.thread_count = 1
        self._audio: Any = self._add_audio(profile) if audio else None

    def _add_audio(self, profile: VideoProfile) -> Any:
        rate = max(1, round(self._timing.sample_rate))
        if profile.audio_codec == "aac" and rate not in _AAC_RATES:
            rate = min((r for r in _AAC_RATES if r >= rate), default=_AAC_RATES[-1])
        stream: Any = self._container.add_stream(profile.audio_codec, rate=rate, layout="stereo")
        if profile.audio_bit_rate:
            stream.bit_rate = profile.audio_bit_rate
        self._resampler = av.AudioResampler(stream.codec_context.format, "stereo", rate)
        return stream

    def add_frame(self, picture: Picture | None) -> None:
        """Add a picture, uint8 of shape (height, width, 3); None stands for a black picture."""
        width, height = self._size
        if picture is not None and self._crop:
            picture = picture[:height, :width]
        large = on_canvas(picture, self._size, self._scale)
        canvas = np.zeros((self._stream.height, self._stream.width, 3), np.uint8)
        canvas[: large.shape[0], : large.shape[1]] = large
        frame = av.VideoFrame.from_ndarray(canvas, format="rgb24")
        frame.pts, frame.time_base = self._frames, 1 / self._timing.rate
        self._frames += 1
        self._mux(self._stream, frame)

    def add_audio(self, samples: NDArray[np.int16] | None) -> None:
        if self._audio is None or samples is None or not len(samples):
            return
        packed = np.ascontiguousarray(samples).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(packed, format="s16", layout="stereo")
        frame.sample_rate = max(1, round(self._timing.sample_rate))
        frame.time_base = Fraction(1, frame.sample_rate)
        frame.pts = self._samples
        self._samples += len(samples)
        self._mux(self._audio, *self._resampler.resample(frame))

    def close(self) -> None:
        if self._stream is not None and self._audio is not None:
            self._mux(self._stream, None)
            rest = self._resampler.resample(None) if self._samples else ()
            self._mux(self._audio, *rest, None)
            self.give_up()
        super().close()


class GifWriter(_FilmWriter):
    """A GIF without sound that repeats forever, with the best 256 colors for each picture. It keeps
    every second picture, because a GIF counts time in hundredths of a second, and viewers slow down
    a GIF with more than 50 pictures a second."""

    def __init__(
        self, target: Path, timing: VideoTiming, size: tuple[int, int], *, scale: int = 1
    ) -> None:
        super().__init__(target, timing, size, scale, "gif")
        self._time_base = Fraction(1, 100)
        stream: Any = self._container.add_stream("gif", rate=100)
        self._stream = stream
        stream.width, stream.height = (length * scale for length in size)
        stream.pix_fmt = "pal8"
        # Each picture has its own palette, but the encoder would leave out pixels and borders whose
        # numbers in the palette are those of the picture before it.
        stream.options = {"gifflags": "-transdiff-offsetting"}
        stream.codec_context.time_base = self._time_base
        # The filters find the palette of a picture in one copy, and draw the other copy with it.
        graph: Any = av.filter.Graph()
        self._graph, self._sink = graph, graph.add("buffersink")
        self._source = graph.add_buffer(
            width=stream.width, height=stream.height, format="rgb24", time_base=self._time_base
        )
        split, use = graph.add("split"), graph.add("paletteuse", "new=1:dither=none")
        find = graph.add("palettegen", "stats_mode=single:reserve_transparent=0")
        self._source.link_to(split)
        split.link_to(find, 0, 0)
        split.link_to(use, 1, 0)
        find.link_to(use, 0, 1)
        use.link_to(self._sink)
        graph.configure()

    def add_frame(self, picture: Picture | None) -> None:
        """Add a picture, uint8 of shape (height, width, 3); every second one is kept."""
        number, self._frames = self._frames, self._frames + 1
        if number % 2:
            return
        canvas = on_canvas(picture, self._size, self._scale)
        frame = av.VideoFrame.from_ndarray(canvas, format="rgb24")
        frame.pts, frame.time_base = round(number * 100 / self._timing.fps), self._time_base
        self._source.push(frame)
        with contextlib.suppress(av.BlockingIOError, av.EOFError):  # no further picture yet
            while True:
                self._mux(self._stream, self._sink.pull())
