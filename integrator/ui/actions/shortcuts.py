"""All commands of the window and its panels: actions, menus, and the keys that they have."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.ui import widgets as ui

NATIVE = QKeySequence.SequenceFormat.NativeText
_PORTABLE = QKeySequence.SequenceFormat.PortableText


def shown_keys(keys: str) -> str:
    """Return keys as the user reads them, such as ⌘P on a Mac for ``Ctrl+P``."""
    return QKeySequence(keys).toString(NATIVE)


def with_keys(text: str, action: QAction) -> str:
    keys = action.shortcut().toString(NATIVE)
    return f"{text} ({keys})" if keys else text


@dataclass(slots=True)
class KeyedCommand:
    """A command that can have keys. ``default`` is Qt's portable text of a key sequence, or "".
    Unless ``tip`` is empty, the action's tooltip is ``tip`` with the keys."""

    key: str
    group: str
    action: QAction
    default: str
    tip: str

    @property
    def keys(self) -> str:
        """The current keys as portable text; "" for none."""
        return self.action.shortcut().toString(_PORTABLE)

    @property
    def text(self) -> str:
        return ui.plain_text(self.action)


class Shortcuts(QObject):
    """Assigns keys to commands, never the same keys to two commands of one scope. The window and
    each panel are scopes. Inside a panel its own keys win, even over the same keys of the window.
    Keys that the user chose win over defaults: a command whose default was given away has none.
    ``read`` and ``keep`` access the settings. ``complete`` is called before all commands are
    listed, so that panels that are built late can add theirs."""

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
        """All commands; the commands of a panel follow the command that shows the panel."""
        self.complete()
        places = {key: place for place, key in enumerate(self._commands)}

        def place(key: str) -> int:
            return places.get(f"panel-{scope_of(key)}", places[key])

        return tuple(self._commands[key] for key in sorted(places, key=place))

    def __getitem__(self, key: str) -> KeyedCommand:
        return self._commands[key]

    def add(self, key: str, group: str, action: QAction, default: str = "", tip: str = "") -> None:
        if key in self._commands:
            raise ValueError(f"two commands are called {key}")
        self._commands[key] = KeyedCommand(key, group, action, _normal(default), tip)
        self._give(key)

    def add_panel(self, widget: QWidget, group: str) -> None:
        for key, action in panel_actions(widget).items():
            _, default = _row(key) or ("", "")
            self.add(key, group, action, default)

    def remove(self, key: str) -> None:
        """Remove a command. Keys that the user chose for it apply again when it is added again."""
        self._commands.pop(key).action.setShortcut(QKeySequence())

    def set_tip(self, key: str, tip: str) -> None:
        self._commands[key].tip = tip
        self._give(key)

    def holder(self, keys: str, other_than: str = "") -> KeyedCommand | None:
        """Return another command with these keys in the scope of ``other_than``, or None."""
        wanted, scope = _normal(keys), scope_of(other_than)
        others = (each for each in self._commands.values() if each.key != other_than)
        rivals = (each for each in others if scope_of(each.key) == scope)
        return next((each for each in rivals if wanted and each.keys == wanted), None)

    def assign(self, key: str, keys: str) -> None:
        """Give a command keys, or none, and store them; another command loses the same keys."""
        wanted, scope = _normal(keys), scope_of(key)
        holder = self.holder(wanted, other_than=key)
        chosen = {
            each: text
            for each, text in self._chosen.items()
            if text != wanted or not text or scope_of(each) != scope
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
        """Return ``text`` with default keys replaced by the current keys, for a text about the
        panel ``scope`` or the window. The name of a command replaces its keys if it has none.
        Single letters stay, because they may be words."""
        moved = {
            each.default: shown_keys(each.keys) or f"“{each.text}”"
            for each in self._commands.values()
            if scope_of(each.key) in {"", scope}
            and len(each.default) > 1
            and each.keys != each.default
        }
        if not moved:
            return text
        # One pass, because two passes would swap exchanged keys back.
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
        if (keys := self._chosen.get(key)) is None:
            given = {text for each, text in self._chosen.items() if scope_of(each) == scope_of(key)}
            keys = "" if command.default in given else command.default
        command.action.setShortcut(QKeySequence(keys))
        if command.tip:
            command.action.setToolTip(with_keys(command.tip, command.action))


def _chosen(kept: str) -> dict[str, str]:
    """Parse the user's keys by command; of two commands with the same keys, the first wins."""
    chosen: dict[str, str] = {}
    for line in kept.splitlines():
        key, found, keys = line.partition("=")
        wanted = _normal(keys)
        taken = {text for each, text in chosen.items() if text and scope_of(each) == scope_of(key)}
        if found and (wanted or not keys) and wanted not in taken:
            chosen[key] = wanted
    return chosen


def scope_of(key: str) -> str:
    """Return the panel in which a command's keys work; "" for the whole window."""
    return key.rpartition(".")[0]


def _normal(keys: str) -> str:
    """Return the standard spelling of one key combination; "" for any other text."""
    sequence = QKeySequence.fromString(keys, _PORTABLE)
    return sequence.toString(_PORTABLE) if sequence.count() == 1 else ""


_ROWS = read_text(Path(__file__).with_name("panel_keys.json"), SMALL_BYTES)
PANEL_KEYS: Final[Mapping[str, tuple[str, str]]] = {
    key: (text, keys) for key, (text, keys) in json.loads(_ROWS).items()
}
"""The text and default keys of the panels' commands. The part of a key before the dot is the panel
in which the keys work; ``slider`` is the time slider below the screen."""


def _row(key: str) -> tuple[str, str] | None:
    """Return a key's row, or None; lists of found numbers may use the row of ``find``."""
    panel, dot, action = key.partition(".")
    return PANEL_KEYS.get(key) or PANEL_KEYS.get(f"find{dot}{action}") if panel and dot else None


def panel_action(key: str, owner: QWidget, slot: ui.Call, *, filtered: bool = True) -> QAction:
    """Return a new action for a row of PANEL_KEYS, whose keys work while ``owner`` or a child of it
    has the focus. Its keys win over the same keys of the window, and of panels around ``owner``.
    Without ``filtered``, the owner's ``event`` must call :func:`take_key`; this is for widgets that
    paint every frame, because an event filter in Python takes time at every event."""
    if (row := _row(key)) is None:
        raise LookupError(f"no panel has the command {key}")
    text, default = row
    action = QAction(ui.words(text), owner, shortcut=QKeySequence(default))
    action.setObjectName(key)
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _=False: slot())
    owner.addAction(action)
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    if filtered and not owner.findChildren(_KeyFilter, options=direct):
        owner.installEventFilter(_KeyFilter(owner))
    return action


def panel_actions(widget: QWidget) -> dict[str, QAction]:
    """Return all actions of PANEL_KEYS that belong to children of a widget, by key."""
    found = {action.objectName(): action for action in widget.findChildren(QAction)}
    keys = dict.fromkeys((*PANEL_KEYS, *found))
    return {key: found[key] for key in keys if key in found and _row(key)}


def take_key(owner: QWidget, event: QEvent) -> bool:
    """Trigger the owner's action for a key, before Qt looks for other shortcuts; True if it did."""
    kind = event.type()
    takes = kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
    if not takes or not isinstance(event, QKeyEvent):
        return False
    # Keys of the number pad count as the same keys of the main keyboard.
    key = event.keyCombination().key()
    key = Qt.Key.Key_Return if key == Qt.Key.Key_Enter else key
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    keys = QKeySequence(QKeyCombination(held, key))
    for action in owner.actions():
        known = action.objectName() in PANEL_KEYS and action.isEnabled()
        if known and action.shortcut() == keys:
            if kind is QEvent.Type.KeyPress:
                action.trigger()
            event.accept()
            return True
    return False


class _KeyFilter(QObject):
    """Handles the keys of a widget's own actions."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return take_key(self._owner, event) or super().eventFilter(watched, event)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command of a menu. ``game``: it needs an open game. ``line``: a separator is above it."""

    key: str
    text: str
    tip: str = ""
    icon: str = ""
    shortcut: str = ""
    role: str = "normal"
    game: bool = True
    checkable: bool = False
    line: bool = False


_MENUS: Final[Any] = json.loads(read_text(Path(__file__).with_name("menus.json"), SMALL_BYTES))
MENUS: Final[Mapping[str, tuple[str, tuple[Entry, ...]]]] = {  # titles and commands by key
    key: (menu["title"], tuple(Entry(**row) for row in menu["commands"]))
    for key, menu in _MENUS.items()
}

ENTRIES = tuple(each for _, menu in MENUS.values() for each in menu)


class Actions(QObject):
    """The actions of the window by key: ``actions["reset"]``. ``shortcuts`` holds the keys of these
    actions, and of all commands that other parts of the window add."""

    def __init__(self, window: QWidget, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions: dict[str, QAction] = {}
        for title, specs in MENUS.values():
            group = ui.words(title).replace("&", "")
            for spec in specs:
                action = QAction(ui.words(spec.text), window, checkable=spec.checkable)
                action.setObjectName(spec.key)
                if spec.icon:
                    action.setIcon(ui.icon(f"{spec.icon} {spec.role}"))
                window.addAction(action)
                self._actions[spec.key] = action
                tip = ui.words(spec.tip) or ui.plain_text(action)
                shortcuts.add(spec.key, group, action, spec.shortcut, tip)
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def on(self, **commands: Callable[[], object]) -> None:
        """Call each function when the action of its key is triggered."""
        for key, command in commands.items():
            self._actions[key].triggered.connect(lambda _=False, command=command: command())

    def all(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def set_game_open(self, *, opened: bool) -> None:
        for spec in ENTRIES:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)
