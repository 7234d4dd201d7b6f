"""Ten ROMs are dropped on the window, which makes integrations of them; a person confirms each."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from real_window import NEEDS, Screen, wait_until
from seen_window import ANY_MAIN, SeenWindow, middle

from integrator.domain.integration.auto_report import AutoReport
from integrator.paths import user_integrations_dir
from integrator.session.library.checks.judge import judge
from scripts.bench_games import rom_dir
from scripts.recording import FILM

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(NEEDS), reason=NEEDS),
    pytest.mark.skipif(FILM not in os.environ, reason="python -m scripts.recording ten-roms"),
    pytest.mark.usefixtures("own_home"),
]

# Games that the program gets right; docs/benchmarks.md says how many these are.
GAMES = (
    *("alien", "assault", "asteroids", "beam_rider", "breakout"),
    *("centipede", "demon_attack", "frogger", "galaxian", "kung_fu_master"),
)
HINT = "Drop a ROM, an integration folder, a movie or a state here."
SHELF = Path(__file__).parent.parent / "file_shelf.py"
LOOK_S = 2
"""The time in which a person looks at the films."""
MAKING_S = 3600.0
"""A limit for all games; each takes up to a minute of processor time."""


@pytest.mark.parametrize("screen", [Screen(1280, 720)], indirect=True, ids=str)
def test_ten_dropped_roms_are_confirmed(
    at_screen: Callable[..., SeenWindow], tmp_path: Path, screen: Screen
) -> None:
    roms = [
        Path(shutil.copy(rom_dir() / f"{game}.bin", tmp_path / f"{game}.a26")) for game in GAMES
    ]
    window = at_screen()
    window.wait_for_title(ANY_MAIN)
    drop(window, roms)
    window.click_on("Integrate each", kind="button")
    window.wait_for_title("Drafts")
    with window.time_lapse(30):
        wait_until(lambda: made(window) == len(roms), "ten drafts", MAKING_S)
    pressed = 0
    while rows := window.rows(""):
        window.wait_for("earned", kind="button")
        time.sleep(LOOK_S)
        window.keep_picture(f"draft-{pressed}")
        window.key("a")
        pressed += 1
        wait_until(lambda: window.rows("") != rows, "the next part")
    sys.stdout.write(f"{screen}: {pressed} parts accepted; {window.effort()}\n")
    window.key("Escape")
    window.leave()
    for directory in user_integrations_dir().iterdir():
        assert AutoReport.load(directory).is_accepted
        verdict = judge(directory, steps=500)
        assert verdict.agrees, verdict.first_difference


def made(window: SeenWindow) -> int:
    """The number of drafts, after a while in which the window is not disturbed."""
    time.sleep(2)
    return len(window.rows(""))


def drop(window: SeenWindow, files: list[Path]) -> None:
    """Drag files from another program to the middle of the window."""
    shelf = [sys.executable, str(SHELF), "1040", "420", *map(str, files)]
    with subprocess.Popen(shelf, env=window.environment) as program:
        try:
            window.wait_for_title("ROMs")
            window.wait_for_title(ANY_MAIN)
            x, y = middle(window.find(HINT))
            window.keep_picture("shelf")
            stops = (1000, 430), (x + 20, y), (x, y)
            window.drag((1100, 440), *stops, rests=("sleep", "1"))
            window.find("Integrate each", kind="button")
        finally:
            program.kill()
