"""Everything about playing that is not the game itself, built together: sound, pads, clips."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.session import Session
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.clips_controller import ClipsController
from integrator.ui.play.pads.bindings_dialog import BindingsDialog
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_panel import PadPanel
from integrator.ui.screen.picture_place import Presentation
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings.preferences import Aspect, Preferences
from integrator.ui.settings.preferences_dialog import PreferencesDialog
from integrator.ui.settings.settings import UiSettings
from integrator.ui.widgets.theme import Theme, ThemeChoice


class Playing(QObject):
    """Sound, controllers, preferences and clips of the game that is open."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        settings: UiSettings,
        theme: Theme,
        panel: ScreenPanel,
        actions: Actions,
        choose_theme: Callable[[ThemeChoice], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._theme = theme
        self._panel = panel
        self._actions = actions
        self._choose_theme = choose_theme
        self._window = parent
        self.preferences = Preferences(settings, self)
        self.audio = AudioController(bridge, controller, self.preferences, self)
        self.pad = PadPanel(theme, panel.game_screen)
        self.pads = PadController(bridge, panel, self.pad, self.preferences, self)
        self.clips = ClipsController(
            bridge, controller, actions, settings, theme, panel.timeline, parent
        )
        self.background = PauseInBackground(bridge, controller, self.preferences, self)
        self._ratio = 0.0
        self._has_sound: bool | None = None
        self._sizes: tuple[int, int] | None = None
        self._connect()
        self._follow_preferences()

    def _connect(self) -> None:
        actions, preferences = self._actions, self.preferences
        actions["preferences"].triggered.connect(lambda _=False: self.show_preferences())
        actions["bindings"].triggered.connect(lambda _=False: self.show_bindings())
        actions["sound"].toggled.connect(lambda on: setattr(preferences, "sound", on))
        actions["on_screen_pad"].toggled.connect(
            lambda on: setattr(preferences, "on_screen_pad", on)
        )
        volume = self._panel.transport.volume
        volume.valueChanged.connect(lambda value: setattr(preferences, "volume", value))
        self.audio.available_changed.connect(self._note_sound)
        self._bridge.opened.connect(self._game_opened)
        self._bridge.frame_ready.connect(lambda _: self._look_at_size())
        preferences.changed.connect(self._follow_preferences)
        preferences.changed.connect(self._limit_timeline)

    def _note_sound(self, available: bool) -> None:
        self._has_sound = available

    def _game_opened(self, game: GameSnapshot) -> None:
        self._ratio = game.aspect_ratio
        self._sizes = None
        self._follow_preferences()
        self._limit_timeline()

    def _limit_timeline(self) -> None:
        size_bytes = self.preferences.timeline_gb * 10**9
        self._bridge.ask(lambda session: session.timeline.log.set_disk_budget(size_bytes))

    def _look_at_size(self) -> None:
        """A core may change its picture's shape with its size."""
        size = self._panel.game_screen.picture_size()
        now = (size.width(), size.height())
        before, self._sizes = self._sizes, now
        if before not in (None, now):
            self._bridge.ask(aspect_ratio, self._take_ratio)

    def _take_ratio(self, ratio: float) -> None:
        self._ratio = ratio
        self._follow_preferences()

    def _follow_preferences(self) -> None:
        preferences = self.preferences
        ratio = self._ratio if preferences.aspect is Aspect.CORE else 0.0
        shown = Presentation(preferences.scaling, ratio, preferences.quarter_turns)
        self._panel.game_screen.present(shown)
        sound = self._actions["sound"]
        sound.setChecked(preferences.sound)
        sound.setIcon(self._theme.icons.icon("volume" if preferences.sound else "muted"))
        self._panel.transport.volume.setValue(preferences.volume)
        self._actions["on_screen_pad"].setChecked(preferences.on_screen_pad)
        if self.pad.isHidden() == preferences.on_screen_pad:
            self.pad.setVisible(preferences.on_screen_pad)
            self.pad.place()
            self.pad.let_go()

    # -- dialogs ----------------------------------------------------------------------------

    def show_preferences(self) -> PreferencesDialog:
        """Open the Preferences dialog."""
        bindings = self.show_bindings if self.pads.game is not None else None
        dialog = PreferencesDialog(
            self._theme,
            self.preferences,
            self._choose_theme,
            bindings,
            self._has_sound,
            self._window,
        )
        dialog.open()
        return dialog

    def show_bindings(self) -> BindingsDialog | None:
        """Open the Buttons dialog of the open game's console."""
        if self.pads.game is None:
            return None
        dialog = BindingsDialog(self._theme, self.pads.game, self.pads, self._window)
        dialog.open()
        return dialog


def aspect_ratio(session: Session) -> float:
    """Width to height of the picture by the core; 0 when it does not tell."""
    return max(0.0, session.game.core.av.aspect_ratio)


class PauseInBackground(QObject):
    """Pauses play while another program is in front, if that is wanted, and goes on after it."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._preferences = preferences
        self._paused = False
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self.state_changed)

    def state_changed(self, state: Qt.ApplicationState) -> None:
        """The program came to the front, or went behind another."""
        if state is Qt.ApplicationState.ApplicationActive:
            if self._paused and self._controller.paused:
                self._bridge.play()
            self._paused = False
        elif self._preferences.pause_in_background and not self._controller.paused:
            self._paused = True
            self._bridge.pause()
