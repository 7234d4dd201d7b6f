"""The effect of a core option: memory, picture and states compared with training's value."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator.session.library.checks.live_check import OptionEffect, option_effect
from libretro_host.host import LoadRequest
from libretro_host.inprocess import InProcessHost
from scripts.campaign import toys


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.build_toycore(tmp_path_factory.mktemp("core"))


def effect(core: Path, tmp_path: Path, key: str, value: str, content: str = "") -> OptionEffect:
    game = tmp_path / "game.toy"
    game.write_text(content or "# as it is\n")
    usual = "off" if key == "toycore_tint" else "normal"
    return option_effect(LoadRequest(core, game), key, (usual, value), InProcessHost)


def test_an_option_that_games_notice_changes_memory(core: Path, tmp_path: Path) -> None:
    assert effect(core, tmp_path, "toycore_speed", "fast").memory == 1


def test_an_option_that_changes_nothing(core: Path, tmp_path: Path) -> None:
    assert effect(core, tmp_path, "toycore_tint", "on") == OptionEffect(None, None, "")


def test_states_that_do_not_work_are_told(core: Path, tmp_path: Path) -> None:
    told = effect(core, tmp_path, "toycore_tint", "on", "state=0\n")
    assert (told.memory, told.picture) == (None, None)
    assert "cannot save states" in told.state_remark
