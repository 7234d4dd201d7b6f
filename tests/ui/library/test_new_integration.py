"""New integrations: written in the background, of known and zipped ROMs, cleanly named."""

import shutil
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import banners

from integrator import paths
from integrator.domain.errors import SaveError, SessionError
from integrator.domain.integration.files import Integration
from integrator.session.library.entries import make_integration
from integrator.session.library.rom_import import examine
from integrator.session.setup.roots import systems
from integrator.ui.library import new_integration
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.shell.main_window import MainWindow


@dataclass
class SlowDisk:
    """Stands in for make_integration: begins, and goes on when it may."""

    begun: threading.Event = field(default_factory=threading.Event)
    may_go_on: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)
    fails: bool = False

    def create(self, *arguments: Any, sure: bool) -> Integration:
        self.threads.append(threading.current_thread())
        self.begun.set()
        self.may_go_on.wait()
        if self.fails:
            raise SaveError("no room left; choose another folder")
        return make_integration(*arguments, sure=sure)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDisk]:
    slow = SlowDisk()
    monkeypatch.setattr(new_integration, "make_integration", slow.create)
    yield slow
    slow.may_go_on.set()


@pytest.fixture
def dialog(
    window: MainWindow, disk: SlowDisk, tmp_path: Path, qtbot: QtBot
) -> NewIntegrationDialog:
    """The dialog, in the middle of making an integration."""
    rom = tmp_path / "Moth.nes"
    shutil.copy(paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes", rom)
    window.parts[FileCommands].new_integration(rom)
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    dialog.root.setText(str(tmp_path / "mine"))
    QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(disk.begun.is_set)
    return dialog


def test_the_window_goes_on_while_a_rom_is_copied(
    window: MainWindow, qtbot: QtBot, dialog: NewIntegrationDialog, disk: SlowDisk, tmp_path: Path
) -> None:
    # The click has come back although the disk has not.
    assert disk.threads != [threading.current_thread()]
    assert dialog.isVisible()
    assert dialog.bar.isVisible()
    assert "Moth.nes" in dialog.plan.text()
    assert not dialog.make.isEnabled()
    assert not dialog.name.isEnabled()
    with qtbot.waitSignal(window.bridge.opened):
        disk.may_go_on.set()
    assert not dialog.isVisible()
    assert window.controller.game is not None
    assert window.controller.game.directory == tmp_path / "mine" / "Moth-Nes"


def test_cancelled_while_copying_nothing_stays(
    window: MainWindow, qtbot: QtBot, dialog: NewIntegrationDialog, disk: SlowDisk, tmp_path: Path
) -> None:
    opened: list[object] = []
    dialog.created.connect(opened.append)
    dialog.reject()
    assert not dialog.isVisible()
    disk.may_go_on.set()
    done: list[object] = []
    window.bridge.in_background(lambda: None, done.append)  # comes after it
    qtbot.waitUntil(lambda: bool(done))
    assert (tmp_path / "mine").is_dir()  # so it was written
    assert not list((tmp_path / "mine").iterdir())
    assert opened == []


def test_a_failure_is_shown_and_can_be_put_right(
    window: MainWindow, qtbot: QtBot, dialog: NewIntegrationDialog, disk: SlowDisk
) -> None:
    disk.fails = True
    disk.may_go_on.set()
    qtbot.waitUntil(lambda: "no room left" in dialog.problem.text())
    assert dialog.isVisible()
    assert not dialog.bar.isVisible()
    assert dialog.name.isEnabled()
    disk.fails = False
    with qtbot.waitSignal(window.bridge.opened):
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)


@pytest.mark.usefixtures("own_home")
def test_a_zip_is_unpacked_also_when_nobody_looked_into_it_before(tmp_path: Path) -> None:
    rom = paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes"
    packed = tmp_path / "Moth.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(rom, "Moth.nes")
    with pytest.raises(SessionError, match="this is a game of Nintendo Entertainment System"):
        make_integration(packed, tmp_path / "mine", "Moth-Genesis", "Genesis", systems())
    made = make_integration(packed, tmp_path / "mine", "Moth-Nes", "Nes", systems())
    assert made.rom == tmp_path / "mine" / "Moth-Nes" / "rom.nes"
    assert made.rom.read_bytes() == rom.read_bytes()


def test_a_game_that_does_not_run_leaves_no_directory(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = tmp_path / "Broken.nes"
    rom.write_bytes(bytes(64))
    dialog = dialog_with(window, rom)
    dialog.root.setText(str(tmp_path / "mine"))
    qtbot.waitUntil(dialog.make.isEnabled)
    with qtbot.waitSignal(window.bridge.open_failed):
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    assert banners(window)[0].startswith("Broken-Nes was not made: ")
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_new_integration_gets_a_clean_name_and_its_files(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = tmp_path / "Legend of Foo, The (U) [!].nes"
    rom.write_bytes(b"NES\x1a" + bytes(12) + bytes(range(256)) * 64)
    dialog = NewIntegrationDialog(window.context, rom)
    dialog.root.setText(str(tmp_path / "games"))
    assert dialog.system.currentData() == "Nes"
    assert dialog.name.text().startswith("LegendOfFoo-Nes")
    with qtbot.waitSignal(dialog.created) as made:
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    assert made.args is not None
    directory = made.args[0]
    names = {path.name for path in directory.iterdir()}
    assert {"rom.nes", "rom.sha", "data.json", "scenario.json"} <= names
    again = NewIntegrationDialog(window.context, rom)
    assert not again.make.isEnabled()
    assert "exists already" in again.problem.text()


def test_the_dialog_says_what_is_wrong_with_a_name(window: MainWindow, tmp_path: Path) -> None:
    rom = tmp_path / "game.nes"
    rom.write_bytes(bytes(64))
    dialog = NewIntegrationDialog(window.context, rom)
    dialog.name.clear()
    QTest.keyClicks(dialog.name, "a/b")
    assert not dialog.make.isEnabled()
    assert "a/b" in dialog.problem.text()


def dialog_with(window: MainWindow, rom: Path) -> NewIntegrationDialog:
    """The dialog with a ROM in it."""
    window.actions_by_key["new_integration"].trigger()
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    dialog.rom.setText(str(rom))
    return dialog


def test_a_known_rom_opens_the_game_that_there_is(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, airstriker: Path
) -> None:
    rom = Path(shutil.copy(airstriker / "rom.md", tmp_path / "Some Shooter (U).md"))
    dialog = dialog_with(window, rom)
    qtbot.waitUntil(dialog.known.isVisible)
    assert "Airstriker-Genesis-v0" in dialog.known_text.text()
    assert "training uses" in dialog.core.text()
    with qtbot.waitSignal(window.bridge.opened):
        QTest.mouseClick(dialog.take_known, Qt.MouseButton.LeftButton)
    assert window.controller.game is not None
    assert window.controller.game.name == "Airstriker-Genesis-v0"


def test_a_zipped_rom_becomes_an_integration(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = (paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes").read_bytes()
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        archive.writestr("Night Flight (E).nes", rom[:-1] + bytes([rom[-1] ^ 1]))
    dialog = dialog_with(window, tmp_path / "download.zip")
    qtbot.waitUntil(lambda: dialog.name.text() == "NightFlight-Nes")
    assert dialog.known.isHidden()
    dialog.root.setText(str(tmp_path / "mine"))
    with qtbot.waitSignal(window.bridge.opened):
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    made = tmp_path / "mine" / "NightFlight-Nes" / "rom.nes"
    assert made.read_bytes()[:-1] == rom[:-1]


def test_a_rom_of_several_systems_waits_for_the_choice(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rom = tmp_path / "Odd Game.bin"
    rom.write_bytes(bytes(4096))
    looks: list[object] = []

    def look(*arguments: Any) -> object:
        looks.append(arguments)
        return examine(*arguments)

    monkeypatch.setattr(new_integration, "examine", look)
    dialog = NewIntegrationDialog(window.context, rom)
    dialog.show()
    qtbot.waitUntil(lambda: len(looks) == 1)
    assert dialog.problem.text() == "Odd Game.bin: choose the system that it is a game of"
    assert not dialog.make.isEnabled()
    dialog.system.setFocus()
    QTest.keyClicks(dialog.system, "Atari 26")
    qtbot.waitUntil(lambda: len(looks) > 1)
    qtbot.waitUntil(lambda: dialog.name.text() == "OddGame-Atari2600")
    assert dialog.problem.text() == ""
    assert dialog.make.isEnabled()


def test_the_next_new_integration_offers_the_last_folder(
    window: MainWindow, qtbot: QtBot, dialog: NewIntegrationDialog, disk: SlowDisk, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.bridge.opened):
        disk.may_go_on.set()
    dialog.deleteLater()
    qtbot.waitUntil(lambda: window.findChild(NewIntegrationDialog) is not dialog)
    window.actions_by_key["new_integration"].trigger()
    again = window.findChild(NewIntegrationDialog)
    assert isinstance(again, NewIntegrationDialog)
    assert again.root.text() == str(tmp_path / "mine")
    again.reject()
