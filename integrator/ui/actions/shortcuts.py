"""The keys of every command of the window: the defaults, the user's own, and who has which."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.ui.actions.panel_keys import default_keys, panel_actions
from integrator.ui.widgets.panels.parts import plain_text

NATIVE = QKeySequence.SequenceFormat.NativeText
_PORTABLE = QKeySequence.SequenceFormat.PortableText

_KEPT = "view/shortcuts"


def shown_keys(keys: str) -> str:
    """Keys as the user reads them, such as ⌘P on a Mac for ``Ctrl+P``."""
    return QKeySequence(keys).toString(NATIVE)


def with_keys(text: str, action: QAction) -> str:
    """A tooltip that ends with the present keys of its command."""
    keys = action.shortcut().toString(NATIVE)
    return f"{text} ({keys})" if keys else text


@dataclass(frozen=True, slots=True)
class KeyedCommand:
    """A command that can have keys. ``default`` is Qt's portable text of a sequence, or ""."""

    key: str
    group: str
    action: QAction
    default: str

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
        self._chosen = _chosen(read(_KEPT) or "")
        self._commands: dict[str, KeyedCommand] = {}
        self._tips: dict[str, str] = {}

    @property
    def commands(self) -> tuple[KeyedCommand, ...]:
        self.complete()
        places = {key: place for place, key in enumerate(self._commands)}
        return tuple(
            sorted(
                self._commands.values(),
                key=lambda each: places.get(f"panel-{each.scope}", places[each.key]),
            )
        )

    def __getitem__(self, key: str) -> KeyedCommand:
        return self._commands[key]

    def add(
        self, key: str, group: str, action: QAction, default: str = "", tip: str | None = None
    ) -> None:
        if key in self._commands:
            raise ValueError(f"two commands are called {key}")
        self._commands[key] = KeyedCommand(key, group, action, _normal(default))
        if tip is not None:
            self._tips[key] = tip
        self._give(key)

    def add_panel(self, widget: QWidget, group: str) -> None:
        for key, action in panel_actions(widget).items():
            self.add(key, group, action, default_keys(key))

    def remove(self, key: str) -> None:
        """Forget a command that is gone; keys chosen for it come back with it."""
        self._commands.pop(key).action.setShortcut(QKeySequence())
        self._tips.pop(key, None)

    def set_tip(self, key: str, tip: str) -> None:
        self._tips[key] = tip
        command = self._commands[key]
        command.action.setToolTip(with_keys(tip, command.action))

    def holder(self, keys: str, besides: str = "") -> KeyedCommand | None:
        """The command beside ``besides`` that has these keys now, in the same scope."""
        wanted, scope = _normal(keys), _scope(besides)
        return next(
            (
                each
                for each in self._commands.values()
                if wanted and each.key != besides and each.scope == scope and each.keys == wanted
            ),
            None,
        )

    def assign(self, key: str, keys: str) -> None:
        """Give a command keys, or none, and keep that; a command that had them loses them."""
        wanted = _normal(keys)
        holder = self.holder(wanted, besides=key)
        scope = _scope(key)
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
        """A text that names default keys, with the present ones in their places.

        It is about the panel ``scope``, or the window.

        A command without keys is named instead. Single letters stay as they are, because they may
        be words.
        """
        moved = {
            each.default: shown_keys(each.keys) or f"“{each.text}”"
            for each in self._commands.values()
            if each.scope in {"", scope} and len(each.default) > 1 and each.keys != each.default
        }
        return _replaced(text, moved) if moved else text

    def _use(self, chosen: dict[str, str]) -> None:
        self._chosen = chosen
        text = "\n".join(f"{key}={keys}" for key, keys in chosen.items())
        self._keep(_KEPT, text or None)
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
        if key in self._tips:
            command.action.setToolTip(with_keys(self._tips[key], command.action))


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


def _replaced(text: str, by: dict[str, str]) -> str:
    """All at once, so that keys that two commands exchanged are not exchanged back."""
    names: Iterable[str] = sorted(map(re.escape, by), key=len, reverse=True)
    pattern = rf"(?<![\w+])(?:{'|'.join(names)})(?![\w+])"
    return re.sub(pattern, lambda found: by[found[0]], text)
