"""Clips: a range of the timeline run again in a hidden core and written as a video or a GIF.

The needed inputs and states are copied from the session at once; running and writing then happen on
another thread with a core process of their own, while the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SaveError, TimelineError
from integrator.domain.timeline.events import JUMPS
from integrator.session.frame.inputs import Inputs
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan, start_core
from libretro_host.frame import RunResult
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
class _Stretch:
    """Frames that follow from a state by inputs alone; the first ``lead`` are not shown.

    ``writes`` are RAM as it was after frames that something besides the core changed, by their
    number from the state on.
    """

    state: bytes
    inputs: Inputs
    lead: int
    writes: Mapping[int, NDArray[np.uint8]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClipSource:
    """Everything needed to run frames ``start`` to ``stop - 1`` again, without the session."""

    plan: SessionPlan
    fps: float
    sample_rate: float
    start: int
    stop: int
    stretches: tuple[_Stretch, ...]

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
    first, _ = log.keyframe_at_or_before(start - 1)
    jumps = {marker.frame for marker in log.markers(*JUMPS) if first < marker.frame < stop - 1}
    cuts = sorted({first, *jumps})
    stretches = []
    for begin, end in zip(cuts, (*cuts[1:], stop - 1), strict=True):
        _, state = log.keyframe_at_or_before(begin)
        rewritten = session.timeline.rewritten_between(begin, end)
        stretches.append(
            _Stretch(
                state,
                log.inputs(begin + 1, end + 1),
                min(max(0, start - 1 - begin), end - begin),
                {frame - begin: log.ram(frame) for frame in rewritten},
            )
        )
    rate = session.game.core.av.sample_rate
    return ClipSource(
        session.game.plan.hidden(), session.game.fps, rate, start, stop, tuple(stretches)
    )


class _Writer(Protocol):
    def add_frame(self, picture: NDArray[np.uint8] | None) -> None: ...
    def add_audio(self, samples: NDArray[np.int16] | None) -> None: ...
    def close(self) -> None: ...
    def give_up(self) -> None: ...


def write_clip(source: ClipSource, options: ClipOptions, progress: ClipProgress) -> Path:
    """Run the frames in a core process of their own and write them; returns the file.

    Raises ClipStopped when ``progress`` says so, SaveError, HostError.
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
        raise SaveError(f"{options.path}: can not be written: {error.strerror}") from error
    finally:
        host.close()
        part.unlink(missing_ok=True)
    return options.path


def _first_size(host: CoreHost, source: ClipSource) -> tuple[int, int]:
    stretch = source.stretches[0]
    host.unserialize(stretch.state)
    frame = host.run(stretch.inputs[:1], CapturePlan()).frame
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
    done = 0
    try:
        for run in _runs(host, source):
            for frame in run.pictures:
                writer.add_frame(frame.rgb())
            writer.add_audio(run.audio)
            done += run.frames
            if not progress(done, source.frames):
                raise ClipStopped
        writer.close()
    finally:
        writer.give_up()


def _writer(source: ClipSource, options: ClipOptions, part: Path, size: tuple[int, int]) -> _Writer:
    from integrator.session.film.clip_gif import GifWriter  # noqa: PLC0415 - loads FFmpeg
    from integrator.session.film.video import PROFILES, VideoTiming, VideoWriter  # noqa: PLC0415 - loads FFmpeg

    timing, scale = VideoTiming(source.fps, source.sample_rate), options.scale
    if options.is_gif:
        return GifWriter(part, timing, size, scale=scale)
    return VideoWriter(part, PROFILES[None], timing, size, scale=scale, audio=options.sound)


def _runs(host: CoreHost, source: ClipSource) -> Iterator[RunResult]:
    """Every frame of the clip, in chunks with their pictures and sound."""
    shown = CapturePlan(picture_every=1, audio=True)
    for stretch in source.stretches:
        host.unserialize(stretch.state)
        stops = {stretch.lead, *stretch.writes, *range(0, len(stretch.inputs), _CHUNK_FRAMES)}
        cuts = [*sorted(stops - {0}), len(stretch.inputs)]
        begin = 0
        for end in cuts:
            if end <= begin:
                continue
            plan = shown if begin >= stretch.lead else CapturePlan(picture=False)
            run = host.run(stretch.inputs[begin:end], plan)
            if end in stretch.writes:
                _write_ram(host, stretch.writes[end])
            if begin >= stretch.lead:
                yield run
            begin = end


def _write_ram(host: CoreHost, recorded: NDArray[np.uint8]) -> None:
    for offset in np.flatnonzero(host.read_ram() != recorded).tolist():
        host.write_ram(offset, recorded[offset : offset + 1].tobytes())
