"""Games of several files in the window: asked for, dropped, opened, and kept as an integration."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import step

from integrator.domain.integration.naming import SubsystemList
from integrator.session.library.consoles import core_rows
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.library.consoles.core_rows import SubsystemChoice
from integrator.ui.library.dialogs import DraftsDialog
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.shell.files.path_opener import PathOpener, SeveralFilesDialog
from integrator.ui.shell.main_window import MainWindow
from libretro_host.subsystems import Subsystem, SubsystemFile
from scripts.campaign import toys

FURTHER = slice(30, 32)
"""First bytes of the second and the third file, in toycore's RAM."""


@pytest.fixture
def toy_window(toy_pair: list[Path], new_window: Callable[[], MainWindow]) -> MainWindow:
    """A window that knows the toy console."""
    assert toy_pair
    return new_window()


def asked(window: MainWindow, qtbot: QtBot) -> SeveralFilesDialog:
    """The dialog, once the cores have told their kinds of games."""
    dialog = window.findChild(SeveralFilesDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.kind.count() > 0)
    return dialog


def choose_kind(dialog: SeveralFilesDialog, words: str) -> None:
    row = next(at for at in range(dialog.kind.count()) if words in dialog.kind.itemText(at))
    dialog.kind.setCurrentIndex(row)


def drop(target: MainWindow | SeveralFilesDialog, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    where, nothing = QPointF(50, 50), Qt.KeyboardModifier.NoModifier
    target.dropEvent(
        QDropEvent(where, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, nothing)
    )


def further(window: MainWindow, qtbot: QtBot) -> bytes:
    found: list[bytes] = []
    window.bridge.ask(lambda session: bytes(session.memory.ram[FURTHER]), found.append)
    qtbot.waitUntil(lambda: bool(found))
    return found[0]


def test_files_are_chosen_opened_and_kept(
    toy_window: MainWindow,
    toy_pair: list[Path],
    qtbot: QtBot,
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = toy_window
    window.actions_by_key["open_several"].trigger()
    dialog = asked(window, qtbot)
    choose_kind(dialog, "Toy pair")
    assert [field.accessibleName() for field in dialog.fields] == [
        "Base (.toy .txt)", "Text (.txt)", "Third (.txt)",
    ]  # fmt: skip
    assert "can be left out" in dialog.fields[2].placeholderText()
    assert dialog.problem.text() == "Choose a file for Base (.toy .txt)."
    filters: list[str] = []
    for field, file in zip(dialog.fields[:2], toy_pair[:2], strict=True):

        def answer(*told: object, file: Path = file) -> tuple[str, str]:
            filters.append(str(told[3]))
            return str(file), ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
        holder = field.parentWidget()
        assert holder is not None
        button = holder.findChild(QPushButton)
        assert isinstance(button, QPushButton)
        assert not dialog.open_button.isEnabled()
        button.click()
    assert filters == ["Base (*.toy *.txt);;All files (*)", "Text (*.txt);;All files (*)"]
    with qtbot.waitSignal(window.bridge.frame_ready):
        dialog.open_button.click()
    assert further(window, qtbot) == b"S\0"
    window.actions_by_key["save"].trigger()
    new = window.findChild(NewIntegrationDialog)
    assert isinstance(new, NewIntegrationDialog)
    assert (new.system.currentData(), new.name.text()) == (toys.SYSTEM, "Base-Toy")
    new.root.setText(str(own_home / "root"))
    assert "with rom.subsystem," in new.plan.text()
    with qtbot.waitSignal(window.controller.game_kept):
        new.make.click()
    kept = own_home / "root" / "Base-Toy"
    listed = SubsystemList.read(kept / "rom.subsystem")
    assert listed == SubsystemList("Toy", "pair", (kept / "part1.toy", kept / "part2.txt", None))
    for file in toy_pair:
        file.unlink()
    with qtbot.waitSignal(window.bridge.opened):
        window.open_path(kept)
    step(window, qtbot)
    assert further(window, qtbot) == b"S\0"


def test_dropped_files_find_their_places(
    toy_window: MainWindow, toy_pair: list[Path], qtbot: QtBot
) -> None:
    base, second, third = toy_pair
    drop(toy_window, second, base, third)
    qtbot.waitUntil(lambda: toy_window.findChild(SeveralFilesDialog) is not None)
    dialog = asked(toy_window, qtbot)
    assert "Toy pair" in dialog.kind.currentText()
    assert [field.text() for field in dialog.fields] == list(map(str, toy_pair[:1] + toy_pair[1:]))
    with qtbot.waitSignal(toy_window.bridge.frame_ready):
        dialog.open_button.click()
    assert further(toy_window, qtbot) == b"ST"


def test_a_dropped_list_opens(toy_window: MainWindow, toy_pair: list[Path], qtbot: QtBot) -> None:
    path = toy_pair[0].with_name("game.subsystem")
    path.write_bytes(SubsystemList(toys.SYSTEM, "pair", tuple(toy_pair)).to_bytes())
    with qtbot.waitSignal(toy_window.bridge.frame_ready):
        drop(toy_window, path)
    assert further(toy_window, qtbot) == b"ST"


def test_a_list_is_among_the_files_to_open(
    toy_window: MainWindow, toy_pair: list[Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = toy_pair[0].with_name("game.subsystem")
    path.write_bytes(SubsystemList(toys.SYSTEM, "pair", tuple(toy_pair)).to_bytes())
    told: list[str] = []

    def answer(*words: str) -> tuple[str, str]:
        told.append(words[3])
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    with qtbot.waitSignal(toy_window.bridge.frame_ready):
        toy_window.actions_by_key["open_rom"].trigger()
    assert "*.subsystem" in told[0]
    assert further(toy_window, qtbot) == b"ST"


def place(title: str, *extensions: str, required: bool = True) -> SubsystemFile:
    return SubsystemFile(title, extensions, need_fullpath=False, required=required)


PLACES = place("Base", "toy", "txt"), place("Text", "txt"), place("Third", "bin", required=False)
PAIR = SubsystemChoice("Toy", "Toy", "toycore", Subsystem("pair", "Toy pair", 1, PLACES))


@pytest.fixture
def dialog(toy_pair: list[Path], qtbot: QtBot) -> SeveralFilesDialog:
    """The dialog without a window, which knows one kind of game."""
    shown = SeveralFilesDialog(toy_pair[0].parent)
    qtbot.addWidget(shown)
    shown.show_choices([PAIR])
    return shown


def test_files_are_dropped_one_by_one(dialog: SeveralFilesDialog, toy_pair: list[Path]) -> None:
    base, second, third = toy_pair
    drop(dialog, second)
    drop(dialog, base)
    # The second file fits the first place, too, until a better one comes.
    assert [field.text() for field in dialog.fields] == [str(base), str(second), ""]
    assert dialog.open_button.isEnabled()
    drop(dialog, third)
    assert "Third.txt has no place in it" in dialog.problem.text()
    dialog.fields[1].setText("/nowhere.txt")
    assert "/nowhere.txt: there is no such file" in dialog.problem.text()
    assert not dialog.open_button.isEnabled()


def test_no_field_is_squeezed(qtbot: QtBot, tmp_path: Path) -> None:
    many = tuple(place(f"Place {at}", "bin") for at in range(9))
    nine = SubsystemChoice("Toy", "Toy", "toycore", Subsystem("nine", "Nine", 2, many))
    dialog = SeveralFilesDialog(tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_choices([PAIR, nine])
    for words in ("Toy pair", "Nine"):
        choose_kind(dialog, words)
        for field in dialog.fields:
            qtbot.waitUntil(partial(is_whole, field))


def is_whole(field: QLineEdit) -> bool:
    seen = field.visibleRegion().boundingRect().height()
    return seen == field.height() >= field.minimumSizeHint().height()


def test_a_list_that_can_not_be_written_is_told(
    dialog: SeveralFilesDialog,
    toy_pair: list[Path],
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialog.take(toy_pair[:2])
    monkeypatch.setenv("XDG_CACHE_HOME", str(own_home / "Base.toy"))
    dialog.open_button.click()
    assert "Base.toy" in dialog.problem.text()
    assert not dialog.result()


def test_without_any_kind_the_dialog_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = SeveralFilesDialog(tmp_path, [tmp_path / "a.toy"])
    qtbot.addWidget(dialog)
    dialog.show_choices([])
    assert "No core here makes a game of several files" in dialog.problem.text()
    assert not dialog.open_button.isEnabled()


def test_cores_that_can_not_be_asked_are_told(
    toy_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError("no room for processes")

    monkeypatch.setattr(core_rows, "cores_here", fail)
    dialog = toy_window.parts[PathOpener].ask_for_files()
    qtbot.waitUntil(lambda: "no room" in dialog.problem.text())


def test_a_real_core_gets_both_cartridges(window: MainWindow, qtbot: QtBot) -> None:
    roms = proof_roms()
    drop(window, roms["GbAdvance"].path, roms["NintendoDs"].path)
    qtbot.waitUntil(lambda: window.findChild(SeveralFilesDialog) is not None)
    dialog = asked(window, qtbot)
    assert "Nintendo DS" in dialog.kind.currentText()
    with qtbot.waitSignal(window.bridge.frame_ready):
        dialog.open_button.click()
    game = window.controller.game
    assert game is not None
    assert (game.system.name, game.core) == ("NintendoDs", "melonds")
    asked_for: list[object] = []
    window.bridge.ask(lambda session: session.game.plan.request.files, asked_for.append)
    qtbot.waitUntil(lambda: bool(asked_for))
    assert asked_for == [(roms["NintendoDs"].path, roms["GbAdvance"].path)]


def test_files_that_are_no_one_game_are_integrated_each(
    toy_window: MainWindow, toy_pair: list[Path], qtbot: QtBot, tmp_path: Path
) -> None:
    assert toy_pair
    files = [tmp_path / f"{name}.unknown" for name in ("one", "two", "three")]
    for file in files:
        file.write_bytes(b"no game")
    drop(toy_window, *files[:2])
    qtbot.waitUntil(lambda: toy_window.findChild(SeveralFilesDialog) is not None)
    dialog = asked(toy_window, qtbot)
    qtbot.waitUntil(dialog.each.isVisible)
    drop(dialog, files[2])
    dialog.each.click()
    drafts = toy_window.findChild(DraftsDialog)
    assert drafts is not None
    qtbot.waitUntil(lambda: not drafts.making.busy)
    assert all(f"{file.name}: " in drafts.progress.text() for file in files)
