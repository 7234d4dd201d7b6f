"""The Preferences dialog: picture, sound, controllers, look. Every change is used at once."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QPushButton, QSlider, QWidget

from integrator.ui.settings.settings import Preferences, Setting
from integrator.ui.widgets.panels.parts import NumberBox, check_box, hbox, role_label, vbox
from integrator.ui.widgets.theme import Theme, ThemeChoice, theme_titles
from integrator.ui.widgets.translation import translate


class PreferencesDialog(QDialog):
    """Shows preferences and theme. ``show_bindings`` opens the Buttons dialog; None: no game.

    ``show_shortcuts`` opens the dialog of the commands' keys. ``fields`` has the editor of each
    preference.
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
        self.fields: dict[str, QWidget] = {}
        self._grid = grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, 110)
        grid.setColumnStretch(1, 1)
        self.buttons = QPushButton(self.tr("Buttons…"))
        self.buttons.setEnabled(show_bindings is not None)
        if show_bindings is None:
            self.buttons.setToolTip(self.tr("Open a game first: each console has its own buttons"))
        else:
            self.buttons.clicked.connect(lambda _=False: show_bindings())
        self.shortcuts = shortcuts = QPushButton(self.tr("Keyboard shortcuts…"))
        shortcuts.clicked.connect(lambda _=False: show_shortcuts())
        self._section(self.tr("Picture"), "scaling", "aspect", "quarter_turns")
        self._section(self.tr("Sound"), "sound", "volume")
        if has_sound is False:
            note = self.tr("No sound device was found here: games are silent.")
            self._row("", role_label(note, "faint"))
        self._section(self.tr("Controllers"))
        self._row(self.tr("Keys and pads"), self.buttons)
        self._preference("turbo_frames")
        self._row(self.tr("Commands"), shortcuts)
        self._preference("on_screen_pad")
        self._preference("pause_in_background")
        self._section(self.tr("Timeline"), "timeline_gb")
        self._section(self.tr("Look"))
        self._row(self.tr("Theme"), _choice(theme_titles(), theme.choice, choose_theme))
        done = QPushButton(self.tr("Done"))
        done.setProperty("role", "primary")
        done.clicked.connect(self.close)
        vbox(grid, None, 10, hbox(None, done), on=self, margins=(20, 14, 20, 14))
        self.setMinimumWidth(480)

    def _section(self, heading: str, *names: str) -> None:
        row = self._grid.rowCount()
        if row > 1:
            self._grid.setRowMinimumHeight(row, 12)
            row += 1
        self._grid.addWidget(role_label(heading, "subheading"), row, 0, 1, 2)
        for name in names:
            self._preference(name)

    def _preference(self, name: str) -> None:
        setting = vars(Preferences)[name]
        present = getattr(self._preferences, name)
        field = _editor(setting, present, lambda value: setattr(self._preferences, name, value))
        field.setToolTip(translate("Label", setting.tip))
        self.fields[name] = field
        self._row(translate("Label", setting.label), field)

    def _row(self, text: str, field: QWidget) -> None:
        row = self._grid.rowCount()
        label = role_label(text, "secondary")
        label.setBuddy(field)
        if text:
            field.setAccessibleName(text)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(field, row, 1)


def _choice(texts: Mapping[Any, str], present: object, choose: Callable[..., object]) -> QComboBox:
    box = QComboBox()
    for value, text in texts.items():
        box.addItem(text, value)
    values = list(texts)
    box.setCurrentIndex(values.index(present))
    box.activated.connect(lambda at: choose(values[at]))
    return box


def _editor(setting: Setting[Any], present: Any, choose: Callable[..., object]) -> QWidget:
    text = translate("Label", setting.text)
    if setting.choices:
        texts = {value: translate("Label", each) for value, each in setting.choices.items()}
        return _choice(texts, present, choose)
    if setting.span is None:
        box = check_box(text, on=bool(present))
        box.toggled.connect(choose)
        return box
    field = NumberBox() if text else QSlider(Qt.Orientation.Horizontal)
    field.setRange(*setting.span)
    if isinstance(field, NumberBox):
        field.setSuffix(text)
        # Not while a number is typed: 1 on the way to 100 would drop recorded frames.
        field.setKeyboardTracking(False)
    field.setValue(present)
    field.valueChanged.connect(choose)
    return field
