"""``integrator play``: its output about movies, and the files it writes."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import integrator
from integrator.cli import run
from integrator.commands.play import job
from integrator.commands.play.movies import play_movies
from integrator.commands.play.table import PlayJob, PlayOptions, table_rows
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.domain.movies.model import CoreStamp, Movie, MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import MovieWriter
from integrator.session.opening import movie_consoles
from libretro_host.errors import HostError
from libretro_host.host import CapturePlan

FRAMES = 500
PATIENCE_S = 300.0
"""More than a loaded machine needs for anything here."""

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def movies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three movies of the demo game, of one episode each, recorded in chunks."""
    folder = tmp_path_factory.mktemp("movies")
    rng = np.random.default_rng(8)
    with integrator.open_session(demo_game()) as session:
        for number in range(3):
            session.reset()
            session.record(folder / f"m{number}.bk2")
            masks = np.repeat(rng.integers(0, 512, FRAMES // 10), 10).astype(np.uint16)
            session.run(masks.reshape(-1, 1))
            session.stop_recording()
    return sorted(folder.iterdir())


def read(path: Path) -> Movie:
    return read_movie(path, movie_consoles())


def rewritten(movie: Movie, path: Path, **changes: Any) -> Path:
    """The movie again, with another core's name, other hashes or inputs."""
    inputs = changes.get("inputs", movie.inputs)
    with MovieWriter(
        path,
        game=movie.game,
        console=MovieConsole(movie.buttons, movie.system),
        state=movie.state,
        players=movie.players,
        core=changes.get("core", movie.core),
    ) as writer:
        writer.append(inputs, changes.get("hashes"))
    return path


def hashes_of(movie: Movie) -> list[int | None]:
    assert movie.ram_hashes is not None
    found = dict(
        zip(movie.ram_hashes.rows.tolist(), movie.ram_hashes.digests.tolist(), strict=True)
    )
    return [found.get(row) for row in range(movie.frames)]


def play_one(movie: Path, **options: Any) -> dict[str, Any]:
    [summary] = play_movies([movie], PlayOptions(jobs=1, **options), quiet=True)
    return summary


def test_a_movie_is_summed_up_as_it_was_played(movies: list[Path]) -> None:
    summary = play_one(movies[0])
    with integrator.open_session(demo_game()) as session:
        session.play(movies[0])
        last = session.advance(frames=FRAMES)
        log = session.timeline.log
        done = np.flatnonzero(log.done())
    assert summary["total_rewards"] == list(last.outcome.total_rewards)
    assert summary["done_frame"] == (int(done[0]) if len(done) else None)
    assert summary["frames"] == FRAMES + 1
    assert (summary["error"], summary["desync_frame"], summary["core_mismatch"]) == (None,) * 3
    assert sum(episode["frames"] for episode in summary["episodes"]) == FRAMES


def test_a_movie_of_the_reset_alone_has_no_actions(tmp_path: Path) -> None:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        session.record(tmp_path / "reset.bk2")
        session.stop_recording()
        buttons = len(session.system.buttons)
    assert play_one(tmp_path / "reset.bk2", npy=tmp_path / "a.npy")["frames"] == 1
    assert np.load(tmp_path / "a.npy").shape == (0, buttons)


def test_the_rows_of_a_table_do_not_hold_pictures(movies: list[Path]) -> None:
    with integrator.open_session(demo_game()) as session:
        movie = session.game.read_movie(movies[0])
        [chunk] = session.play_movie(movie, CapturePlan(picture_every=1, audio=True))
        pictures = [weakref.ref(frame.pixels) for frame in chunk.run.pictures]
        rows = table_rows(chunk)
        del chunk
        session.advance()
    assert pictures
    assert len(rows[0]) == 1
    assert not [picture for picture in pictures if picture() is not None]


def test_the_table_has_every_frame(movies: list[Path], tmp_path: Path) -> None:
    play_movies(movies[:2], PlayOptions(jobs=1, csv=tmp_path / "frames.csv"), quiet=True)
    with (tmp_path / "frames.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * (FRAMES + 1)
    with integrator.open_session(demo_game()) as session:
        first = session.play(movies[0])
        for row in rows[1 : FRAMES + 1]:
            assert int(row["lives"]) == first.values["lives"] or int(row["frame"]) > 0
            result = session.advance()
            assert {name: int(row[name]) for name in result.values} == result.values
            assert float(row["reward1"]) == result.outcome.rewards[0]
            assert int(row["done"]) == result.outcome.done
            named = enumerate(session.system.buttons)
            held = [name for i, name in named if name and result.inputs[0] >> i & 1]
            assert row["buttons1"].split() == held
    assert {row["movie"] for row in rows} == {"m0.bk2", "m1.bk2"}


def test_parquet_has_the_rows_of_the_csv(movies: list[Path], tmp_path: Path) -> None:
    options = PlayOptions(jobs=1, csv=tmp_path / "f.csv", parquet=tmp_path / "f.parquet")
    play_movies(movies[:2], options, quiet=True)
    with options.csv.open() as stream:  # type: ignore[union-attr] # it is set above
        rows = list(csv.DictReader(stream))
    table = pq.read_table(options.parquet).to_pylist()
    assert [row["score"] for row in table] == [int(row["score"]) for row in rows]
    assert [row["reward1"] for row in table] == [float(row["reward1"]) for row in rows]
    assert list(table[0]) == list(rows[0])


def test_the_number_of_processes_does_not_show(
    movies: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = []
    for jobs in ("1", "2"):
        target = tmp_path / jobs
        target.mkdir()
        monkeypatch.chdir(target)
        command = ["play", *map(str, movies), "--json", "--jobs", jobs]
        command += ["--csv", "frames.csv", "--npy", "npy", "--monitor", "m.csv"]
        assert run(command) == 0
        files = {p.relative_to(target): p.read_bytes() for p in target.rglob("*") if p.is_file()}
        told.append((json.loads(capsys.readouterr().out), files))
    assert told[0] == told[1]
    assert len(told[0][1]) == 2 + len(movies)


def test_actions_and_info_are_those_of_the_steps(movies: list[Path], tmp_path: Path) -> None:
    movie = read(movies[0])
    play_one(movies[0], npy=tmp_path / "a.npz", info=tmp_path / "i.json")
    play_one(movies[0], npy=tmp_path / "a.npy")
    arrays = np.load(tmp_path / "a.npz")
    steps = movie.inputs[1:, 0]
    held = np.stack([steps >> bit & 1 for bit in range(len(movie.buttons))], axis=1)
    assert np.array_equal(arrays["actions"], held)
    assert np.array_equal(np.load(tmp_path / "a.npy"), held)
    info = json.loads((tmp_path / "i.json").read_text())
    assert [step["score"] for step in info] == arrays["info.score"].tolist()
    assert len(info) == FRAMES


def test_a_movie_of_other_inputs_is_out_of_step(movies: list[Path], tmp_path: Path) -> None:
    movie = read(movies[0])
    inputs = movie.inputs.copy()
    inputs[200:] = 0
    hashes = hashes_of(movie)
    bad = rewritten(movie, tmp_path / "bad.bk2", inputs=inputs, hashes=hashes)
    desync = play_one(bad, game=demo_game())["desync_frame"]
    assert desync is not None
    assert 200 <= desync <= 260
    assert run(["play", str(bad), "--json"]) == 1


def test_a_movie_without_hashes_is_not_called_in_step(
    movies: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    silent = rewritten(read(movies[0]), tmp_path / "silent.bk2")
    for movie, never in ((movies[0], "never"), (silent, "not known")):
        assert run(["play", str(movie)]) == 0
        assert never in capsys.readouterr().out


def test_the_row_of_a_wrong_hash_is_told_exactly(movies: list[Path], tmp_path: Path) -> None:
    movie = read(movies[0])
    hashes = hashes_of(movie)
    rows = [row for row, digest in enumerate(hashes) if digest is not None]
    wrong = rows[len(rows) // 2]
    hashes = [d and d ^ (row == wrong) for row, d in enumerate(hashes)]
    bad = rewritten(movie, tmp_path / "bad.bk2", hashes=hashes)
    assert play_one(bad)["desync_frame"] == wrong


def test_another_core_is_named(movies: list[Path], tmp_path: Path) -> None:
    movie = read(movies[0])
    other = rewritten(movie, tmp_path / "o.bk2", core=CoreStamp("OtherCore", "9"))
    summary = play_one(other)
    assert summary["core_mismatch"] == "OtherCore 9"
    assert "OtherCore 9" in summary["warnings"][0]


def test_a_reward_of_zero_without_a_scenario_is_explained(
    movies: list[Path], tmp_path: Path
) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "bare" / demo_game().name)
    (game / "scenario.json").unlink()
    summary = play_one(movies[0], game=game)
    assert "there is no scenario.json: the reward is always 0" in summary["warnings"][-1]
    assert not play_one(movies[0])["warnings"]


def test_a_bad_movie_does_not_stop_the_others(movies: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.bk2"
    broken.write_bytes(movies[0].read_bytes()[:200])
    strange = rewritten(read(movies[0]), tmp_path / "strange.bk2")
    lost = MovieWriter(
        tmp_path / "lost.bk2", game="NoSuchGame-Nes-v0",
        console=MovieConsole(read(movies[0]).buttons, "Nes"), state=None,
    )  # fmt: skip
    lost.append(np.zeros((3, 1)))
    lost.close()
    summaries = play_movies([broken, strange, lost.path], PlayOptions(jobs=1), quiet=True)
    assert [bool(s["error"]) for s in summaries] == [True, False, True]
    assert "NoSuchGame-Nes-v0" in (summaries[2]["error"] or "")


def test_json_is_all_there_is_on_stdout(
    movies: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", str(movies[0]), "--json", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["movies"][0]["game"] == demo_game().name
    assert err == ""


@pytest.mark.parametrize(
    "options", [("--lossless", "gif"), ("--scale", "0"), ("--every", "0")], ids=" ".join
)
def test_options_that_make_no_sense_are_bad_usage(
    movies: list[Path], options: tuple[str, str]
) -> None:
    assert run(["play", str(movies[0]), *options]) == 2


def test_parquet_without_pyarrow_names_the_cure(
    movies: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SessionError, match=r"pip install .*\[parquet\]"):
        play_one(movies[0], parquet=tmp_path / "x.parquet")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("way", ["Ctrl+C", "SIGTERM"])
def test_interrupting_ends_all_processes_and_leaves_no_half_file(
    movies: list[Path], tmp_path: Path, way: str
) -> None:
    movie = read(movies[0])
    longs = [
        rewritten(movie, tmp_path / f"long{i}.bk2", inputs=np.tile(movie.inputs, (200, 1)))
        for i in range(2)
    ]
    target = tmp_path / "out"
    command = [sys.executable, "-m", "integrator", "play", *map(str, longs), "--jobs", "2"]
    command += ["--video", str(target), "--png", str(target), "--every", "1", "--json"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, text=True)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not list(target.glob("*/*.png")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert child.poll() is None
        if way == "Ctrl+C":
            os.killpg(child.pid, signal.SIGINT)
        else:
            child.terminate()
        _, err = child.communicate(timeout=PATIENCE_S)
        assert child.returncode == 130
        assert "interrupted" in err
        left = {path.suffix for path in target.rglob("*") if path.is_file()}
        assert left == {".png"}, "whole pictures alone are left"
        assert not _alive(child.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def _alive(group: int) -> list[str]:
    """Processes that are still in the child's session, given a moment to go."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[3]) == group and fields[0] != "Z":
                found.append(stat.parent.name)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


@pytest.mark.usefixtures("one_process")
def test_movies_of_one_game_share_a_core_and_come_out_as_alone(
    movies: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(job, "_MOST_FRAMES", 4 * FRAMES)

    def count(path: Path, **options: Any) -> Any:
        opened.append(path)
        return integrator.open_session(path, **options)

    monkeypatch.setattr(job, "open_session", count)
    monkeypatch.setattr("integrator.commands.play.movies._SHARES", 1)
    csv_together = tmp_path / "together.csv"
    options = PlayOptions(jobs=1, csv=csv_together)
    together = play_movies([*movies, *movies], options, quiet=True)
    assert len(opened) == 2
    alone = [play_one(movie) for movie in movies]
    assert together == [*alone, *alone]
    written = csv_together.read_text().splitlines()
    assert written[1 : len(written) // 2 + 1] == written[len(written) // 2 + 1 :]


@pytest.mark.usefixtures("one_process")
def test_long_movies_do_not_share_a_core(
    movies: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[int] = []

    def count(jobs: Sequence[PlayJob]) -> Any:
        shares.append(len(jobs))
        return job.lost_jobs(jobs, HostError("not played"))

    monkeypatch.setattr("integrator.commands.play.movies.play_jobs", count)
    monkeypatch.setattr("integrator.commands.play.movies._SHARES", 1)
    options = PlayOptions(jobs=1)
    play_movies([movies[0]] * 5, options, quiet=True)
    monkeypatch.setattr("integrator.commands.play.movies._MOST_FRAMES", 2 * (FRAMES + 1))
    play_movies([movies[0]] * 5, options, quiet=True)
    assert shares == [5, 2, 2, 1]


@pytest.mark.usefixtures("one_process")
def test_a_movie_that_fails_in_a_used_session_gets_its_own(
    movies: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Any] = []
    run = job._play

    def fail_in_the_first(one: Any, session: Any) -> Any:
        played.append(session)
        if len(played) == 2:
            raise SessionError("the core is lost")
        return run(one, session)

    monkeypatch.setattr(job, "_play", fail_in_the_first)
    monkeypatch.setattr("integrator.commands.play.movies._SHARES", 1)
    summaries = play_movies(movies, PlayOptions(jobs=1), quiet=True)
    assert [each["error"] for each in summaries] == [None] * 3
    assert len(played) == 4
    assert played[0] is played[1] is not played[2]
