"""The Preferences dialog: picture, sound, controllers, look. Every change is used at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QLabel,
    QPushButton,
    QSlider,
    QWidget,
)

from integrator.ui.settings.settings import (
    MAX_TIMELINE_GB,
    MAX_TURBO_FRAMES,
    Aspect,
    Preferences,
    Scaling,
)
from integrator.ui.widgets.panels.parts import NumberBox, hbox, role_label, vbox
from integrator.ui.widgets.theme import Theme, ThemeChoice, theme_titles


class PreferencesDialog(QDialog):
    """Shows preferences and theme. ``show_bindings`` opens the Buttons dialog; None: no game.

    ``show_shortcuts`` opens the dialog of the commands' keys.
    """

    def __init__(
        self,
        theme: Theme,
        preferences: Preferences,
        choose_theme: Callable[[ThemeChoice], object],
        show_bindings: Callable[[], object] | None,
        show_shortcuts: Callable[[], object],
        has_sound: bool | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preferences"))
        self._preferences = preferences
        self._grid = QGridLayout()
        self._build_picture_fields()
        self.sound = QCheckBox(self.tr("Play the game's sound"))
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self.turbo = NumberBox()
        self.timeline = NumberBox()
        self.background = QCheckBox(self.tr("Pause when another program is in front"))
        self.pad = QCheckBox(self.tr("Show a pad to click over the picture"))
        self.buttons = QPushButton(self.tr("Buttons…"))
        self.shortcuts = QPushButton(self.tr("Keyboard shortcuts…"))
        self.shortcuts.clicked.connect(lambda _=False: show_shortcuts())
        self.theme = self._choice(
            [(title, choice) for choice, title in theme_titles().items()],
            theme.choice,
            choose_theme,
        )
        self._set_up_fields()
        self._build_ui(has_sound=has_sound)
        self.buttons.setEnabled(show_bindings is not None)
        if show_bindings is None:
            self.buttons.setToolTip(self.tr("Open a game first: each console has its own buttons"))
        else:
            self.buttons.clicked.connect(lambda _=False: show_bindings())

    def _build_picture_fields(self) -> None:
        preferences = self._preferences
        self.scaling = self._choice(
            (
                (self.tr("Whole numbers, every pixel the same"), Scaling.WHOLE),
                (self.tr("Fill the room, hard edges"), Scaling.FILL),
                (self.tr("Fill the room, soft edges"), Scaling.SMOOTH),
            ),
            preferences.scaling,
            lambda value: setattr(preferences, "scaling", value),
        )
        self.aspect = self._choice(
            (
                (self.tr("Square pixels, as training sees them"), Aspect.SQUARE),
                (self.tr("As on the console's screen"), Aspect.CORE),
            ),
            preferences.aspect,
            lambda value: setattr(preferences, "aspect", value),
        )
        self.turned = self._choice(
            (
                (self.tr("Upright"), 0),
                (self.tr("A quarter turn to the left"), 1),
                (self.tr("Upside down"), 2),
                (self.tr("A quarter turn to the right"), 3),
            ),
            preferences.quarter_turns,
            lambda value: setattr(preferences, "quarter_turns", value),
        )

    def _choice(
        self,
        entries: Sequence[tuple[str, object]],
        present: object,
        choose: Callable[..., object],
    ) -> QComboBox:
        box = QComboBox()
        for text, value in entries:
            box.addItem(text, value)
        box.setCurrentIndex([value for _, value in entries].index(present))
        box.activated.connect(lambda index: choose(entries[index][1]))
        return box

    def _set_up_fields(self) -> None:
        preferences = self._preferences
        self._flag(self.sound, "sound")
        self._flag(self.background, "pause_in_background")
        self._flag(self.pad, "on_screen_pad")
        self.volume.setRange(0, 100)
        self.volume.setValue(preferences.volume)
        self.volume.valueChanged.connect(lambda value: setattr(preferences, "volume", value))
        self.turbo.setRange(1, MAX_TURBO_FRAMES)
        self.turbo.setSuffix(self.tr(" frames down, as many up"))
        self.turbo.setValue(preferences.turbo_frames)
        self.turbo.valueChanged.connect(lambda value: setattr(preferences, "turbo_frames", value))

        self.timeline.setRange(1, MAX_TIMELINE_GB)
        self.timeline.setSuffix(self.tr(" GB of disk at most"))
        self.timeline.setToolTip(
            self.tr("Beyond that, the oldest frames of a long timeline are given up")
        )
        self.timeline.setValue(preferences.timeline_gb)
        # Not while a number is typed: 1 on the way to 100 would drop recorded frames.
        self.timeline.setKeyboardTracking(False)
        self.timeline.valueChanged.connect(lambda value: setattr(preferences, "timeline_gb", value))

    def _flag(self, box: QCheckBox, name: str) -> None:
        box.setChecked(getattr(self._preferences, name))
        box.toggled.connect(lambda on: setattr(self._preferences, name, on))

    def _build_ui(self, *, has_sound: bool | None) -> None:
        grid = self._grid
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, 110)
        grid.setColumnStretch(1, 1)
        self._heading(self.tr("Picture"))
        self._row(self.tr("Size"), self.scaling)
        self._row(self.tr("Shape"), self.aspect)
        self._row(self.tr("Turned"), self.turned)
        self._heading(self.tr("Sound"))
        self._row("", self.sound)
        self._row(self.tr("Volume"), self.volume)
        if has_sound is False:
            note = self.tr("No sound device was found here: games are silent.")
            self._row("", role_label(note, "faint"))
        self._heading(self.tr("Controllers"))
        self._row(self.tr("Keys and pads"), self.buttons)
        self._row(self.tr("Turbo"), self.turbo)
        self._row(self.tr("Commands"), self.shortcuts)
        self._row("", self.pad)
        self._row("", self.background)
        self._heading(self.tr("Timeline"))
        self._row(self.tr("Recorded play"), self.timeline)
        self._heading(self.tr("Look"))
        self._row(self.tr("Theme"), self.theme)
        done = QPushButton(self.tr("Done"))
        done.setProperty("role", "primary")
        done.clicked.connect(self.close)
        bottom = hbox(None, done)
        vbox(grid, None, 10, bottom, on=self, margins=(20, 14, 20, 14))
        self.setMinimumWidth(480)

    def _heading(self, text: str) -> None:
        row = self._grid.rowCount()
        if row > 1:
            self._grid.setRowMinimumHeight(row, 12)
            row += 1
        self._grid.addWidget(role_label(text, "subheading"), row, 0, 1, 2)

    def _row(self, text: str, field: QWidget) -> None:
        row = self._grid.rowCount()
        label = QLabel(text)
        label.setProperty("role", "secondary")
        label.setBuddy(field)
        if text:
            field.setAccessibleName(text)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(field, row, 1)
