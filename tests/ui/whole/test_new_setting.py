"""A setting is one row: a made-up one is kept, offered in Preferences, and told of."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel

from integrator.ui.play.preferences import PreferencesController, PreferencesDialog
from integrator.ui.settings import Setting, UiSettings
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.parts import NumberBox

GRID = Setting("view/grid", default=False, text="Draw a grid", heading="Drawing")
WIDTH = Setting("view/grid-width", 8, "Grid", " pixels", "Of the console", span=(1, 64))


@pytest.fixture(autouse=True)
def _rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UiSettings, "grid", GRID, raising=False)
    monkeypatch.setattr(UiSettings, "grid_width", WIDTH, raising=False)


def preferences(window: MainWindow) -> PreferencesDialog:
    return window.parts[PreferencesController].show_preferences()


def test_it_is_offered_and_kept(window: MainWindow, settings_path: Path) -> None:
    dialog = preferences(window)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert texts.index("Timeline") < texts.index("Drawing") < texts.index("Look")
    box, field = dialog.fields["grid"], dialog.fields["grid_width"]
    assert isinstance(box, QCheckBox)
    assert isinstance(field, NumberBox)
    assert (box.text(), box.isChecked()) == ("Draw a grid", False)
    assert (field.accessibleName(), field.text(), field.toolTip()) == (
        "Grid",
        "8 pixels",
        "Of the console",
    )
    told: list[bool] = []
    window.context.settings.changed.connect(lambda: told.append(True))
    box.click()
    field.setValue(16)
    assert len(told) == 2
    dialog.close()
    again = preferences(window).fields["grid"]
    assert isinstance(again, QCheckBox)
    assert again.isChecked()
    window.context.settings.save()
    kept = UiSettings(settings_path)
    assert [GRID.__get__(kept, UiSettings), WIDTH.__get__(kept, UiSettings)] == [True, 16]
    kept.set_text("view/grid-width", "1000")
    assert WIDTH.__get__(kept, UiSettings) == 64
