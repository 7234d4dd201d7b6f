"""Rules of bindings: what has a place, what is kept, whose a key is, and what a pattern means."""

import json
from pathlib import Path

import pytest

from integrator.session.setup.roots import systems
from integrator.ui.play.pads.pad_controller import (
    Binding,
    bind,
    default_bindings,
    load_bindings,
    mask_of,
    parse_pattern,
    save_bindings,
)
from integrator.ui.play.pads.pad_view import SHEET, pad_layout
from integrator.ui.screen.screen_view import key_of_name, name_of_key
from integrator.ui.settings import UiSettings

NES = systems()["Nes"]
SNES = systems()["Snes"]
A, B = NES.buttons.index("A"), NES.buttons.index("B")


@pytest.mark.parametrize("system", systems().values(), ids=lambda system: system.name)
def test_every_button_of_every_console_has_a_place_of_its_own(system: object) -> None:
    buttons = system.buttons  # type: ignore[attr-defined] # a SystemDescriptor
    placed = pad_layout(buttons)
    assert sorted(each.bit for each in placed) == [n for n, name in enumerate(buttons) if name]
    for each in placed:
        middle = each.box.center()
        assert 0 < middle.x() < SHEET[0]
        assert 0 < middle.y() < SHEET[1]
        assert sum(other.box.contains(middle) for other in placed) == 1


@pytest.mark.parametrize("name", ["Z", "ENTER", "TAB", "SHIFT", "F5", "COMMA", "UP", "Home"])
def test_a_key_keeps_its_name(name: str) -> None:
    key = key_of_name(name)
    assert key is not None
    assert key_of_name(name_of_key(key.value)) == key


def test_a_key_is_taken_from_whoever_had_it() -> None:
    players = [default_bindings(NES, player) for player in (0, 1)]
    changed, clashes = bind(players, 1, A, Binding("Z", "b"))
    assert changed[1][A].key == "Z"
    assert changed[0][B].key == ""
    assert changed[0][B].pad == players[0][B].pad
    assert changed[0][A].pad == "b"  # each player has a pad of their own
    assert clashes == ((0, B),)


def test_only_what_differs_is_kept_and_nonsense_is_ignored(tmp_path: Path) -> None:
    settings = UiSettings(tmp_path / "window.ini")
    nes = settings, NES
    defaults = load_bindings(*nes)
    changed, _ = bind(defaults, 0, A, Binding("Q", "y", turbo=True, pattern="1/3"))
    save_bindings(*nes, changed)
    settings.save()
    assert load_bindings(UiSettings(settings.path), NES) == changed
    text = settings.text("bindings/Nes-1")
    assert text is not None
    assert list(json.loads(text)) == ["A"]
    assert settings.text("bindings/Nes-2") is None
    for nonsense in ("{", '{"A": 3}', '{"A": {"key": 1, "pad": "", "turbo": false}}', "[]"):
        settings.set_text("bindings/Nes-1", nonsense)
        assert load_bindings(*nes) == defaults


def test_a_key_that_the_user_gave_away_is_no_later_players(tmp_path: Path) -> None:
    snes = UiSettings(tmp_path / "window.ini"), SNES
    two = load_bindings(*snes)
    up = SNES.buttons.index("UP")
    changed, clashes = bind(two, 0, up, Binding("9", "dpup"))
    assert not clashes
    save_bindings(*snes, changed)
    three = load_bindings(*snes, 3)
    assert [each[up].key for each in three] == ["9", "I", ""]
    assert three[2][up].pad == "dpup"


def test_the_stick_plays_as_the_cross_unless_it_is_bound() -> None:
    names = ["a", "dpleft", "leftx-"]
    assert mask_of(frozenset({"leftx-"}), names) == 0b100
    assert mask_of(frozenset({"leftx-"}), names[:2]) == 0b010
    assert mask_of(frozenset({"x"}), ["a", ""]) == 0


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("2/2", (True, True, False, False)),
        ("1/1/2/1", (True, False, True, True, False)),
        ("0/1/1", (False, True)),
        ("2", None),
        ("0/2", None),
        ("2/0", None),
        ("", None),
        ("a/b", None),
        ("-1/2", None),
        ("500/500", None),
    ],
)
def test_patterns_are_runs_of_frames(text: str, pattern: tuple[bool, ...] | None) -> None:
    assert parse_pattern(text) == pattern
