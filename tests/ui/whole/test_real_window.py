"""The program in a real window: played, saved, crashed and left by keyboard and mouse alone."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from real_window import NEEDS, TIMEOUT_S, RealWindow, is_alive, wait_until, x_server

from integrator import paths
from integrator.domain.integration.directory import load_integration
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles

pytestmark = [pytest.mark.window, pytest.mark.skipif(bool(NEEDS), reason=NEEDS)]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the demo game's integration."""
    source = paths.shipped("data") / "EmberMoth-Nes-v0"
    return Path(shutil.copytree(source, tmp_path / "EmberMoth-Nes-v0"))


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Callable[..., RealWindow]]:
    """Starts the program on an X server of the test's own."""
    started: list[RealWindow] = []
    folder = tmp_path / "screen"
    folder.mkdir()
    with x_server(folder) as (display, screen):

        def start(*arguments: object) -> RealWindow:
            started.append(RealWindow(display, screen, tmp_path, *map(str, arguments)))
            return started[-1]

        yield start
        for window in started:
            window.end()


def quit_cleanly(window: RealWindow) -> None:
    """Leave with Ctrl+Q: status 0, nothing on stderr, no core process left."""
    workers = window.workers()
    window.wait_for_title("— Integrator")
    window.key("ctrl+q")
    assert window.process.wait(TIMEOUT_S) == 0
    wait_until(lambda: not any(map(is_alive, workers)), "the core process to end")
    assert window.errors.read_text() == ""


def test_play_save_a_state_and_leave(launch: Callable[..., RealWindow], game: Path) -> None:
    window = launch(game)
    window.wait_for_title("EmberMoth-Nes-v0")
    # xdotool finds nothing while any window of the screen goes away.
    wait_until(lambda: window.has_class(paths.APP_NAME), "the class of the desktop entry")
    # Shortly after the start a hidden core may draw pictures of states.
    wait_until(lambda: len(window.workers()) == 1, "a core process, and no other")
    window.key("ctrl+p")
    wait_until(window.moves, "the game to move")
    window.hold("Right", 0.5)
    window.key("ctrl+shift+s")
    window.wait_for_title("Save state")
    window.key("ctrl+a")
    window.type("Kept")
    window.key("Return")
    wait_until(lambda: window.is_gone("Save state"), "the dialog to close")
    window.wait_for_title("EmberMoth-Nes-v0*")
    window.key("ctrl+s")
    wait_until((game / "Kept.state").is_file, "Kept.state")
    assert len(load_integration(game).read_state("Kept")) > 1000
    quit_cleanly(window)


def test_record_what_the_keyboard_plays(
    launch: Callable[..., RealWindow], game: Path, tmp_path: Path
) -> None:
    window = launch(game)
    window.wait_for_title("EmberMoth-Nes-v0")
    movie = tmp_path / "played.bk2"
    window.key("ctrl+shift+r")
    window.wait_for_title("Record a movie")
    window.key("ctrl+a")
    window.type(str(movie))
    window.key("Return")
    wait_until(lambda: window.is_gone("Record a movie"), "the dialog to close")
    window.wait_for_title("EmberMoth-Nes-v0")
    window.key("ctrl+p")
    wait_until(window.moves, "the game to move")
    window.hold("Left", 0.6)
    window.hold("Right", 0.6)
    window.key("ctrl+p")
    window.command("stop recording")
    wait_until(movie.is_file, "the movie")
    played = read_movie(movie, movie_consoles())
    pressed = {played.buttons[bit] for bit in range(16) if (played.inputs[:, 0] >> bit & 1).any()}
    assert pressed == {"LEFT", "RIGHT"}
    quit_cleanly(window)


def test_a_killed_core_is_replaced_while_the_window_plays(
    launch: Callable[..., RealWindow], game: Path
) -> None:
    window = launch(game)
    window.wait_for_title("EmberMoth-Nes-v0")
    window.key("ctrl+p")
    wait_until(window.moves, "the game to move")
    # Start states get their pictures from a core of their own, which ends then.
    wait_until(lambda: len(window.workers()) == 1, "the game's core to be the only one")
    (worker,) = window.workers()
    os.kill(worker, signal.SIGSEGV)
    wait_until(lambda: window.workers() not in ([], [worker]), "a new core process")
    wait_until(window.moves, "the game to go on")
    assert window.process.poll() is None
    quit_cleanly(window)


def test_dragging_the_slider_shows_the_past(launch: Callable[..., RealWindow], game: Path) -> None:
    window = launch(game)
    window.wait_for_title("EmberMoth-Nes-v0")
    window.key("ctrl+p")
    wait_until(window.moves, "the game to move")
    window.hold("Right", 2.0)
    window.key("ctrl+p")
    wait_until(lambda: not window.moves(), "the pause")
    now = window.picture()[150:650, 200:700]
    # The slider lies at the left under the picture, a little above the status bar.
    slider = window.window_height() - 100
    window.drag((600, slider), (500, slider), (300, slider), (60, slider))
    wait_until(
        lambda: not np.array_equal(window.picture()[150:650, 200:700], now), "another picture"
    )
    wait_until(lambda: not window.moves(), "the picture to settle")
    quit_cleanly(window)


def test_another_window_lives_on_its_own(launch: Callable[..., RealWindow], game: Path) -> None:
    window = launch(game)
    window.wait_for_title("EmberMoth-Nes-v0")
    window.key("ctrl+shift+n")
    wait_until(lambda: not window.is_gone("^Integrator$"), "another window")
    window.wait_for_title("^Integrator$")
    window.key("ctrl+q")
    wait_until(lambda: window.is_gone("^Integrator$"), "the other window to go")
    quit_cleanly(window)
