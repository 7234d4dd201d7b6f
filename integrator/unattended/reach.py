"""From power-on to the first moment of steady control, by states and presses."""

import heapq
import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np

from integrator.session.frame.inputs import Inputs
from integrator.unattended.console import STARTS, STRONG, Explorer, same_picture, screen_key

_PRESSED, _AFTER, _START_COST = 8, 32, 1.5
PLAY: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A moment at which the player is in control.

    ``inputs`` are the rows from power-on, ``situations`` those of :meth:`.Explorer.steered`.
    ``titles`` are the looks of the screens that were seen without control.
    """

    state: bytes
    inputs: Inputs
    situations: int
    titles: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    state: bytes
    inputs: Inputs
    seen: tuple[int, int]
    parent: "_Node | None"


def reach(console: Explorer, power_on: bytes) -> list[Reached]:
    """Moments of control, the likeliest start first; empty where none was found.

    The cheapest presses come first: waiting, START, a button, another one. Screens that look like
    ones that were seen are not looked at again.
    """
    starts = filter(None, map(console.mask, STARTS))
    # Presses as (mask, frames, cost).
    options = [(0, 60, 0.4), *((mask, _PRESSED, _START_COST) for mask in starts)]
    fires = enumerate(console.fires[:3])
    options += [(mask, _PRESSED, 1.6 + 0.4 * number) for number, mask in fires]
    others = filter(None, map(console.mask, ("DOWN", "RIGHT", "SELECT")))
    options += [(mask, _PRESSED, 3.0) for mask in others]
    order = itertools.count()
    root = _Node(power_on, console.rows(), (0, 0), None)
    queue = [(0.0, next(order), root)]
    seen: dict[tuple[tuple[int, int], int], int] = {}
    titles: set[int] = set()
    found: list[tuple[int, float, _Node]] = []
    weak: list[tuple[int, float, _Node]] = []
    expanded = 0
    while queue and expanded < 260 and sum(each[0] >= PLAY for each in found) < 2:
        cost, _, node = heapq.heappop(queue)
        if found and cost > found[0][1] + 2.5:
            break
        expanded += 1
        situations = console.steered(node.state)
        is_steady = situations >= STRONG and any(
            # Control is there half a second later, or a second after that.
            console.steered(console.go(node.state, console.rows((0, later)))[0]) >= STRONG
            for later in (30, 90)
        )
        if is_steady:
            found.append((situations, cost, node))
            # A cursor that glides through a menu is steered as well, so weak control is left by
            # any button.
            is_play = situations >= PLAY
            options_here = [each for each in options if not is_play or each[2] == _START_COST]
        else:
            options_here = options
            titles.add(node.seen[0])
            if situations > 1:
                weak.append((situations, cost, node))
        _, idle = console.go(node.state, console.rows((0, _PRESSED + _AFTER)))
        for mask, frames, price in options_here:
            rows = console.rows((mask, frames), (0, _AFTER if mask else 0))
            tries = seen[node.seen, mask] = seen.get((node.seen, mask), 0) + 1
            if tries > (2 if mask else 8):
                continue
            state, frame = console.go(node.state, rows)
            if mask and same_picture(frame, idle):
                continue  # the screen ignores the button
            inputs = np.concatenate([node.inputs, rows])
            after = _Node(state, inputs, (screen_key(frame), mask or node.seen[1]), node)
            heapq.heappush(queue, (cost + price, next(order), after))
    best = found or sorted(weak, key=lambda each: (-each[0], each[1]))[:1]
    return [_earliest(console, node, situations, frozenset(titles)) for situations, _, node in best]


def _earliest(console: Explorer, node: _Node, situations: int, titles: frozenset[int]) -> Reached:
    """The first moment of control between a node's parent and the node, to a few frames."""
    state, inputs, parent = node.state, node.inputs, node.parent
    if parent is not None:
        last = len(parent.inputs)
        early, late = last, len(inputs)
        while late - early > 4:
            middle = (early + late) // 2
            tried, _ = console.go(parent.state, inputs[last:middle])
            if console.steered(tried) >= STRONG and not inputs[middle - 1].any():
                late, state = middle, tried
            else:
                early = middle
        inputs = inputs[:late]
    return Reached(state, inputs, situations, titles)
