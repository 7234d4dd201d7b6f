"""Names for screen readers, and texts that translators can be given."""

import ast
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, step

import integrator
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow

INTERACTIVE = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)
OUR_CODE = Path(integrator.__file__).parent
_CALLS = {"setText", "setToolTip", "setPlaceholderText", "setWindowTitle", "setAccessibleName"}


def interactive(widget: QWidget) -> list[QWidget]:
    """Controls that we made, leaving out those inside Qt's own widgets."""
    own: list[QWidget] = []
    for each in widget.findChildren(QWidget):
        parent = each.parentWidget()
        inside = isinstance(parent, (QComboBox, QAbstractSpinBox, QTabBar, QLineEdit))
        if parent is not None:
            inside |= parent.metaObject().className().startswith("QComboBoxPrivate")
        if isinstance(each, (QScrollBar, QHeaderView)) or inside or each.objectName()[:3] == "qt_":
            continue
        if isinstance(each, QAbstractButton) and not each.isVisible() and not each.text():
            continue  # cards get their words when they are shown
        if isinstance(each, INTERACTIVE):
            own.append(each)
    return own


def is_named(widget: QWidget) -> bool:
    """True when a screen reader has words for it: a name, or a button's own text in letters."""
    if widget.accessibleName():
        return True
    return isinstance(widget, QAbstractButton) and any(c.isalpha() for c in widget.text())


def test_every_control_has_a_name(open_game: MainWindow) -> None:
    for key in (each.key for each in WORKSPACES):
        open_game.use_workspace(key)
    open_game.docks.fill_all()
    for dock in open_game.docks.all.values():
        dock.show()
    controls = interactive(open_game)
    assert len(controls) > 100
    nameless = {
        f"{type(w).__name__} {w.objectName()!r} in {type(w.parentWidget()).__name__}"
        for w in controls
        if not is_named(w)
    }
    assert nameless == set()


def test_every_control_of_the_dialogs_of_keys_has_a_name(open_game: MainWindow) -> None:
    for key in ("preferences", "shortcuts", "bindings", "help"):
        open_game.actions_by_key[key].trigger()
        dialog = next(each for each in open_game.findChildren(QDialog) if each.isVisible())
        controls = interactive(dialog)
        assert len(controls) > 2
        assert [type(each).__name__ for each in controls if not is_named(each)] == []
        dialog.close()


def test_every_action_has_a_text(window: MainWindow) -> None:
    actions = [*window.actions_by_key.all(), *window.actions()]
    assert len(actions) > 40
    assert [a for a in actions if not a.text()] == []


def untranslated(path: Path) -> list[str]:
    """Literals with words in them that are shown without going through a translation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in _CALLS and node.args:
            value = node.args[0]
            words = isinstance(value, ast.Constant) and isinstance(value.value, str)
            if words and any(c.isalpha() for c in str(value.value)):  # type: ignore[attr-defined] # a Constant, see above
                found.append(f"{path.name}:{node.lineno}: {ast.unparse(node)}")
    return found


def test_no_text_is_shown_past_the_translation() -> None:
    assert [each for p in sorted((OUR_CODE / "ui").rglob("*.py")) for each in untranslated(p)] == []


def test_texts_can_be_extracted(tmp_path: Path) -> None:
    tool = Path(sysconfig.get_path("scripts")) / "pyside6-lupdate"
    if not tool.exists() and shutil.which(tool.name) is None:
        pytest.skip("pyside6-lupdate is not installed")
    sources = [str(path) for path in sorted(OUR_CODE.rglob("*.py"))]
    out = tmp_path / "integrator.ts"
    done = subprocess.run(
        [str(tool), *sources, "-ts", str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower(), done.stderr
    extracted = out.read_text(encoding="utf-8")
    for text in ("Search actions, variables, states, games…", "Pause when it changes"):
        assert f"<source>{text}</source>" in extracted, text


_CONTROLS = {
    QAccessible.Role.PushButton,
    QAccessible.Role.CheckBox,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.Table,
    QAccessible.Role.Slider,
    QAccessible.Role.SpinBox,
}
_WHOLE = {QAccessible.Role.Table, QAccessible.Role.Tree, QAccessible.Role.List}


def nameless(place: QAccessibleInterface) -> Iterator[str]:
    """Classes of the controls in sight that a screen reader finds and cannot name."""
    state, owner = place.state(), place.object()
    if state.invisible:
        return
    told = place.role() in _CONTROLS or (state.focusable and not isinstance(owner, QLabel))
    if told and not place.text(QAccessible.Text.Name):
        yield type(owner).__name__
    for at in range(0 if place.role() in _WHOLE else place.childCount()):
        below: QAccessibleInterface = place.child(at)
        if below.isValid():
            yield from nameless(below)


def test_a_walk_over_the_accessible_tree_finds_names_and_what_is_shown(
    played: MainWindow, qtbot: QtBot
) -> None:
    for workspace in WORKSPACES:
        played.use_workspace(workspace.key)
        qtbot.wait(50)
        root = QAccessible.queryAccessibleInterface(played)
        assert root is not None
        assert list(nameless(root)) == [], workspace.key
    step(played, qtbot)
    number = frame_number(played)
    screen = played.screen_panel
    assert f"frame {number}, reward so far" in screen.game_screen.accessibleDescription()
    slider = QAccessible.queryAccessibleInterface(screen.timeline)
    assert slider.role() == QAccessible.Role.Slider
    value = slider.valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (1, number, number)
    # The slider's facts come after the frame; until then its range may end before the frame.
    qtbot.waitUntil(lambda: screen.timeline.length == number)
    value.setCurrentValue(number - 5)
    qtbot.waitUntil(lambda: frame_number(played) == number - 5)
    value.setCurrentValue(number)
    qtbot.waitUntil(lambda: frame_number(played) == number)
    played.use_workspace("review")
    grid = played.parts[InputLogView].grid
    qtbot.waitUntil(lambda: number in range(grid.seen.first, grid.seen.length + 1))
    table = QAccessible.queryAccessibleInterface(grid)
    assert table.role() == QAccessible.Role.Table
    across = grid.seen.columnCount() + 1
    row = [table.child(number * across + at).text(QAccessible.Text.Name) for at in range(across)]
    held = [grid.seen.text(number, column) for column in range(across - 1)]
    assert row == [str(number), *held]
    played.use_workspace("find")
    memory = played.parts[MemoryView].grid
    played.docks.all["memory"].come_forward()
    documents = played.controller.documents
    assert documents is not None
    assert memory.go_to(documents.variables["lives"].address)
    assert "lives" in memory.accessibleDescription()
