"""Only chosen memory is open: logged, searched and shown; training's values do not change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.commands.shared.options import airstriker as shipped_airstriker
from integrator.domain.errors import AddressError, SessionError
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.result import MovieWarning
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.setup.plan import (
    ALIGNMENT,
    MemoryStore,
    memory_path,
    parse_range,
    range_text,
    windows_for,
)

RANGES = st.lists(st.tuples(st.integers(0, 500), st.integers(1, 60)), max_size=6)
GENESIS_RAM = 0xFF0000
CHOSEN = (GENESIS_RAM + 0x100, 0x80)


def covered(ranges: tuple[tuple[int, int], ...]) -> set[int]:
    return {address for start, size in ranges for address in range(start, start + size)}


def variable(address: int, spec: str = ">u2") -> VariableSpec:
    return VariableSpec("score", address, DataType.parse(spec))


@given(RANGES, st.lists(st.integers(0, 500), max_size=3))
def test_windows_hold_what_was_chosen_in_whole_words(
    chosen: list[tuple[int, int]], addresses: list[int]
) -> None:
    windows = windows_for(chosen, [variable(address) for address in addresses])
    if not chosen:
        assert windows == ()
        return
    wanted = covered(tuple(chosen)) | {a + n for a in addresses for n in range(2)}
    assert wanted <= covered(windows)
    assert all(start % ALIGNMENT == size % ALIGNMENT == 0 for start, size in windows)
    ends = [start + size for start, size in windows]
    assert all(end < start for end, (start, _) in zip(ends, windows[1:], strict=False))


@given(st.integers(0, 1 << 40), st.integers(1, 1 << 33))
def test_ranges_are_written_as_they_are_read(start: int, size: int) -> None:
    assert parse_range(range_text((start, size))) == (start, size)
    assert parse_range(f" {start:#x} + {size} ") == (start, size)


@pytest.mark.parametrize("text", ["", "0x10", "from 1-2", "0x20-0x10", "5+0", "-5-3"])
def test_what_is_no_range_is_said(text: str) -> None:
    with pytest.raises(SessionError):
        parse_range(text)


@pytest.mark.parametrize("text", ["{", "[]", '{"games": {"A": "0-1"}}', '{"games": {"A": [1]}}'])
def test_a_damaged_store_names_itself(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(text)
    with pytest.raises(SessionError, match=r"memory\.json.*correct or remove"):
        MemoryStore(path).ranges("A")


def test_no_ranges_are_all_memory_again(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "deep" / "memory.json")
    store.keep("A", [(0, 16)])
    store.keep("B", [(16, 16)])
    assert store.ranges("A") == ((0, 16),)
    store.keep("A", [])
    assert store.ranges("A") == ()
    assert store.ranges("B") == ((16, 16),)


@pytest.mark.parametrize("text", ['{"mine": 1}', '{"mine": 1, "games": {}}'])
def test_other_keys_of_a_store_are_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(text)
    MemoryStore(path).keep("A", [(0, 16)])
    assert json.loads(path.read_text()) == {"mine": 1, "games": {"A": ["0x0-0xF"]}}


@pytest.fixture
def airstriker(tmp_path: Path) -> Path:
    """A copy of the game, with its documents."""
    source = shipped_airstriker()
    return Path(shutil.copytree(source, tmp_path / source.name))


@pytest.fixture
def limited(own_home: Path, airstriker: Path) -> Iterator[Session]:
    """Airstriker with 128 bytes of RAM and those of its variables."""
    assert own_home.is_dir()
    MemoryStore(memory_path()).keep(airstriker.name, [CHOSEN])
    with open_session(airstriker) as session:
        yield session


def play(session: Session, frames: int = 600) -> list[tuple[float, bool, dict[str, float]]]:
    masks = np.repeat(np.random.default_rng(8).integers(0, 4096, frames // 10) & ~8, 10)
    session.reset()
    seen = []
    for mask in masks.tolist():
        result = session.advance((mask,))
        seen.append((result.outcome.rewards[0], result.outcome.done, dict(result.values)))
    return seen


def test_the_log_is_limited_and_scores_as_ever(limited: Session, airstriker: Path) -> None:
    core = limited.game.core
    assert not core.sees_all_memory
    assert core.whole_ram_bytes == 0x10000
    inside = covered(tuple((region.address, region.size) for region in core.regions))
    specs = limited.integration.variables.values()
    wanted = {spec.address + n for spec in specs for n in range(spec.type.width)}
    assert covered((CHOSEN,)) | wanted <= inside
    assert len(inside) < 0x100 + 16 * len(specs)
    assert limited.timeline.ram(0).shape == (len(inside),)
    mine = play(limited)
    MemoryStore(memory_path()).keep(airstriker.name, [])
    with open_session(airstriker) as whole:
        assert play(whole) == mine
    assert len({(reward, *values.items()) for reward, _, values in mine}) > 1


def test_seeking_is_exact_and_the_rest_can_not_be_read(limited: Session) -> None:
    play(limited, 300)
    ram = limited.memory.ram.copy()
    limited.timeline.seek(100)
    assert limited.timeline.seek(limited.timeline.length).messages == ()
    np.testing.assert_array_equal(limited.memory.ram, ram)
    with pytest.raises(AddressError):
        limited.memory.read(GENESIS_RAM + 0x4000, DataType.parse("|u1"))


def test_movies_of_a_part_of_memory_are_not_checked(
    limited: Session, airstriker: Path, tmp_path: Path
) -> None:
    limited.record(tmp_path / "part.bk2")
    for _ in range(30):
        limited.advance()
    limited.stop_recording()
    assert limited.game.read_movie(tmp_path / "part.bk2").ram_hashes is None
    MemoryStore(memory_path()).keep(airstriker.name, [])
    with open_session(airstriker) as whole:
        whole.record(tmp_path / "whole.bk2")
        for _ in range(30):
            whole.advance()
        whole.stop_recording()
        assert whole.game.read_movie(tmp_path / "whole.bk2").ram_hashes is not None
    limited.take_events()
    limited.play(tmp_path / "whole.bk2")
    for _ in range(20):
        limited.advance()
    told = [event for event in limited.take_events() if isinstance(event, MovieWarning)]
    assert ["without a warning" in event.text for event in told] == [True]


def test_memory_that_is_not_there_names_the_file(own_home: Path, airstriker: Path) -> None:
    assert own_home.is_dir()
    bare = Path(airstriker / "rom.md")
    MemoryStore(memory_path()).keep("Bare-Genesis", [(0x10, 16)])
    rom = bare.with_name("Bare.md")
    rom.write_bytes(bare.read_bytes())
    with pytest.raises(SessionError, match=r"0x10-0x1F.*memory\.json"):
        open_session(rom)
