"""The list of nightly tests names tests that there are; tests that share something run together."""

from __future__ import annotations

from pathlib import Path

import pytest
from nightly import NIGHTLY, is_nightly

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("entry", NIGHTLY)
def test_each_entry_names_a_test(entry: str) -> None:
    file, _, name = entry.partition("::")
    assert f"def {name.partition('[')[0] or 'test_'}" in (TESTS / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("test_id", "nightly"),
    [
        ("tests/unit/test_wheel.py::test_it_runs_without_the_tree", True),
        ("tests/interop/test_every_system.py::test_ram_equals_stable_retro[N64]", True),
        ("tests/interop/test_every_system.py::test_ram_equals_stable_retro[Nes]", False),
        ("tests/golden/test_proof_roms.py::test_it[32x]", True),
        ("tests/unit/test_words.py::test_a_class_name_is_used_once", False),
    ],
)
def test_ids_are_told_apart(test_id: str, nightly: bool) -> None:
    assert is_nightly(test_id) is nightly


@pytest.fixture(scope="module")
def shared() -> None:
    """A thing that this module makes once."""


@pytest.mark.usefixtures("shared")
def test_one_worker_runs_the_tests_that_share_something(request: pytest.FixtureRequest) -> None:
    group = request.node.get_closest_marker("xdist_group")
    assert group is not None
    assert group.args == ("tests/unit/test_nightly.py",)


def test_any_worker_runs_the_others(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("xdist_group") is None
