"""A console of one's own is laid out for stable-retro, and runs there as it does here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator import cli
from integrator.session.library.consoles.own_consoles import export_for_training
from integrator.session.setup.roots import systems
from scripts.campaign import toys

STEPS = 12
BUTTONS = 9
OF_THE_HOST = {8, 9, 10, 11, 23, 26, 27}
"""Bytes in which the toy echoes its host: pads 3 and 4, which stable-retro lacks, the answer to an
undeclared option, and the devices of the ports, which stable-retro does not set."""
RUN = """
import numpy as np
env.reset()
for step in range({steps}):
    env.step(np.array([(step >> bit) & 1 for bit in range({buttons})], np.uint8))
print(env.system, env.get_ram()[:256].tobytes().hex())
"""


@pytest.mark.usefixtures("own_home")
def test_the_steps_run_the_console_in_stable_retro(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toys.build_toycore(tmp_path / "cores")
    monkeypatch.setenv("INTEGRATOR_CORES", str(tmp_path / "cores"))
    toys.describe_toy()
    game = toys.make_game(tmp_path / "games" / "YourGame-Toy-v0")
    (game / "metadata.json").write_text("{}")  # stable-retro opens no game without it
    assert cli.run(["systems", "export", "Toy", str(tmp_path / "training"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(Path(one).name for one in told["files"]) == [
        "README.txt", "Toy.json", "toycore_libretro.so",
    ]  # fmt: skip
    script = told["steps"].replace("/WHOLE/PATH/OF/YOUR/INTEGRATIONS", str(game.parent))
    assert script.splitlines()[1] in (tmp_path / "training" / "README.txt").read_text()
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script + RUN.format(steps=STEPS, buttons=BUTTONS)],
        capture_output=True, text=True, check=False, env=dict(os.environ), cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    system, ram = ran.stdout.split()[-2:]
    env = integrator.make_env(game, observation="ram")
    env.reset()
    for step in range(STEPS):
        bits = [(step >> bit) & 1 for bit in range(BUTTONS)]
        seen = env.step(np.array(bits, np.uint8))[0]
    env.close()
    assert system == "Toy"
    theirs, ours = bytes.fromhex(ram), seen[:256].tobytes()
    differing = {at for at, pair in enumerate(zip(theirs, ours, strict=True)) if len({*pair}) > 1}
    assert differing <= OF_THE_HOST
    assert int.from_bytes(ours[4:6], "little")


@pytest.mark.parametrize("opengl", [True, False])
def test_a_core_that_draws_with_opengl_is_told(tmp_path: Path, opengl: bool) -> None:
    core = tmp_path / "gltoy_libretro.so"
    core.write_bytes(b"a core")
    console = replace(systems()["Nes"], opengl=("gltoy",) if opengl else ())
    told = export_for_training(console, core, tmp_path / "training").remarks
    assert ("gltoy draws with OpenGL" in told[0]) is opengl
    assert systems()["Dreamcast"].opengl == ("flycast",)


def test_a_wrong_console_is_told(
    tmp_path: Path, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert own_home.is_dir()
    assert cli.run(["systems", "export", "Nothing", str(tmp_path)]) == 2
    assert "no system Nothing" in capsys.readouterr().err
