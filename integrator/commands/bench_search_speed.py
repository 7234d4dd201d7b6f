"""How quick the RAM search is: beside stable-retro's in one process, and on 8 MiB.

``python -m integrator.commands.bench_search_speed`` prints the ratios to stable-retro as JSON, in a
process of its own because stable-retro allows one emulator in each. Times are processor time of the
one thread that works, so that a busy machine changes them little.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.commands.games import airstriker
from integrator.domain.datatype import DataType
from integrator.domain.errors import SessionError
from integrator.domain.memory import AddressSpace, Overlay, Region
from integrator.domain.search import Search
from integrator.session.opening import systems
from integrator.session.queries import query_types
from libretro_host import children

LARGE_BYTES: Final = 8 << 20
COPIES: Final = 20
_REPEATS: Final = 3
_QUICK_REPEATS: Final = 9
_MILLISECONDS: Final = 1000

Step = tuple[str, Any]
FIRST: Final[tuple[Step, ...]] = (
    ("changed", None),
    ("unchanged", None),
    ("increased", None),
    ("equal", 1200),
    ("increased-by", 10),
)
AFTERWARDS: Final[tuple[Step, ...]] = (
    *FIRST,
    ("greater-than", 100),
    ("in-range", (1, 99)),
    ("different-by", 1),
    ("bit-set", 3),
    ("modulo", (10, 0)),
)


@dataclass(frozen=True, slots=True)
class LargeStep:
    """One comparison on 8 MiB: milliseconds, and the ratio to copying the memory 20 times.

    ``first`` ones have every address left, the others what "unchanged" leaves, nearly all.
    """

    op: str
    first: bool
    scales: bool
    milliseconds: float
    ratio: float


def ratios_to_stable_retro() -> Mapping[str, float]:
    """How many times as fast as stable-retro a first search is. Raises SessionError without it."""
    done = children.run(children.module_command(__name__, quiet=True))
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:]
        raise SessionError(f"the comparison with stable-retro failed: {reason}")
    ratios: Mapping[str, float] = json.loads(done.stdout.splitlines()[-1])
    return ratios


def _compare_with_stable_retro() -> dict[str, float]:
    """Both on the RAM of Airstriker, with all types that the console's cores are searched for."""
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
    changed = _seconds(lambda: env.data.delta_search("changed", "not-equal", 0))
    unchanged = _seconds(lambda: env.data.delta_search("unchanged", "equal", 0))
    value = _seconds(lambda: env.data.search("score", 1200))
    return {
        "changed": changed / _quickest(lambda: plain.preview("changed", ram=now)),
        "unchanged": unchanged / _quickest(lambda: plain.preview("unchanged", ram=now)),
        "value": value / _quickest(lambda: scaled.preview("equal", 1200, ram=now)),
    }


def measure_large() -> list[LargeStep]:
    """Comparisons over every type of the console with most memory, all of it in use."""
    descriptor = systems()["N64"]
    types = query_types(descriptor.types, LARGE_BYTES)
    space = AddressSpace([Region(0, LARGE_BYTES)])
    before, now = _memories()
    found = []
    for scales in (False, True):
        for first, steps in ((True, FIRST), (False, AFTERWARDS)):
            search = Search(space, types, ram=before, scales=scales)
            if not first:
                search.refine("unchanged", ram=now)
                search.start_from_now(before)
            found += [_large_step(search, step, before, now, first=first) for step in steps]
    return found


def _large_step(
    search: Search, step: Step, before: NDArray[np.uint8], now: NDArray[np.uint8], *, first: bool
) -> LargeStep:
    op, value = step
    copying = _quickest(lambda: [before.copy() for _ in range(COPIES)], _REPEATS)
    seconds = _quickest(lambda: search.preview(op, value, ram=now), _REPEATS)
    milliseconds = round(seconds * _MILLISECONDS, 1)
    return LargeStep(op, first, search.has_scales, milliseconds, round(seconds / copying, 2))


def _memories() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A quarter empty, a quarter small numbers, half data; of the latter, some then changes."""
    rng = np.random.default_rng(3)
    quarter = LARGE_BYTES // 4
    before = np.zeros(LARGE_BYTES, np.uint8)
    before[quarter : 2 * quarter] = rng.integers(0, 8, quarter)
    before[2 * quarter :] = rng.integers(0, 256, 2 * quarter)
    now = before.copy()
    words = rng.integers(0, LARGE_BYTES // 8, LARGE_BYTES // 4000)[:, None] * 8 + np.arange(8)
    now[words] += rng.integers(0, 20, words.shape).astype(np.uint8)
    return before, now


def _seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def _quickest(work: Callable[[], object], times: int = _QUICK_REPEATS) -> float:
    return min(_seconds(work) for _ in range(times))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_compare_with_stable_retro()) + "\n")
