"""Keys that work inside one panel only: a row each, and their way to the panel's widget."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.widgets.translation import translate


@dataclass(frozen=True, slots=True)
class PanelKey:
    """A command of one panel. The part of ``key`` before the dot is the panel's key, its scope."""

    key: str
    text: str
    default: str


PANEL_KEYS: tuple[PanelKey, ...] = (
    PanelKey("slider.back", QT_TRANSLATE_NOOP("PanelKeys", "One frame back"), "Left"),
    PanelKey("slider.on", QT_TRANSLATE_NOOP("PanelKeys", "One frame on"), "Right"),
    PanelKey("slider.second_back", QT_TRANSLATE_NOOP("PanelKeys", "One second back"), "PgUp"),
    PanelKey("slider.second_on", QT_TRANSLATE_NOOP("PanelKeys", "One second on"), "PgDown"),
    PanelKey("slider.first", QT_TRANSLATE_NOOP("PanelKeys", "To the first frame"), "Home"),
    PanelKey("slider.newest", QT_TRANSLATE_NOOP("PanelKeys", "To the newest frame"), "End"),
    PanelKey("slider.no_range", QT_TRANSLATE_NOOP("PanelKeys", "Choose no range"), "Esc"),
    PanelKey("variables.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove variable"), "Del"),
    PanelKey("find.unfold", QT_TRANSLATE_NOOP("PanelKeys", "List equal candidates"), "Right"),
    PanelKey("find.fold", QT_TRANSLATE_NOOP("PanelKeys", "Hide equal candidates"), "Left"),
    PanelKey("find.accept", QT_TRANSLATE_NOOP("PanelKeys", "Make variable"), "Return"),
    PanelKey("facts.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove fact"), "Del"),
    PanelKey("facts.unfold", QT_TRANSLATE_NOOP("PanelKeys", "List equal matches"), "Right"),
    PanelKey("facts.fold", QT_TRANSLATE_NOOP("PanelKeys", "Hide equal matches"), "Left"),
    PanelKey("facts.accept", QT_TRANSLATE_NOOP("PanelKeys", "Make variable"), "Return"),
    PanelKey("suggestions.accept", QT_TRANSLATE_NOOP("PanelKeys", "Make variable"), "Return"),
    PanelKey("ends.accept", QT_TRANSLATE_NOOP("PanelKeys", "Add the condition to Done"), "Return"),
    PanelKey("watches.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove from the list"), "Del"),
    PanelKey("memory.go_to", QT_TRANSLATE_NOOP("PanelKeys", "Go to an address"), "Ctrl+G"),
    PanelKey("memory.find", QT_TRANSLATE_NOOP("PanelKeys", "Find a number or text"), "Ctrl+F"),
    PanelKey("memory.copy", QT_TRANSLATE_NOOP("PanelKeys", "Copy the selected bytes"), "Ctrl+C"),
    PanelKey("reward.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove term"), "Del"),
    PanelKey("done.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove condition"), "Del"),
    PanelKey("script.run", QT_TRANSLATE_NOOP("PanelKeys", "Run the script"), "Ctrl+Return"),
    PanelKey("states.remove", QT_TRANSLATE_NOOP("PanelKeys", "Delete state"), "Del"),
    PanelKey("cheats.remove", QT_TRANSLATE_NOOP("PanelKeys", "Remove cheat"), "Del"),
    PanelKey("input_log.undo", QT_TRANSLATE_NOOP("PanelKeys", "Undo"), "Ctrl+Z"),
    PanelKey("input_log.redo", QT_TRANSLATE_NOOP("PanelKeys", "Redo"), "Ctrl+Shift+Z"),
    PanelKey("input_log.insert", QT_TRANSLATE_NOOP("PanelKeys", "Insert frames"), "Ins"),
    PanelKey("input_log.clone", QT_TRANSLATE_NOOP("PanelKeys", "Clone frames"), "Ctrl+D"),
    PanelKey("input_log.delete", QT_TRANSLATE_NOOP("PanelKeys", "Delete frames"), "Del"),
    PanelKey(
        "input_log.clear", QT_TRANSLATE_NOOP("PanelKeys", "Let go of all buttons"), "Backspace"
    ),
    PanelKey("input_log.copy", QT_TRANSLATE_NOOP("PanelKeys", "Copy as text"), "Ctrl+C"),
    PanelKey("input_log.paste", QT_TRANSLATE_NOOP("PanelKeys", "Paste over"), "Ctrl+V"),
    PanelKey(
        "input_log.paste_insert",
        QT_TRANSLATE_NOOP("PanelKeys", "Paste as new frames"),
        "Ctrl+Shift+V",
    ),
    PanelKey("input_log.mark", QT_TRANSLATE_NOOP("PanelKeys", "Mark and name this frame…"), "M"),
    PanelKey("input_log.unmark", QT_TRANSLATE_NOOP("PanelKeys", "Remove the mark"), "Shift+M"),
    PanelKey("input_log.all", QT_TRANSLATE_NOOP("PanelKeys", "Select all frames"), "Ctrl+A"),
    PanelKey("input_log.none", QT_TRANSLATE_NOOP("PanelKeys", "Select no frames"), "Esc"),
    PanelKey("input_log.up", QT_TRANSLATE_NOOP("PanelKeys", "Select one frame up"), "Shift+Up"),
    PanelKey(
        "input_log.down", QT_TRANSLATE_NOOP("PanelKeys", "Select one frame down"), "Shift+Down"
    ),
)
"""In the order of the panels; ``slider`` is the time slider below the screen."""

_ROWS = {row.key: row for row in PANEL_KEYS}


def _row(key: str) -> PanelKey | None:
    """The row of a key; lists of found numbers have the rows of the first of them."""
    panel, dot, action = key.partition(".")
    return _ROWS.get(key) or _ROWS.get(f"find{dot}{action}") if panel and dot else None


def panel_action(
    key: str, owner: QWidget, slot: Callable[[], object], *, filtered: bool = True
) -> QAction:
    """The action of a row of the table, on its keys while ``owner`` or a child has the keyboard.

    They go before the same keys of the window, and of panels around ``owner``. Without
    ``filtered``, the owner's ``event`` calls :func:`take_key`: a filter in Python takes time for
    every event of a widget, also for those of each frame.
    """
    row = _row(key)
    if row is None:
        raise LookupError(f"no row of PANEL_KEYS is called {key}")
    action = QAction(translate("PanelKeys", row.text), owner, shortcut=QKeySequence(row.default))
    action.setObjectName(key)
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _=False: slot())
    owner.addAction(action)
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    if filtered and not owner.findChildren(_Keys, options=direct):
        owner.installEventFilter(_Keys(owner))
    return action


def panel_actions(widget: QWidget) -> dict[str, QAction]:
    """All actions of the table that belong to parts of a widget, by key."""
    found = {action.objectName(): action for action in widget.findChildren(QAction)}
    return {
        key: found[key] for key in dict.fromkeys((*_ROWS, *found)) if key in found and _row(key)
    }


def default_keys(key: str) -> str:
    """The keys of a row at first."""
    row = _row(key)
    return "" if row is None else row.default


def take_key(owner: QWidget, event: QEvent) -> bool:
    """Claim the keys of an owner's actions before Qt looks for shortcuts elsewhere, then act."""
    kind = event.type()
    if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        return False
    if not isinstance(event, QKeyEvent):
        return False
    keys = QKeySequence(_plain(event.keyCombination()))
    mine = (each for each in owner.actions() if each.objectName() in _ROWS and each.isEnabled())
    action = next((each for each in mine if each.shortcut() == keys), None)
    if action is None:
        return False
    if kind is QEvent.Type.KeyPress:
        action.trigger()
    event.accept()
    return True


class _Keys(QObject):
    """Takes the keys of a widget's own actions."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        return take_key(self._owner, event) or super().eventFilter(watched, event)


def _plain(keys: QKeyCombination) -> QKeyCombination:
    """Keys with those of the number pad as their twins of the main part."""
    key = Qt.Key.Key_Return if keys.key() == Qt.Key.Key_Enter else keys.key()
    return QKeyCombination(keys.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier, key)
