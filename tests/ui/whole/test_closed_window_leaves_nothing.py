"""The remains of closed windows and switched themes: nothing piles up."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui_driver import delete_windows, open_and_wait

from integrator.app import build_window
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.widgets.theme import Theme, ThemeChoice


def test_a_closed_window_is_forgotten_with_all_its_parts(
    qapp: QApplication, qtbot: QtBot, settings_path: Path, own_home: Path, airstriker: Path
) -> None:
    assert own_home.is_dir()
    window = build_window(qapp, settings_path)
    window.show()
    open_and_wait(window, qtbot, airstriker)
    parts = (
        window,
        window.bridge,
        window.controller,
        window.parts[VariablesView],
        window.parts[FindController],
    )
    left = [weakref.ref(part) for part in parts]
    delete_windows(qapp, [window])
    del window, parts
    gc.collect()
    assert [ref() for ref in left] == [None] * len(left)


_LEFT_OPEN = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from integrator.app import build_window

app = QApplication([])
window = build_window(app, Path(sys.argv[1]))
window.show()
window.use_workspace("find")
window.docks.all["facts"].raise_()
app.processEvents()
app.shutdown()
"""


def test_a_program_that_ends_with_its_window_open_says_nothing(
    own_home: Path, settings_path: Path
) -> None:
    assert own_home.is_dir()
    program = [sys.executable, "-c", _LEFT_OPEN, str(settings_path)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        program, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Error" not in done.stderr


def test_an_icon_is_made_once_for_each_theme(theme: Theme) -> None:
    def keys() -> list[int]:
        found = []
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            theme.choose(choice)
            found += [theme.icons.icon("undo", role).cacheKey() for role in ("normal", "good")]
            found.append(theme.icons.pixmap("undo", theme.colors.faint, 30).cacheKey())
        return found

    first = keys()
    assert len(set(first)) == 6
    assert keys() == first
