"""Every panel by the keyboard, another theme, panels moved by mouse; all of it is kept."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from real_window import NEEDS, wait_until
from seen_window import MAIN, SeenWindow, middle

from integrator.commands.shared.options import demo_game

pytestmark = [pytest.mark.window, pytest.mark.skipif(bool(NEEDS), reason=NEEDS)]

PANELS = (
    *("Variables", "Find", "Facts", "Suggestions", "Ends", "Watch", "Memory", "Reward"),
    *("Done", "Actions", "Crop", "Observation", "Macros", "Expectations"),
    *("Script", "JSON", "Lint", "Plots", "What-if", "States", "Cheats", "Movies", "Branches"),
    *("Input log", "Log", "Reward terms", "Audit", "Agents", "Console"),
)


def shown(window: SeenWindow) -> dict[str, list[int]]:
    """The panels in sight, and where in the window."""
    seen = window.see()
    left, top, *_ = next(each["place"] for each in seen if each["text"] == "Integrator")
    return {
        each["text"]: [each["place"][0] - left, each["place"][1] - top, *each["place"][2:]]
        for each in seen
        if each["kind"] == "panel"
    }


def settled(window: SeenWindow) -> list[tuple[str, list[int]]]:
    """The same text, once nothing moves any more."""
    return window.settled(lambda: sorted(shown(window).items()), "the panels")


def brightness(window: SeenWindow) -> float:
    """The window's mean brightness."""
    return float(window.picture()[:880, 800:1440, :3].mean())


def test_every_panel_theme_and_layout(at_screen: Callable[..., SeenWindow], tmp_path: Path) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    window = at_screen(game)
    window.wait_for_title(MAIN)
    wait_until(lambda: window.frame() == 1, "the first frame")
    assert set(PANELS) == set(window.check("[d.windowTitle() for d in window.docks.all.values()]"))
    for panel in PANELS:
        if panel not in shown(window):
            window.command(f"{panel} panel")
            wait_until(lambda name=panel: name in shown(window), panel)  # type: ignore[misc]  # binds the loop's value
    window.keep_picture("all-panels")

    dark = brightness(window)
    window.command("theme light")
    wait_until(lambda: brightness(window) > dark + 60, "the light theme")
    played = settled(window)
    window.key("ctrl+4")
    plain = dict(settled(window))
    x, y = middle(window.find("Input log", kind="label", panel="Input log"))
    onto = window.find("Plots", kind="panel")["place"]
    window.drag((x, y), (x - 10, y + 24), (onto[0] + 80, onto[1] + onto[3] // 2))
    wait_until(lambda: dict(settled(window)) != plain, "the panel to move")
    window.keep_picture("layout-moved")
    left = settled(window)
    window.leave()

    again = at_screen(game)
    again.wait_for_title(MAIN)
    wait_until(lambda: again.frame() == 1, "the first frame")
    wait_until(lambda: settled(again) == left, "the panels as they were left")
    assert brightness(again) > dark + 60
    again.key("ctrl+1")
    wait_until(lambda: settled(again) == played, "the panels of the other workspace")
    again.leave()
