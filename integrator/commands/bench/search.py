"""RAM search of ``integrator bench``: a program that prints processor time as JSON."""

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.options import airstriker
from integrator.domain.errors import SessionError
from integrator.domain.search.search import Search
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace, Overlay, Region
from integrator.session.setup.roots import systems
from libretro_host.processes import children

_VALUE: Final = 1200


def search_beside_stable_retro() -> list[dict[str, Any]]:
    """First searches of Airstriker's RAM. Raises SessionError without stable-retro."""
    done = children.run(children.module_command(__name__, quiet=True))
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:]
        raise SessionError(f"the comparison with stable-retro failed: {reason}")
    times: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return times


def _compare() -> list[dict[str, Any]]:
    """Time both on the RAM of Airstriker, with all types that searches of the console try."""
    import stable_retro  # noqa: PLC0415 - only this process needs it, and it is optional

    env: Any = stable_retro.make(airstriker().name, render_mode=None)
    env.reset()
    env.action_space.seed(1)
    descriptor = systems()["Genesis"]
    [(base, block)] = env.data.memory.blocks.items()
    overlay = Overlay.parse(descriptor.overlay) if descriptor.overlay else None
    space = AddressSpace([Region(base, len(block))], overlay)
    types = [DataType.parse(spec) for spec in descriptor.types]

    def ram() -> NDArray[np.uint8]:
        return np.frombuffer(env.data.memory.blocks[base], np.uint8).copy()

    def play(frames: int) -> None:
        for _ in range(frames):
            env.step(env.action_space.sample())

    play(100)
    plain = Search(space, types, ram=ram())
    for name in ("changed", "unchanged"):
        env.data.delta_search(name, "equal", 0)
    play(30)
    now = ram()
    scaled = Search(space, types, ram=now, scales=True)
    theirs = {
        "changed": lambda: env.data.delta_search("changed", "not-equal", 0),
        "unchanged": lambda: env.data.delta_search("unchanged", "equal", 0),
        "value": lambda: env.data.search("score", _VALUE),
    }
    ours: dict[str, Callable[[], object]] = {
        "changed": lambda: plain.preview("changed", ram=now),
        "unchanged": lambda: plain.preview("unchanged", ram=now),
        "value": lambda: scaled.preview("equal", _VALUE, ram=now),
    }
    # stable-retro's search narrows its own candidates, so that only the first covers all of RAM.
    seconds = {name: (quickest(ours[name]), thread_seconds(theirs[name])) for name in theirs}
    return [
        {
            "search": name,
            "milliseconds": round(1000 * mine, 3),
            "stable_retro_milliseconds": round(1000 * other, 1),
            "times_as_fast": round(other / mine, 1),
        }
        for name, (mine, other) in seconds.items()
    ]


def thread_seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def quickest(work: Callable[[], object], times: int = 9) -> float:
    return min(thread_seconds(work) for _ in range(times))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_compare()) + "\n")
