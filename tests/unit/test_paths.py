"""Folders that ship with the program, in a checkout and inside a wheel, and the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator import paths


def test_shipped_folders_are_found_in_a_checkout() -> None:
    assert (paths.shipped("resources") / "schemas" / "data.schema.json").is_file()
    assert (paths.shipped("cores") / "systems").is_dir()


def test_a_wheel_keeps_them_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package" / "_shipped" / "data").mkdir(parents=True)
    (tmp_path / "data").mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "package")
    assert paths.shipped("data") == tmp_path / "package" / "_shipped" / "data"
    with pytest.raises(FileNotFoundError, match="'cores' is missing"):
        paths.shipped("cores")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="XDG variables are Linux's")
def test_user_folders_follow_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert paths.user_integrations_dir() == tmp_path / "data" / paths.APP_NAME / "integrations"
    assert paths.user_systems_dir() == tmp_path / "config" / paths.APP_NAME / "systems"
    assert paths.save_dir("Game-Nes").is_relative_to(paths.user_data_dir())
    assert not any(tmp_path.iterdir())
