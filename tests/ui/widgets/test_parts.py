"""Traits of widgets, notes that hide themselves, and dialogs that are deleted."""

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from integrator.session.timeline_facts import TREND_POINTS
from integrator.ui.widgets.parts import Dialog, NoteLabel, configured, push_button
from integrator.ui.widgets.rows_model import TrendLine


def test_traits_call_the_setters_of_a_widget(qtbot: QtBot) -> None:
    label = configured(QLabel(), "faint", text="7", fixedHeight=20)
    qtbot.addWidget(label)
    assert (label.text(), label.height(), label.property("role")) == ("7", 20, "faint")
    with pytest.raises(AttributeError, match="setFixedHight"):
        configured(label, fixedHight=20)


def test_a_button_without_a_text_has_the_name_of_its_tip_unless_it_has_one(qtbot: QtBot) -> None:
    plain = push_button("", print, "Undo")
    own = push_button("", print, "Undo the last step", accessibleName="Undo")
    for button in (plain, own):
        qtbot.addWidget(button)
        assert button.accessibleName() == "Undo"


def test_a_note_is_hidden_while_it_is_empty(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    note = NoteLabel("warn")
    note.setParent(holder)
    assert note.isHidden()
    note.setText("no ROM")
    assert not note.isHidden()
    note.clear()
    assert note.isHidden()


def test_a_dialog_is_deleted_once_it_is_closed(qtbot: QtBot) -> None:
    dialog = Dialog(None, "Cores", minimumWidth=300)
    assert (dialog.windowTitle(), dialog.minimumWidth()) == ("Cores", 300)
    dialog.open()
    dialog.reject()
    qtbot.waitUntil(lambda: not isValid(dialog))


@pytest.mark.usefixtures("theme")
def test_a_narrow_line_shows_each_of_its_few_values(qtbot: QtBot) -> None:
    line = TrendLine()
    qtbot.addWidget(line)
    line.resize(60, 24)
    flat = [0.0] * TREND_POINTS
    line.show_values(flat)
    rest = line.grab().toImage()
    for peak in range(TREND_POINTS):
        line.show_values([*flat[:peak], 9.0, *flat[peak + 1 :]])
        assert line.grab().toImage() != rest, peak
