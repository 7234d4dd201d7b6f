"""``integrator dataset``: movies as training data, read back by their own readers."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
import warm_children
from desynced import members_of
from typer.testing import CliRunner

import integrator
from integrator.agents.episodes import jobs_of, play_job
from integrator.agents.result import AgentTrial
from integrator.cli import app
from integrator.cli import run as main
from integrator.commands.dataset import MinariSink, NpzSink
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import MovieError, SaveError
from integrator.domain.movies.bk2 import EXTRA, HASH_DTYPE, HASHES
from integrator.domain.movies.reading import read_movie
from integrator.env.movie_steps import Step, _Replay
from integrator.session.opening import movie_consoles
from libretro_host.host import CoreInfo
from libretro_host.stepper import Reduction
from scripts.campaign import toys

STEPS = 264
"""More than the 256 steps of a piece in which pictures are written."""

Played = tuple[list[Any], list[Any], list[float]]

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random play of ``STEPS`` frames; its first step is the idle frame of the reset."""
    folder = tmp_path_factory.mktemp("movies")
    [job, *_] = jobs_of(
        AgentTrial(demo_game(), ("random",), episodes=1, most_frames=STEPS, seed=1, out=folder),
        "random",
        "",
    )
    [result] = play_job(job)
    assert result.movie is not None
    return Path(result.movie)


@pytest.fixture
def movie(made: Path, tmp_path: Path) -> Path:
    """The movie, in a folder of the test's own."""
    folder = tmp_path / "movies"
    folder.mkdir()
    return Path(shutil.copy(made, folder))


def dataset(*arguments: str | Path) -> tuple[int, Any]:
    result = CliRunner().invoke(
        app, ["dataset", *map(str, arguments), "--game", str(demo_game()), "--json"]
    )
    return result.exit_code, json.loads(
        result.stdout
    ) if result.exit_code == 0 else result.exception


@pytest.fixture(scope="module")
def played(made: Path) -> Played:
    """The same steps in an environment of one's own: observations, actions and rewards."""
    actions = np.load(_actions_of(made))["actions"]
    with integrator.make_env(demo_game(), actions="all") as env:
        observations, rewards = [env.reset()[0]], []
        for action in actions:
            observation, reward, _, _, _ = env.step(action)
            observations.append(observation)
            rewards.append(float(reward))
    return observations, list(actions), rewards


def _actions_of(movie: Path) -> Path:
    target = movie.with_suffix(".npz")
    arguments = ["play", str(movie), "--game", str(demo_game()), "--npy", str(target)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    return target


def test_npz_has_what_an_agent_saw_did_and_got(tmp_path: Path, movie: Path, played: Played) -> None:
    code, told = dataset(movie, "--out", tmp_path / "out", "--format", "npz")
    assert code == 0
    [episode] = told["episodes"]
    assert (episode["steps"], episode["ended"], episode["left_out"]) == (STEPS, "movie", 0)
    with np.load(episode["path"]) as file:
        found = dict(file)
    observations, actions, rewards = played
    assert np.array_equal(found["observations"], np.array(observations))
    assert np.array_equal(found["actions"], np.array(actions))
    assert found["rewards"].tolist() == rewards
    assert found["truncations"].tolist() == [False] * (STEPS - 1) + [True]
    assert not found["terminations"].any()
    assert found["info.frame_counter"].shape == (STEPS,)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [Path(episode["path"]).name]


def with_hashes(movie: Path, folder: Path, hashes: bytes | None) -> Path:
    """A copy of a movie, ``other.bk2``, with other hashes of RAM or none."""
    other = Path(shutil.copy(movie, folder / "other.bk2"))
    with members_of(other) as members:
        del members[HASHES]
        if hashes is not None:
            members[HASHES] = hashes
    return other


def test_a_movie_out_of_step_is_refused_or_counted(
    tmp_path: Path, movie: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(movie) as archive:
        rows = np.frombuffer(archive.read(HASHES), HASH_DTYPE).copy()
    at_reset = rows.copy()
    at_reset["row"][0] = 0
    first = with_hashes(movie, tmp_path, at_reset.tobytes()).rename(tmp_path / "first.bk2")
    silent = with_hashes(movie, tmp_path, None).rename(tmp_path / "silent.bk2")
    rows["digest"][2:] += 1
    row, other = int(rows["row"][2]), with_hashes(movie, tmp_path, rows.tobytes())
    out = ["--out", str(tmp_path / "out"), "--format", "npz"]
    arguments = ["dataset", str(other), *out, "--game", str(demo_game())]
    assert main(arguments) == 1
    assert not (tmp_path / "out").exists()
    assert f"other.bk2: out of step from row {row} on" in capsys.readouterr().err
    assert main([*arguments, "--keep-desynced"]) == 0
    assert "episodes: 1, steps: " in (printed := capsys.readouterr().out)
    assert printed.splitlines()[0].endswith(", out of step: 1")
    out[1] = str(tmp_path / "both")
    _, told = dataset(movie, other, first, silent, *out, "--keep-desynced")
    assert [each["desync_row"] for each in told["episodes"]] == [None, row, 0, None]
    compared = [each["compared_frames"] for each in told["episodes"]]
    assert compared == [len(rows)] * 3 + [0]


def of_another_core(movie: Path, target: Path) -> Path:
    with zipfile.ZipFile(movie) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    made = json.loads(members[EXTRA])
    members[EXTRA] = json.dumps({**made, "core": {**made["core"], "version": "another"}}).encode()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target


@pytest.mark.parametrize("sees_all", [True, False])
def test_hashes_of_memory_that_is_seen_in_part_prove_nothing(
    tmp_path: Path, movie: Path, sees_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = read_movie(of_another_core(movie, tmp_path / "other.bk2"), movie_consoles())
    monkeypatch.setattr(CoreInfo, "sees_all_memory", sees_all)
    refused = pytest.raises(MovieError, match="another core; leave")
    for keep in (False, True):
        replay = _Replay("all", "ram", lambda _: lambda seen: seen, keep)
        with contextlib.nullcontext() if sees_all or keep else refused:
            replay.begin(demo_game(), other)
        assert replay._env is not None
        replay._env.close()


def test_a_movie_of_another_core_without_hashes_is_refused(
    tmp_path: Path, movie: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unchecked = with_hashes(movie, tmp_path, None)
    of_another_core(unchecked, unchecked)
    arguments = ["dataset", str(unchecked), "--format", "npz", "--game", str(demo_game())]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 1
    assert f"{unchecked}: it was recorded with another core; leave" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "kept"), "--keep-desynced"]) == 0


def test_a_movie_of_another_rom_is_refused(
    tmp_path: Path,
    movie: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also one without hashes of RAM, as of other programs; before any movie is played."""
    other = with_hashes(movie, tmp_path, None)
    game = shutil.copytree(demo_game(), tmp_path / demo_game().name)
    arguments = ["dataset", str(other), "--format", "npz", "--game", str(game)]
    assert main([*arguments, "--out", str(tmp_path / "same")]) == 0
    rom = game / "rom.nes"
    rom.write_bytes(rom.read_bytes()[:-1] + b"!")
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr("integrator.env.movie_steps.WorkerProcess", None)
        assert main([*arguments, "--out", str(tmp_path / "out")]) == 1
    assert f"{other}: it was recorded with another ROM; leave" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "out"), "--keep-desynced"]) == 0


@pytest.mark.parametrize(
    ("head", "row", "fault"),
    [
        ("", "|1|........||", "training cannot press reset; leave"),
        (
            "savestate 00ff\n",
            "|0|........||",
            "cores cannot load; leave this movie out, or use --keep-desynced",
        ),
    ],
)
def test_a_movie_that_training_cannot_replay_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], head: str, row: str, fault: str
) -> None:
    other = tmp_path / "other.fm2"
    other.write_text(f"version 3\n{head}" + "|0|R.......||\n" * 5 + f"{row}\n")
    out = ["--out", str(tmp_path / "out"), "--format", "npz"]
    assert main(["dataset", str(other), *out, "--game", str(demo_game())]) == 1
    assert fault in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_minari_loads_it(
    tmp_path: Path, movie: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, told = dataset(movie, movie, "--out", "sets/moth-v0")
    assert code == 0
    assert [each["steps"] for each in told["episodes"]] == [STEPS, STEPS]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "sets"))
    loaded = minari.load_dataset("moth-v0")
    assert (loaded.total_episodes, loaded.total_steps) == (2, 2 * STEPS)
    observations, actions, rewards = played
    for episode in loaded.iterate_episodes():
        assert np.array_equal(episode.observations, np.array(observations))
        assert np.array_equal(episode.actions, np.array(actions))
        assert episode.rewards.tolist() == rewards
        assert episode.truncations.tolist() == [False] * (STEPS - 1) + [True]
        assert len(episode) == STEPS
    assert loaded.observation_space.shape == observations[0].shape


def test_small_gray_pictures_and_discrete_actions(
    tmp_path: Path, movie: Path, played: Played
) -> None:
    code, told = dataset(
        movie, "--out", tmp_path / "out", "--format", "npz", "--gray", "--size", "84", "84"
    )
    assert code == 0
    found = np.load(told["episodes"][0]["path"])
    pictures = played[0]
    height, width, _ = pictures[0].shape
    reduction = Reduction((height, width), (84, 84), gray=True)
    small = [reduction.reduce(picture) for picture in pictures]
    assert np.array_equal(found["observations"], np.array(small))
    code, told = dataset(
        movie, "--out", tmp_path / "ram", "--format", "npz", "--observation", "ram"
    )
    assert np.load(told["episodes"][0]["path"])["observations"].shape == (STEPS + 1, 10240)
    code, error = dataset(
        movie, "--out", tmp_path / "no", "--format", "npz", "--actions", "discrete"
    )
    assert (code, "no action of this mode presses" in str(error)) in ((1, True), (0, False))


def test_an_episode_ends_at_its_first_done(tmp_path: Path) -> None:
    [job, *_] = jobs_of(
        AgentTrial(
            demo_game(), ("no-op",), episodes=1, most_frames=1500, seed=0, out=tmp_path / "movies"
        ),
        "no-op",
        "",
    )
    [result] = play_job(job)
    assert (result.ended, result.frames) == ("done", 1323)
    code, told = dataset(
        tmp_path / "movies", "--out", tmp_path / "out", "--format", "npz", "--observation", "ram"
    )
    [episode] = told["episodes"]
    assert (code, episode["ended"], episode["steps"]) == (0, "done", 1323)
    assert episode["reward"] == result.reward
    assert np.flatnonzero(np.load(episode["path"])["terminations"]).tolist() == [1322]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "call it out-v0"),
        (("--format", "npz", "--size", "0", "84"), "no pictures of 0 x 84"),
    ],
)
def test_a_wish_that_can_not_be_met_is_told(
    tmp_path: Path, movie: Path, arguments: tuple[str, ...], text: str
) -> None:
    code, error = dataset(movie, "--out", tmp_path / "out", *arguments)
    assert (code, text in str(error)) == (1, True)


@pytest.mark.parametrize("arguments", [("--actions", "some"), ("--format", "zip")])
def test_a_choice_that_there_is_not_is_bad_usage(
    tmp_path: Path, movie: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", str(movie), "--out", str(tmp_path / "out"), *arguments]) == 2
    assert f"'{arguments[1]}' is not one of" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "name"), [("minari", "moth-v0"), ("npz", "moth")])
def test_a_folder_that_can_not_be_written_is_told_with_a_cure(
    tmp_path: Path, movie: Path, form: str, name: str
) -> None:
    (tmp_path / "file").write_text("kept")
    out = tmp_path / "file" / name
    code, error = dataset(movie, "--out", out, "--format", form)
    assert (code, isinstance(error, SaveError)) == (1, True)
    assert str(error).startswith(f"{out}: cannot be written")
    assert "create the folder first" in str(error) or "use another" in str(error)
    assert (tmp_path / "file").read_text() == "kept"


def test_a_user_without_a_name_is_no_error(
    tmp_path: Path, movie: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 5)
    code, _ = dataset(movie, "--out", tmp_path / "moth-v0")
    assert code == 0


@pytest.mark.parametrize("form", ["minari", "npz"])
def test_an_interrupted_dataset_leaves_nothing_half_written(
    tmp_path: Path, movie: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    steps = list[Step]()

    def interrupted(self: Any, step: Step) -> None:
        steps.append(step)
        if len(steps) >= 2 * STEPS - 100:
            raise KeyboardInterrupt
        add(self, step)

    sink = MinariSink if form == "minari" else NpzSink
    add = sink.add
    monkeypatch.setattr(sink, "add", interrupted)
    out = tmp_path / "datasets" / "moth-v0"
    assert main(["dataset", str(movie), str(movie), "--out", str(out), "--format", form]) == 130
    left = sorted(path.name for path in out.parent.rglob("*") if path != out)
    assert left == ([] if form == "minari" else [f"00000-{movie.stem}.npz"])
    early = tmp_path / "early-v0"
    assert main(["dataset", str(movie), "--out", str(early), "--format", form]) == 130
    assert not early.exists()
    monkeypatch.setattr(sink, "add", add)
    assert main(["dataset", str(movie), "--out", str(out), "--format", form]) == 0


def test_two_runs_of_one_name_do_not_share_what_is_half_written(
    tmp_path: Path, movie: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "datasets" / "moth-v0"
    codes = list[int]()
    add = MinariSink.add

    def add_while_another_runs(self: Any, step: Step) -> None:
        add(self, step)
        if not codes:
            codes.append(-1)
            codes[0], _ = dataset(movie, "--out", out)

    monkeypatch.setattr(MinariSink, "add", add_while_another_runs)
    code, error = dataset(movie, "--out", out)
    assert (codes, code) == ([0], 1)
    assert str(error) == f"{out}: there is something already; name a new folder"
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(out.parent))
    assert minari.load_dataset(out.name).total_steps == STEPS


@pytest.mark.parametrize(
    ("form", "fault", "words"),
    [
        ("npz", "crash_at", "the core crashed (SIGSEGV)"),
        ("minari", "exit_at", "the core ended its process with exit code 3"),
        ("npz", "hang_at", "the core did not answer within 5000 ms"),
    ],
)
def test_a_core_that_dies_is_one_line(
    tmp_path: Path,
    toy_cores: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    fault: str,
    words: str,
) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy()
    game = toys.make_game(tmp_path / "Well")
    movies = []
    for frames in (100, 300):
        [job] = jobs_of(
            AgentTrial(game, ("no-op",), episodes=1, most_frames=frames, seed=0, out=tmp_path),
            "no-op",
            "",
        )
        [result] = play_job(job)
        movies.append(Path(result.movie or ""))
    first, second = movies
    bad = toys.make_game(tmp_path / "Bad", **{fault: 200})
    out = tmp_path / "out-v0"
    done = warm_children.run(
        [
            *(sys.executable, "-P", "-m", "integrator", "dataset", first, second),
            *("--game", bad, "--format", form, "--out", out),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(f"integrator: {second}: {words}")
    made = sorted(path.name for path in out.iterdir()) if out.exists() else []
    assert made == ([f"00000-{first.stem}.npz"] if form == "npz" else [])


def test_a_folder_of_episodes_of_another_run_is_refused(
    movie: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    again = movie, "--out", out, "--format", "npz"
    assert dataset(*again)[0] == 0
    code, told = dataset(*again)
    assert code == 0
    [path] = out.iterdir()
    now = json.loads(str(np.load(path)["made_of"]))["games"][str(demo_game())]
    assert told["episodes"][0]["recorded_with"] == now
    before = path.read_bytes()
    assert "of another run" in str(dataset(*again, "--size", "40", "40")[1])
    other = shutil.copy(movie, tmp_path / "Other.bk2")
    assert "of another run" in str(dataset(other, *again[1:])[1])
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    (game / "scenario.json").write_text("{}\n")
    monkeypatch.setattr(f"{__name__}.demo_game", lambda: game)
    assert "of another run" in str(dataset(*again)[1])
    assert path.read_bytes() == before
    assert list(out.iterdir()) == [path]
