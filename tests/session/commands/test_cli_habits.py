"""All commands have the same habits: words in their help, exit codes, JSON of failures."""

from __future__ import annotations

import errno
import json
import math
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from integrator.cli import app
from integrator.cli import run as main
from integrator.commands import agents
from integrator.commands.shared.options import (
    complete_agents,
    complete_games,
    complete_systems,
    demo_game,
    named_in_words,
    print_json,
)
from integrator.domain.errors import reason


def commands(command: Any, words: str = "") -> Iterator[tuple[str, Any]]:
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{words} {name}".strip())


COMMANDS = dict(commands(named_in_words(get_command(app))))


@pytest.mark.parametrize("words", COMMANDS)
def test_help_has_words_and_fits(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*words.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    assert not [each for each in ("<path>", "<str>", "<int", "list[", "<float") if each in told]
    listed = told.partition("Commands:")[2].splitlines()
    assert [line for line in listed if line.endswith("...")] == []
    assert [line for line in listed if len(line.split()) == 1] == [], "a command without words"


FAILING = {
    "play": ("missing.bk2 --lossless odd", 2),
    "dataset": ("missing.bk2 --out x --format odd", 2),
    "check": ("missing", 1),
    "audit": ("missing", 1),
    "auto": ("missing", 1),
    "reward": ("missing", 1),
    "agents": ("DEMO --agent odd", 2),
    "suggest": ("missing --kind odd", 2),
    "ends": ("missing", 1),
    "prove": ("missing --of 0", 1),
    "search": ("missing --fact odd", 1),
    "scores": ("missing --agent random", 1),
    "new": ("missing", 1),
    "import": ("missing", 1),
    "systems check": ("odd", 2),
    "systems export": ("odd x", 2),
    "systems add": ("missing.so", 1),
    "cores": ("--odd", 2),
    "demo": ("--odd", 2),
    "bench": ("--odd", 2),
}
"""Words behind each command that has ``--json`` with which it fails, and its status."""

MORE = [
    ("dataset", "missing.bk2 --out x", 1),
    ("suggest", "missing", 1),
    ("check", "--explain odd", 2),
    ("agents", "missing --agent random", 1),
    ("agents", "DEMO --agent random --state odd", 2),
]


def test_every_command_with_json_is_made_to_fail() -> None:
    with_json = {
        words
        for words, command in COMMANDS.items()
        if any(each.name == "as_json" for each in command.params)
    }
    assert with_json == FAILING.keys()


@pytest.mark.parametrize(
    ("command", "words", "status"), [*((name, *how) for name, how in FAILING.items()), *MORE]
)
def test_a_failure_has_its_status_and_its_json(
    command: str,
    words: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = [*command.split(), *words.replace("DEMO", str(demo_game())).split()]
    assert main([*arguments, "--json"]) == status
    told = capsys.readouterr()
    [line] = told.err.strip().splitlines()
    assert line == f"integrator: {json.loads(told.out)['error']}"
    assert "Value error" not in line
    if words.startswith("missing") and status == 1 and command != "systems add":
        assert "there is no such file or folder; check the spelling" in line


@pytest.mark.parametrize("suffix", ["nes", "gba", "gb", "md"])
def test_no_integration_is_made_of_what_is_no_rom(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"not a game\n")
    assert main(["new", str(path), "--root", str(tmp_path / "made")]) == 1
    assert f"a.{suffix} does not begin as a game of" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_a_folder_of_movies_may_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", str(tmp_path)]) == 1
    assert "there is no movie in it" in capsys.readouterr().err


def test_shells_complete_names() -> None:
    assert complete_games("EmberM") == ["EmberMoth-Nes-v0"]
    assert complete_systems("Game") == ["GameBoy", "GameGear"]
    assert complete_agents("je") == ["jerk"]


def test_episodes_before_a_failure_are_in_the_one_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = agents.play_agents

    def full(*arguments: Any, **options: Any) -> Iterator[Any]:
        yield next(iter(play(*arguments, **options)))
        raise OSError(errno.ENOSPC, "No space left on device", "out")

    monkeypatch.setattr(agents, "play_agents", full)
    words = ["--agent", "no-op", "--episodes", "1", "--frames", "8", "--json"]
    assert main(["agents", str(demo_game()), *words]) == 1
    told = capsys.readouterr()
    assert len(json.loads(told.out)["episodes"]) == 1
    assert "No space left on device" in told.err


def test_a_folder_that_cannot_be_made_is_named_with_a_fix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(folder: Path, *_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(folder))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert main(["demo", "--out", str(tmp_path / "demo")]) == 1
    fix = "the folder is on a read-only file system: save elsewhere"
    told = f"{tmp_path / 'demo'} could not be made (Read-only file system); {fix}"
    assert told in capsys.readouterr().err


def test_a_demo_on_a_full_disk_leaves_no_half_rom(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "elsewhere")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(shutil, "copyfile", lambda _, to: full(to.write_bytes(b"half")))
    assert main(["demo", "--out", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert f"{tmp_path / 'Ember Moth (World).nes'} could not be written" in told
    assert "free some disk space" in told
    assert not list(tmp_path.iterdir())


def test_an_assistant_is_served_a_game_that_exists(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "missing.nes"]) == 1
    assert "there is no such file or folder; check the spelling" in capsys.readouterr().err


def test_a_reward_that_is_no_number_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"rewards": [math.nan, -math.inf, 0.5], "text": "NaN"})
    printed = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert printed == {"rewards": [None, None, 0.5], "text": "NaN"}


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "Driver write request failed (filename = '/home/.tmp-1/data.hdf5')"),
        shutil.Error([("a", "b", "[Errno 28] No space left on device: \"it's\" -> '/.tmp-1'")]),
    ],
    ids=["HDF5", "copied folder"],
)
def test_the_reason_of_a_full_disk_names_no_temporary_file(error: OSError) -> None:
    assert reason(error) == "No space left on device"
