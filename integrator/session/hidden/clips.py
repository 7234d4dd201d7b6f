"""Clips: a range of the timeline run again in a hidden core and written as a video or a GIF.

The needed inputs and states are copied from the session at once; running and writing then happen on
another thread with a core process of their own, while the game goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SaveError, TimelineError
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.timeline.stretch import Rerun, Stretch
from libretro_host.host import CapturePlan, CoreHost

_CHUNK_FRAMES = 30

ClipProgress = Callable[[int, int], bool]
"""Called with (frames done, frames in all); false stops."""


class ClipStopped(Exception):  # noqa: N818 - no error: it was asked for
    """The clip was stopped half-way; no file is left."""


@dataclass(frozen=True, slots=True)
class ClipOptions:
    """The form of a clip; ``scale`` repeats pixels. A GIF has no sound."""

    path: Path
    scale: int = 2
    sound: bool = True

    @property
    def is_gif(self) -> bool:
        """True when a GIF is written, by the file's name."""
        return self.path.suffix.lower() == ".gif"


@dataclass(frozen=True, slots=True)
class ClipSource:
    """Everything needed to run frames ``start`` to ``stop - 1`` again, without the session."""

    plan: SessionPlan
    fps: float
    sample_rate: float
    start: int
    stop: int
    stretch: Stretch

    @property
    def frames(self) -> int:
        """Frames in the clip."""
        return self.stop - self.start


def clip_source(session: Session, start: int, stop: int) -> ClipSource:
    """Copy the source of a clip, on the thread that owns the session.

    Raises TimelineError for frames that are not held.
    """
    log = session.timeline.log
    if not 1 <= start < stop <= log.length + 1:
        raise TimelineError(
            f"frames {start} to {stop - 1} are not held; there are frames 1 to {log.length}"
        )
    stretch = session.timeline.stretch(start - 1, stop - 1)
    rate = session.game.core.av.sample_rate
    return ClipSource(session.game.plan.hidden(), session.game.fps, rate, start, stop, stretch)


class _Writer(Protocol):
    def add_frame(self, picture: NDArray[np.uint8] | None) -> None: ...
    def add_audio(self, samples: NDArray[np.int16] | None) -> None: ...
    def close(self) -> None: ...
    def give_up(self) -> None: ...


def write_clip(source: ClipSource, options: ClipOptions, progress: ClipProgress) -> Path:
    """Run the frames in a core process of their own and write them; returns the file.

    Raises ClipStopped when ``progress`` says so, SaveError, HostError, TimelineError.
    """
    from integrator.session.film.video import CanvasTooSmall  # noqa: PLC0415 - loads FFmpeg

    part = options.path.with_name(f".{options.path.name}.part")
    size = (1, 1)
    host, _ = start_core(source.plan)
    try:
        size = _first_size(host, source)
        while True:
            try:
                _write(host, source, options, part, size, progress)
                break
            except CanvasTooSmall as larger:
                size = larger.size
        part.replace(options.path)
    except OSError as error:
        raise SaveError(f"{options.path}: cannot be written: {error.strerror}") from error
    finally:
        host.close()
        part.unlink(missing_ok=True)
    return options.path


def _first_size(host: CoreHost, source: ClipSource) -> tuple[int, int]:
    source.stretch.enter(host)
    row = source.stretch.inputs[source.start - 1 - source.stretch.begins[-1][0] :][:1]
    frame = host.run(row, CapturePlan()).frame
    if frame is None:
        return (host.info.av.base_width, host.info.av.base_height)
    picture = frame.rgb()
    return (picture.shape[1], picture.shape[0])


def _write(
    host: CoreHost,
    source: ClipSource,
    options: ClipOptions,
    part: Path,
    size: tuple[int, int],
    progress: ClipProgress,
) -> None:
    writer = _writer(source, options, part, size)
    shown = CapturePlan(picture_every=1, audio=True)
    done = 0
    try:
        for played in source.stretch.run(host, shown, _CHUNK_FRAMES):
            for picture in _pictures(played):
                writer.add_frame(picture)
            writer.add_audio(played.run.audio)
            done += played.run.frames
            if not progress(done, source.frames):
                raise ClipStopped
        writer.close()
    finally:
        writer.give_up()


def _writer(source: ClipSource, options: ClipOptions, part: Path, size: tuple[int, int]) -> _Writer:
    from integrator.session.film.video import PROFILES, GifWriter, VideoTiming, VideoWriter  # noqa: PLC0415 - loads FFmpeg

    timing, scale = VideoTiming(source.fps, source.sample_rate), options.scale
    if options.is_gif:
        return GifWriter(part, timing, size, scale=scale)
    return VideoWriter(part, PROFILES[None], timing, size, scale=scale, audio=options.sound)


def _pictures(played: Rerun) -> Iterator[NDArray[np.uint8] | None]:
    """The frames' pictures; None repeats the one before. Raises TimelineError for another one.

    The first picture after a jump may hold rows from before it, so that it is left out.
    """
    missing = played.run.frames - len(played.run.pictures)
    for number, same in enumerate(played.same.tolist()):
        if not same and not (played.jumped and number == 0):
            frame = played.begin + number + 1
            raise TimelineError(
                f"frame {frame} was not repeated as it was played, so no clip was written; begin "
                f"at frame {frame + 1}, or choose another core"
            )
        yield played.run.pictures[number - missing].rgb() if same and number >= missing else None
