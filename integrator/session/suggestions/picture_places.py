"""Finds the places of the picture that change with a number, by running its play again."""

from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.query.causes import OFTEN, SELDOM, Causes, Place
from integrator.domain.suggest.screen import CELL_PIXELS
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.suggestions.recorded_play import (
    MOST_FRAMES,
    Cancelled,
    cells_of,
    changed_pixels,
)
from integrator.session.timeline.stretch import Stretch
from integrator.session.timeline.travel import Travel
from libretro_host.host import CapturePlan, CoreHost, Frame

_CHANGES: Final = 24  # most changes whose pictures are compared, the newest ones
_FEWEST: Final = 3  # with fewer, a sprite that passes by would count as a place
_MOST_PLACES: Final = 4
_NEAR_FRAMES: Final = 30  # run before each change: these pictures show what moves all the time
_LATE_FRAMES: Final = 2  # until a game has drawn a number that changed


@dataclass(slots=True, eq=False)
class _Seen:
    """Differences between pictures of one size: the cells, bool each, that differ at changes and
    on quiet frames, and the pixels that differ at any change."""

    changed: list[NDArray[np.bool_]] = field(default_factory=list)
    quiet: list[NDArray[np.bool_]] = field(default_factory=list)
    pixels: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((1, 1), np.bool_))

    def places(self) -> tuple[Place, ...]:
        """Return boxes around touching cells that differ at most changes, but seldom otherwise."""
        share, otherwise = np.mean(self.changed, axis=0), np.mean(self.quiet, axis=0)
        fits, found = (share >= OFTEN) & (otherwise <= SELDOM), []
        height, width = self.pixels.shape
        while fits.any():
            group = _touching(fits)
            fits &= ~group
            whole = group.repeat(CELL_PIXELS, axis=0).repeat(CELL_PIXELS, axis=1)
            inside = np.argwhere(self.pixels & whole[:height, :width])
            (y, x), (bottom, right) = inside.min(axis=0).tolist(), inside.max(axis=0).tolist()
            place = x, y, right - x + 1, bottom - y + 1
            # Round the share, so that among equally good places the upper one comes first.
            found.append((round(float(otherwise[group].min()), 1), y, x, place))
        return tuple(place for *_, place in sorted(found)[:_MOST_PLACES])


@dataclass(frozen=True, slots=True, eq=False)
class PlacesRun:
    """A copy of the play around the newest changes, for a core that runs it again."""

    causes: Causes
    stretches: tuple[Stretch, ...]

    @classmethod
    def take(cls, travel: Travel, causes: Causes) -> Self:
        """Copy frames on the session's thread, without changes that are not drawn yet."""
        exact, spans = travel.trusts_states, list[tuple[int, int]]()
        drawn = [
            each.frame for each in causes.changes if each.frame + _LATE_FRAMES <= travel.length
        ]
        for frame in drawn[-_CHANGES:]:
            # A core without exact states runs each span from the beginning, so it gets only one.
            if exact or frame > drawn[-1] - MOST_FRAMES:
                first = max(0, frame - _NEAR_FRAMES)
                if spans and (first <= spans[-1][1] or not exact):
                    first, _ = spans.pop()
                spans.append((first, frame + _LATE_FRAMES))
        return cls(causes, tuple(travel.stretch(*span) for span in spans))

    def run_hidden(self, plan: SessionPlan, stopped: Cancelled) -> Causes:
        """Do as :meth:`run` in a hidden core."""
        with closing(start_core(plan)[0]) as host:
            return self.run(host, stopped)

    def run(self, host: CoreHost, stopped: Cancelled = lambda: False) -> Causes:
        """Return the causes with their places; the host is left at any frame. Raises HostError.

        Changes whose play does not repeat are not counted in ``pictured``."""
        changes = {each.frame for each in self.causes.changes}
        seen = defaultdict[tuple[int, ...], _Seen](_Seen)
        for stretch in self.stretches:
            with suppress(TimelineError):
                for frame, differs in _differences(stretch, host):
                    if stopped():
                        return self.causes
                    sized = seen[differs.shape]
                    if frame in changes:
                        sized.changed.append(cells_of(differs))
                        sized.pixels = sized.pixels | differs
                    elif changes.isdisjoint(range(frame - _LATE_FRAMES, frame + _LATE_FRAMES + 1)):
                        sized.quiet.append(cells_of(differs))
        best = max(seen.values(), key=lambda each: len(each.changed), default=_Seen())
        places = best.places() if len(best.changed) >= _FEWEST and best.quiet else ()
        return replace(self.causes, places=places, pictured=len(best.changed))


def _differences(stretch: Stretch, host: CoreHost) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Yield a frame, and the pixels that differ from the picture before to the one 2 frames on."""
    recent = deque[Frame | None](maxlen=_LATE_FRAMES + 2)
    for played in stretch.run(host, CapturePlan(picture=False, picture_every=1)):
        if played.jumped:
            recent.clear()
        pictures = zip(played.run.pictures, played.same, strict=False)
        for at, (picture, same) in enumerate(pictures, played.begin + 1):
            recent.append(picture if same else None)
            before = recent[0] if len(recent) == recent.maxlen else None
            if before and same and (differs := changed_pixels(before, picture)) is not None:
                yield at - _LATE_FRAMES, np.rot90(differs, picture.rotation % 4)


def _touching(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the first set cell and all set cells that are connected to it."""
    group, wider = np.zeros_like(cells), np.zeros_like(cells)
    wider.flat[cells.argmax()] = True
    while (wider != group).any():
        group = wider
        wider = cells & sliding_window_view(np.pad(group, 1), (3, 3)).any(axis=(2, 3))
    return group
