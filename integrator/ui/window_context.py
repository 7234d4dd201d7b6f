"""The record that all parts of a window share, and the base classes of those parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLayout, QMainWindow, QWidget

from integrator.domain.errors import message_of
from integrator.domain.words import named_sections
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.consoles.own_consoles import KnownSystems
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Actions
from integrator.ui.bridge.bridge import Otherwise, SessionBridge, Show
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import LiveReader, Look, Sight
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings import UiSettings

P = TypeVar("P", bound=QObject)
T = TypeVar("T")
Item = QWidget | QLayout

HINTS: Final = named_sections(Path(__file__).with_name("hints.md"))
"""Heading and text of a panel without content, by the key of its state."""


class Parts:
    """The views and controllers of one window, by class; an offered part is built at first use."""

    def __init__(self) -> None:
        self._by_class: dict[object, QObject] = {}
        self._makers: dict[object, Callable[[], object]] = {}

    def add(self, part: QObject) -> None:
        if type(part) in self._by_class:
            raise ValueError(f"the window has a {type(part).__name__} already")
        self._by_class[type(part)] = part

    def offer(self, kind: object, make: Callable[[], object]) -> None:
        """Register ``make``, which adds a part of this class, for the first use of the part."""
        self._makers[kind] = make

    def __getitem__(self, kind: type[P]) -> P:
        if kind not in self._by_class and kind in self._makers:
            self._makers[kind]()
        if (part := self.built(kind)) is None:
            raise LookupError(f"the window has no {kind.__name__} yet; see shell/panels.py")
        return part

    def built(self, kind: type[P]) -> P | None:
        return cast("P | None", self._by_class.get(kind))


class Requests(QObject):
    """Requests of panels to other rooms of the window; ``shell/panels.py`` connects each."""

    reward_term = Signal(str)  # the name of a variable
    done_condition = Signal(str)  # the name of a variable
    watch = Signal(object)  # a Reading
    hold = Signal(object, bool, object)  # arguments of CheatsView.hold
    show_address = Signal(int)
    pin_fact = Signal(str)
    show_finding = Signal(object)
    list_movies = Signal(object)  # a folder
    mark = Signal(int, str)  # a frame, and the label of its mark
    unmark = Signal(int)
    note_audit = Signal(object, int)  # the traps, and the number of plays


@dataclass(frozen=True, slots=True)
class WindowContext:
    """The widgets of a window, and the access to its game. ``root`` is the folder of new
    integrations. ``open_path`` opens a ROM or integration, loads a state, or plays a movie; with a
    frame, it goes to that frame of a movie. ``use_workspace`` takes a workspace's key. ``say``
    shows a banner, with the arguments of NoticeArea.show_notice. ``dock`` is for a panel's view."""

    window: QMainWindow
    settings: UiSettings
    actions: Actions
    systems: KnownSystems
    root: Path
    bridge: SessionBridge
    controller: GameController
    screen: ScreenPanel
    say: Callable[..., object]
    open_path: Callable[..., object]
    use_workspace: Callable[[str], object]
    requests: Requests
    parts: Parts = field(default_factory=Parts)
    dock: ui.PanelDock | None = None

    def choose_theme(self, choice: ui.ThemeChoice) -> None:
        ui.Theme.now.choose(choice)
        self.settings.theme = choice


class WindowPart:
    """Base of the parts of a window: takes what it needs from the context, and follows the game."""

    def _use_context(self, context: WindowContext) -> None:
        self._context, self._bridge, self._controller = context, context.bridge, context.controller
        self._window, self._say, self._parts = context.window, context.say, context.parts
        self._requests, self._settings = context.requests, context.settings
        self._actions, self._screen = context.actions, context.screen
        self._timeline = context.screen.timeline

    def attend(self) -> None:
        """Set up, and follow the window's games from now on."""
        self._set_up()
        self._bridge.opened.connect(self._opened)
        self._bridge.closed.connect(self._closed)

    def _set_up(self) -> None: ...

    def _opened(self, game: GameSnapshot) -> None: ...

    def _closed(self) -> None: ...

    def _announce(self, text: str, kind: ui.NoticeKind = ui.NoticeKind.GOOD) -> None:
        self._controller.said.emit(kind, text)

    def _inform(self, text: str, remedy: ui.Remedy | None = None, *, stays: bool = False) -> None:
        """Show a banner with a fact, and with a button for what can be done about it."""
        if remedy is None:
            self._announce(text, ui.NoticeKind.INFO)
        else:
            self._say(ui.NoticeKind.INFO, text, remedy, stays=stays)

    def _warn(self, reason: Exception | str, kind: ui.NoticeKind = ui.NoticeKind.WARNING) -> None:
        self._announce(message_of(reason) if isinstance(reason, Exception) else reason, kind)

    def _report(self, error: Exception | str) -> None:
        self._warn(error, ui.NoticeKind.ERROR)

    def _ask_text(self, title: str, label: str, text: str = "") -> str | None:
        """Ask the user for a text. Returns it without surrounding spaces; None if canceled."""
        typed, accepted = QInputDialog.getText(self._window, title, label, text=text)
        return typed.strip() if accepted else None

    # File dialogs start in the folder that the last dialog for the same ``purpose`` ended in.

    def _ask_open(self, purpose: str, title: str, kinds: str) -> Path | None:
        return self._ask_path(QFileDialog.getOpenFileName, purpose, title, "", kinds)

    def _ask_save(self, purpose: str, title: str, name: str, kinds: str) -> Path | None:
        return self._ask_path(QFileDialog.getSaveFileName, purpose, title, name, kinds)

    def _ask_path(
        self, ask: Callable[..., tuple[str, str]], purpose: str, title: str, name: str, kinds: str
    ) -> Path | None:
        start = self._settings.folder(purpose, Path.home()) / name
        chosen, kind = ask(self._window, title, str(start), kinds)
        if not chosen:
            return None
        path = Path(chosen)
        self._settings.set_folder(purpose, path.parent)
        # A name without a suffix gets the suffix of the chosen kind.
        return path if path.suffix else Path(chosen + kind.rpartition("*")[2].rstrip(")"))

    def _ask_folder(self, purpose: str, title: str) -> Path | None:
        start = self._settings.folder(purpose, Path.home())
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(start))
        if not chosen:
            return None
        self._settings.set_folder(purpose, Path(chosen))
        return Path(chosen)


class Part(WindowPart, QObject):
    """A controller of the window."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._use_context(context)
        self.attend()


class PanelView(WindowPart, QWidget):
    """Base of a panel's view. Its dock shows it once :meth:`_set_up` has made its widgets."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.dock)
        self._use_context(context)
        self._dock, self._sight = ui.dock_of(self), Sight(self._bridge, self)
        self.attend()

    def _reader(
        self, look: Look[T], show: Show[T], interval_ms: int, failed: Otherwise = None
    ) -> LiveReader[T]:
        """Return a reader of the session that rests while the panel is out of sight."""
        return LiveReader(self._sight, look, show, interval_ms=interval_ms, failed=failed)

    def _fill(
        self,
        content: Item,
        icon: str,
        hint: str,
        actions: Sequence[QAction] = (),
        above: Sequence[Item] = (),
        below: Sequence[Item] = (),
    ) -> None:
        """Fill the panel with its content, or with a hint while there is no content."""
        heading, text = map(ui.words, HINTS[hint])
        self.pages = ui.EmptyOr(ui.EmptyState(icon, heading, text, actions), content)
        ui.stack(self, *above, self.pages, *below, grows=self.pages)

    def _say_hint(self, hint: str) -> None:
        """Let the empty panel show another hint."""
        self.pages.empty.say(*map(ui.words, HINTS[hint]))
