"""Everything that the parts of one window share, and the descriptor of a panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow, QWidget

from integrator.session.library.consoles.own_consoles import KnownSystems
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.library.welcome import Welcome
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings.settings import UiSettings
from integrator.ui.widgets.notices import Teller
from integrator.ui.widgets.theme import Theme, ThemeChoice

P = TypeVar("P", bound=QObject)


class Parts:
    """The views and controllers of one window, each found by its class."""

    def __init__(self) -> None:
        self._by_class: dict[type[QObject], QObject] = {}

    def add(self, part: QObject) -> None:
        """Take in a part; a window has one of each class."""
        if type(part) in self._by_class:
            raise ValueError(f"the window has a {type(part).__name__} already")
        self._by_class[type(part)] = part

    def __getitem__(self, kind: type[P]) -> P:
        part = self._by_class.get(kind)
        if part is None:
            raise LookupError(f"the window has no {kind.__name__} yet; see shell/panels.py")
        return cast("P", part)

    def all_of(self, kind: type[P]) -> list[P]:
        """The parts of a class and of its subclasses."""
        return [part for part in self._by_class.values() if isinstance(part, kind)]


@dataclass(frozen=True, slots=True)
class Desk:
    """The window's widgets, and the ways to the game. ``root`` is the folder of new integrations.

    ``open_path`` opens a ROM or integration, plays a movie, or loads a state. ``use_workspace``
    takes a workspace's key.
    """

    window: QMainWindow
    theme: Theme
    settings: UiSettings
    actions: Actions
    systems: KnownSystems
    root: Path
    bridge: SessionBridge
    controller: GameController
    screen: ScreenPanel
    welcome: Welcome
    say: Teller
    open_path: Callable[[Path], object]
    use_workspace: Callable[[str], object]
    parts: Parts = field(default_factory=Parts)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Follow the system, or stay dark or light, also at the next start."""
        self.theme.choose(choice)
        self.settings.theme = choice


BELOW = -1
"""The column of panels that lie side by side under the screen."""

V = TypeVar("V", bound=QWidget)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Place of a panel in a workspace.

    ``column`` counts from the screen to the right, or is BELOW; ``row`` counts down the column.
    Panels of one column and row are tabs; tab 0 is in front, and has ``share`` of the height.
    """

    workspace: str
    column: int
    row: int
    tab: int = 0
    share: int = 0


@dataclass(frozen=True)  # with slots too, Panel[...]() fails on Python 3.11
class Panel(Generic[V]):
    """A panel: one row of the table in ``panels.py``.

    Layouts that users saved know the dock by ``key``. ``title`` is untranslated. The controllers
    let the view follow the game; ``connect`` ties the view to other panels and to commands of the
    menu, and is called once all controllers are there.
    """

    key: str
    title: str
    view: Callable[[Theme, Actions], V]
    places: tuple[Place, ...] = ()
    controllers: tuple[Callable[[Desk, V], QObject], ...] = ()
    connect: Callable[[Desk, V], object] = lambda *_: None
    shortcut: str = ""


def standard(
    controller: Callable[[SessionBridge, GameController, V, QWidget], QObject],
) -> Callable[[Desk, V], QObject]:
    """A controller that needs only its view and the game, and no other part of the desk."""
    return lambda desk, view: controller(desk.bridge, desk.controller, view, desk.window)
