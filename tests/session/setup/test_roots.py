"""Games by the names of their integrations."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integrator.commands.shared.options import airstriker, demo_game
from integrator.env.making import make_env
from integrator.paths import user_integrations_dir
from integrator.session.setup.roots import game_at, list_integrations


@pytest.mark.usefixtures("own_home")
def test_a_name_is_an_integration_where_there_is_no_such_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert game_at(airstriker().name) == airstriker()
    assert game_at(demo_game().name).samefile(demo_game())
    (tmp_path / airstriker().name).mkdir()
    assert game_at(airstriker().name) == Path(airstriker().name)
    for other in ("Gone-Nes-v0", f"..{os.sep}{airstriker().name}", "a\0b", ""):
        assert game_at(other) == Path(other)


def test_hidden_directories_are_not_listed(own_home: Path) -> None:
    assert own_home.is_dir()
    for name in (".Old-Nes-v0", "_Old-Nes-v0", "Mine-Nes-v0"):
        (user_integrations_dir() / name).mkdir(parents=True)
        (user_integrations_dir() / name / "data.json").write_text("{}")
    listed = list_integrations()
    assert "Mine-Nes-v0" in listed
    assert not [name for name in listed if "Old" in name]


def test_an_environment_is_made_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with make_env(demo_game().name) as env:
        assert env.reset()[0].shape == (224, 240, 3)
