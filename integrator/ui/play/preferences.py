"""The Preferences dialog, and the controller that applies preferences of picture, sound and pad."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QComboBox, QFormLayout, QSlider, QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts_dialog import ShortcutsDialog
from integrator.ui.bridge.bridge import Then
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.pads.bindings_dialog import BindingsDialog
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.screen.screen_view import Presentation, key_of_name
from integrator.ui.settings import Aspect, Setting, UiSettings
from integrator.ui.window_context import Part, WindowContext


class PreferencesDialog(ui.Dialog):
    """Shows preferences and theme. ``show_bindings`` opens the Buttons dialog; None without a game.
    ``show_shortcuts`` opens the dialog of keys. ``fields`` are the fields by setting."""

    def __init__(
        self,
        context: WindowContext,
        show_bindings: Then | None,
        show_shortcuts: Then,
        has_sound: bool | None,
    ) -> None:
        super().__init__(context.window, self.tr("Preferences"), minimumWidth=480)
        self._preferences = context.settings
        self.fields: dict[str, QWidget] = {}
        self._form = form = QFormLayout(horizontalSpacing=14, verticalSpacing=8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        why, show = self.tr("Open a game first: each console has its own buttons"), show_bindings
        self.buttons = ui.push_button(self.tr("Buttons…"), show or self.close, "" if show else why)
        self.buttons.setEnabled(bool(show))
        self.shortcuts = ui.push_button(self.tr("Keyboard shortcuts…"), show_shortcuts)
        above = {
            "turbo_frames": (self.tr("Keys and pads"), self.buttons),
            "on_screen_pad": (self.tr("Commands"), self.shortcuts),
        }
        for name, setting in vars(UiSettings).items():
            if not (isinstance(setting, Setting) and setting.is_preference):
                continue
            self._section(ui.words(setting.heading))
            if name in above:
                self._row(*above[name])
            present = getattr(self._preferences, name)
            field = _editor(setting, present, partial(setattr, self._preferences, name))
            field.setToolTip(ui.words(setting.tip))
            self.fields[name] = field
            self._row(ui.words(setting.label), field)
            if name == "volume" and has_sound is False:
                note = self.tr("No sound device was found here: games are silent.")
                self._row("", ui.role_label(note, "faint"))
        self._section(self.tr("Look"))
        self._row(
            self.tr("Theme"), _choice(ui.theme_titles(), ui.Theme.now.choice, context.choose_theme)
        )
        done = ui.push_button(self.tr("Done"), self.close, role="primary")
        ui.vbox(form, None, 10, ui.hbox(None, done), on=self, margins=(20, 14, 20, 14))

    def _section(self, heading: str) -> None:
        if not heading:
            return
        label = ui.role_label(heading, "subheading")
        if self._form.rowCount():
            label.setContentsMargins(0, 12, 0, 0)
        self._form.addRow(label)

    def _row(self, text: str, field: QWidget) -> None:
        self._form.addRow(text, field)
        if text:
            field.setAccessibleName(text)
            ui.configured(self._form.labelForField(field), "secondary", minimumWidth=110)


def _choice(texts: Mapping[Any, str], present: object, choose: Callable[..., object]) -> QComboBox:
    box, values = QComboBox(), list(texts)
    box.addItems(list(texts.values()))
    box.setCurrentIndex(values.index(present))
    box.activated.connect(lambda at: choose(values[at]))
    return box


def _editor(setting: Setting[Any], present: Any, choose: Callable[..., object]) -> QWidget:
    text = ui.words(setting.text)
    if setting.choices:
        texts = {value: ui.words(each) for value, each in setting.choices.items()}
        return _choice(texts, present, choose)
    if setting.span is None:
        box = ui.check_box(text, on=bool(present))
        box.toggled.connect(choose)
        return box
    field = ui.NumberBox() if text else QSlider(Qt.Orientation.Horizontal)
    field.setRange(*setting.span)
    if isinstance(field, ui.NumberBox):
        field.setSuffix(text)
        # Wait until the number is complete: 1 on the way to 100 would drop recorded frames.
        field.setKeyboardTracking(False)
    field.setValue(present)
    field.valueChanged.connect(choose)
    return field


class PreferencesController(Part):
    """Applies the preferences of picture, sound and pad, and opens the dialogs that change them."""

    def _set_up(self) -> None:
        actions, parts, preferences = self._actions, self._parts, self._settings
        self._pad, self._pads = parts[PadPanel], parts[PadController]
        self._audio = parts[AudioController]
        self._ratio, self._pausing = 0.0, False
        actions.on(preferences=self.show_preferences, shortcuts=self.show_shortcuts)
        actions.on(bindings=self.show_bindings)
        actions["sound"].toggled.connect(partial(setattr, preferences, "sound"))
        actions["on_screen_pad"].toggled.connect(partial(setattr, preferences, "on_screen_pad"))
        volume = self._screen.transport.volume
        volume.valueChanged.connect(partial(setattr, preferences, "volume"))
        # A core may change the shape of its picture together with the size.
        self._screen.game_screen.reshaped.connect(self._ask_ratio)
        preferences.changed.connect(self._follow_preferences)
        self._follow_preferences()
        application = cast("QGuiApplication", QGuiApplication.instance())
        application.applicationStateChanged.connect(self.state_changed)

    def state_changed(self, state: Qt.ApplicationState) -> None:
        """Pause while another program is in front, if the user wants that; then resume."""
        if state is Qt.ApplicationState.ApplicationActive:
            if self._pausing and self._controller.paused:
                self._bridge.play()
            self._pausing = False
        elif self._settings.pause_in_background and not self._controller.paused:
            self._pausing = True
            self._bridge.pause()

    def _opened(self, game: GameSnapshot) -> None:
        self._take_ratio(game.info.av.aspect_ratio)

    def _ask_ratio(self) -> None:
        self._bridge.ask(lambda session: session.game.core.av.aspect_ratio, self._take_ratio)

    def _take_ratio(self, ratio: float) -> None:
        self._ratio = max(0.0, ratio)  # 0 if the core does not report it
        self._follow_preferences()

    def _follow_preferences(self) -> None:
        preferences = self._settings
        screen, actions = self._screen, self._actions
        ratio = self._ratio if preferences.aspect is Aspect.CORE else 0.0
        shown = Presentation(preferences.scaling, ratio, preferences.quarter_turns)
        screen.game_screen.present(shown)
        actions["sound"].setChecked(preferences.sound)
        actions["sound"].setIcon(ui.icon("volume" if preferences.sound else "muted"))
        screen.transport.volume.setValue(preferences.volume)
        actions["on_screen_pad"].setChecked(preferences.on_screen_pad)
        if self._pad.isHidden() == preferences.on_screen_pad:
            self._pad.setVisible(preferences.on_screen_pad)
            self._pad.let_go()
        disk_bytes = preferences.timeline_gb * 10**9
        self._bridge.ask(lambda session: session.timeline.log.pool.set_disk_budget(disk_bytes))

    def show_preferences(self) -> PreferencesDialog:
        bindings = self.show_bindings if self._controller.game else None
        sound = self._audio.available
        dialog = PreferencesDialog(self._context, bindings, self.show_shortcuts, sound)
        dialog.open()
        return dialog

    def show_shortcuts(self, search: str = "") -> ShortcutsDialog:
        game, portable = self._controller.game, QKeySequence.SequenceFormat.PortableText
        played = {
            QKeySequence(key).toString(portable): str(button)
            for player in (self._pads.bindings[: game.players] if game else ())
            for each, button in zip(player, game.system.buttons if game else (), strict=False)
            if (key := key_of_name(each.key)) is not None
        }
        dialog = ShortcutsDialog(self._actions.shortcuts, played, self._window)
        dialog.look_for(search)
        dialog.open()
        return dialog

    def show_bindings(self) -> BindingsDialog | None:
        if (game := self._controller.game) is None:
            return None
        dialog = BindingsDialog(self._context, game, self._pads)
        dialog.open()
        return dialog
