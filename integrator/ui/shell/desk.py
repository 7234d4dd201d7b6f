"""Everything that the parts of one window share, handed to each of them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QMainWindow

from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.library.welcome import Welcome
from integrator.ui.play.states.states_controller import StatesController
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings.settings import UiSettings
from integrator.ui.shell.bars.status_bar import StatusBar
from integrator.ui.shell.docks import Docks
from integrator.ui.widgets.notices import Teller
from integrator.ui.widgets.theme import Theme
from libretro_host.systems.descriptor import SystemDescriptor


@dataclass(frozen=True, slots=True)
class Desk:
    """The window's widgets, and the ways to the game. ``root`` is the folder of new integrations.

    ``open_path`` opens a ROM or integration, plays a movie, or loads a state.
    """

    window: QMainWindow
    theme: Theme
    settings: UiSettings
    actions: Actions
    systems: Mapping[str, SystemDescriptor]
    root: Path
    bridge: SessionBridge
    controller: GameController
    states: StatesController
    docks: Docks
    screen: ScreenPanel
    welcome: Welcome
    status: StatusBar
    say: Teller
    open_path: Callable[[Path], object]
