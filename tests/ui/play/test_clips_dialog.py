"""Save clip: the chosen frames, the file next to the game, and stopping."""

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.session.hidden import clips
from integrator.ui.play.clips_controller import ClipDialog, ClipsController
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> ClipDialog:
    """The dialog, with some frames to choose from."""
    open_and_wait(window, qtbot, demo_game())
    window.bridge.ask(lambda session: session.advance(frames=90), window.bridge.show)
    qtbot.waitUntil(lambda: frame_number(window) == 91)
    window.actions_by_key["clip"].trigger()
    qtbot.waitUntil(lambda: window.parts[ClipsController].dialog is not None)
    shown = window.parts[ClipsController].dialog
    assert shown is not None
    return shown


def save_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_a_gif_of_the_last_second(
    window: MainWindow,
    dialog: ClipDialog,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialog.choose_seconds(1)
    assert (dialog.first.value(), dialog.last.value()) == (32, 91)
    QTest.mouseClick(dialog.kind.button(".gif"), Qt.MouseButton.LeftButton)
    assert not dialog.sound.isEnabled()
    save_to(tmp_path / "moth.gif", monkeypatch)
    with qtbot.waitSignal(window.parts[ClipsController].finished) as ended:
        QTest.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert ended.args == [tmp_path / "moth.gif"]
    assert any("moth.gif" in text for text in banners(window))
    assert frame_number(window) == 91
    with av.open(str(tmp_path / "moth.gif")) as container:
        assert len(list(container.decode(video=0))) == 30
    assert dialog.write.isEnabled()


@pytest.mark.usefixtures("held_jobs")
def test_a_clip_is_stopped(
    window: MainWindow,
    dialog: ClipDialog,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save_to(tmp_path / "moth.mp4", monkeypatch)
    clips = window.parts[ClipsController]
    clips.background.progressed.connect(lambda done, _: dialog.stop.click() if done else None)
    with qtbot.waitSignal(clips.finished) as ended:
        QTest.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert ended.args == [None]
    assert list(tmp_path.glob("*moth*")) == []
    assert not clips.background.busy


def test_what_can_not_be_written_is_told(
    window: MainWindow,
    dialog: ClipDialog,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save_to(tmp_path / "no such folder" / "moth.mp4", monkeypatch)
    with qtbot.waitSignal(window.parts[ClipsController].finished) as ended:
        QTest.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert ended.args == [None]
    assert any("no such folder" in text for text in banners(window))
    assert dialog.write.isEnabled()


def test_the_range_on_the_slider_is_taken(
    window: MainWindow, dialog: ClipDialog, qtbot: QtBot
) -> None:
    assert dialog.last.value() == 91
    dialog.close()
    window.screen_panel.timeline.set_range((20, 50))
    window.actions_by_key["clip"].trigger()
    qtbot.waitUntil(lambda: window.parts[ClipsController].dialog is not None)
    again = window.parts[ClipsController].dialog
    assert again is not None
    assert (again.first.value(), again.last.value()) == (20, 50)
    again.choose_seconds(1)
    assert again.first.value() == 32


def test_frames_in_the_wrong_order_are_refused(dialog: ClipDialog) -> None:
    dialog.first.setValue(60)
    dialog.last.setValue(50)
    assert not dialog.write.isEnabled()
    dialog.last.setValue(61)
    assert dialog.write.isEnabled()


def test_closing_the_window_ends_the_clip(
    window: MainWindow,
    dialog: ClipDialog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    started: list[Callable[..., object]] = []
    real = clips.write_clip

    def slow(*arguments: object) -> Path:
        started.append(real)
        return real(*arguments)  # type: ignore[arg-type] # passed on as they came

    monkeypatch.setattr(clips, "write_clip", slow)
    save_to(tmp_path / "moth.mp4", monkeypatch)
    QTest.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(started))
    window.close()
    assert not window.parts[ClipsController].background.busy


def test_the_game_picture_has_the_pixels_of_the_console(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_and_wait(window, qtbot, demo_game())
    save_to(tmp_path / "moth.png", monkeypatch)
    window.actions_by_key["game_picture"].trigger()
    qtbot.waitUntil(lambda: bool(banners(window)))
    last = window.controller.last
    assert last is not None
    assert last.frame is not None
    with av.open(str(tmp_path / "moth.png")) as container:
        picture = next(container.decode(video=0)).to_ndarray(format="rgb24")
    assert np.array_equal(picture, last.frame.rgb())
    save_to(tmp_path / "no such folder" / "moth.png", monkeypatch)
    window.actions_by_key["game_picture"].trigger()
    qtbot.waitUntil(lambda: any("no such folder" in text for text in banners(window)))
