"""Runs tricks of scripts against the sandbox, in a process that ends when one of them hangs.

``python lua_trick_runner.py CPU_MS [NAME...]`` prints the name of each trick before it runs, and
then how it ended as JSON: the processor time that it took, and whether another function works
afterwards."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

from integrator.domain.errors import AddressError
from integrator.domain.scenario.sandbox import ScriptLimits
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.tree import ScriptCall

TRICKS = Path(__file__).with_name("lua_tricks.txt")
_GUARD_S = 60


class Memory:
    """Two variables and 16 bytes."""

    def read_variable(self, name: str) -> int:
        return {"x": 1, "y": 2}[name]

    def write_variable(self, name: str, value: int) -> None:  # noqa: ARG002 - nothing is kept
        if name not in {"x", "y"}:
            raise KeyError(name)

    def read_byte(self, address: int) -> int:
        if not 0 <= address < 16:
            raise AddressError(f"{address} is not mapped")
        return 0


def tricks() -> dict[str, str]:
    """The body of each trick by its name."""
    lines = TRICKS.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def run(body: str, cpu_ms: int) -> dict[str, object]:
    """Run one trick as a game does, for three frames, and a good function after each."""
    text = f"function f() {body} end function good() return 7 end"
    hooks = ScriptHooks({"t.lua": text}, Memory(), ScriptLimits(cpu_ms=cpu_ms))
    hooks.reset()
    slowest, good = 0.0, True
    for frame in range(3):
        hooks.begin_frame(frame)
        begun = time.thread_time()
        error = ""
        try:
            hooks.call(ScriptCall("f"))
        except Exception as failed:  # noqa: BLE001 - the kind of error is compared
            error = type(failed).__name__
        slowest = max(slowest, time.thread_time() - begun)
        good &= error in {"", "ScriptError"}
        good &= len(hooks.custom) <= 1000
    begun = time.thread_time()
    hooks.reset()
    return {
        "seconds": round(slowest, 3),
        "again": hooks.call(ScriptCall("good")) == 7 and good,
        "reset_seconds": round(time.thread_time() - begun, 3),
    }


def main(arguments: list[str]) -> None:
    cpu_ms, names = int(arguments[0]), arguments[1:]
    # A handler in Python would not run, because the process ends at once.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for name, body in tricks().items():
        if not names or name in names:
            sys.stdout.write(f"{name} ")
            sys.stdout.flush()
            signal.alarm(_GUARD_S)
            sys.stdout.write(json.dumps(run(body, cpu_ms)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
