"""Work on a Ray cluster, with a stand-in of its library: what it leaves behind in this process."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from integrator.commands.shared import fanout
from integrator.domain.errors import SessionError


def exit_at_once(*_: object) -> None:
    sys.exit(15)


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module that answers as Ray does, and takes SIGTERM as Ray does."""

    def init(*_: object, **__: object) -> None:
        signal.signal(signal.SIGTERM, exit_at_once)

    def remote(function: Callable[[int], int]) -> object:
        return SimpleNamespace(remote=function)

    module: Any = ModuleType("ray")
    module.init, module.remote, module.get, module.shutdown = init, remote, int, lambda: None
    errors = {name: type(name, (Exception,), {}) for name in ("RayTaskError", "RayError")}
    module.exceptions = SimpleNamespace(**errors)
    monkeypatch.setitem(sys.modules, "ray", module)
    monkeypatch.setattr(fanout, "_missing", lambda url: f"{url}: no Ray cluster answers there")
    before = signal.getsignal(signal.SIGTERM)
    yield module
    signal.signal(signal.SIGTERM, before)


def test_ray_leaves_the_signal_and_the_level_of_its_log_as_they_were(ray: Any) -> None:
    log, handler = logging.getLogger("ray"), signal.getsignal(signal.SIGTERM)
    log.setLevel(logging.WARNING)
    results = fanout.fan_out(lambda item: item * 2, [1, 2, 3], cluster="ray://head:10001")
    seen = [(number, signal.getsignal(signal.SIGTERM), log.level) for number in results]
    assert seen == [(number, handler, logging.CRITICAL) for number in (2, 4, 6)]
    assert log.level == logging.WARNING

    def refuse(*_: object, **__: object) -> None:
        raise ConnectionError("refused")

    ray.init = refuse
    with pytest.raises(SessionError, match="no Ray cluster answers there: refused"):
        next(fanout.fan_out(int, [1], cluster="ray://head:10001"))
    assert log.level == logging.WARNING
