"""Rules for every test: no leaked thread, child or shared memory, no unexpected warning log."""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from homes import live_in
from hypothesis import settings
from leaks import nothing_left
from nightly import is_nightly
from warm_children import warm

from integrator.commands.shared import fanout
from libretro_host.processes import children
from scripts.campaign import toys

# `make test` tries the same examples in every run, so that a failure is the change's and not the
# day's. "explore" draws new ones, and more: by night, and to look for bugs.
settings.register_profile(
    "repeatable", derandomize=True, print_blob=True, deadline=None, max_examples=25
)
settings.register_profile("explore", print_blob=True, deadline=None)
settings.load_profile("explore" if os.environ.get("INTEGRATOR_EXPLORE") else "repeatable")


@pytest.fixture(scope="session", autouse=True)
def warm_children() -> Iterator[Callable[..., object]]:
    """Processes of cores are forks; the value is what starts them otherwise."""
    with warm() as cold:
        yield cold


@pytest.fixture
def cold_children(warm_children: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes of cores start as in the program."""
    monkeypatch.setattr(children, "start", warm_children)


@pytest.fixture(autouse=True)
def _nothing_leaks(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    # Threads of a window that a module shares end with the window.
    threads = "shared_window" not in request.fixturenames
    with nothing_left(threads=threads):
        yield
        loud = [each for each in caplog.get_records("call") if each.levelno >= logging.WARNING]
        assert not loud, f"unexpected log lines: {[each.getMessage() for each in loud]}"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Children started in the test end on SIGINT, also where the tests run in the background.

    A shell without job control starts background commands that ignore SIGINT, and so do their
    children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for a test: settings, integrations, cores and saves start empty."""
    live_in(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture(scope="module")
def toy_cores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled toy core."""
    return toys.build_toycore(tmp_path_factory.mktemp("cores")).parent


@pytest.fixture
def toy_pair(own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Three files that make one game of the toy core, which its home knows."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy(platform="Toy")
    made = [own_home / name for name in ("Base.toy", "Second.txt", "Third.txt")]
    for file, text in zip(made, ("ram=2048\n", "Second", "Third"), strict=True):
        file.write_text(text, encoding="ascii")
    return made


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands work in this process, where a test can see or replace what they do."""
    monkeypatch.setattr(
        fanout, "WorkerPool", lambda function, items, *_, **__: map(function, items)
    )


@pytest.fixture
def own_crash_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that writes the stacks of a crash to its own file leaves pytest's handler alone.

    Otherwise a crash in a later test would end the worker without a word."""
    for name in ("enable", "disable"):
        monkeypatch.setattr(faulthandler, name, lambda *_: None)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Keep long contents out of the names of tests, which each worker and each report repeats."""
    return argname if isinstance(val, str | bytes) and len(val) > 300 else None


def pytest_collection_finish() -> None:
    """Spare the garbage collector the modules and tests, which stay: it would go through all."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves to `make nightly`, and let one worker run the tests that share
    something: every other worker would make it again for itself."""
    for item in items:
        if is_nightly(item.nodeid.partition("@")[0]):
            item.add_marker(pytest.mark.nightly)
        if item.get_closest_marker("xdist_group") is None and _shares(item):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def _shares(item: pytest.Item) -> bool:
    """True for a test that uses something that its module makes once."""
    module = item.nodeid.partition("::")[0]
    fixtures = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    used = (each for named in fixtures.values() for each in named)
    return any(
        each.scope == "module" and (each.baseid == module or each.argname == "shared_window")
        for each in used
    )
