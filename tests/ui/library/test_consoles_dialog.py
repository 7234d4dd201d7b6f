"""The Consoles dialog: a console of one's own, drafted, edited, tried, saved and shared."""

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QMessageBox,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
)
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, step

from integrator import paths
from integrator.session.library.consoles.own_consoles import OfferedCore, save_console
from integrator.ui.library.consoles.consoles_dialog import ConsolesDialog
from integrator.ui.shell.main_window import MainWindow
from libretro_host.host import CoreOption
from scripts.campaign import toys


@pytest.fixture(scope="module")
def cores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two toy cores: one that names its buttons, and one with options."""
    folder = tmp_path_factory.mktemp("cores")
    toys.build_toycore(folder, name="gltoy")
    toys.build_toycore(folder)
    (folder / "gltoy_libretro.info").write_text('systemname = "Toy Box/Color"\n')
    return folder


@pytest.fixture
def dialog(
    cores: Path, monkeypatch: pytest.MonkeyPatch, window: MainWindow, qtbot: QtBot
) -> ConsolesDialog:
    """The open dialog, in a window that finds the toy cores."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(cores))
    window.actions_by_key["consoles"].trigger()
    dialog = window.findChild(ConsolesDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def drafted(dialog: ConsolesDialog, qtbot: QtBot, core: str, game: Path) -> None:
    """Draft a console from a core and a game, which is tried then."""
    for row in range(dialog.source.count()):
        offered = dialog.source.itemData(row)
        if isinstance(offered, OfferedCore) and offered.name == core:
            dialog.source.setCurrentIndex(row)
            dialog.source.activated.emit(row)
    dialog.game.setText(str(game))
    dialog.draft.click()
    qtbot.waitUntil(lambda: not dialog.background.busy and tried(dialog, 0) != "")


def choose(dialog: ConsolesDialog, path: Path) -> int:
    """Choose a console of the user's as a click does; its row."""
    row = next(at for at in range(dialog.source.count()) if dialog.source.itemData(at) == path)
    dialog.source.setCurrentIndex(row)
    dialog.source.activated.emit(row)
    return row


def tried(dialog: ConsolesDialog, row: int) -> str:
    """The word about a button that was tried."""
    item = dialog.form.buttons.item(row, 3)
    return item.text() if item is not None else ""


def rename_button(dialog: ConsolesDialog, row: int, name: str) -> None:
    item = dialog.form.buttons.item(row, 1)
    assert item is not None
    item.setText(name)


def test_a_console_is_drafted_tried_edited_saved_and_opened(
    dialog: ConsolesDialog,
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = tmp_path / "game.gltoy"
    game.write_text("width=64\n")
    assert not dialog.save.isEnabled()
    drafted(dialog, qtbot, "gltoy", game)
    assert dialog.form.name.text() == "ToyBoxColor"
    assert not dialog.trial.picture.pixmap().isNull()
    assert dialog.trial.memory.rowCount() == 1
    assert "States are exact." in dialog.trial.words.text()
    assert "stable-retro does not ship this core" in dialog.trial.words.text()
    assert (tried(dialog, 0), tried(dialog, 1)) == ("answers", "")

    dialog.form.name.setText("Box of toys")
    dialog.form.edited.emit()
    assert "$.system" in dialog.note.text()
    assert not dialog.save.isEnabled()
    dialog.form.name.setText("Toys")
    rename_button(dialog, 0, "HOP")
    dialog.form.work_ram.setText("0x0 64")
    dialog.form.edited.emit()
    dialog.save.click()
    value = json.loads((paths.user_systems_dir() / "Toys.json").read_text())
    assert value["joypad"][0] == {"button": "HOP", "key": "Z"}
    assert value["actions"][2][1] == ["HOP"]
    assert value["memory"] == {"base": "0x0", "work_ram": {"address": "0x0", "bytes": 64}}
    assert "was saved" in dialog.note.text()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "Game…").click()
    assert "was saved" in dialog.note.text()  # also after a question that was cancelled
    assert "Toys" in window.context.systems
    dialog.close()
    qtbot.waitUntil(lambda: window.findChild(ConsolesDialog) is None)
    window.open_path(game)
    qtbot.waitUntil(lambda: window.bridge.is_open)


@pytest.mark.parametrize(("memory", "said"), [("none", 1), ("system", 0)])
def test_a_game_on_a_core_without_memory_says_so(
    cores: Path,
    monkeypatch: pytest.MonkeyPatch,
    window: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    memory: str,
    said: int,
) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(cores))
    toys.describe_toy()
    game = tmp_path / "game.toy"
    game.write_text(f"memory={memory}\n")
    open_and_wait(window, qtbot, game)
    words = "toycore shows no memory: its games have no variables to find or score by."
    assert banners(window).count(words) == said
    step(window, qtbot, 3)
    with qtbot.waitSignal(window.bridge.frame_ready):
        window.actions_by_key["step_back"].trigger()


def test_a_saved_console_is_edited_and_options_are_marked(
    dialog: ConsolesDialog, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game.toy"
    game.write_text("# as it is\n")
    drafted(dialog, qtbot, "toycore", game)
    box = dialog.form.options.cellWidget(0, 1)
    note = dialog.form.options.item(0, 2)
    assert isinstance(box, QComboBox)
    assert note is not None
    default = box.currentText()
    other = next(box.itemText(at) for at in range(box.count()) if box.itemText(at) != default)
    assert note.text() == ""
    box.setCurrentText(other)
    note = dialog.form.options.item(0, 2)
    assert note is not None
    assert note.text() == f"in training: {default}"
    dialog.form.name.setText("Ours")
    dialog.form.title.setText("Our console")
    dialog.save.click()
    path = paths.user_systems_dir() / "Ours.json"
    key = box.currentData()
    assert json.loads(path.read_text())["cores"] == [{"core": "toycore", "options": {key: other}}]

    assert dialog.source.currentData() == path
    dialog.form.title.setText("Not saved")
    choose(dialog, path)
    assert dialog.form.title.text() == "Our console"
    shared = tmp_path / "shared.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(shared), ""))
    dialog.export.click()
    assert json.loads(shared.read_text()) == json.loads(path.read_text())


@pytest.fixture
def senseless(own_home: Path) -> Path:
    """A console of the user's whose values have other types than a console's."""
    path = paths.user_systems_dir() / "Senseless.json"
    assert path.is_relative_to(own_home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"system": "Senseless", "cores": [5], "joypad": 5}')
    return path


def test_a_console_that_makes_no_sense_is_named_and_harms_no_other(
    senseless: Path, dialog: ConsolesDialog
) -> None:
    assert str(senseless) in dialog.note.text()
    assert dialog.note.property("role") == "bad"
    row = choose(dialog, senseless)
    assert dialog.source.itemText(row) == "console Senseless: makes no sense"
    assert str(senseless) in dialog.note.text()
    assert dialog.form.name.text() == ""
    assert not dialog.save.isEnabled()
    assert dialog.source.count() > row + 1


@pytest.fixture
def sound(own_home: Path) -> Path:
    """A saved console of the user's."""
    value = json.loads((paths.shipped("cores") / "systems" / "Nes.json").read_text())
    path = paths.user_systems_dir() / "Ours.json"
    assert path.is_relative_to(own_home)
    save_console(value | {"system": "Ours", "content": {"extensions": ["ours"]}}, path)
    return path


def test_a_saved_console_is_removed_after_a_question(
    sound: Path,
    senseless: Path,
    dialog: ConsolesDialog,
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "Ours" in window.context.systems
    assert not dialog.remove.isEnabled()
    choose(dialog, sound)
    assert dialog.form.name.text() == "Ours"
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes]
    asked: list[str] = []

    def answer(*arguments: object) -> QMessageBox.StandardButton:
        asked.append(str(arguments[2]))
        return answers.pop(0)

    monkeypatch.setattr(QMessageBox, "question", answer)
    dialog.remove.click()
    assert sound.is_file()
    dialog.remove.click()
    assert not sound.exists()
    assert [str(sound) in text for text in asked] == [True, True]
    assert "was removed" in dialog.note.text()
    assert "Ours" not in window.context.systems
    assert dialog.form.name.text() == ""
    assert not dialog.remove.isEnabled()
    assert not dialog.save.isEnabled()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    choose(dialog, senseless)
    dialog.remove.click()
    assert not senseless.exists()
    dialog.form.edited.emit()
    assert dialog.note.text() == ""


def test_options_are_marked_by_the_rule_of_training(
    dialog: ConsolesDialog,
) -> None:
    value = json.loads((paths.shipped("cores") / "systems" / "Sms.json").read_text())
    dialog.form.show_value(value | {"system": "Mine"})
    key = "genesis_plus_gx_bram"
    option = CoreOption(key, "BRAM", ("per bios", "per game"), "per bios", "per bios")
    dialog.form.show_options([option])
    note, box = dialog.form.options.item(0, 2), dialog.form.options.cellWidget(0, 1)
    assert isinstance(box, QComboBox)
    assert note is not None
    assert (box.currentText(), note.text()) == ("per game", "")
    box.setCurrentText("per bios")
    note = dialog.form.options.item(0, 2)
    assert note is not None
    assert note.text() == "in training: per game"


def test_a_core_that_crashes_is_told_in_words(
    dialog: ConsolesDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    game = tmp_path / "game.toy"
    game.write_text("crash_at=2\n")
    for row in range(dialog.source.count()):
        offered = dialog.source.itemData(row)
        if isinstance(offered, OfferedCore) and offered.name == "toycore":
            dialog.source.setCurrentIndex(row)
            dialog.source.activated.emit(row)
    dialog.game.setText(str(game))
    dialog.draft.click()
    qtbot.waitUntil(lambda: not dialog.background.busy and "crash" in dialog.note.text())


def test_the_window_closes_while_a_game_is_tried(
    dialog: ConsolesDialog, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    game = tmp_path / "game.toy"
    game.write_text("# as it is\n")
    drafted(dialog, qtbot, "toycore", game)
    dialog.try_button.click()
    assert dialog.background.busy
    window.close()


def test_the_name_of_a_core_is_whole(dialog: ConsolesDialog) -> None:
    option = QStyleOptionComboBox()
    dialog.source.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = dialog.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, part, dialog.source
    )
    metrics = dialog.source.fontMetrics()
    assert (
        metrics.horizontalAdvance("core fceumm, the stable-retro package: runs Nes") <= room.width()
    )
