"""Our system descriptors state the same facts as those that training uses."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from libretro_host.systems.descriptor import DEFAULT_TYPES, SystemDescriptor, load_descriptors
from libretro_host.systems.discovery import core_places, find_core, wheel_core_dir

ROOT = Path(__file__).resolve().parents[2]
OURS = load_descriptors(
    ROOT / "cores" / "systems", schema=ROOT / "resources" / "schemas" / "system.schema.json"
)

# stable-retro's source has it, and its package does not: no registry has the core.
IN_NO_PACKAGE = "Dreamcast"
IN_PACKAGE = {name: system for name, system in OURS.items() if name != IN_NO_PACKAGE}


def upstream() -> dict[str, Any]:
    folder = wheel_core_dir()
    assert folder is not None, "install the cores extra: these tests compare with stable-retro"
    systems: dict[str, Any] = {}
    for path in folder.glob("*.json"):
        systems.update(json.loads(path.read_text()))
    return systems


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    return upstream()


def test_the_same_systems(theirs: dict[str, Any]) -> None:
    assert set(IN_PACKAGE) == set(theirs)


def test_the_system_without_a_package_has_the_facts_of_the_source() -> None:
    ours = OURS[IN_NO_PACKAGE]
    pad = ("A", "B", "X", "Y", "START", "DPAD_UP", "DPAD_DOWN", "DPAD_LEFT", "DPAD_RIGHT", "L", "R")
    assert ours.buttons == (*pad, None, None, None)
    keys = ("X", "Z", "TAB", "ENTER", "UP", "DOWN", "LEFT", "RIGHT", "C", "A", "S")
    assert ours.keys[: len(keys)] == keys
    assert (ours.extensions, ours.cores) == (("chd2", "cdi"), ("flycast",))
    assert ours.rambase == 0x0C000000
    assert ours.types == IN_PACKAGE["NintendoDs"].types


@pytest.mark.parametrize("ours", IN_PACKAGE.values(), ids=IN_PACKAGE.keys())
def test_the_same_facts(theirs: dict[str, Any], ours: SystemDescriptor) -> None:
    fact = theirs[ours.name]
    assert list(ours.buttons) == fact["buttons"]
    assert list(ours.keys) == fact["keybinds"]
    assert list(ours.extensions) == fact["ext"]
    assert ours.cores[0] == fact["lib"]
    assert ours.rambase == fact.get("rambase", 0)
    assert [[list(c) for c in group] for group in ours.actions] == fact["actions"]
    assert list(ours.types) == fact.get("types", list(DEFAULT_TYPES))
    assert ours.overlay == (tuple(fact["overlay"]) if "overlay" in fact else None)


@pytest.mark.parametrize("ours", IN_PACKAGE.values(), ids=IN_PACKAGE.keys())
def test_the_core_of_training_is_preferred(ours: SystemDescriptor) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "INTEGRATOR_CORES"}
    assert find_core(ours, core_places([], environment)).path.parent == wheel_core_dir()
