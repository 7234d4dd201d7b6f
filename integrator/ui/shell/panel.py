"""The descriptor of a panel, from which the window derives its dock, menus and wiring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.shell.desk import Desk
from integrator.ui.widgets.theme import Theme

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
