"""The test core as a console of a user's own: compiled, described, and opened like any other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from integrator import paths

ROOT: Final = Path(__file__).resolve().parents[2]
SYSTEM: Final = "Toy"


def build_toycore(folder: Path, *defines: str, name: str = "toycore") -> Path:
    """Compile a variant of the test core into ``folder``; the path of the library.

    ``name`` may be that of another core in the same folder: ``gltoy`` draws with OpenGL."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}_libretro.so"
    target.write_bytes(_compiled(name, defines))
    return target


@cache
def _compiled(name: str, defines: tuple[str, ...]) -> bytes:
    """The library of a variant: tests ask for the same few a hundred times."""
    source = ROOT / "cores" / "toycore" / f"{name}.c"
    compiler = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) or "cc"
    command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Werror", "-fPIC", "-shared"]
    command += ["-fvisibility=hidden", "-fexceptions", f"-I{ROOT / 'libretro_host'}"]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, source.stem)
        command += [*(f"-D{define}" for define in defines), "-o", str(target), str(source)]
        command += ["-lstdc++"]  # it can throw as cores in C++ do
        subprocess.run(command, check=True)
        return target.read_bytes()


def use_home(home: Path, cores: Path | None = None) -> None:
    """Let this process and its children keep everything of the user's in ``home``."""
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
    if cores is not None:
        os.environ["INTEGRATOR_CORES"] = str(cores)


def describe_toy(options: Mapping[str, str] | None = None, **more: object) -> None:
    """Put the descriptor of the toy console, with core options, among the user's own.

    ``more`` are further parts of the descriptor."""
    value = json.loads((paths.shipped("cores") / "systems" / "Nes.json").read_text("utf-8"))
    content = {"extensions": ["toy"]}
    core = {"core": "toycore", "options": dict(options or {})}
    value |= {"system": SYSTEM, "content": content, "cores": [core], "bios": [], **more}
    folder = paths.user_systems_dir()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{SYSTEM}.json").write_text(json.dumps(value), encoding="utf-8")


def make_game(directory: Path, **keys: object) -> Path:
    """An integration directory of the toy console whose core does as ``keys`` say."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{key}={value}\n" for key, value in keys.items())
    (directory / "rom.toy").write_text(lines or "# as it is\n", encoding="ascii")
    score = {"info": {"score": {"address": 16, "type": ">u4"}}}
    (directory / "data.json").write_text(json.dumps(score), encoding="ascii")
    (directory / "scenario.json").write_text(
        '{"reward": {"variables": {"score": {"reward": 1}}}}', encoding="ascii"
    )
    return directory
