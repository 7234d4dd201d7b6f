"""The command line as a user meets it: JSON alone on stdout, one line of error, exit codes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import integrator
from integrator import cli
from integrator.cli import command_names
from integrator.commands.shared.options import airstriker, demo_game, with_command
from libretro_host.errors import StateError

pytestmark = pytest.mark.usefixtures("own_home")


class Done(NamedTuple):
    """The output of a command."""

    stdout: str
    stderr: str


def run(*arguments: object, expect: int = 0) -> Done:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(list(map(str, arguments)))
    assert code == expect, err.getvalue()
    return Done(out.getvalue(), err.getvalue())


def run_json(*arguments: object, expect: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", expect=expect).stdout)


def error_line(*arguments: object, expect: int = 1) -> str:
    done = run(*arguments, expect=expect)
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("integrator: ")
    return line


def test_version_and_help() -> None:
    words = [sys.executable, "-m", "integrator", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("integrator 0.")
    text = run("--help").stdout
    for command in ("cores", "new", "play", "check", "demo", "bench"):
        assert command in text


def test_cores_lists_every_system_with_its_core() -> None:
    rows = {row["system"]: row for row in run_json("cores")["systems"]}
    assert rows["Nes"]["core"] == "fceumm"
    assert Path(rows["Nes"]["path"]).is_file()
    assert rows["Genesis"]["version"].startswith("v1.7.4")
    assert rows["Saturn"]["missing_bios"]


def test_new_makes_a_directory_and_never_overwrites_it(tmp_path: Path) -> None:
    rom = tmp_path / "Ember Moth (World).nes"
    shutil.copyfile(demo_game() / "rom.nes", rom)
    made = run_json("new", rom, "--root", tmp_path / "games")
    assert made["name"] == "EmberMoth-Nes"
    assert made["files"] == ["data.json", "metadata.json", "rom.nes", "rom.sha", "scenario.json"]
    line = error_line("new", rom, "--root", tmp_path / "games")
    assert str(tmp_path / "games" / "EmberMoth-Nes") in line
    assert "name" in line


def test_a_bare_name_gets_its_system_and_version(tmp_path: Path) -> None:
    rom = demo_game() / "rom.nes"
    for name, made in (("SuperGame", "SuperGame-Nes-v0"), ("Other-Nes", "Other-Nes")):
        assert run_json("new", rom, "--name", name, "--root", tmp_path)["name"] == made
        assert (tmp_path / made / "rom.nes").is_file()


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_helps(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ((), *((name,) for name in command_names())):
        assert cli.run([*command, flag]) == 0
        assert "Usage: " + " ".join(("integrator", *command)) in capsys.readouterr().out


def test_a_mistyped_command_is_told_and_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["chek"]) == 2
    assert capsys.readouterr().err.endswith("did you mean check?\n")
    assert cli.run(["quite-another"]) == 2
    assert "integrator --help" in capsys.readouterr().err
    for arguments in (["open", "gone.nes"], ["./chek"], ["check.nes"]):
        assert cli.run(arguments) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert Path(arguments[-1]).name in line


def test_a_path_that_exists_is_opened_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("chek", "check"):
        Path(name).mkdir()
    for path in ("chek", "./check"):
        assert with_command([path], command_names()) == ["open", path]


def test_unknown_options_are_bad_usage() -> None:
    line = error_line("play", "x.bk2", "--speed", expect=2)
    assert line.endswith("No such option: --speed; integrator play --help tells more")


@pytest.mark.parametrize(
    "words",
    [("agents", "game", "--agent", "random"), ("scores", "levels.csv", "--agent", "random")],
)
def test_a_negative_seed_is_bad_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*words, "--seed", "-1"]) == 2
    assert "greater than or equal to 0" in capsys.readouterr().err


def test_a_file_that_the_system_refuses_is_named_without_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("integrator.commands.scores.read_levels", Path.read_bytes)
    assert cli.run(["scores", str(tmp_path), "--agent", "random"]) == 1
    assert capsys.readouterr().err == f"integrator: {tmp_path}: Is a directory\n"


def test_a_missing_rom_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.nes"
    assert str(missing) in error_line("new", missing)


def test_an_unknown_extension_lists_the_known_ones(tmp_path: Path) -> None:
    rom = tmp_path / "game.xyz"
    rom.write_bytes(b"?")
    line = error_line("new", rom)
    assert str(rom) in line
    assert ".nes" in line


def test_a_read_only_folder_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        # Root may write anywhere: a file in the way of the folder is refused for everyone.
        root = tmp_path / "file"
        root.write_text("in the way")
    else:
        root = tmp_path / "locked"
        root.mkdir(mode=0o500)
    line = error_line("new", demo_game() / "rom.nes", "--root", root)
    assert str(root) in line
    assert [path.name for path in tmp_path.iterdir() if path != root] == []


def test_a_broken_document_is_named_with_line_and_column(tmp_path: Path) -> None:
    game = tmp_path / "Broken-Nes-v0"
    shutil.copytree(demo_game(), game)
    whole = (game / "data.json").read_text()
    (game / "data.json").write_text(whole[: len(whole) // 2])
    line = error_line("play", _movie(tmp_path), "--game", game)
    assert f"{game / 'data.json'}:" in line
    assert (game / "data.json").read_text() == whole[: len(whole) // 2]


def test_a_state_of_another_core_is_named(tmp_path: Path) -> None:
    game = tmp_path / "Airstriker-Genesis-v0"
    shutil.copytree(airstriker(), game)
    shutil.copyfile(demo_game() / "Start.state", game / "Level1.state")
    with (
        integrator.open_session(game) as session,
        pytest.raises(StateError, match=r"Level1: Genesis Plus GX.*save the state again"),
    ):
        session.reset()


def test_play_tells_how_a_movie_went(tmp_path: Path) -> None:
    movie = _movie(tmp_path)
    csv = tmp_path / "frames.csv"
    [summary] = run_json("play", movie, "--game", demo_game(), "--csv", csv)["movies"]
    assert summary["desync_frame"] is None
    assert summary["frames"] == 61
    lines = csv.read_text().splitlines()
    assert len(lines) == 62
    assert "score" in lines[0]


def _movie(folder: Path) -> Path:
    path = folder / "moth.bk2"
    with integrator.open_session(demo_game()) as session:
        session.record(path)
        for _ in range(60):
            session.advance((128,))
    return path


def test_the_demo_does_the_whole_job(tmp_path: Path) -> None:
    report = run_json("demo", "--out", tmp_path / "out")
    assert report["agrees"] is True
    assert report["judged_steps"] == 1000
    assert report["score"] == ">n6 at 0x030C"
    assert report["lives"] == "|i1 at 0x0302"
    assert report["screenshot"] is not None
    assert Path(report["screenshot"]).stat().st_size > 10_000
    assert Path(report["movie"]).is_file()


@pytest.mark.usefixtures("few_moments", "one_process")
def test_check_counts_what_it_found() -> None:
    assert run("check", demo_game()).stdout.endswith("1 checked: 0 errors, 0 warnings, 1 note\n")


def test_check_tells_what_is_wrong_and_where(tmp_path: Path) -> None:
    game = tmp_path / "games" / "Copy-Nes-v0"
    shutil.copytree(demo_game(), game)
    scenario = game / "scenario.json"
    scenario.write_text(scenario.read_text().replace('"game_over"', '"gameover"'))
    shutil.copytree(game, tmp_path / "games" / "Other-Nes-v0")
    text = run("check", tmp_path / "games", "--no-live", expect=1).stdout
    assert "error variable-unknown scenario.json:4 done.variables.gameover: " in text
    assert text.count("variable-unknown") == 2
    assert "start-filtered" not in text
    report = run_json("check", tmp_path / "games", "--jobs", 2, "--no-live", expect=1)
    assert (report["checked"], report["errors"]) == (2, 2)
    assert report["findings"][0] == {
        "integration": str(game),
        "code": "variable-unknown",
        "severity": "error",
        "file": str(scenario),
        "path": "done.variables.gameover",
        "line": 4,
        "message": "there is no variable 'gameover' in data.json",
        "cure": "add the variable or correct the name",
    }


@pytest.mark.usefixtures("few_moments", "one_process")
def test_check_names_a_damaged_file_once(tmp_path: Path) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "Copy-Nes-v0")
    (game / "rom.sha").unlink()
    (game / "rom.sha").mkdir()
    assert "error sha-unreadable rom.sha: it is a folder" in run("check", game, expect=1).stdout


def test_check_explains_its_codes() -> None:
    codes = {row["code"]: row for row in run_json("check", "--list-codes", "--json")["codes"]}
    assert codes["time-penalty"]["severities"] == ["warning"]
    listed = run("check", "--list-codes").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(codes)
    explained = run("check", "--explain", "time-penalty").stdout
    assert codes["time-penalty"]["meaning"] in explained
    assert codes["time-penalty"]["cure"] in explained
    assert error_line("check", "--explain", "time-penalti", expect=2).endswith(
        "did you mean time-penalty?"
    )
    assert error_line("check", "--explain", "x", expect=2).endswith(
        "this code; --list-codes shows all"
    )


def test_check_names_a_folder_without_integrations(tmp_path: Path) -> None:
    assert str(tmp_path) in error_line("check", tmp_path)
    assert str(tmp_path / "gone") in error_line("check", tmp_path / "gone")


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_traceback(closed: str, own_home: Path) -> None:
    command = f'"{sys.executable}" -P -m integrator check --no-live "{demo_game()}" {closed}'
    ended = subprocess.run(
        ["sh", "-c", command], cwd=own_home, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert bool(ended.stdout) == (closed == "2>&-")
