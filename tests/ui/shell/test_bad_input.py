"""Bad input in the window: each a banner that names the file and the cure; old files stay whole."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, scenario, step

from integrator.domain.integration.states import pack_state
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind
from libretro_host.systems import discovery

pytestmark = pytest.mark.usefixtures("shared_window")


def refusal(window: MainWindow, qtbot: QtBot, act: Callable[[], object]) -> str:
    """The newest error banner after ``act``; the window must still stand."""
    area = window.screen_panel.notices
    area.clear()

    def errors() -> list[str]:
        return [banner.text for banner in area.banners() if banner.kind is NoticeKind.ERROR]

    act()
    qtbot.waitUntil(lambda: bool(errors()))
    assert window.isVisible()
    return errors()[0]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_missing_path(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    text = refusal(window, qtbot, lambda: window.open_path(tmp_path / "gone.nes"))
    assert "gone.nes" in text
    assert "check the spelling" in text


@pytest.mark.parametrize("name", ["gone.bk2", "gone.state"])
def test_a_missing_movie_or_state(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    assert name in refusal(window, qtbot, lambda: window.open_path(tmp_path / name))


def test_a_missing_rom(window: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    (airstriker / "rom.md").unlink()
    text = refusal(window, qtbot, lambda: window.open_path(airstriker))
    assert str(airstriker) in text
    assert "copy the game there" in text


def test_an_unknown_extension(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "notes.xyz").write_text("x")
    text = refusal(window, qtbot, lambda: window.open_path(tmp_path / "notes.xyz"))
    assert "notes.xyz" in text


def test_a_core_that_is_not_there(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "core_places", lambda *_: [(airstriker, "a folder")])
    text = refusal(window, qtbot, lambda: window.open_path(airstriker))
    assert "genesis_plus_gx" in text
    assert "pip install" in text


def test_a_state_of_another_core(open_game: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    state = airstriker / "Foreign.state"
    state.write_bytes(pack_state(b"not a state of this core" * 20, "another core 1.0"))
    text = refusal(open_game, qtbot, lambda: open_game.open_path(state))
    assert "Foreign.state" in text
    assert "another core or version" in text
    step(open_game, qtbot)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08cut", b"plain text"])
def test_a_damaged_state(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, content: bytes
) -> None:
    state = airstriker / "Level9.state"
    state.write_bytes(content)
    assert "Level9.state" in refusal(open_game, qtbot, lambda: open_game.open_path(state))
    step(open_game, qtbot)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 truncated", b"plain text"])
def test_a_damaged_movie(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path, content: bytes
) -> None:
    movie = tmp_path / "broken.bk2"
    movie.write_bytes(content)
    assert "broken.bk2" in refusal(open_game, qtbot, lambda: open_game.open_path(movie))
    step(open_game, qtbot)


@pytest.mark.parametrize("name", ["data.json", "scenario.json", "metadata.json"])
def test_truncated_json(window: MainWindow, qtbot: QtBot, airstriker: Path, name: str) -> None:
    file = airstriker / name
    file.write_bytes(file.read_bytes()[:20])
    before = tree(airstriker)
    text = refusal(window, qtbot, lambda: window.open_path(airstriker))
    assert name in text
    assert tree(airstriker) == before


def test_a_file_in_the_way_of_saving(open_game: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    open_game.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in str(scenario(open_game)))
    moved = airstriker.with_name("moved")
    airstriker.rename(moved)
    airstriker.write_text("a file where the directory was")
    before = tree(moved)
    text = refusal(
        open_game,
        qtbot,
        lambda: QTest.mouseClick(open_game.top_bar.save_button, Qt.MouseButton.LeftButton),
    )
    assert "Airstriker-Genesis-v0/data.json could not be written" in text
    assert tree(moved) == before
    assert open_game.isWindowModified()
    airstriker.unlink()
    moved.rename(airstriker)
    QTest.mouseClick(open_game.top_bar.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not open_game.isWindowModified())
    assert '"time"' in (airstriker / "scenario.json").read_text()


def test_a_state_that_can_not_be_written(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (airstriker / "Level2.state").mkdir()
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Level2", True))
    text = refusal(open_game, qtbot, open_game.actions_by_key["save_state"].trigger)
    assert "Level2.state" in text


def test_a_recording_into_a_folder_that_is_gone(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "movies"
    folder.mkdir()
    path = folder / "run.bk2"
    with qtbot.waitSignal(open_game.controller.recording_changed):
        open_game.controller.record(path)
    step(open_game, qtbot, 2)
    shutil.rmtree(folder)
    text = refusal(open_game, qtbot, open_game.actions_by_key["stop_recording"].trigger)
    assert "run.bk2" in text
    assert open_game.screen_panel.transport.record.isVisible()
    step(open_game, qtbot)
    assert banners(open_game)


def test_a_scenario_whose_name_leads_out_of_the_folder(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(airstriker.rglob("*"))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("../bad name", True))
    text = refusal(open_game, qtbot, open_game.parts[RewardView].ask_scenario)
    assert "'../bad name' cannot be the name of a scenario" in text
    assert not open_game.isWindowModified()
    assert sorted(airstriker.rglob("*")) == before
    assert not list(airstriker.parent.rglob("bad name*"))


def test_a_link_out_of_the_folder_is_told_and_asked_about(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = airstriker.parent / "precious"
    precious.write_text("-- mine\n")
    (airstriker / "script.lua").symlink_to(precious)
    open_and_wait(window, qtbot, airstriker)
    qtbot.waitUntil(lambda: any(f"script.lua → {precious}" in text for text in banners(window)))
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Save]

    def answer(*arguments: object) -> QMessageBox.StandardButton:
        asked.append(str(arguments[2]))
        return answers.pop(0)

    monkeypatch.setattr(QMessageBox, "question", answer)
    window.parts[ScriptView].keep("script.lua", "-- theirs\n")
    qtbot.waitUntil(window.isWindowModified)
    window.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: any("nothing was written" in text for text in banners(window)))
    assert precious.read_text() == "-- mine\n"
    assert window.isWindowModified()
    window.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert precious.read_text() == "-- theirs\n"
    assert [str(precious) in text for text in asked] == [True, True]
