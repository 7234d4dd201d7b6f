"""Clips: a range of the timeline run again, as a video with sound, a GIF or an animated PNG."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SaveError, TimelineError
from integrator.session.film import GifWriter
from integrator.session.frame.result import FrameResult
from integrator.session.hidden import clips
from integrator.session.hidden.clips import (
    ClipOptions,
    ClipStopped,
    PictureStore,
    clip_source,
    save_slot,
    write_clip,
)
from integrator.session.session import Session
from integrator.session.stills import AnimatedPngWriter, Picture, VideoTiming
from integrator.session.timeline.stretch import Rerun

pytestmark = pytest.mark.usefixtures("own_home")
Pictures = list[NDArray[np.uint8]]


@pytest.fixture
def played() -> Iterator[tuple[Session, Pictures]]:
    """A session with 90 frames, a jump and a poke among them, and the pictures that it showed."""
    with integrator.open_session(demo_game()) as session:
        shown = [_shown(session.reset())]
        state = session.save_state()
        for frame in range(2, 91):
            if frame == 40:
                session.load_state(state)
            if frame == 60:
                session.memory.write(0x302, "|i1", 1)
            shown.append(_shown(session.advance((1 << 7 if frame % 3 else 1,))))
        yield session, shown


def _shown(result: FrameResult) -> NDArray[np.uint8]:
    assert result.frame is not None
    picture: NDArray[np.uint8] = result.frame.rgb()
    return picture


def pictures_of(path: Path) -> Pictures:
    with av.open(str(path)) as container:
        decoded = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    return [np.asarray(picture, np.uint8) for picture in decoded]


def always(done: int, total: int) -> bool:
    return done <= total


def test_a_gif_shows_what_was_played(played: tuple[Session, Pictures], tmp_path: Path) -> None:
    session, shown = played
    options = ClipOptions(tmp_path / "clip.gif", scale=1)
    source = clip_source(session, 31, 91)
    assert source.frames == 60
    assert write_clip(source, options, always) == options.path
    found = pictures_of(options.path)
    assert len(found) == 30
    for at, picture in enumerate(found):
        assert np.abs(picture.astype(int) - shown[30 + 2 * at]).max() <= 2, at
    with av.open(str(options.path)) as container:
        stamps = [float(frame.time) for frame in container.decode(video=0)]
    assert stamps[-1] - stamps[0] == pytest.approx(58 / session.game.fps, abs=0.03)


def test_a_picture_of_two_minutes_stands_as_long_in_an_animated_png(tmp_path: Path) -> None:
    black, white = np.zeros((8, 8, 3), np.uint8), np.full((8, 8, 3), 255, np.uint8)
    writer = AnimatedPngWriter(tmp_path / "clip.png", VideoTiming(50, 44_100), (8, 8))
    for picture in (*[black] * 6000, *[white] * 50):
        writer.add_frame(picture)
    writer.close()
    with Image.open(tmp_path / "clip.png") as shown:
        lasts = [picture.info["duration"] for picture in ImageSequence.Iterator(shown)]
    assert lasts == [120_000, 1000]


def test_a_gif_draws_all_of_a_picture_whose_palette_came_before(tmp_path: Path) -> None:
    """FFmpeg compares pixels by their numbers in palettes, so other colors may look unchanged."""
    white = np.full((40, 60, 3), 255, np.uint8)
    striped = np.zeros_like(white)
    striped[10:20, 10:50] = (0, 80, 255)
    pictures = [white, striped, white]
    with GifWriter(tmp_path / "clip.gif", VideoTiming(50, 44_100), (60, 40)) as writer:
        for picture in pictures:
            writer.add_frame(picture)
            writer.add_frame(picture)
    for found, picture in zip(pictures_of(tmp_path / "clip.gif"), pictures, strict=True):
        assert np.array_equal(found, picture)


def test_a_picture_that_a_jump_does_not_repeat_is_the_one_before(
    played: tuple[Session, Pictures], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlike(rerun: Rerun) -> Iterator[Picture | None]:
        for number, picture in enumerate(known(rerun)):
            yield None if rerun.begin + number + 1 == 40 else picture

    known = clips._pictures
    monkeypatch.setattr(clips, "_pictures", unlike)
    session, _ = played
    options = ClipOptions(tmp_path / "clip.mp4", scale=1)
    write_clip(clip_source(session, 38, 43), options, always)
    shown = pictures_of(options.path)
    assert np.abs(shown[2].astype(int) - shown[1]).mean() < 3


def test_two_clips_written_to_one_name_at_once_are_each_whole(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, _ = played
    (tmp_path / "clips").mkdir()
    options = ClipOptions(tmp_path / "clips" / "clip.mp4", scale=1)
    lengths: list[int] = []
    first, second = clip_source(session, 31, 91), clip_source(session, 1, 31)

    def also_second(done: int, total: int) -> bool:
        if not lengths:
            write_clip(second, options, always)
            lengths.append(len(pictures_of(options.path)))
        return done <= total

    write_clip(first, options, also_second)
    assert [*lengths, len(pictures_of(options.path))] == [30, 60]
    assert [*options.path.parent.iterdir()] == [options.path]


@pytest.mark.usefixtures("no_pyav")
def test_an_animated_png_is_what_was_played_without_pyav(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, shown = played
    options = ClipOptions(tmp_path / "clip.png", scale=1)
    assert write_clip(clip_source(session, 31, 91), options, always) == options.path
    with Image.open(options.path) as film:
        found, at = [], 0.0
        for picture in ImageSequence.Iterator(film):
            found.append((at, np.asarray(picture.convert("RGB"))))
            at += picture.info["duration"]
    assert at == pytest.approx(60_000 / session.game.fps, abs=2)
    for number in range(60):
        when = number * 1000 / session.game.fps + 1
        stands = [each for begin, each in found if begin <= when][-1]
        if number not in (9, 29):  # a picture right after a jump is left out
            assert np.array_equal(stands, shown[30 + number]), number


@pytest.mark.usefixtures("no_pyav")
def test_without_pyav_a_video_names_the_extra(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, _ = played
    for name in ("clip.mp4", "clip.gif"):
        with pytest.raises(SaveError, match=r"need PyAV: pip install .*\[video\]"):
            write_clip(clip_source(session, 31, 33), ClipOptions(tmp_path / name), always)
    assert not list(tmp_path.glob("*clip*"))


@pytest.fixture
def no_pyav(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an environment without the extra ``video``."""
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.delitem(sys.modules, "integrator.session.film", raising=False)
    # An earlier import left it in its package, too.
    monkeypatch.delattr("integrator.session.film", raising=False)


def test_a_video_has_every_frame_and_their_sound(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, shown = played
    path = write_clip(clip_source(session, 10, 70), ClipOptions(tmp_path / "c.mp4"), always)
    found = pictures_of(path)
    assert len(found) == 60
    height, width = shown[0].shape[:2]
    assert found[0].shape[:2] == (2 * height, 2 * width)
    for at in (0, 29, 30, 59):
        small = found[at][::2, ::2].astype(int)
        assert np.abs(small - shown[9 + at]).mean() < 12, at
    with av.open(str(path)) as container:
        sound = container.streams.audio[0]
        assert sound.duration is not None
        assert sound.time_base is not None
        seconds = float(sound.duration * sound.time_base)
    assert seconds == pytest.approx(60 / session.game.fps, abs=0.1)


def test_a_clip_can_be_stopped_and_leaves_nothing(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, _ = played
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        told.append((done, total))
        return False

    with pytest.raises(ClipStopped):
        write_clip(clip_source(session, 1, 91), ClipOptions(tmp_path / "clip.gif"), stop)
    assert len(told) == 1
    assert told[0][1] == 90
    assert list(tmp_path.glob(".*")) == []
    assert list(tmp_path.glob("*.gif")) == []


def test_frames_that_are_not_held_are_refused(played: tuple[Session, Pictures]) -> None:
    session, _ = played
    with pytest.raises(TimelineError, match="1 to 90"):
        clip_source(session, 50, 92)


def test_a_slot_shows_the_frame_of_its_state(
    played: tuple[Session, Pictures], tmp_path: Path
) -> None:
    session, shown = played
    session.timeline.seek(20)
    picture = save_slot(session, 1, PictureStore(tmp_path))
    assert picture is not None
    with Image.open(picture) as image:
        assert np.array_equal(np.asarray(image), shown[19])
    assert not np.array_equal(shown[19], shown[-1])
