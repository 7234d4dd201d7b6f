"""Writes clips of the timeline, pictures of start states, and slots, as files."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import DocumentError, TimelineError
from integrator.domain.files.atomic import write_with_folder, writing
from integrator.domain.files.reading import read_file, read_head
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX, pack_state
from integrator.session import stills
from integrator.session.frame.inputs import input_rows
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON, read_start_state, restore
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.stills import CanvasTooSmall, Picture
from integrator.session.timeline.restorer import Progress
from integrator.session.timeline.stretch import Rerun, Stretch
from libretro_host.errors import StateError
from libretro_host.host import CapturePlan, CoreHost, Frame, LoadRequest
from libretro_host.processes.temporary import made_whole


class ClipStopped(Exception):  # noqa: N818 - no error: it was asked for
    """The user stopped the clip; no file is left."""


@dataclass(frozen=True, slots=True)
class ClipOptions:
    """The form of a clip: the suffix of ``path`` is its format, and ``scale`` repeats pixels. A GIF
    and an animated PNG have no sound."""

    path: Path
    scale: int = 2
    sound: bool = True


@dataclass(frozen=True, slots=True)
class ClipSource:
    """Everything needed to run frames again, without the session."""

    plan: SessionPlan
    timing: stills.VideoTiming
    stretch: Stretch

    @property
    def frames(self) -> int:
        return self.stretch.last - self.stretch.first


def clip_source(session: Session, start: int, stop: int) -> ClipSource:
    """Copy the frames of a clip, on the session's thread. Raises TimelineError."""
    log = session.timeline.log
    if not 1 <= start < stop <= log.length + 1:
        held = f"there are frames 1 to {log.length}"
        raise TimelineError(f"frames {start} to {stop - 1} are not held; {held}")
    timing = stills.VideoTiming(session.game.fps, session.game.core.av.sample_rate)
    stretch = session.timeline.stretch(start - 1, stop - 1)
    return ClipSource(session.game.plan.hidden(), timing, stretch)


def write_clip(source: ClipSource, options: ClipOptions, progress: Progress) -> Path:
    """Run frames in a hidden core and write a clip. Raises ClipStopped, SaveError, HostError."""
    host, _ = start_core(source.plan)
    try:
        source.stretch.enter(host)
        row = source.stretch.inputs[source.stretch.first - source.stretch.begins[-1][0] :][:1]
        frame = host.run(row, CapturePlan()).frame
        size = host.info.av.base_width, host.info.av.base_height
        if frame is not None:
            height, width = frame.rgb().shape[:2]
            size = width, height
        with writing(options.path), made_whole(options.path) as part:
            while True:
                try:
                    _write(host, source, options, part, size, progress)
                    break
                except CanvasTooSmall as larger:
                    size = larger.size
    finally:
        host.close()
    return options.path


def _write(
    host: CoreHost,
    source: ClipSource,
    options: ClipOptions,
    part: Path,
    size: tuple[int, int],
    progress: Progress,
) -> None:
    timing, scale = source.timing, options.scale
    suffix = options.path.suffix.lower()
    sound = options.sound and suffix not in {".png", ".gif"}
    writer: Any
    if suffix == ".png":
        writer = stills.AnimatedPngWriter(part, timing, size, scale=scale)
    else:
        from integrator.session import film  # noqa: PLC0415 - PyAV is optional

        if suffix == ".gif":
            writer = film.GifWriter(part, timing, size, scale=scale)
        else:
            profile = stills.PROFILES[None]
            writer = film.VideoWriter(part, profile, timing, size, scale=scale, audio=sound)
    done, shown = 0, None
    try:
        for played in source.stretch.run(host, CapturePlan(picture_every=1, audio=sound), chunk=30):
            for picture in _pictures(played):
                shown = shown if picture is None else picture
                writer.add_frame(shown)
            if sound:
                writer.add_audio(played.run.audio)
            done += played.run.frames
            if not progress(done, source.frames):
                raise ClipStopped
        writer.close()
    finally:
        writer.give_up()


def _pictures(played: Rerun) -> Iterator[Picture | None]:
    """Yield the frames' pictures; None repeats the last, as after a jump. Raises TimelineError."""
    missing = played.run.frames - len(played.run.pictures)
    for number, same in enumerate(played.same.tolist()):
        if not same and not (played.jumped and number == 0):
            frame = played.begin + number + 1
            raise TimelineError(
                f"frame {frame} was not repeated as it was played, so no clip was written; begin "
                f"at frame {frame + 1}, or choose another core"
            )
        yield played.run.pictures[number - missing].rgb() if same and number >= missing else None


class PictureStore:
    """PNG files by key in a folder of the cache; the user may delete the folder at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.png"

    def find(self, key: str) -> Path | None:
        path = self.path(key)
        return path if path.is_file() else None

    def keep(self, key: str, picture: Picture) -> Path:
        path = self.path(key)
        step = -(-picture.shape[1] // 400)  # at most 400 pixels wide
        write_with_folder(path, stills.png_bytes(picture[::step, ::step]))
        return path


def picture_key(request: LoadRequest, state: bytes) -> str:
    """Return a key for a state of a game on a core, independent of paths. Raises OSError."""
    rom, core = request.content, request.core
    named = f"{core.name} {core.stat().st_size} ".encode()
    size = rom.stat().st_size.to_bytes(8, "little")
    parts = b"".join((read_head(rom, 64 << 10), named, size, state))
    return hashlib.sha1(parts, usedforsecurity=False).hexdigest()


def photograph(
    plan: SessionPlan, names: Sequence[str], stopped: Callable[[], bool]
) -> Iterator[tuple[str, Picture | None, str]]:
    """Yield each state's name, its picture, drawn by a hidden core, and "", until ``stopped``.

    If the core rejects a state, its picture is None and the text is the reason. Raises HostError.
    """
    if not names:
        return
    host, power_on = start_core(plan)
    try:
        stamp = f"{host.info.library_name} {host.info.library_version}"
        for name in names:
            if stopped():
                return
            try:
                raw = power_on
                if name != POWER_ON:
                    raw, _ = read_start_state(plan.integration, name, stamp)
                restore(host, raw, f"{name}.state")
            except (DocumentError, StateError) as error:
                yield name, None, str(error)
                continue
            # After 240 frames, a console has shown its logo. From a state, several cores draw their
            # first whole picture on the third frame.
            frames = 240 if name == POWER_ON else 3
            yield name, _take(host, frames, plan.players), ""
    finally:
        host.close()


def _take(host: CoreHost, frames: int, players: int) -> Picture | None:
    frame: Frame | None = None
    # While the screen has only one color, as between two scenes, run further frames.
    for _ in range(4):
        frame = host.run(input_rows((), frames, players), CapturePlan()).frame or frame
        if frame is None:
            continue
        picture = frame.rgb()
        if (picture != picture[0, 0]).any():
            return picture
        frames = max(frames, 30)
    return frame.rgb() if frame is not None else None


@dataclass(frozen=True, slots=True)
class StateInfo:
    """A start state; ``stamp`` names its core, and it is the default of ``default_for`` players."""

    name: str
    stamp: str | None
    size_bytes: int
    version: int
    default_for: tuple[int, ...]


def survey_states(integration: Integration) -> tuple[StateInfo, ...]:
    """Return the facts of each start state, without files that vanish in the meantime."""
    metadata, found = integration.metadata, []
    listed = metadata.value.get("default_player_state")
    counts = range(1, 1 + max(1, len(listed) if isinstance(listed, list) else 1))
    for name in integration.states:
        with suppress(DocumentError):
            stamp, size, version = integration.state_files.facts(name)
            players = tuple(count for count in counts if metadata.default_state(count) == name)
            found.append(StateInfo(name, stamp, size, version, players))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class StateSurvey:
    """The start states of an open game; ``plan`` opens a hidden core, ``stamp`` names the core."""

    plan: SessionPlan
    infos: tuple[StateInfo, ...]
    stamp: str

    @classmethod
    def of(cls, session: Session) -> "StateSurvey":
        infos = survey_states(session.integration)
        return cls(session.game.plan.hidden(), infos, session.game.core_stamp)


def slot_path(game: str, slot: int) -> Path:
    """Return a slot's file, which lies in the user's data, because training uses no slots."""
    return paths.user_data_dir() / "slots" / game / f"F{slot}{STATE_SUFFIX}"


def save_slot(session: Session, slot: int, store: PictureStore) -> Path | None:
    """Save the present frame's state and picture in a slot. Raises StateError, SaveError."""
    path = slot_path(session.integration.name, slot)
    data = pack_state(session.save_state(), session.game.core_stamp)
    write_with_folder(path, data)
    frame = session.last.frame if session.last is not None else None
    key = picture_key(session.game.plan.request, data)
    return store.keep(key, frame.rgb()) if frame is not None else None


def slot_pictures(
    session: Session, slots: Iterable[int], store: PictureStore
) -> dict[int, Path | None]:
    """Return the picture files of filled slots. Raises OSError."""
    request, game = session.game.plan.request, session.integration.name
    read = {slot: read_file(slot_path(game, slot), MAX_STATE_FILE_BYTES) for slot in slots}
    return {slot: store.find(picture_key(request, data)) for slot, data in read.items()}
