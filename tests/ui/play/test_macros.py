"""Input macros: recorded from play, edited as text, looped, kept with the game, played by key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, banners, frame_number, open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.session.session import Session
from integrator.ui.actions.shortcuts_dialog import ShortcutsDialog
from integrator.ui.play.macros import (
    KeptMacro,
    MacrosView,
    is_macro_name,
    load_macros,
    save_macros,
)
from integrator.ui.settings import UiSettings
from integrator.ui.shell.main_window import MainWindow

_RIGHT, _A = 7, 8


def advance(window: MainWindow, qtbot: QtBot, frames: int) -> list[int]:
    """Run frames one by one; player 1's buttons of each."""
    first = frame_number(window) + 1
    for number in range(first, first + frames):
        window.actions_by_key["advance"].trigger()
        qtbot.waitUntil(
            lambda n=number: frame_number(window) == n,  # type: ignore[misc] # bound at once
            timeout=OPEN_TIMEOUT_MS,
        )
    got: list[list[int]] = []

    def inputs(session: Session) -> list[int]:
        return [int(row[0]) for row in session.timeline.log.inputs(first, first + frames)]

    window.bridge.ask(inputs, got.append)
    qtbot.waitUntil(lambda: bool(got))
    return got[0]


def test_a_macro_is_recorded_edited_looped_played_by_key_and_kept(
    new_window: Callable[[], MainWindow],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = new_window()
    open_and_wait(window, qtbot, demo_game())
    view, macros = window.parts[MacrosView], window.parts[MacrosView]
    assert not view.list.isVisibleTo(view)
    record = window.actions_by_key["record_macro"]
    (begin,) = view.pages.empty.buttons
    assert (begin.text(), view.pages.empty.heading.text()) == (
        "Record input macro",
        "No input macros yet",
    )
    begin.click()
    qtbot.waitUntil(lambda: any("The macro begins" in text for text in banners(window)))
    assert (begin.text(), view.record.text()) == ("End recording", "End recording")
    assert view.pages.empty.heading.text() == "An input macro is being recorded"
    screen = window.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_X)
    assert advance(window, qtbot, 2) == [1 << _A, 1 << _A]
    QTest.keyRelease(screen, Qt.Key.Key_X)
    assert advance(window, qtbot, 1) == [0]
    record.trigger()
    qtbot.waitUntil(lambda: bool(macros.macros))
    assert (begin.text(), view.record.text()) == ("Record input macro", "Record")
    assert view.list.item(0).text() == "Macro 1 · 3 frames"
    assert [line.count("A") for line in view.text.toPlainText().splitlines()] == [1, 1, 0]

    view.play.click()
    assert advance(window, qtbot, 4) == [1 << _A, 1 << _A, 0, 0]
    lines = view.text.toPlainText().splitlines()
    view.text.setPlainText("\n".join((lines[0], lines[2], "|..|nonsense|")))
    assert "row 2" in view.problem.text()
    view.play.click()
    assert advance(window, qtbot, 1) == [0]
    view.text.setPlainText("\n".join((lines[0], lines[2])))
    assert view.problem.text() == ""
    view.loop.click()
    view.play.click()
    assert advance(window, qtbot, 4) == [1 << _A, 0, 1 << _A, 0]
    view.play.click()  # a looping macro ends at the second click
    assert advance(window, qtbot, 2) == [0, 0]

    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Hop", True))
    view.rename.click()
    assert list(macros.macros) == ["Hop"]
    view.keys.click()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    QTest.keyClick(dialog.field, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    keys = {each.text: each.keys for each in window.actions_by_key.shortcuts.commands}
    assert keys["Play Hop"] == "Ctrl+J"
    dialog.close()
    window.close()

    window = new_window()
    assert "Play Hop" not in {e.text for e in window.actions_by_key.shortcuts.commands}
    open_and_wait(window, qtbot, demo_game())
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert advance(window, qtbot, 3) == [1 << _A, 0, 1 << _A]
    window.actions_by_key["stop_macro"].trigger()
    assert advance(window, qtbot, 1) == [0]
    window.parts[MacrosView].remove.click()
    assert "Play Hop" not in {e.text for e in window.actions_by_key.shortcuts.commands}


def test_damaged_macros_are_left_out(tmp_path: Path) -> None:
    settings = UiSettings(tmp_path / "window.ini")
    for text in ("{", "[]", '{"a": 3, "b": {"text": 4}, "c=d": {"text": ""}}'):
        settings.set_text("macros/Game", text)
        assert load_macros(settings, "Game") == {}
    kept = {"Hop 1": KeptMacro("|..|A|\n|..|.|\n", loop=True)}
    save_macros(settings, "Game", kept)
    assert load_macros(settings, "Game") == kept
    assert load_macros(settings, "Other") == {}
    save_macros(settings, "Game", {})
    assert settings.text("macros/Game") is None


def test_names_are_letters_digits_spaces_and_hyphens() -> None:
    assert is_macro_name("Wall-jump 2")
    assert is_macro_name("Sprung über")
    for name in ("", " x", "a=b", "a\nb", "x" * 41):
        assert not is_macro_name(name)
