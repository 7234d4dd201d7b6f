"""stable-retro as the judge of many cases: one process answers them all, each in a fork of its own.

stable-retro allows one emulator a process, and importing it takes a second."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pytest

T = TypeVar("T")


def chosen_cases(request: pytest.FixtureRequest, cases: Sequence[T]) -> list[T]:
    """The cases of ``cases`` that this run's tests of a module ask for, in their order."""
    here = [item for item in request.session.items if item.path == request.path]
    asked = [item.callspec.params["case"] for item in here if hasattr(item, "callspec")]
    return [case for case in cases if case in asked]


class JudgedCases:
    """Answers of the script ``judge`` to requests, each ready as soon as it is written."""

    def __init__(self, work: Path, judge: Path, requests: Sequence[dict[str, Any]]) -> None:
        import warm_children  # which judges, who import this module, cannot

        self._work = work
        (work / "request.json").write_text(json.dumps(requests))
        self._errors = work / "stderr"
        with self._errors.open("w") as errors:
            self._child = warm_children.popen(
                [sys.executable, "-W", "ignore", str(judge), str(work)],
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def answer(self, number: int) -> Any:
        """Wait for the answer to a request."""
        path = self._work / f"{number}.json"
        while not path.exists():
            assert self._child.poll() in (None, 0), self._errors.read_text()
            time.sleep(0.05)
        return json.loads(path.read_text())

    def close(self) -> None:
        """End the judge."""
        self._child.kill()
        self._child.wait()


def answer_requests(work: Path, run: Callable[[dict[str, Any]], Any]) -> None:
    """The judge's side: write the answer of ``run`` to each request."""
    for number, request in enumerate(json.loads((work / "request.json").read_text())):
        child = os.fork()
        if child == 0:
            part = work / f"{number}.part"
            part.write_text(json.dumps(run(request)))
            part.rename(work / f"{number}.json")
            return
        _, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(f"request {number} ended with status {status}")
