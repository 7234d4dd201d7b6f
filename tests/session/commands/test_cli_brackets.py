"""No command takes text of a user or a file for markup: ``[b1]`` and ``[red]`` stay in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import integrator
from integrator import cli
from integrator.commands.bench import CONTENDERS, print_bench
from integrator.commands.cores import print_core_table
from integrator.commands.shared.options import demo_game
from integrator.commands.systems import print_systems
from integrator.session.library.consoles.core_rows import core_rows

pytestmark = pytest.mark.usefixtures("own_home")

NAME = "[b1] :x: [red]Moth[not] (U)"
"""Styles and emoji: each is a part of somebody's file name."""


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with such a name, the current directory; lines are long enough for all of it."""
    monkeypatch.setenv("COLUMNS", "400")
    folder = tmp_path / NAME
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def _game(folder: Path) -> Path:
    return Path(shutil.copytree(demo_game(), folder / f"{NAME}-Nes"))


def _movie(folder: Path) -> list[object]:
    path, game = folder / f"{NAME}.bk2", _game(folder)
    with integrator.open_session(game, isolated=False) as session:
        session.record(path)
        session.advance((0,), frames=3)
    return [path, "--game", game]


def _rom(folder: Path) -> list[object]:
    shutil.copyfile(demo_game() / "rom.nes", folder / f"{NAME}.nes")
    return [folder / f"{NAME}.nes", "--name", "Moth", "--root", folder]


def _broken(folder: Path) -> list[object]:
    (_game(folder) / "data.json").write_text("{")
    return [folder / f"{NAME}-Nes", "--no-live"]


RUNS: dict[str, tuple[Callable[[Path], list[object]], int]] = {
    "open": (lambda folder: [folder / f"{NAME}.nes"], 1),
    "import": (lambda folder: [_game(folder)], 0),
    "new": (_rom, 0),
    "play": (_movie, 0),
    "check": (_broken, 1),
    "agents": (lambda folder: [_game(folder), "--agent", NAME], 1),
    "dataset": (lambda folder: [folder, "--out", folder / "out", "--format", "npz"], 1),
    "audit": (lambda folder: [folder], 1),
    "reward": (lambda folder: [_movie(folder)[0], "--last", "9999999"], 1),
    "scores": (lambda folder: [folder, "--agent", "no-op"], 1),
    "suggest": (lambda folder: [folder], 1),
    "ends": (lambda folder: [folder], 1),
    "prove": (lambda folder: [folder, "--of", "0"], 1),
    "search": (lambda folder: [folder, "--fact", "1 = 0"], 1),
    "auto": (lambda folder: [folder / "none"], 1),
    "systems": (lambda _: [NAME], 2),
}
"""Commands that take a name: their arguments, and their exit status."""

PRINTED = {"cores", "bench"}
"""Commands that take no name: their output about files is tried below."""

NAMELESS = {"demo", "desktop", "man", "mcp"}
"""Commands whose names are all our own, or an assistant's; the demo's folder is tried with it."""


def test_every_command_is_tried_here() -> None:
    assert RUNS.keys() | PRINTED | NAMELESS == cli.command_names()


@pytest.mark.parametrize("command", RUNS)
def test_names_are_printed_whole(
    command: str, odd: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, status = RUNS[command]
    arguments = [str(each) for each in make(odd)]
    assert cli.run([command, *arguments]) == status
    printed = capsys.readouterr()
    assert NAME in printed.out + printed.err


def test_cores_names_each_folder_once(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = core_rows()
    for row in rows:
        row["core"], row["wanted"], row["reason"] = None, ["[red]_libretro.so"], "/lib /cores"
    print_core_table(rows, [str(odd), "/cores"])
    printed = capsys.readouterr().out
    assert printed.count(str(odd)) == printed.count("/cores") == 1
    assert printed.count("[red]_libretro.so") == 1
    assert 'pip install "retro-integrator[cores]"' in printed


def test_tables_of_measurements_print_names_whole(
    odd: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacks = dict.fromkeys(CONTENDERS, f"needs {odd}")
    print_bench(
        {
            "game": NAME,
            "frames": 1,
            "rounds": 1,
            "frames_per_second": {},
            "ratio_to_bare_loop": {},
            "search": [],
            "missing": lacks,
        }
    )
    assert capsys.readouterr().out.count(NAME) == 1 + len(lacks)
    texts = ("system", "core", "extension", "fps", "note", "deterministic", "buttons", "variables")
    numbers = {"ram_bytes": 1, "state_bytes": 1}
    print_systems([{**dict.fromkeys(texts, NAME), **numbers, "faults": [NAME]}])
    assert capsys.readouterr().out.count(NAME) > len(["core", "file", "a fault"])
