"""Explores a game from power-on to the first moment of control."""

import heapq
import itertools
import math
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from integrator.domain.scenario.spec import START_BUTTONS
from integrator.session.frame.inputs import Inputs
from integrator.unattended import control
from integrator.unattended.control import is_other_screen
from libretro_host.host import Frame

_START_COST: Final = 1.5
PLAY: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A moment at which the player is in control. ``inputs`` are the rows from power-on, and
    ``situations`` is what :meth:`.Explorer.steered` returned by the ``look``. ``again`` is a
    sentence that says if another process reaches the same moment."""

    state: bytes
    inputs: Inputs
    situations: int
    again: str = ""
    look: control.Look = control.HELD


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """A moment of the exploration, with the rows that lead to it. ``seen`` is the look of its
    screen and the last press. ``waits`` counts the waits before it in which the screen stayed the
    same."""

    state: bytes
    inputs: Inputs
    seen: tuple[int, int]
    parent: "_Node | None"
    waits: int = 0


Option = tuple[int, tuple[tuple[int, int], ...], float]
"""A number that names the presses, 0 for a wait; (mask, frames) of each; the cost."""
_Found = tuple[int, _Node]  # The result of :meth:`.Explorer.steered` at a moment.


def reach(console: control.Explorer, power_on: bytes) -> list[Reached]:
    """Return moments of control, the likeliest start first; empty if none was found.

    If nothing is steered, ``console`` then looks for games of one step per press, and for games of
    one button. A game is looked for behind the first two moments, because menus are steered too."""
    root = _Node(power_on, console.rows(), (0, 0), None)
    found, screens = _explored(console, root)
    weak_starts: list[Reached] = []
    enough = control.STRONG if console.has_menus else control.SOME
    for look in (control.HELD, control.TAPPED, control.ONE_BUTTON, control.ONE_LONG):
        console.look = look
        nodes = found
        if look != control.HELD:
            every = ((console.steered(node.state), node) for node in screens if console.left > 0)
            strong = (each for each in every if each[0] >= control.STRONG)
            steady = (each for each in strong if console.is_steady(each[1].state))
            nodes = list(itertools.islice(steady, 2))
        reached = []
        earliest = [_earliest(console, node, ways) for ways, node in nodes]
        for start in _ordered(console, earliest)[:2]:
            reached.append(_beyond_menus(console, start))
            if reached[-1] is not start:
                break  # The other start would lead through the same menus.
        starts = [each for each in reached if each.situations >= control.SOME]
        if any(each.situations >= enough for each in starts):
            return starts
        weak_starts = weak_starts or starts or reached
    # In the games that are left, a press moves a cursor among two or three places.
    console.look = control.TAPPED
    starts = [each for each in weak_starts if console.steered(each.state) >= control.SOME]
    return [replace(each, look=control.TAPPED) for each in starts]


def _ordered(console: control.Explorer, starts: list[Reached]) -> list[Reached]:
    """Return the starts after START first, because before it a game may only show a demo. Then,
    clear control after another button comes before a menu that is steered."""
    begins, others = console.mask(*START_BUTTONS), sum(console.fires)

    def rank(start: Reached) -> tuple[bool, bool]:
        is_play = start.situations >= PLAY and bool((start.inputs & others).any())
        return not (start.inputs & begins).any(), not is_play

    return sorted(starts, key=rank)


class _Search:
    """Presses to try, the cheapest first: waiting, START, a button, another button. A press is
    tried twice on screens that look alike, and twice more if they ignore it, because some titles
    listen only after some seconds."""

    def __init__(self, console: control.Explorer) -> None:
        self._console, self._order = console, itertools.count()
        self._queue: list[tuple[float, int, _Node, Option]] = []
        self._seen: Counter[tuple[tuple[int, int], int, int]] = Counter()
        self._reacted: set[tuple[tuple[int, int], int]] = set()
        self._idles: dict[tuple[_Node, int], tuple[Frame | None, int]] = {}

    def add(self, node: _Node, options: list[Option], cost: float) -> None:
        """Plan presses at a node that is reached at a cost."""
        for option in options:
            mask, _, price = option
            # A still screen may go on by itself, so up to twelve seconds are spent there.
            waits = 0 if mask else node.waits
            key = node.seen, mask, waits
            self._seen[key] += 1
            is_ignored = self._console.has_menus and (node.seen, mask) not in self._reacted
            again = is_ignored and self._seen[key] in (4, 8)
            if (self._seen[key] <= (2 if mask else 8) or again) and waits <= 12:
                heapq.heappush(self._queue, (cost + price, next(self._order), node, option))

    def __iter__(self) -> Iterator[tuple[float, _Node]]:
        """Yield the nodes after presses that their screens react to, with their costs."""
        while self._queue and self._console.left > 0:
            cost, _, node, option = heapq.heappop(self._queue)
            if (after := self._pressed(node, option)) is not None:
                self._reacted.add((node.seen, option[0]))
                yield cost, after

    def _pressed(self, node: _Node, option: Option) -> _Node | None:
        console, (mask, holds, _) = self._console, option
        rows = console.rows(*holds, (0, control.AFTER if mask else 0))
        state, frame = console.go(node.state, rows)
        if mask:
            ram = zlib.crc32(console.host.read_ram().data)
            idle, idle_ram = self._idle(node, len(rows))
            # A game begun by START may look like its title.
            may_begin = ram != idle_ram and bool(console.mask(*START_BUTTONS) & mask)
            if control.same_picture(frame, idle) and not may_begin:
                return None  # The screen ignores the button.
        look = control.screen_key(frame), mask or node.seen[1]
        waits = node.waits + 1 if not mask and look == node.seen else int(look == node.seen)
        return _Node(state, np.concatenate([node.inputs, rows]), look, node, waits)

    def _idle(self, node: _Node, frames: int) -> tuple[Frame | None, int]:
        """Return the picture and CRC-32 of RAM some frames after a node without a press, cached."""
        if (node, frames) not in self._idles:
            _, picture = self._console.go(node.state, self._console.rows((0, frames)))
            self._idles[node, frames] = picture, zlib.crc32(self._console.host.read_ram().data)
        return self._idles[node, frames]


def _explored(console: control.Explorer, root: _Node) -> tuple[list[_Found], list[_Node]]:
    """Return nodes with control, steady if there are such, and the first node of each screen."""
    options, search = _options(console), _Search(console)
    found: list[_Found] = []
    weak: list[_Found] = []
    screens: dict[int, _Node] = {}
    limit = math.inf  # Further starts may cost a little more than the first one.
    searched = itertools.islice(search, 260)
    for cost, node in itertools.chain([(0.0, root)], searched, _mashed(console, root)):
        if cost > limit:
            break
        situations = console.steered(node.state)
        screens.setdefault(node.seen[0], node)
        here = options
        if situations >= control.STRONG and console.is_steady(node.state):
            # A title that fades in may draw other noise for other buttons.
            lasts = not console.has_menus or console.is_steady(node.state, (240,))
            (found if lasts else weak).append((situations, node))
            limit = min(limit, cost + (2.5 if lasts else 5))
            if sum(each[0] >= PLAY for each in found) == 2:
                break
            # A cursor that glides through a menu is steered as well, so from weak control, all
            # presses are tried.
            is_play = lasts and situations >= PLAY
            here = [each for each in options if not is_play or each[2] == _START_COST]
        elif situations:
            weak.append((situations, node))
        search.add(node, here, cost)
    return found or sorted(weak, key=lambda each: -each[0])[:1], list(screens.values())


def _mashed(
    console: control.Explorer, root: _Node, menu: Frame | None = None
) -> Iterator[tuple[float, _Node]]:
    """Yield each of 45 seconds of pressing one button repeatedly, then others, then all in turn.
    Behind a long story, most seconds show another screen, on which a search tries all buttons.
    Presses must leave a ``menu`` in three seconds, because in a game they may bring its end."""
    masks = [*filter(None, map(console.mask, START_BUTTONS)), *console.fires[:2]]
    for pressed in (*([mask] for mask in masks), masks) if console.has_menus else ():
        node = root
        for second, mask in enumerate(itertools.islice(itertools.cycle(pressed), 45)):
            if console.left <= 0:
                return
            after, frame = _later(console, node, mask)
            if second == 2 and menu and not is_other_screen(frame, menu):
                break
            node = replace(after, parent=node)
            yield math.inf, node


_MENUS, _SCREENS = 6, 40  # Most menus behind each other, and most screens behind each.


def _beyond_menus(console: control.Explorer, start: Reached) -> Reached:
    """Return control behind a start's screen, if presses leave that screen for good. Titles and
    menus are steered as well, but a button leads from them to another screen with control, from
    which no press comes back. Games that begin by a switch of the console have no such menus."""
    left: list[Frame | None] = []
    for _ in range(_MENUS if console.has_menus else 0):
        if (deeper := _deeper(console, start, left)) is None:
            break
        start = deeper
    return start


def _deeper(console: control.Explorer, start: Reached, left: list[Frame | None]) -> Reached | None:
    """Return the control that the cheapest presses reach on another screen than a start's. Screens
    that were ``left`` for this one are no other screens; the start's is added to them."""
    root, before = _later(console, _Node(start.state, start.inputs, (0, 0), None))
    left.append(before)
    moves = console.moves(root.state)
    is_menu, look = start.situations < PLAY or not moves, console.look
    enough = min(max(start.situations, control.SOME), control.STRONG) if is_menu else PLAY
    waits, *presses = _options(console)
    ways = console.mask("DOWN", "RIGHT", "SELECT")
    presses, menu = [each for each in presses if not each[0] & ways], _menu_options(console)
    search = _Search(console)
    search.add(root, presses + menu * is_menu, 0)
    mashed = _mashed(console, root, before) if is_menu and len(left) == 1 else ()
    for cost, after in itertools.chain(itertools.islice(search, _SCREENS), mashed):
        node, frame = after, console.go(after.state, console.rows((0, 1)))[1]
        if node.parent is root:
            node, frame = _later(console, after)
        is_other = all(is_other_screen(frame, each) for each in left)
        if node.parent is root and not is_menu:
            rows = console.rows((0, len(node.inputs) - len(root.inputs)))
            is_other = is_other and is_other_screen(frame, console.go(root.state, rows)[1])
        if not is_other and not is_menu:
            continue
        situations = console.steered(node.state)
        is_steady = situations >= enough and console.is_steady(node.state)
        if situations and is_menu and is_other and not is_steady and look == control.HELD:
            # Behind the menu, a press may move the player by one field.
            console.look = control.TAPPED
            tapped = console.steered(node.state)
            is_steady = tapped >= control.STRONG and console.is_steady(node.state)
            console.look = control.TAPPED if is_steady else control.HELD
            situations = tapped if is_steady else situations
        if is_steady:
            if not moves and console.moves(node.state):
                return _earliest(console, replace(node, parent=None), situations)
            parent = node.parent or root
            quiet = parent is not root and console.steered(parent.state) < control.STRONG
            again = _Search(console)
            again.add(node, presses, 0)
            pictures = (_later(console, each)[1] for _, each in again)
            # A pause shows its menu at once, and a press leads back to the screen before.
            if is_other and (quiet or all(is_other_screen(each, before) for each in pictures)):
                return _earliest(console, node, situations, frame)
            console.look = look
        search.add(node, presses + menu if situations else [waits, *presses], cost)
    return None


def _later(console: control.Explorer, node: _Node, mask: int = 0) -> tuple[_Node, Frame | None]:
    """Return a node a second later, because screens fade, with its picture."""
    # Some games read the pad only a few times a second.
    rows = console.rows((mask, 3 * control.PRESSED), (0, 60 - 3 * control.PRESSED))
    state, frame = console.go(node.state, rows)
    look = control.screen_key(frame), mask or node.seen[1]
    return _Node(state, np.concatenate([node.inputs, rows]), look, node.parent), frame


def _options(console: control.Explorer) -> list[Option]:
    starts = [*filter(None, map(console.mask, START_BUTTONS))]
    presses = [(mask, _START_COST) for mask in starts]
    presses += [(mask, 1.6 + 0.4 * number) for number, mask in enumerate(console.fires[:3])]
    others = filter(None, map(console.mask, ("DOWN", "RIGHT", "SELECT")))
    both = [sum(console.fires[:2])] if len(console.fires) > 1 else []
    presses += [(mask, 3.0) for mask in (*others, *both)]
    waits: Option = 0, ((0, 60),), 0.4
    return [waits, *((mask, ((mask, control.PRESSED),), price) for mask, price in presses)]


def _menu_options(console: control.Explorer) -> list[Option]:
    """Return presses that choose one of the next six rows of a menu, or the last one."""
    found: list[Option] = []
    chosen = [*filter(None, map(console.mask, START_BUTTONS)), *console.fires[:2]]
    down, up = console.mask("DOWN"), console.mask("UP")
    for way, count in ((up, 1), *((down, count) for count in range(1, 7))):
        for mask in chosen:
            steps = ((way, control.PRESSED), (0, control.PRESSED)) * count
            holds = (*steps, (mask, control.PRESSED))
            found.append((mask | way << 16 | count << 32, holds, 4.0 + 0.1 * count))
    return found


def _earliest(
    console: control.Explorer, node: _Node, situations: int, shown: Frame | None = None
) -> Reached:
    """Return the first moment of clear control after a node's parent, exact to 4 frames. If
    ``shown`` is the screen of the node, the moment shows it as well, because the parent's screen
    may be steered too. A node with weak control may be a screen that fades in, so up to a second is
    waited there."""
    state, inputs, parent = node.state, node.inputs, node.parent
    for wait in range(8, 64, 8) if situations < PLAY else ():
        rows = console.rows((0, wait))
        tried, _ = console.go(node.state, rows)
        if console.steered(tried) >= PLAY:
            state, inputs, situations = tried, np.concatenate([inputs, rows]), PLAY
            break
    if parent is not None:
        last = len(parent.inputs)
        early, late = last, len(inputs)
        while late - early > 4:
            middle = (early + late) // 2
            tried, frame = console.go(parent.state, inputs[last:middle])
            clear = shown is None or not is_other_screen(frame, shown)
            clear = clear and console.steered(tried) >= min(situations, PLAY)
            if clear and not inputs[middle - 1].any():
                late, state = middle, tried
            else:
                early = middle
        inputs = inputs[:late]
    # Some games set their numbers in the first frames of play.
    rows = console.rows((0, 4))
    state, inputs = console.go(state, rows)[0], np.concatenate([inputs, rows])
    return Reached(state, inputs, situations, look=console.look)
