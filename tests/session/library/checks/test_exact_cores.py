"""Other cores for a game whose states are not exact."""

from __future__ import annotations

from pathlib import Path

import pytest

import integrator
from integrator.session.library.checks.live_check import exact_cores, inexact_states, try_states
from integrator.session.opening import other_cores_than
from scripts.campaign import toys


@pytest.fixture
def cores(own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The core in use, which has a hidden count, and another build of it without."""
    other = toys.build_toycore(own_home / "other", "TOYCORE_HIDDEN=0")
    monkeypatch.setenv("INTEGRATOR_CORES", f"{toy_cores}:{other.parent}")
    toys.describe_toy(cores=[{"core": "toycore", "residue": True}], platform="Toy")
    return toy_cores / "toycore_libretro.so", other


def test_a_core_with_exact_states_is_found(own_home: Path, cores: tuple[Path, Path]) -> None:
    used, other = cores
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=1)
    with integrator.open_session(game, isolated=False) as session:
        assert session.game.core_path == used
        assert not try_states(session).is_exact
    [found] = exact_cores(game, "Toy", 1, used)
    assert (found.path, found.name) == (other, "toycore 1.0")
    assert "memory" not in found.difference
    assert "pictures differ from frame" in found.difference


def test_few_moments_with_inexact_states_are_found(own_home: Path, toy_cores: Path) -> None:
    toys.describe_toy(platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=4)
    with integrator.open_session(game, isolated=False, core=toy_cores) as session:
        found = try_states(session)
        assert 0 < found.inexact < found.restored / 10
        assert [one.code for one in inexact_states(session)] == ["states-inexact"]


def test_a_core_that_is_as_inexact_is_not_offered(own_home: Path, cores: tuple[Path, Path]) -> None:
    used, other = cores
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=1)
    assert exact_cores(game, "Toy", 1, other) == []
    assert other_cores_than("Toy", other) == [used]


def test_equal_copies_of_a_core_are_one(own_home: Path, cores: tuple[Path, Path]) -> None:
    used, other = cores
    copy = own_home / "copy" / other.name
    copy.parent.mkdir()
    copy.write_bytes(used.read_bytes())
    other.unlink()
    assert other_cores_than("Toy", copy) == []


def test_cores_that_do_not_run_the_game_are_left_out(
    own_home: Path, cores: tuple[Path, Path]
) -> None:
    used, other = cores
    toys.build_toycore(other.parent, "TOYCORE_API=2")
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=1)
    assert exact_cores(game, "Toy", 1, used) == []
