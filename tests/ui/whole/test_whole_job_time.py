"""The time slider by mouse: back to an earlier frame, on from there, and back to the old future."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from real_window import NEEDS, wait_until
from seen_window import MAIN, SeenWindow

from integrator.commands.shared.options import demo_game

pytestmark = [pytest.mark.window, pytest.mark.skipif(bool(NEEDS), reason=NEEDS)]

MOTH_X = (0x340, "|u1")


def slider(window: SeenWindow, share: float) -> tuple[int, int]:
    """A place on the time slider."""
    x, y, width, height = window.find("Timeline", kind="other")["place"]
    return round(x + width * share), y + height // 3


def game_picture(window: SeenWindow) -> NDArray[np.uint8]:
    """The game's picture in the window."""
    x, y, width, height = window.find("Game screen", kind="other")["place"]
    return window.picture()[y + 60 : y + height - 4, x + 4 : x + width - 4]


def shows(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> bool:
    """True when two pictures are the same but for a few columns; buttons below may need some."""
    width = min(now.shape[1], then.shape[1]) - 40
    left = (then.shape[1] - width) // 2
    rows = slice(20, -20)
    inner = then[rows, left : left + width]
    return any(np.array_equal(now[rows, at : at + width], inner) for at in range(14, 28))


def test_seek_and_branch(at_screen: Callable[..., SeenWindow], tmp_path: Path) -> None:
    window = at_screen(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    window.wait_for_title(MAIN)
    window.key("ctrl+4")
    window.click_on("Branches", kind="tab")
    wait_until(lambda: window.frame() == 1, "the first frame")
    start = window.ram(*MOTH_X)
    end = window.play_until(lambda: window.frame() > 150, "some play", "Right")
    right = window.ram(*MOTH_X)
    picture = window.settled(lambda: game_picture(window), "the picture", np.array_equal)
    assert right > start

    window.drag(slider(window, 0.95), *(slider(window, share) for share in (0.8, 0.5, 0.6)))
    wait_until(lambda: 0.5 < window.frame() / end < 0.7, "the frame under the pointer")
    window.drag(slider(window, 0.3))
    wait_until(lambda: 0.2 < window.frame() / end < 0.4, "the frame that was clicked")
    parted = window.frame()
    wait_until(lambda: not shows(game_picture(window), picture), "the past on the screen")
    wait_until(lambda: window.ram(*MOTH_X) < right, "the core at that frame")

    window.play_until(lambda: window.frame() > parted + 100, "another future", "Left")
    assert window.ram(*MOTH_X) < start
    window.find("branch 1", kind="cell", panel="Branches")
    lines = {row[0]: row for row in window.rows("Branches")}
    assert set(lines) == {"main", "branch 1"}
    # Until the key is down, play follows the recording.
    assert parted <= int(lines["branch 1"][2]) < parted + 60
    window.keep_picture("branches")

    window.click_on("branch 1", times=2, kind="cell", panel="Branches")
    wait_until(lambda: window.frame() == end, "the old future's end")
    wait_until(lambda: shows(game_picture(window), picture), "its picture")
    assert window.ram(*MOTH_X) == right
    window.find("main", kind="cell", panel="Branches")
    window.play_until(lambda: window.frame() > end + 5, "more of the old future")
    window.leave()
