"""Games that came with a package stay as they are, and are saved as copies."""

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, scenario

from integrator import paths
from integrator.session.edits.commands import own_directory
from integrator.session.setup import roots
from integrator.session.setup.roots import LibraryRoot, RootKind
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def packaged(airstriker: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Airstriker in a folder that stands for a package's."""
    real = roots.library_roots

    def with_package() -> tuple[LibraryRoot, ...]:
        return (*real(), LibraryRoot(airstriker.parent, RootKind.STABLE))

    monkeypatch.setattr(roots, "library_roots", with_package)
    return airstriker


def test_saving_a_packaged_game_makes_a_copy_of_ones_own(
    window: MainWindow, qtbot: QtBot, packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in packaged.iterdir()}
    open_and_wait(window, qtbot, packaged)
    window.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in json.dumps(scenario(window)))
    with qtbot.waitSignal(window.controller.game_kept):
        window.actions_by_key["save"].trigger()
    mine = paths.user_integrations_dir() / packaged.name
    assert "time" in (mine / "scenario.json").read_text()
    assert (mine / "rom.md").is_file()
    assert window.controller.game is not None
    assert window.controller.game.directory == mine
    assert "stays as it was" in banners(window)[0]
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Later", True))
    window.actions_by_key["save_state"].trigger()
    qtbot.waitUntil(window.isWindowModified)
    window.actions_by_key["save"].trigger()
    qtbot.waitUntil((mine / "Later.state").is_file)
    assert {path.name: path.read_bytes() for path in packaged.iterdir()} == before


def test_a_state_of_a_packaged_game_goes_into_the_copy(
    window: MainWindow, qtbot: QtBot, packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_and_wait(window, qtbot, packaged)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Later", True))
    window.actions_by_key["save_state"].trigger()
    qtbot.waitUntil(window.isWindowModified)
    window.actions_by_key["save"].trigger()
    mine = paths.user_integrations_dir() / packaged.name / "Later.state"
    qtbot.waitUntil(mine.is_file)
    assert not (packaged / "Later.state").exists()


def test_a_copys_version_goes_up_until_it_is_free(tmp_path: Path) -> None:
    assert own_directory(tmp_path, "Game-Nes-v0").name == "Game-Nes-v0"
    (tmp_path / "Game-Nes-v0").mkdir()
    (tmp_path / "Game-Nes-v1").mkdir()
    assert own_directory(tmp_path, "Game-Nes-v0").name == "Game-Nes-v2"
    (tmp_path / "Other-Nes").mkdir()
    assert own_directory(tmp_path, "Other-Nes").name == "Other-Nes-v1"
