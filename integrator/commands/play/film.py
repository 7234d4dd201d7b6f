"""The film of a movie: a video file, and a stream for a viewer, written chunk by chunk."""

import contextlib
import os
import shlex
import subprocess
from functools import partial
from typing import Any

from integrator.commands.play.table import PlayJob
from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import saving, writing
from integrator.session.film import VideoWriter
from integrator.session.frame.result import ChunkResult
from integrator.session.stills import PROFILES, VIEWER_PROFILE, Picture, VideoTiming
from libretro_host.host import AvInfo
from libretro_host.processes import children
from libretro_host.processes.temporary import made_whole


class Film(contextlib.AbstractContextManager["Film"]):
    """Writes the video to a temporary file, and shows it in a viewer.

    Raises CanvasTooSmall if a later picture is larger than the first one.
    """

    def __init__(self, job: PlayJob, size: tuple[int, int] | None) -> None:
        self._job, self._size = job, size
        self._open = contextlib.ExitStack()
        self._video: VideoWriter | None = None
        self._viewer: VideoWriter | None = None
        self._begun = False

    def __exit__(self, kind: type[BaseException] | None, *more: Any) -> None:  # noqa: PYI036 - passed on
        """Give the finished video its name; after an error, remove it."""
        with contextlib.suppress(*[SaveError] * (kind is not None)):
            self._open.__exit__(kind, *more)

    def add(self, chunk: ChunkResult, skip: int, av_info: AvInfo) -> None:
        """Add a chunk without its first ``skip`` frames. Raises CanvasTooSmall, SaveError."""
        drawn = [frame.rgb() for frame in chunk.run.pictures]
        # Before a core has drawn, it gives no pictures for its first frames.
        pictures: list[Picture | None] = [None] * (len(chunk.inputs) - len(drawn))
        pictures += drawn
        if skip >= len(pictures):
            return
        if not self._begun:
            self._begin(drawn, av_info)
        sound = chunk.run.audio
        if sound is not None and skip:
            sound = sound[len(sound) * skip // len(pictures) :]
        if self._video is not None:
            for picture in pictures[skip:]:
                self._video.add_frame(picture)
            self._video.add_audio(sound)
        if self._viewer is not None:
            self._show(self._viewer, pictures[skip:], chunk)

    def _begin(self, drawn: list[Picture], av_info: AvInfo) -> None:
        self._begun = True
        options = self._job.options
        timing = VideoTiming(av_info.fps, av_info.sample_rate)
        usual = (av_info.base_height, av_info.base_width)
        height, width = drawn[0].shape[:2] if drawn else usual
        size = self._size or (width, height)
        writer = partial(
            VideoWriter, timing=timing, size=size, scale=options.scale, audio=options.audio
        )
        if self._job.video is not None:
            with writing(self._job.video):
                part = self._open.enter_context(made_whole(self._job.video))
            self._video = self._open.enter_context(writer(part, PROFILES[options.lossless]))
        if options.viewer is not None:
            command = [*shlex.split(options.viewer), "-"]
            with saving(f"{options.viewer}: cannot be started", "name a program that is installed"):
                process = children.start(command, environment=os.environ, stdin=subprocess.PIPE)
            assert process.stdin is not None  # noqa: S101 - for the type checker: it is a pipe
            # Close the viewer's input at the end, and wait until the user closes the viewer.
            self._open.callback(process.communicate)
            stream = writer(process.stdin, VIEWER_PROFILE, crop=True)
            self._viewer = self._open.enter_context(stream)

    def _show(
        self, viewer: VideoWriter, pictures: list[Picture | None], chunk: ChunkResult
    ) -> None:
        try:
            for picture in pictures:
                viewer.add_frame(picture)
            viewer.add_audio(chunk.run.audio)
        except SaveError:
            # The user closed the viewer, so go on without it.
            self._viewer = None
            with contextlib.suppress(SaveError):
                viewer.give_up()
