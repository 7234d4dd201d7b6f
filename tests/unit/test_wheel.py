"""The wheel: one for every Python from 3.11, with the files that users need and no others."""

from __future__ import annotations

import email.message
import email.parser
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from integrator import cli
from integrator.commands.bench import CONTENDERS

TREE = Path(__file__).parents[2]

# Each file of the wheel is one of these.
WANTED = re.compile(
    r"""
    (integrator|libretro_host)/(?!_shipped)(\w+/)*\w+\.(py|lua|md|json)
    | (integrator|libretro_host)/py\.typed
    | libretro_host/shim_abi\.h
    | (libretro_host/_shim|integrator/domain/sweep/_kernel)\.(abi3\.so|pyd)
    | integrator/_shipped/(
        cores/systems/\w+\.json
        | data/EmberMoth-Nes-v0/[\w.-]+
        | resources/bench/bareloop\.c
        | resources/demo-game/input-script\.json
        | resources/proof-roms/(proof\.json | \w+/proof\.\w+)
        | resources/proof-roms/(scd/bios_CD_U\.bin | fbneo/patched/pacman\.zip)
        | resources/proof-roms/saturn/mpr-17933\.bin
        | docs/(first-hour|guide|how-to)/[\w-]+\.md
        | resources/(desktop|fonts|icons|schemas|theme|translations)/([\w-]+/)*[\w.-]+
    )
    | retro_integrator-[\w.+]+\.dist-info/(METADATA|RECORD|WHEEL|entry_points\.txt)
    | retro_integrator-[\w.+]+\.dist-info/licenses/(LICENSE|resources/fonts/[\w-]+\.txt)
    """,
    re.VERBOSE,
)
SOURCES = re.compile(r"\.(s|c|cpp|h|cfg)$|Makefile|/fill\.py$")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=TREE, check=True, capture_output=True)
    [path] = folder.iterdir()
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> email.message.Message:
    [name] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
    return email.parser.Parser().parsestr(wheel.read(name).decode())


def test_one_wheel_serves_every_python(wheel: zipfile.ZipFile) -> None:
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    assert wheel.filename is not None
    assert wheel.filename.endswith(f"-cp311-abi3-{platform}.whl")


def test_users_get_what_they_need_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert [name for name in names if not WANTED.fullmatch(name)] == []
    bench = {"integrator/_shipped/resources/bench/bareloop.c", "libretro_host/shim_abi.h"}
    assert {name for name in names if SOURCES.search(name)} == bench
    for wanted in (
        "integrator/py.typed",
        "libretro_host/py.typed",
        "integrator/_shipped/cores/systems/Nes.json",
        "integrator/_shipped/data/EmberMoth-Nes-v0/rom.nes",
        "integrator/_shipped/docs/first-hour/1-first-integration.md",
        "integrator/_shipped/resources/theme/app.qss",
    ):
        assert wanted in names


def test_each_module_and_its_texts_are_in_it(wheel: zipfile.ZipFile) -> None:
    files = {
        path.relative_to(TREE).as_posix()
        for package in ("integrator", "libretro_host")
        for path in (TREE / package).rglob("*")
        if path.suffix in (".py", ".lua", ".md", ".json")
    }
    assert files - set(wheel.namelist()) == set()


def run_installed(
    wheel: zipfile.ZipFile, tmp_path: Path, *command: object, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with the wheel's packages, outside of the tree."""
    if not (tmp_path / "site").exists():
        wheel.extractall(tmp_path / "site")
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path / "site"),
        "QT_QPA_PLATFORM": "offscreen",
        **{f"XDG_{each}_HOME": str(tmp_path) for each in ("CACHE", "CONFIG", "DATA", "STATE")},
        **variables,
    }
    return subprocess.run(
        [sys.executable, "-P", *map(str, command)],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_runs_without_the_tree(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    done = run_installed(wheel, tmp_path, "-m", "integrator", "demo", "--out", tmp_path / "demo")
    assert done.returncode == 0, done.stdout + done.stderr


GAME = "EmberMoth-Nes-v0"
ROM = f"site/integrator/_shipped/data/{GAME}/rom.nes"
RUNS: tuple[tuple[int, str], ...] = (
    (0, "cores"),
    (0, "new {rom} --name Moth --root games"),
    (0, "import {rom} --root games"),
    (0, "check games/Moth-Nes-v0 --jobs 1"),
    (0, "agents {game} --agent no-op --episodes 1 --frames 120 --jobs 1 --out movies"),
    (0, "play {movies} --game {game} --jobs 1 --csv frames.csv"),
    (0, "audit {movies} --game {game} --no-probes --jobs 1"),
    (0, "dataset {movies} --game {game} --format npz --out data"),
    (0, "reward {movies} --game {game}"),
    (0, "suggest {game}"),
    (0, "ends {game} --mark 1500"),
    (0, "prove {game} --of score"),
    (0, "search {game} --fact '300..400 unchanged'"),
    (0, "mcp {game}"),
    (0, "auto {rom} --root made --minutes 0.5"),
    (0, "scores levels.csv --agent no-op --episodes 1 --jobs 1"),
    (0, "man"),
    (0, "systems check Nes"),
    (0, "systems add fceumm --game {rom} --name Mine"),
    (0, "systems export Mine training"),
    (0, "desktop install"),
    (0, "desktop remove"),
    (0, "demo --out demo"),
    (0, "bench --json"),
    (1, "open nowhere.nes"),
)
"""Subcommands in an order that makes what the next ones need, with their exit status."""


def test_every_subcommand_works_without_the_tree(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    assert {words.split()[0] for _, words in RUNS} == cli.command_names()
    (tmp_path / "levels.csv").write_text(f"game,state\n{GAME},Start\n")
    for status, words in RUNS:
        movies = next(iter(sorted((tmp_path / "movies").rglob("*.bk2"))), "")
        arguments = shlex.split(words.format(rom=ROM, game=GAME, movies=movies))
        # No compiler is on this path: the bench leaves out the loop that it compiles.
        path = str(Path(sys.executable).parent) if words.startswith("bench") else os.environ["PATH"]
        done = run_installed(wheel, tmp_path, "-m", "integrator", *arguments, PATH=path)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, (words, done.stderr)
        if words.startswith("bench"):
            report = json.loads(done.stdout)
            assert report["missing"] == {"bare-c-loop": "needs a C compiler: install gcc"}
            assert set(report["frames_per_second"]) == set(CONTENDERS) - {"bare-c-loop"}


def test_the_bench_compiles_without_the_tree(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    module = "integrator.commands.bench"
    code = f"from pathlib import Path; from {module} import *; compile_bare_loop(Path())"
    done = run_installed(wheel, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bareloop").is_file()


def test_a_package_index_can_say_where_the_project_is(metadata: email.message.Message) -> None:
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL", []))
    assert set(urls) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}


def test_each_python_that_is_tried_is_named(metadata: email.message.Message) -> None:
    workflow = (TREE / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    [versions] = set(re.findall(r"python: \[(.*)\]", workflow))
    named = [
        each.removeprefix("Programming Language :: Python :: ")
        for each in metadata.get_all("Classifier", [])
        if each.startswith("Programming Language :: Python :: 3.")
    ]
    assert named == [version.strip(' "') for version in versions.split(",")]
    oldest = tomllib.loads((TREE / "pyproject.toml").read_text())["project"]["requires-python"]
    assert oldest == f">={named[0]}"
