"""Files that another program changes while they are open: told, compared, never overwritten."""

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, scenario

from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.files.disk_changes import DiskChanges, DiskChangesDialog
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")


def write_theirs(path: Path, *, over: bool = True, **changes: object) -> bytes:
    """Change a JSON file as another program would: over it, or by renaming a new one."""
    text = json.dumps(json.loads(path.read_text()) | changes, indent=2)
    if over:
        path.write_text(text)
    else:
        fresh = path.with_suffix(".swp")
        fresh.write_text(text)
        fresh.rename(path)
    return text.encode()


def told(window: MainWindow, name: str) -> bool:
    return any(name in text and "another program" in text for text in banners(window))


def wait_until_told(window: MainWindow, qtbot: QtBot, name: str = "scenario.json") -> None:
    qtbot.waitUntil(lambda: told(window, name))


def dialog_of(window: MainWindow) -> DiskChangesDialog | None:
    found = window.findChildren(DiskChangesDialog)
    return next((dialog for dialog in found if dialog.isVisible()), None)


def compare(window: MainWindow, qtbot: QtBot) -> DiskChangesDialog:
    """Press the banner's button and wait for the dialog."""
    banner = next(b for b in window.screen_panel.notices.banners() if "another" in b.text)
    button = next(b for b in banner.findChildren(QPushButton) if "Compare" in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog_of(window) is not None)
    dialog = dialog_of(window)
    assert dialog is not None
    return dialog


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def watched(open_game: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """The game is open and its files are watched."""
    watcher = open_game.parts[DiskChanges]._watcher
    path = str(airstriker / "scenario.json")
    qtbot.waitUntil(lambda: path in watcher.files())
    return open_game


@pytest.mark.parametrize("over", [True, False], ids=["over it", "renamed"])
def test_a_change_is_told_and_reloaded(
    watched: MainWindow, qtbot: QtBot, airstriker: Path, over: bool
) -> None:
    theirs = write_theirs(airstriker / "scenario.json", over=over, crop=[1, 2, 3, 4])
    wait_until_told(watched, qtbot)
    assert "crop" not in scenario(watched)
    dialog = compare(watched, qtbot)
    assert dialog.current == airstriker / "scenario.json"
    assert "crop" in dialog.places.text()
    assert '"crop"' in dialog.theirs.toPlainText()
    assert '"crop"' not in dialog.ours.toPlainText()
    assert dialog.theirs.blockCount() == dialog.ours.blockCount()
    assert dialog.theirs.extraSelections()
    click(dialog.reload_button)
    qtbot.waitUntil(lambda: scenario(watched).get("crop") == [1, 2, 3, 4])
    qtbot.waitUntil(lambda: dialog_of(watched) is None)
    assert not watched.isWindowModified()
    watched.actions_by_key["undo"].trigger()
    qtbot.waitUntil(lambda: "crop" not in scenario(watched))
    assert (airstriker / "scenario.json").read_bytes() == theirs


def test_saving_over_a_change_asks_first_and_keeps_mine(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    watched.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in str(scenario(watched)["reward"]))
    theirs = write_theirs(airstriker / "scenario.json", crop=[1, 2, 3, 4])
    watched.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: dialog_of(watched) is not None)
    dialog = dialog_of(watched)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.current is not None)
    assert (airstriker / "scenario.json").read_bytes() == theirs
    assert "reward.time" in dialog.places.text()
    click(dialog.keep_button)
    qtbot.waitUntil(lambda: not watched.isWindowModified())
    saved = json.loads((airstriker / "scenario.json").read_text())
    assert "time" in saved["reward"]
    assert "crop" not in saved


def test_deciding_later_saves_nothing_and_asks_again(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    watched.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in str(scenario(watched)["reward"]))
    theirs = write_theirs(airstriker / "scenario.json", crop=[1, 2, 3, 4])
    for _ in range(2):
        watched.actions_by_key["save"].trigger()
        qtbot.waitUntil(lambda: dialog_of(watched) is not None)
        dialog = dialog_of(watched)
        assert dialog is not None
        qtbot.waitUntil(lambda d=dialog: d.current is not None)  # type: ignore[misc]  # bound early
        dialog.reject()
        qtbot.waitUntil(lambda: dialog_of(watched) is None)
    assert (airstriker / "scenario.json").read_bytes() == theirs
    assert watched.isWindowModified()


def test_closing_waits_for_the_decision(
    watched: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.parts[RewardView].add_time()
    qtbot.waitUntil(watched.isWindowModified)
    write_theirs(airstriker / "scenario.json", crop=[1, 2, 3, 4])
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Save)
    watched.close()
    qtbot.waitUntil(lambda: dialog_of(watched) is not None)
    dialog = dialog_of(watched)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.current is not None)
    assert watched.isVisible()
    click(dialog.keep_button)
    qtbot.waitUntil(lambda: not watched.isVisible())
    assert "time" in json.loads((airstriker / "scenario.json").read_text())["reward"]


def test_what_can_not_be_used_is_refused_and_stays_undecided(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    before = scenario(watched)
    write_theirs(airstriker / "scenario.json", crop="everything")
    wait_until_told(watched, qtbot)
    dialog = compare(watched, qtbot)
    click(dialog.reload_button)
    qtbot.waitUntil(lambda: "crop" in dialog.problem.text())
    assert scenario(watched) == before
    (airstriker / "scenario.json").write_text("{ broken")
    qtbot.waitUntil(lambda: "no JSON" in dialog.places.text())
    click(dialog.keep_button)
    qtbot.waitUntil(lambda: dialog_of(watched) is None)
    watched.actions_by_key["save"].trigger()
    qtbot.waitUntil(
        lambda: (
            json.loads((airstriker / "scenario.json").read_text()) == before
            if not (airstriker / "scenario.json").read_text().startswith("{ broken")
            else False
        )
    )


def test_added_files_appear_and_our_own_saves_are_no_change(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    (airstriker / "theirs.lua").write_text("-- theirs\n")
    (airstriker / "Level2.state").write_bytes((airstriker / "Level1.state").read_bytes())
    qtbot.waitUntil(lambda: watched.parts[ScriptView].current == "theirs.lua")
    qtbot.waitUntil(lambda: len(watched.parts[StatesView].model.rows) == 2)
    watched.parts[RewardView].add_time()
    qtbot.waitUntil(watched.isWindowModified)
    watched.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not watched.isWindowModified())
    qtbot.wait(600)
    assert not any("another program" in text for text in banners(watched))
    write_theirs(airstriker / "scenario.json", crop=[1, 2, 3, 4])
    wait_until_told(watched, qtbot)


def test_a_change_while_a_replaced_file_is_not_watched_is_told(
    watched: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, path = watched.parts[DiskChanges]._watcher, airstriker / "scenario.json"
    watch = watcher.addPaths

    def write_before(paths: list[str]) -> list[str]:
        if str(path) in paths:
            write_theirs(path, over=True, crop=[1, 2, 3, 4])
        return watch(paths)

    monkeypatch.setattr(watcher, "addPaths", write_before)
    watched.parts[RewardView].add_time()
    qtbot.waitUntil(watched.isWindowModified)
    watched.actions_by_key["save"].trigger()
    wait_until_told(watched, qtbot)


def test_files_that_went_away_since_they_were_looked_at_are_not_watched(
    watched: MainWindow, airstriker: Path
) -> None:
    disk = watched.parts[DiskChanges]
    disk._watch(())
    moved = airstriker.with_name("moved")
    airstriker.rename(moved)
    airstriker.write_text("a file where the directory was")
    disk._watch((str(airstriker), str(airstriker / "data.json")))  # Qt's warning would fail this
    assert disk._watcher.files() == [str(airstriker)]
    airstriker.unlink()
    moved.rename(airstriker)


def test_deleted_files_are_told_of_until_they_are_back(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    scenario_file = airstriker / "scenario.json"
    content = scenario_file.read_bytes()
    scenario_file.unlink()
    qtbot.waitUntil(lambda: told(watched, "Deleted by another program: scenario.json."))
    scenario_file.write_bytes(content)
    qtbot.waitUntil(lambda: not told(watched, "Deleted by another program"))
    (airstriker / "data.json").unlink()
    qtbot.waitUntil(lambda: told(watched, "Deleted by another program: data.json."))
    watched.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not told(watched, "Deleted by another program"))
    assert (airstriker / "data.json").exists()
    shutil.rmtree(airstriker)
    qtbot.waitUntil(lambda: told(watched, f"Deleted by another program: {airstriker.name}."))


def test_a_change_that_is_taken_back_is_told_of_no_more(
    watched: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    content = (airstriker / "scenario.json").read_bytes()
    write_theirs(airstriker / "scenario.json", crop=[1, 2, 3, 4])
    qtbot.waitUntil(lambda: told(watched, "Changed by another program: scenario.json."))
    (airstriker / "scenario.json").write_bytes(content)
    qtbot.waitUntil(lambda: not told(watched, "Changed by another program"))
