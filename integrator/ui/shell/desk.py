"""Everything that the parts of one window share, and the descriptor of a panel."""

import inspect
from collections.abc import Callable, Iterator, Sequence
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
    """The views and controllers of one window, each found by its class.

    A part may be offered before it exists; it is built when it is first asked for.
    """

    def __init__(self) -> None:
        self._by_class: dict[object, QObject] = {}
        self._makers: dict[object, Callable[[], object]] = {}

    def add(self, part: QObject) -> None:
        if type(part) in self._by_class:
            raise ValueError(f"the window has a {type(part).__name__} already")
        self._by_class[type(part)] = part

    def offer(self, kind: object, make: Callable[[], object]) -> None:
        """Call ``make``, which adds a part of this class, when that is first asked for."""
        self._makers[kind] = make

    def need(self, *kinds: type[QObject]) -> None:
        for kind in kinds:
            self[kind]

    def __getitem__(self, kind: type[P]) -> P:
        if kind not in self._by_class and (make := self._makers.get(kind)) is not None:
            make()
        part = self.built(kind)
        if part is None:
            raise LookupError(f"the window has no {kind.__name__} yet; see shell/panels.py")
        return part

    def built(self, kind: type[P]) -> P | None:
        """The part of a class, unless nobody has needed it so far."""
        return cast("P | None", self._by_class.get(kind))


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


Standard = Callable[..., QObject]
"""Builds a controller of the bridge, the game's controller, the view, and the window behind those.

It is a class, by which ``Desk.parts`` knows the controller.
"""
Extras = Callable[[Desk], Sequence[object]]
"""Further arguments of a controller, between the view and the window."""


@dataclass(frozen=True)  # with slots too, Panel[...]() fails on Python 3.11
class Panel(Generic[V]):
    """A panel: one row of the table in ``panels.py``.

    Layouts that users saved know the dock by ``key``. ``title`` is untranslated. ``view`` is a
    class, made of the theme, or of theme and actions. The controllers let the view follow the game;
    ``connect`` ties the view to other panels, and is called once all controllers are there.
    They are built when the panel is first seen or asked for, but with the window if ``always``:
    they do something for a panel out of sight. The header of a ``noted`` one has room for a note
    also behind a tab.
    """

    key: str
    title: str
    view: Callable[..., V]
    places: tuple[Place, ...] = ()
    controllers: tuple[Standard | tuple[Standard, Extras], ...] = ()
    connect: Callable[[Desk, V], object] = lambda *_: None
    shortcut: str = ""
    always: bool = False
    noted: bool = False

    def parts(self) -> Iterator[tuple[Standard, Extras]]:
        for each in self.controllers:
            yield each if isinstance(each, tuple) else (each, lambda _: ())

    def build(self, desk: Desk, fill: Callable[[V], object]) -> V:
        """Make the view, give it to ``fill``, and build the controllers."""
        wants = len(inspect.signature(self.view).parameters)
        view = self.view(*(desk.theme, desk.actions)[:wants])
        fill(view)
        desk.parts.add(view)
        for build, extras in self.parts():
            desk.parts.add(build(desk.bridge, desk.controller, view, *extras(desk), desk.window))
        return view
