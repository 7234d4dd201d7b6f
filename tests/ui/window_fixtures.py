"""Windows for the tests: real widgets, and real cores in real child processes."""

import contextlib
import importlib.util
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from homes import live_in
from leaks import nothing_left
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from real_window import Screen, x_server
from seen_window import SeenWindow
from ui_driver import (
    MOVIE_FRAMES,
    PLAYED_FRAMES,
    PatientQtBot,
    choices,
    choose_again,
    delete_windows,
    open_and_wait,
    put_back,
    step,
    timeline_facts,
)

from integrator import paths
from integrator.app import build_window, write_i_as_english
from integrator.commands.shared.options import airstriker as airstriker_game
from integrator.commands.shared.options import demo_game
from integrator.session.hidden.clips import PictureStore, photograph, picture_key
from integrator.session.opening import plan_session
from integrator.session.scoring.rescorer import Recorded
from integrator.session.session import Session
from integrator.ui.bridge import background
from integrator.ui.bridge.background import Job
from integrator.ui.bridge.garbage import WindowThreadGarbage
from integrator.ui.find.facts import FactsView
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import Theme, ThemeChoice

# The offscreen platform's own screen of 800 x 800 is smaller than any window.
SCREEN = Path(__file__).with_name("screen.json")
os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={SCREEN}")
write_i_as_english()  # as the program does before it makes its application


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's robot, which waits as long as a busy machine may need."""
    assert qapp is QApplication.instance()
    return PatientQtBot(request)


@pytest.fixture(autouse=True)
def held_garbage(qapp: QApplication) -> Iterator[contextlib.ExitStack]:
    """Cycles are collected as in the application, by its timer, also in tests without a window.

    A widget of an earlier test would end the process if it were collected while Qt goes through all
    widgets. Closing the value lets Python collect by itself."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(WindowThreadGarbage.of(qapp).held())
        yield stack


@pytest.fixture(autouse=True)
def no_window_stays(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    """A test deletes its windows: Qt would style a closed one again with each that follows."""
    is_shared = "shared_window" in request.fixturenames
    shared = request.getfixturevalue("shared_window") if is_shared else None
    yield
    left = [each for each in _windows(qapp) if shared is None or each is not shared.now]
    if left:
        delete_windows(qapp, left)
    assert not left, "the test left a window behind; delete_windows deletes it"


def _windows(app: QApplication) -> list[MainWindow]:
    return [each for each in app.topLevelWidgets() if isinstance(each, MainWindow)]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The dark theme on the test's application."""
    before = vars(Theme).get("now")
    theme = Theme(qapp, paths.shipped("resources"), ThemeChoice.DARK)
    yield theme
    theme.deleteLater()
    if before is not None:  # A window that a module shares goes on with its own.
        Theme.now = before


@pytest.fixture
def settings_path(tmp_path: Path) -> Path:
    """The settings file of a test's window."""
    return tmp_path / "config" / "window.ini"


@pytest.fixture(scope="session")
def pictures_of_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of the start states of the games that most tests open."""
    folder = tmp_path_factory.mktemp("pictures")
    store = PictureStore(folder)
    for game in (airstriker_game, demo_game):
        plan = plan_session(game()).hidden()
        states = plan.integration.state_files
        for name, picture, _ in photograph(plan, tuple(plan.integration.states), lambda: False):
            assert picture is not None
            store.keep(picture_key(plan.request, states.data(name)), picture)
    return folder


@pytest.fixture
def seen_games(own_home: Path, pictures_of_games: Path) -> Path:
    """The home of somebody who has opened the games before.

    Otherwise each window starts a second core to draw their start states."""
    _keep_pictures(pictures_of_games)
    return own_home


def _keep_pictures(folder: Path) -> None:
    pictures = paths.user_cache_dir() / "pictures"
    pictures.parent.mkdir(parents=True, exist_ok=True)
    pictures.symlink_to(folder)


@pytest.fixture
def new_window(
    request: pytest.FixtureRequest,
    qapp: QApplication,
    settings_path: Path,
    seen_games: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[], MainWindow]]:
    """Makes windows that are closed, without questions, at the end."""
    if "shared_window" in request.fixturenames:  # Gamepads are of one window.
        request.getfixturevalue("shared_window").delete()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    windows: list[MainWindow] = []
    assert seen_games.is_dir()  # drafts and journals of tests stay in it

    def make() -> MainWindow:
        window = build_window(qapp, settings_path)
        windows.append(window)
        window.show()
        return window

    yield make
    delete_windows(qapp, windows)


class SharedWindow:
    """A window for tests, one after the other; it is made again where there is none."""

    def __init__(self, app: QApplication, settings_path: Path) -> None:
        self._app = app
        self._settings_path = settings_path
        self.now: MainWindow | None = None

    def get(self) -> MainWindow:
        """Return the window; a new one has the first settings."""
        if self.now is None:
            self._settings_path.unlink(missing_ok=True)
            self.now = build_window(self._app, self._settings_path)
            self.now.show()
        return self.now

    def delete(self) -> None:
        """Close the window for good, if there is one."""
        if self.now is not None:
            delete_windows(self._app, [self.now])
            self.now = None


@pytest.fixture(scope="module")
def shared_window(
    qapp: QApplication, pictures_of_games: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedWindow]:
    """The window for all tests of a module that names this fixture in ``pytestmark``.

    Tests that also name ``new_window`` have windows of their own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch, nothing_left():
        live_in(home, patch)
        _keep_pictures(pictures_of_games)
        patch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
        shared = SharedWindow(qapp, home / "window.ini")
        yield shared
        shared.delete()


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window without a game: a new one, or its module's, whose choices come back."""
    names = request.fixturenames
    if "shared_window" not in names or "new_window" in names:
        yield request.getfixturevalue("new_window")()
        return
    shared: SharedWindow = request.getfixturevalue("shared_window")
    window = shared.get()
    before = choices(window)
    yield window
    if not window.isVisible():
        shared.delete()
        return
    put_back(window, qtbot)
    choose_again(before)
    changed = [each.widget for each in before if each.is_left]
    assert not changed, f"choices in the shared window do not come back: {changed}"


@pytest.fixture
def airstriker(tmp_path: Path) -> Path:
    """A copy of the homebrew game that stable-retro ships, with its state and documents."""
    spec = importlib.util.find_spec("stable_retro")
    if spec is None or spec.origin is None:
        pytest.skip("stable-retro is not installed: no cores and no game")
    source = Path(spec.origin).parent / "data" / "stable" / "Airstriker-Genesis-v0"
    return Path(shutil.copytree(source, tmp_path / "Airstriker-Genesis-v0"))


@pytest.fixture
def open_game(window: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """A window with Airstriker in it, paused on the first frame of an episode."""
    open_and_wait(window, qtbot, airstriker)
    return window


@pytest.fixture
def played(open_game: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with some play on the timeline, paused at the last frame, in Review."""

    def play(session: Session) -> None:
        masks = np.repeat(np.random.default_rng(3).integers(0, 512, PLAYED_FRAMES // 10), 10)
        session.run(masks.astype(np.uint16).reshape(-1, 1) & np.uint16(0xFFF7))

    open_game.bridge.ask(play)
    step(open_game, qtbot)
    open_game.use_workspace("review")
    qtbot.waitUntil(lambda: timeline_facts(open_game).length == PLAYED_FRAMES + 2)
    return open_game


@pytest.fixture
def review(window: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """A window that reviews a folder with a movie of ours, a wrong one and a broken one."""
    open_and_wait(window, qtbot, airstriker)

    def record(session: Session) -> None:
        session.record(airstriker / "good.bk2")
        right = 1 << session.system.buttons.index("RIGHT")
        session.advance((right,), frames=MOVIE_FRAMES)
        session.stop_recording()

    window.bridge.ask(record)
    step(window, qtbot)
    shutil.copy(airstriker / "good.bk2", airstriker / "lies.bk2")
    (airstriker / "broken.bk2").write_bytes(b"PK nothing")
    window.use_workspace("review")
    window.parts[MoviesView].list_folder(airstriker)
    qtbot.waitUntil(lambda: window.parts[MoviesView].model.rowCount() == 3)
    return window


@pytest.fixture
def facts(open_game: MainWindow, qtbot: QtBot) -> FactsView:
    """The Facts panel of Airstriker with a hundred frames behind it."""
    open_game.use_workspace("find")
    open_game.docks.all["facts"].raise_()
    shown: list[object] = []
    open_game.bridge.ask(lambda session: session.advance(frames=100), shown.append)
    qtbot.waitUntil(lambda: bool(shown))
    step(open_game, qtbot)
    timeline = open_game.screen_panel.timeline
    qtbot.waitUntil(lambda: timeline.facts is not None and timeline.facts.length > 100)
    return open_game.parts[FactsView]


@pytest.fixture
def held_scoring(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Recorded frames begin to be scored again, and go on once the event is set."""
    step, go_on = Recorded.step, threading.Event()

    def held(recorded: Recorded, due_s: float) -> None:
        step(recorded, due_s if go_on.is_set() else 0.0)

    monkeypatch.setattr(Recorded, "step", held)
    yield go_on
    go_on.set()


@pytest.fixture
def held_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of panels that reported two steps or more go on only once they are stopped."""

    class HeldJob(Job):
        def __init__(
            self, progress: Callable[[int, int], None], give: Callable[[object], None]
        ) -> None:
            def hold(done: int, total: int) -> None:
                progress(done, total)
                while done >= 2 and not self.stopped():
                    time.sleep(0.01)

            super().__init__(hold, give)

    monkeypatch.setattr(background, "Job", HeldJob)


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Screen:
    """The screen of ``at_screen``; tests choose another with indirect parameters."""
    chosen = getattr(request, "param", Screen())
    assert isinstance(chosen, Screen)
    return chosen


@pytest.fixture
def at_screen(tmp_path: Path, screen: Screen) -> Iterator[Callable[..., SeenWindow]]:
    """Starts the program on an X server of the test's own, with an empty home, for a person."""
    started: list[SeenWindow] = []
    folder = tmp_path / "screen"
    folder.mkdir()
    with x_server(folder, screen) as (display, pixels):

        def start(*arguments: object) -> SeenWindow:
            texts = map(str, arguments)
            started.append(SeenWindow(display, pixels, tmp_path, *texts, scale=screen.scale))
            return started[-1]

        yield start
        for window in started:
            window.keep_picture(f"end-{tmp_path.name}")
            window.end()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns of window features that it lacks; a real one has them."""
    ignored = pytest.mark.qt_log_ignore(
        r"This plugin does not support (propagateSizeHints\(\)|raise\(\)|grabbing the keyboard)"
    )
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(ignored)
