"""The keys of all commands of the window and its panels: defaults, and the user's own."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.domain.words import MarkedTexts
from integrator.ui.widgets.parts import plain_text
from integrator.ui.widgets.texts import translate

NATIVE = QKeySequence.SequenceFormat.NativeText
_PORTABLE = QKeySequence.SequenceFormat.PortableText


def shown_keys(keys: str) -> str:
    """Keys as the user reads them, such as ⌘P on a Mac for ``Ctrl+P``."""
    return QKeySequence(keys).toString(NATIVE)


def with_keys(text: str, action: QAction) -> str:
    """A tooltip that ends with the present keys of its command."""
    keys = action.shortcut().toString(NATIVE)
    return f"{text} ({keys})" if keys else text


@dataclass(slots=True)
class KeyedCommand:
    """A command that can have keys. ``default`` is Qt's portable text of a sequence, or "". The
    action's tooltip is ``tip`` with the keys, unless that is empty."""

    key: str
    group: str
    action: QAction
    default: str
    tip: str

    @property
    def scope(self) -> str:
        """The panel in which alone the keys work; "" is the window."""
        return _scope(self.key)

    @property
    def keys(self) -> str:
        """The present keys, as portable text; "" is none."""
        return self.action.shortcut().toString(_PORTABLE)

    @property
    def text(self) -> str:
        return plain_text(self.action)


class Shortcuts(QObject):
    """Gives each command its keys, and no keys to two commands of one scope.

    Inside a panel its own keys go before the window's, so that both may have the same.

    Keys chosen by the user go before defaults: a command whose default was given away has none.
    ``read`` and ``keep`` reach the settings file by key. ``complete`` lets parts of the window that
    come later add their commands before all are listed.
    """

    changed = Signal()

    def __init__(
        self,
        read: Callable[[str], str | None],
        keep: Callable[[str, str | None], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._keep = keep
        self.complete: Callable[[], object] = lambda: None
        self._chosen = _chosen(read("view/shortcuts") or "")
        self._commands: dict[str, KeyedCommand] = {}

    @property
    def commands(self) -> tuple[KeyedCommand, ...]:
        """All commands, those of a panel next to the one that shows it."""
        self.complete()
        places = {key: place for place, key in enumerate(self._commands)}

        def place(command: KeyedCommand) -> int:
            return places.get(f"panel-{command.scope}", places[command.key])

        return tuple(sorted(self._commands.values(), key=place))

    def __getitem__(self, key: str) -> KeyedCommand:
        return self._commands[key]

    def add(self, key: str, group: str, action: QAction, default: str = "", tip: str = "") -> None:
        if key in self._commands:
            raise ValueError(f"two commands are called {key}")
        self._commands[key] = KeyedCommand(key, group, action, _normal(default), tip)
        self._give(key)

    def add_panel(self, widget: QWidget, group: str) -> None:
        for key, action in panel_actions(widget).items():
            row = _row(key)
            self.add(key, group, action, row.default if row else "")

    def remove(self, key: str) -> None:
        """Forget a command that is gone; keys chosen for it come back with it."""
        self._commands.pop(key).action.setShortcut(QKeySequence())

    def set_tip(self, key: str, tip: str) -> None:
        self._commands[key].tip = tip
        self._give(key)

    def holder(self, keys: str, besides: str = "") -> KeyedCommand | None:
        """The command other than ``besides`` that has these keys now, in the same scope."""
        wanted, scope = _normal(keys), _scope(besides)
        for each in self._commands.values():
            if wanted and each.key != besides and each.scope == scope and each.keys == wanted:
                return each
        return None

    def assign(self, key: str, keys: str) -> None:
        """Give a command keys, or none, and keep that; a command that had them loses them."""
        wanted, scope = _normal(keys), _scope(key)
        holder = self.holder(wanted, besides=key)
        chosen = {
            each: text
            for each, text in self._chosen.items()
            if text != wanted or not text or _scope(each) != scope
        }
        if holder is not None:
            chosen[holder.key] = ""
        chosen.pop(key, None)
        if wanted != self._commands[key].default:
            chosen[key] = wanted
        self._use(chosen)

    def reset_all(self) -> None:
        self._use({})

    def with_present(self, text: str, scope: str = "") -> str:
        """A text about the panel ``scope``, or the window, with the present keys in the places of
        defaults. A command without keys is named instead. Single letters stay as they are, because
        they may be words."""
        moved = {
            each.default: shown_keys(each.keys) or f"“{each.text}”"
            for each in self._commands.values()
            if each.scope in {"", scope} and len(each.default) > 1 and each.keys != each.default
        }
        if not moved:
            return text
        # All at once, so that keys that two commands exchanged are not exchanged back.
        names = "|".join(sorted(map(re.escape, moved), key=len, reverse=True))
        return re.sub(rf"(?<![\w+])(?:{names})(?![\w+])", lambda found: moved[found[0]], text)

    def _use(self, chosen: dict[str, str]) -> None:
        self._chosen = chosen
        text = "\n".join(f"{key}={keys}" for key, keys in chosen.items())
        self._keep("view/shortcuts", text or None)
        for key in self._commands:
            self._give(key)
        self.changed.emit()

    def _give(self, key: str) -> None:
        command = self._commands[key]
        keys = self._chosen.get(key)
        if keys is None:
            given = {text for each, text in self._chosen.items() if _scope(each) == command.scope}
            keys = "" if command.default in given else command.default
        command.action.setShortcut(QKeySequence(keys))
        if command.tip:
            command.action.setToolTip(with_keys(command.tip, command.action))


def _chosen(kept: str) -> dict[str, str]:
    """The user's keys by command; of two commands with the same keys, the first has them."""
    chosen: dict[str, str] = {}
    for line in kept.splitlines():
        key, found, keys = line.partition("=")
        wanted = _normal(keys)
        taken = {text for each, text in chosen.items() if text and _scope(each) == _scope(key)}
        if found and (wanted or not keys) and wanted not in taken:
            chosen[key] = wanted
    return chosen


def _scope(key: str) -> str:
    return key.rpartition(".")[0]


def _normal(keys: str) -> str:
    """One spelling of keys pressed at once; "" for any other text."""
    sequence = QKeySequence.fromString(keys, _PORTABLE)
    return sequence.toString(_PORTABLE) if sequence.count() == 1 else ""


@dataclass(frozen=True, slots=True)
class PanelKey:
    """A command of one panel. The part of ``key`` before the dot is the panel's key, its scope."""

    key: str
    text: str
    default: str


class PanelKeys(MarkedTexts):
    """Texts of the panels' commands, for translators."""


PANEL_KEYS: tuple[PanelKey, ...] = (
    PanelKey("slider.back", PanelKeys.tr("One frame back"), "Left"),
    PanelKey("slider.on", PanelKeys.tr("One frame on"), "Right"),
    PanelKey("slider.second_back", PanelKeys.tr("One second back"), "PgUp"),
    PanelKey("slider.second_on", PanelKeys.tr("One second on"), "PgDown"),
    PanelKey("slider.first", PanelKeys.tr("To the first frame"), "Home"),
    PanelKey("slider.newest", PanelKeys.tr("To the newest frame"), "End"),
    PanelKey("slider.no_range", PanelKeys.tr("Choose no range"), "Esc"),
    PanelKey("variables.remove", PanelKeys.tr("Remove variable"), "Del"),
    PanelKey("find.unfold", PanelKeys.tr("List equal candidates"), "Right"),
    PanelKey("find.fold", PanelKeys.tr("Hide equal candidates"), "Left"),
    PanelKey("find.accept", PanelKeys.tr("Make variable"), "Return"),
    PanelKey("facts.remove", PanelKeys.tr("Remove fact"), "Del"),
    PanelKey("facts.unfold", PanelKeys.tr("List equal matches"), "Right"),
    PanelKey("facts.fold", PanelKeys.tr("Hide equal matches"), "Left"),
    PanelKey("facts.accept", PanelKeys.tr("Make variable"), "Return"),
    PanelKey("suggestions.accept", PanelKeys.tr("Make variable"), "Return"),
    PanelKey("ends.accept", PanelKeys.tr("Add the condition to Done"), "Return"),
    PanelKey("watches.remove", PanelKeys.tr("Remove from the list"), "Del"),
    PanelKey("memory.go_to", PanelKeys.tr("Go to an address"), "Ctrl+G"),
    PanelKey("memory.find", PanelKeys.tr("Find a number or text"), "Ctrl+F"),
    PanelKey("memory.copy", PanelKeys.tr("Copy the selected bytes"), "Ctrl+C"),
    PanelKey("reward.remove", PanelKeys.tr("Remove term"), "Del"),
    PanelKey("done.remove", PanelKeys.tr("Remove condition"), "Del"),
    PanelKey("script.run", PanelKeys.tr("Run the script"), "Ctrl+Return"),
    PanelKey("states.remove", PanelKeys.tr("Delete state"), "Del"),
    PanelKey("cheats.remove", PanelKeys.tr("Remove cheat"), "Del"),
    PanelKey("input_log.undo", PanelKeys.tr("Undo"), "Ctrl+Z"),
    PanelKey("input_log.redo", PanelKeys.tr("Redo"), "Ctrl+Shift+Z"),
    PanelKey("input_log.insert", PanelKeys.tr("Insert frames"), "Ins"),
    PanelKey("input_log.clone", PanelKeys.tr("Clone frames"), "Ctrl+D"),
    PanelKey("input_log.delete", PanelKeys.tr("Delete frames"), "Del"),
    PanelKey("input_log.clear", PanelKeys.tr("Let go of all buttons"), "Backspace"),
    PanelKey("input_log.pattern", PanelKeys.tr("Paint a pattern…"), "P"),
    PanelKey("input_log.copy", PanelKeys.tr("Copy as text"), "Ctrl+C"),
    PanelKey("input_log.paste", PanelKeys.tr("Paste over"), "Ctrl+V"),
    PanelKey("input_log.paste_insert", PanelKeys.tr("Paste as new frames"), "Ctrl+Shift+V"),
    PanelKey("input_log.mark", PanelKeys.tr("Mark and name this frame…"), "M"),
    PanelKey("input_log.unmark", PanelKeys.tr("Remove the mark"), "Shift+M"),
    PanelKey("input_log.all", PanelKeys.tr("Select all frames"), "Ctrl+A"),
    PanelKey("input_log.none", PanelKeys.tr("Select no frames"), "Esc"),
    PanelKey("input_log.up", PanelKeys.tr("Select one frame up"), "Shift+Up"),
    PanelKey("input_log.down", PanelKeys.tr("Select one frame down"), "Shift+Down"),
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


def take_key(owner: QWidget, event: QEvent) -> bool:
    """Claim the keys of an owner's actions before Qt looks for shortcuts elsewhere, then act."""
    kind = event.type()
    takes = kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
    if not takes or not isinstance(event, QKeyEvent):
        return False
    # Keys of the number pad are as their twins of the main part.
    key = event.keyCombination().key()
    key = Qt.Key.Key_Return if key == Qt.Key.Key_Enter else key
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    keys = QKeySequence(QKeyCombination(held, key))
    for action in owner.actions():
        known = action.objectName() in _ROWS and action.isEnabled()
        if known and action.shortcut() == keys:
            if kind is QEvent.Type.KeyPress:
                action.trigger()
            event.accept()
            return True
    return False


class _Keys(QObject):
    """Takes the keys of a widget's own actions."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        return take_key(self._owner, event) or super().eventFilter(watched, event)
