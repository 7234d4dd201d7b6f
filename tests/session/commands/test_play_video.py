"""Videos and still pictures of movies, read back with PyAV."""

from __future__ import annotations

import errno
import io
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import numpy as np
import pytest

import integrator
from integrator.commands.play.job import Film
from integrator.commands.play.movies import play_movies
from integrator.commands.play.table import PlayOptions
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SaveError
from integrator.session.film import VideoWriter
from integrator.session.frame.result import ChunkResult
from integrator.session.stills import PROFILES, CanvasTooSmall, VideoTiming, png_bytes
from libretro_host.host import AvInfo, CapturePlan

FRAMES = 150

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def movie(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A movie of Airstriker."""
    path = tmp_path_factory.mktemp("movies") / "striker.bk2"
    rng = np.random.default_rng(8)
    with integrator.open_session(airstriker()) as session:
        session.reset()
        session.record(path)
        masks = np.repeat(rng.integers(0, 4096, FRAMES // 10), 10).astype(np.uint16)
        session.run(masks.reshape(-1, 1))
        session.stop_recording()
    return path


@pytest.fixture(scope="module")
def pictures(movie: Path) -> list[np.ndarray[Any, Any]]:
    """The core's picture on each row."""
    with integrator.open_session(airstriker()) as session:
        results = [session.play(movie)]
        results += [session.advance() for _ in range(FRAMES)]
        return [result.frame.rgb() for result in results if result.frame is not None]


def play(movie: Path, **options: Any) -> dict[str, Any]:
    [summary] = play_movies([movie], PlayOptions(jobs=1, **options), quiet=True)
    assert summary["error"] is None
    return summary


def decode(path: Path) -> list[np.ndarray[Any, Any]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def sound_seconds(path: Path) -> float:
    with av.open(str(path)) as container:
        frames = list(container.decode(audio=0))
        return sum(frame.samples for frame in frames) / frames[0].sample_rate


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("scale", [1, 2])
def test_a_video_has_the_movies_length_size_and_sound(
    movie: Path, tmp_path: Path, scale: int
) -> None:
    target = tmp_path / "out.mp4"
    play(movie, video=target, scale=scale)
    seconds = (FRAMES + 1) / 59.92274
    with av.open(str(target)) as container:
        video, sound = container.streams.video[0], container.streams.audio[0]
        assert (video.width, video.height) == (320 * scale, 224 * scale)
        assert float(video.average_rate or 0) == pytest.approx(59.92274, abs=1e-3)
        assert sound.rate == 44100
        assert video.duration is not None
        assert video.time_base is not None
        assert float(video.duration * video.time_base) == pytest.approx(seconds, abs=0.02)
    assert len(decode(target)) == FRAMES + 1
    assert sound_seconds(target) == pytest.approx(seconds, abs=0.05)


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("lossless", ["mp4rgb", "png", "ffv1"])
def test_lossless_videos_hold_every_pixel(
    movie: Path, pictures: list[np.ndarray[Any, Any]], tmp_path: Path, lossless: str
) -> None:
    target = tmp_path / f"out{PROFILES[lossless].suffix}"
    play(movie, video=target, lossless=lossless)
    frames = decode(target)
    assert len(frames) == len(pictures)
    assert all(np.array_equal(a, b) for a, b in zip(frames, pictures, strict=True))
    assert sound_seconds(target) == pytest.approx(len(pictures) / 59.92274, abs=0.05)


@pytest.mark.usefixtures("one_process")
def test_without_sound_there_is_no_sound(movie: Path, tmp_path: Path) -> None:
    play(movie, video=tmp_path / "out.mp4", audio=False)
    with av.open(str(tmp_path / "out.mp4")) as container:
        assert not container.streams.audio


def test_an_ending_films_only_the_last_frames(
    movie: Path, pictures: list[np.ndarray[Any, Any]], tmp_path: Path
) -> None:
    play(movie, video=tmp_path / "out.mkv", lossless="ffv1", ending=-70)
    frames = decode(tmp_path / "out.mkv")
    assert len(frames) == 70
    assert np.array_equal(frames[0], pictures[-70])
    assert sound_seconds(tmp_path / "out.mkv") == pytest.approx(70 / 59.92, abs=0.05)


@pytest.mark.usefixtures("one_process")
def test_a_positive_ending_goes_on_with_idle_frames(movie: Path, tmp_path: Path) -> None:
    play(movie, video=tmp_path / "out.mp4", ending=40)
    assert len(decode(tmp_path / "out.mp4")) == FRAMES + 41


def test_still_pictures_are_what_the_core_drew(
    movie: Path, pictures: list[np.ndarray[Any, Any]], tmp_path: Path
) -> None:
    summary = play(movie, stills=tmp_path, every=50)
    names = sorted(path.name for path in tmp_path.glob("*.png"))
    assert names == [f"striker-{row:06d}.png" for row in (0, 50, 100, 150)]
    assert summary["stills"] == 4
    for row, name in zip((0, 50, 100, 150), names, strict=True):
        [still] = decode(tmp_path / name)
        assert np.array_equal(still, pictures[row])


def test_a_viewer_gets_the_video_on_its_input(movie: Path, tmp_path: Path) -> None:
    viewer = tmp_path / "viewer"
    viewer.write_text(f"#!/bin/sh\nexec cat > {tmp_path}/seen.nut\n")
    viewer.chmod(0o755)
    play(movie, viewer=str(viewer))
    assert len(decode(tmp_path / "seen.nut")) == FRAMES + 1


def test_a_viewer_that_is_closed_does_not_stop_the_movie(movie: Path) -> None:
    assert play(movie, viewer="true")["frames"] == FRAMES + 1


def test_videos_of_several_movies_go_to_a_folder(movie: Path, tmp_path: Path) -> None:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        session.record(tmp_path / "nes.bk2")
        session.advance(frames=20)
        session.stop_recording()
    target = tmp_path / "videos"
    movies = [movie, tmp_path / "nes.bk2"]
    summaries = play_movies(movies, PlayOptions(jobs=1, video=target), quiet=True)
    assert [Path(s["video"] or "").name for s in summaries] == ["striker.mp4", "nes.mp4"]
    assert len(decode(target / "nes.mp4")) == 21


def test_a_larger_picture_asks_for_a_larger_canvas(tmp_path: Path) -> None:
    small = np.full((10, 16, 3), 9, np.uint8)
    wide = np.full((8, 32, 3), 7, np.uint8)
    timing = VideoTiming(60.0, 32040.5)
    narrow = VideoWriter(tmp_path / "a.mkv", PROFILES["ffv1"], timing, (16, 10))
    narrow.add_frame(small)
    with pytest.raises(CanvasTooSmall) as asked:
        narrow.add_frame(wide)
    narrow.close()
    assert asked.value.size == (32, 10)
    with VideoWriter(tmp_path / "b.mkv", PROFILES["ffv1"], timing, (32, 10), scale=2) as video:
        for picture in (None, small, wide):
            video.add_frame(picture)
        video.add_audio(np.zeros((1602, 2), np.int16))
    black, first, second = decode(tmp_path / "b.mkv")
    assert not black.any()
    assert (first[:, 16:48] == 9).all()
    assert not first[:, :16].any()
    assert (second[2:18] == 7).all()
    assert not second[:2].any()


def test_odd_sizes_get_a_line_for_formats_that_need_even_ones(tmp_path: Path) -> None:
    with VideoWriter(
        tmp_path / "a.mp4", PROFILES[None], VideoTiming(59.7, 31400), (161, 143)
    ) as video:
        video.add_frame(np.full((143, 161, 3), 200, np.uint8))
        video.add_audio(np.zeros((526, 2), np.int16))
    [frame] = decode(tmp_path / "a.mp4")
    assert frame.shape == (144, 162, 3)


def test_a_png_is_the_picture() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (9, 13, 3)).astype(np.uint8)
    with av.open(io.BytesIO(png_bytes(picture)), "r") as container:
        [frame] = container.decode(video=0)
    assert np.array_equal(frame.to_ndarray(format="rgb24"), picture)


@pytest.fixture(scope="module")
def filmed() -> tuple[ChunkResult, AvInfo]:
    with integrator.open_session(airstriker()) as session:
        session.reset()
        plan = CapturePlan(picture_every=1, audio=True)
        return session.run(np.zeros((30, 1), np.uint16), plan)[0], session.game.core.av


def test_a_video_that_cannot_be_begun_is_explained_by_its_own_error(
    filmed: tuple[ChunkResult, AvInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError(errno.EROFS, "read-only")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    job: Any = SimpleNamespace(video=tmp_path / "out.mp4", options=PlayOptions())
    with pytest.raises(SaveError, match="save elsewhere"), Film(job, None) as film:
        film.add(filmed[0], 0, filmed[1])


def test_a_full_disk_is_explained_by_the_name_of_the_video(
    filmed: tuple[ChunkResult, AvInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise av.error.OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(av, "open", full)
    job: Any = SimpleNamespace(video=tmp_path / "out.mp4", options=PlayOptions())
    with pytest.raises(SaveError) as refused, Film(job, None) as film:
        film.add(filmed[0], 0, filmed[1])
    told = str(refused.value)
    assert told.startswith(f"{tmp_path / 'out.mp4'}: cannot be written (No space left on device)")
    assert "free some disk space" in told


def test_two_videos_written_to_one_name_at_once_are_each_whole(
    filmed: tuple[ChunkResult, AvInfo], tmp_path: Path
) -> None:
    chunk, av_info = filmed
    job: Any = SimpleNamespace(video=tmp_path / "out.mp4", options=PlayOptions())
    with Film(job, None) as first:
        first.add(chunk, 0, av_info)
        with Film(job, None) as second:
            second.add(chunk, 0, av_info)
        assert len(decode(job.video)) == 30
        first.add(chunk, 0, av_info)
    assert len(decode(job.video)) == 60
    assert [*tmp_path.iterdir()] == [job.video]
