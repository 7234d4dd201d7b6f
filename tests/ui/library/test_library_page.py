"""The library: listing, finding and opening games, and the dialog that imports ROM folders."""

import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait

from integrator import paths
from integrator.domain.errors import DocumentError
from integrator.session.library.entries import LibraryEntry
from integrator.session.setup.roots import RootKind
from integrator.ui.library import library_controller
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.library.library_view import LibraryView, rank
from integrator.ui.shell.main_window import MainWindow

DEMO = "EmberMoth-Nes-v0"


@pytest.fixture
def pictures_of_games(tmp_path: Path) -> Path:
    """Nobody has opened a game before."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    return folder


@pytest.fixture
def library(window: MainWindow, qtbot: QtBot) -> LibraryView:
    """The page of a window without a game, filled."""
    view = window.welcome.library
    qtbot.waitUntil(lambda: view.system.count() > 1)
    return view


def names(view: LibraryView) -> list[str]:
    """The listed names, in order."""
    return [view.model.at(row).name for row in range(view.model.rowCount())]


def entry(view: LibraryView, name: str, kind: RootKind) -> LibraryEntry:
    """One entry, listed or not."""
    return next(e for e in view.model.all.values() if e.name == name and e.kind is kind)


def choose(view: LibraryView, name: str) -> None:
    """Search for a game and press Enter in the field."""
    QTest.keyClicks(view.field, name)
    assert names(view)[0] == name
    QTest.keyClick(view.field, Qt.Key.Key_Return)


def test_the_library_lists_every_known_integration(library: LibraryView) -> None:
    listed = names(library)
    assert len(listed) > 1000
    assert DEMO in listed
    assert entry(library, "Airstriker-Genesis-v0", RootKind.STABLE).states == 1
    # Games that can be played stand in front.
    assert set(listed[:2]) == {DEMO, "Airstriker-Genesis-v0"}


def test_words_letters_and_filters_narrow_it_down(library: LibraryView) -> None:
    QTest.keyClicks(library.field, "sonic hedge")
    assert names(library)
    assert all("sonic" in name.lower() for name in names(library))
    library.field.clear()
    QTest.keyClicks(library.field, "airstrkr")
    assert names(library) == ["Airstriker-Genesis-v0"]
    library.field.clear()
    library.system.setCurrentIndex(library.system.findData("Nes"))
    library.system.activated.emit(library.system.currentIndex())
    assert all(name.endswith(("-Nes-v0", "-Nes")) or "-Nes-" in name for name in names(library))
    QTest.mouseClick(library.roms.button(1), Qt.MouseButton.LeftButton)
    assert names(library) == [DEMO]
    QTest.keyClicks(library.field, "qqqq")
    assert names(library) == []
    assert not library.grid.isVisible()


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [("mario", "Mario Bros", "Super Mario Bros"), ("smb", "Sumb", "Super Mario Bros")],
)
def test_hits_at_the_front_come_first(query: str, better: str, worse: str) -> None:
    first, second = rank(query, better), rank(query, worse)
    assert first is not None
    assert second is None or first < second


def test_enter_opens_a_game_and_its_picture_is_made(
    window: MainWindow, library: LibraryView, qtbot: QtBot
) -> None:
    model = library.model
    demo = entry(library, DEMO, RootKind.SHIPPED)

    def picture() -> Path | None:
        assert demo in model.rows
        return model.pictures.get(demo.directory)

    qtbot.waitUntil(lambda: picture() is not None)
    image = QImage(str(picture()))
    assert image.width() == 240
    assert len({image.pixel(x, y) for x in range(0, 240, 8) for y in range(0, 224, 8)}) > 4
    with qtbot.waitSignal(window.bridge.frame_ready):
        choose(library, DEMO)
    assert window.controller.game is not None
    assert window.controller.game.directory == demo.directory
    assert not library.isVisible()


def test_the_down_key_goes_from_the_field_into_the_tiles(
    library: LibraryView,
) -> None:
    QTest.keyClicks(library.field, "sonic")
    QTest.keyClick(library.field, Qt.Key.Key_Down)
    assert library.grid.hasFocus()
    assert [index.row() for index in library.grid.selectedIndexes()] == [0]
    QTest.keyClicks(library.grid, "2")
    assert library.field.text() == "sonic2"


def test_a_game_without_rom_offers_the_import(window: MainWindow, library: LibraryView) -> None:
    choose(library, "SonicTheHedgehog-Genesis-v0")
    assert "has no ROM yet" in banners(window)[0]
    banner = window.screen_panel.notices.banners()[0]
    remedy = next(b for b in banner.findChildren(QPushButton) if "Import" in b.text())
    QTest.mouseClick(remedy, Qt.MouseButton.LeftButton)
    dialog = window.parts[LibraryController].import_roms()
    assert dialog.isVisible()
    dialog.close()


def test_games_in_sight_get_lint_marks(window: MainWindow, qtbot: QtBot, own_home: Path) -> None:
    mine = paths.user_integrations_dir() / "Broken-Nes-v0"
    mine.mkdir(parents=True)
    (mine / "data.json").write_text('{"info": {"score": {"address": 1, "type": "x9"}}}')
    assert own_home in mine.parents
    window.parts[LibraryController].refresh()
    library = window.welcome.library
    model = library.model
    qtbot.waitUntil(lambda: mine in model.all)

    def errors() -> int:
        mark = model.marks.get(mine)
        return mark.errors if mark is not None else 0

    # A game out of sight, here because it has no ROM, is not checked until the user finds it.
    qtbot.waitUntil(lambda: bool(model.marks))
    assert mine not in model.marks
    library.field.setText("Broken")
    qtbot.waitUntil(lambda: errors() > 0)
    before = errors()
    (mine / "data.json").write_text('{"info": {}}')
    window.parts[LibraryController].refresh()
    qtbot.waitUntil(lambda: errors() < before)


def test_marks_that_wait_for_a_scan_that_fails_are_made_later(
    window: MainWindow, library: LibraryView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, marks, turn = window.parts[LibraryController], library.model.marks, Event()
    qtbot.waitUntil(lambda: bool(marks) and not controller._background.busy)

    def fail(*_: object) -> Iterator[list[LibraryEntry]]:
        raise DocumentError("a folder that cannot be read")

    controller._background.start(lambda _: turn.wait(120))
    marks.clear()
    controller._linted.clear()
    controller._look_at_tiles()
    monkeypatch.setattr(library_controller, "scan_library", fail)
    controller.refresh()
    turn.set()
    qtbot.waitUntil(lambda: "cannot be read" in "".join(banners(window)))
    library.grid.verticalScrollBar().setValue(1)
    qtbot.waitUntil(lambda: bool(marks))


def test_ctrl_l_shows_the_library_over_a_game_and_escape_returns(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_and_wait(window, qtbot, airstriker)
    panel = window.screen_panel
    window.actions_by_key["library"].trigger()
    assert panel.welcome.isVisible()
    QTest.keyClick(window.welcome.library.field, Qt.Key.Key_Escape)
    assert panel.game_screen.isVisible()
    assert window.bridge.is_open


def test_roms_are_imported_with_reasons_for_misses(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, airstriker: Path, own_home: Path
) -> None:
    roms = tmp_path / "roms"
    roms.mkdir()
    with zipfile.ZipFile(roms / "some.zip", "w") as archive:
        archive.write(airstriker / "rom.md", "strike.bin")
    shutil.copy(paths.shipped("cores") / "systems" / "Nes.json", roms / "notes.txt")
    (roms / "odd.nes").write_bytes(b"NES\x1a" + bytes(100))
    dialog = window.parts[LibraryController].import_roms()
    dialog.take([roms])
    QTest.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.background.busy)
    target = paths.user_integrations_dir() / "Airstriker-Genesis-v0"
    assert own_home in target.parents
    assert (target / "rom.md").read_bytes() == (airstriker / "rom.md").read_bytes()
    assert (target / "Level1.state").is_file()

    def rows() -> dict[str, tuple[str, ...]]:
        cells = (
            [dialog.model.index(row, at).data() for at in range(4)]
            for row in range(dialog.model.rowCount())
        )
        return {file: (outcome, details) for outcome, file, _, details in cells}

    assert "notes.txt" not in rows()
    dialog.only_games.setChecked(False)
    assert rows()["some.zip!strike.bin"][0] == "imported"
    assert rows()["odd.nes"][0] == "missed"
    assert "no integration names this dump" in rows()["odd.nes"][1]
    assert rows()["notes.txt"][0] == "no game"
    dialog.close()
    view = window.welcome.library
    qtbot.waitUntil(lambda: any(e.kind is RootKind.MINE and e.rom for e in view.model.all.values()))


def test_an_import_can_be_stopped(
    new_window: Callable[[], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = new_window()
    roms = tmp_path / "many"
    roms.mkdir()
    for number in range(400):  # sparse: they take no room, but time to be read
        with (roms / f"{number:03}.nes").open("wb") as stream:
            stream.truncate(16 << 20)
    dialog = window.parts[LibraryController].import_roms()
    dialog.take([roms])
    QTest.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 3)
    QTest.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.background.busy)
    assert dialog.model.rowCount() < 400
    assert "stopped" in dialog.summary.text()
    dialog.close()


@pytest.mark.parametrize("way", ["close", "Escape", "title bar"])
def test_the_import_dialog_closes_and_gives_the_keys_back(
    window: MainWindow, qtbot: QtBot, way: str
) -> None:
    page = window.parts[LibraryController]
    dialog = page.import_roms()
    qtbot.waitUntil(dialog.isVisible)
    gone: list[object] = []
    dialog.destroyed.connect(lambda: gone.append(way))
    if way == "close":
        QTest.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
    elif way == "Escape":
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        dialog.windowHandle().close()
    qtbot.waitUntil(lambda: bool(gone))
    assert QApplication.activeModalWidget() is None
    again = page.import_roms()
    assert again.isVisible()
    again.reject()


def test_an_import_that_runs_ends_after_its_dialog_was_closed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for number in range(400):  # sparse: they take no room, but time to be read
        with (tmp_path / f"{number:03}.nes").open("wb") as stream:
            stream.truncate(16 << 20)
    dialog = window.parts[LibraryController].import_roms()
    dialog.take([tmp_path])
    gone: list[str] = []
    dialog.destroyed.connect(lambda: gone.append("gone"))
    QTest.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 3)
    QTest.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: bool(gone))


def test_the_library_over_a_game_leads_back_to_it(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    welcome, stage = window.welcome, window.screen_panel.stage
    assert welcome.heading.text() == "Open a game to begin"
    assert not welcome.back.isVisible()
    open_and_wait(window, qtbot, airstriker)
    window.actions_by_key["library"].trigger()
    assert stage.currentWidget() is welcome
    assert "begin" not in welcome.heading.text()
    assert airstriker.name in welcome.back.text()
    spoken = QAccessible.queryAccessibleInterface(welcome.back).text(QAccessible.Text.Name)
    assert spoken == welcome.back.text()
    QTest.mouseClick(welcome.back, Qt.MouseButton.LeftButton)
    assert stage.currentWidget() is window.screen_panel.game_screen
    window.bridge.close_game()
    assert welcome.heading.text() == "Open a game to begin"
    assert welcome.back.isHidden()
