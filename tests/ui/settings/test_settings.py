"""Settings: kept from start to start, and set aside when they are damaged."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from integrator.ui.settings import MAX_RECENT, Scaling, UiSettings


def test_preferences_are_kept_and_nonsense_is_ignored(tmp_path: Path) -> None:
    preferences = settings = UiSettings(tmp_path / "window.ini")
    told: list[bool] = []
    preferences.changed.connect(lambda: told.append(True))
    preferences.scaling = Scaling.SMOOTH
    preferences.scaling = Scaling.SMOOTH
    preferences.volume = 30
    preferences.sound = False
    assert len(told) == 3
    settings.save()
    again = UiSettings(settings.path)
    assert (again.scaling, again.volume, again.sound) == (Scaling.SMOOTH, 30, False)
    for key, text in (("scaling", "huge"), ("volume", "much"), ("quarter-turns", "9")):
        settings.set_text(f"play/{key}", text)
    assert (preferences.scaling, preferences.volume) == (Scaling.WHOLE, 70)
    assert preferences.quarter_turns == 3


def test_the_system_of_a_recent_rom_is_kept_as_long_as_the_rom(tmp_path: Path) -> None:
    settings = UiSettings(tmp_path / "window.ini")
    rom, integration = tmp_path / "a, b.bin", tmp_path / "Game-Nes"
    settings.add_recent(rom, "Nes")
    settings.add_recent(integration)
    settings.save()
    again = UiSettings(settings.path)
    assert again.recent == [str(integration), str(rom)]
    assert [again.system_of(path) for path in (rom, integration)] == ["Nes", ""]
    for number in range(MAX_RECENT):
        again.add_recent(tmp_path / f"{number}.bin", "Genesis")
    assert again.system_of(rom) == ""


@pytest.mark.parametrize("at", ["@", r"\x40"])
def test_settings_with_a_damaged_variant_are_set_aside(tmp_path: Path, at: str) -> None:
    """Qt reserves as many places as such a value says that it has, and ends the program."""
    path = tmp_path / "window.ini"
    path.write_text(f"[list]\nv={at}Variant(\\0\\0\\0\\v\\x7f\\xff\\xff\\xff)\n")
    settings = UiSettings(path)
    assert settings.text("list/v") is None
    assert settings.set_aside == path.with_suffix(".damaged")
    settings.set_text("list/v", "@Variant(mine)/a@Variant(")
    settings.save()
    again = UiSettings(path)
    assert (again.text("list/v"), again.set_aside) == ("@Variant(mine)/a@Variant(", None)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_stands_in_the_place_of_settings_is_set_aside(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "window.ini"
    make(path)
    settings = UiSettings(path)
    assert settings.set_aside is not None
    settings.set_text("a", "b")
    settings.save()
    assert UiSettings(path).text("a") == "b"


def test_settings_that_were_set_aside_before_are_kept(tmp_path: Path) -> None:
    path, before = tmp_path / "window.ini", tmp_path / "window.damaged"
    before.mkdir()
    path.write_bytes(b"\0first")
    assert UiSettings(path).set_aside == tmp_path / "window.damaged2"
    path.write_bytes(b"\0second")
    assert UiSettings(path).set_aside == tmp_path / "window.damaged3"
    assert (tmp_path / "window.damaged2").read_bytes() == b"\0first"
