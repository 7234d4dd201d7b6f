"""Preferences at work: the picture's shape, sound, the pad on the screen, the timeline's size."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.session import Session
from integrator.ui.actions.shortcuts_dialog import ShortcutsDialog
from integrator.ui.desk import Part
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.pads.bindings_dialog import BindingsDialog
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.screen.keyboard import key_of_name
from integrator.ui.screen.picture_place import Presentation
from integrator.ui.settings.preferences_dialog import PreferencesDialog
from integrator.ui.settings.settings import Aspect, Preferences


class PreferencesController(Part):
    """Lets picture, sound and pad follow the preferences; opens the dialogs that change them."""

    def _set_up(self) -> None:
        desk = self._desk
        self._preferences = desk.parts[Preferences]
        self._pad = desk.parts[PadPanel]
        self._pads = desk.parts[PadController]
        self._audio = desk.parts[AudioController]
        self._ratio = 0.0
        self._size: QSize | None = None
        self._connect()
        self._follow_preferences()

    def _connect(self) -> None:
        actions, preferences = self._desk.actions, self._preferences
        actions.on("preferences", self.show_preferences)
        actions.on("shortcuts", self.show_shortcuts)
        actions.on("bindings", self.show_bindings)
        for changed, name in (
            (actions["sound"].toggled, "sound"),
            (actions["on_screen_pad"].toggled, "on_screen_pad"),
            (self._desk.screen.transport.volume.valueChanged, "volume"),
        ):
            changed.connect(partial(setattr, preferences, name))
        self._bridge.opened.connect(self._game_opened)
        self._bridge.frame_ready.connect(lambda _: self._look_at_size())
        preferences.changed.connect(self._follow_preferences)
        preferences.changed.connect(self._limit_timeline)

    def _game_opened(self, game: GameSnapshot) -> None:
        self._ratio = game.aspect_ratio
        self._size = None
        self._follow_preferences()
        self._limit_timeline()

    def _limit_timeline(self) -> None:
        size_bytes = self._preferences.timeline_gb * 10**9
        self._bridge.ask(lambda session: session.timeline.log.set_disk_budget(size_bytes))

    def _look_at_size(self) -> None:
        """A core may change its picture's shape with its size."""
        before, self._size = self._size, self._desk.screen.game_screen.picture_size()
        if before not in (None, self._size):
            self._bridge.ask(aspect_ratio, self._take_ratio)

    def _take_ratio(self, ratio: float) -> None:
        self._ratio = ratio
        self._follow_preferences()

    def _follow_preferences(self) -> None:
        preferences = self._preferences
        ratio = self._ratio if preferences.aspect is Aspect.CORE else 0.0
        shown = Presentation(preferences.scaling, ratio, preferences.quarter_turns)
        self._desk.screen.game_screen.present(shown)
        sound = self._desk.actions["sound"]
        sound.setChecked(preferences.sound)
        sound.setIcon(self._desk.theme.icons.icon("volume" if preferences.sound else "muted"))
        self._desk.screen.transport.volume.setValue(preferences.volume)
        self._desk.actions["on_screen_pad"].setChecked(preferences.on_screen_pad)
        if self._pad.isHidden() == preferences.on_screen_pad:
            self._pad.setVisible(preferences.on_screen_pad)
            self._pad.place()
            self._pad.let_go()

    # -- dialogs ----------------------------------------------------------------------------

    def show_preferences(self) -> PreferencesDialog:
        bindings = self.show_bindings if self._pads.game is not None else None
        dialog = PreferencesDialog(
            self._desk.theme,
            self._preferences,
            self._desk.choose_theme,
            bindings,
            self.show_shortcuts,
            self._audio.available,
            self._window,
        )
        dialog.open()
        return dialog

    def show_shortcuts(self, search: str = "") -> ShortcutsDialog:
        game, played = self._pads.game, {}
        for player in self._pads.bindings[: game.players] if game is not None else ():
            for each, button in zip(player, game.buttons if game else (), strict=False):
                key = key_of_name(each.key)
                if key is not None:
                    text = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
                    played[text] = str(button)
        dialog = ShortcutsDialog(self._desk.actions.shortcuts, played, self._window)
        dialog.look_for(search)
        dialog.open()
        return dialog

    def show_bindings(self) -> BindingsDialog | None:
        if self._pads.game is None:
            return None
        dialog = BindingsDialog(self._desk.theme, self._pads.game, self._pads, self._window)
        dialog.open()
        return dialog


def aspect_ratio(session: Session) -> float:
    """Width to height of the picture by the core; 0 when it does not say."""
    return max(0.0, session.game.core.av.aspect_ratio)


class PauseInBackground(Part):
    """Pauses play while another program is in front, if that is wanted, and goes on after it."""

    def _set_up(self) -> None:
        self._preferences = self._desk.parts[Preferences]
        self._paused = False
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self.state_changed)

    def state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            if self._paused and self._controller.paused:
                self._bridge.play()
            self._paused = False
        elif self._preferences.pause_in_background and not self._controller.paused:
            self._paused = True
            self._bridge.pause()
