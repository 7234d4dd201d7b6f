"""The Cores dialog: systems, their cores, and options that are kept for a game."""

from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from integrator.session.session import Session
from integrator.ui.library.consoles.consoles_dialog import CoresDialog
from integrator.ui.shell.main_window import MainWindow


def test_the_cores_dialog_lists_systems_and_options(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.actions_by_key["cores"].trigger()
    dialog = open_game.findChild(CoresDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.systems.rowCount() > 8)
    titles = [dialog.systems.item(row, 2).text() for row in range(dialog.systems.rowCount())]  # type: ignore[union-attr]  # every cell is filled
    assert "genesis_plus_gx" in titles
    qtbot.waitUntil(lambda: dialog.options.rowCount() > 5)
    open_game.actions_by_key["cores"].trigger()
    assert open_game.findChildren(CoresDialog) == [dialog]
    dialog.close()


def test_a_core_option_is_kept_for_the_game_and_marked_where_training_differs(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.actions_by_key["cores"].trigger()
    dialog = open_game.findChild(CoresDialog)
    assert dialog is not None
    dialog.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.options.rowCount() > 5)
    row = 0
    named = dialog.options.item(row, 0)
    assert named is not None
    key = named.toolTip().splitlines()[0]

    def choose(text: str) -> None:
        box = dialog.options.cellWidget(row, 1)
        assert isinstance(box, QComboBox)
        box.setCurrentText(text)
        box.activated.emit(box.currentIndex())

    def note() -> str:
        item = dialog.options.item(row, 2)
        return item.text() if item is not None else ""

    box = dialog.options.cellWidget(row, 1)
    assert isinstance(box, QComboBox)
    training = box.currentText()
    other = next(box.itemText(at) for at in range(box.count()) if box.itemText(at) != training)
    choose(other)
    qtbot.waitUntil(lambda: training in note())
    assert "1 option differs from training, where memory" in dialog.option_note.text()
    assert dialog.option_note.property("role") == "warn"
    qtbot.waitUntil(lambda: "; memory " in note())
    assert note().startswith(f"in training: {training}; memory ")
    kept: list[bool] = []

    def is_kept(session: Session) -> bool:
        options = session.game.plan.options
        return options is not None and key in options.kept()

    open_game.bridge.ask(is_kept, kept.append)
    qtbot.waitUntil(lambda: kept == [True])
    choose(training)
    qtbot.waitUntil(lambda: note() == "")
    assert "differs from training" not in dialog.option_note.text()
    # The cores are still asked for their versions, in processes of their own.
    qtbot.waitUntil(lambda: dialog.systems.rowCount() > 8)
    dialog.close()
