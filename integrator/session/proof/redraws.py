"""From pixels to memory: which bytes, when poked, redraw a rectangle of the screen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof import lab as labs
from integrator.session.proof.lab import Laboratory, Moment, Rectangle
from integrator.session.setup.plan import SessionPlan
from integrator.session.suggestions.recorded_play import Cancelled, Progress
from libretro_host.errors import CoreCrashed, CoreHung
from libretro_host.host import Frame


@dataclass(frozen=True, slots=True)
class Redraw:
    """A byte whose poke redrew the rectangle, and the pixels changed in and out of it."""

    address: int
    frame: int
    inside: int
    outside: int


def prepare_redraws(session: labs.ProvenGame, rectangle: Rectangle) -> "RedrawSearch":
    """Plan to look for the bytes behind ``rectangle``. Raises SessionError before any play."""
    position = session.timeline.position
    start = max(1, position - 900)  # 15 seconds of play are looked through
    if start >= position:
        raise SessionError("nothing was played yet; play until the marked place changes")
    moments = labs.MomentTaker(session)
    review = moments.at(start, position - start)
    present = moments.present(frames=6)
    return RedrawSearch(session.game.plan, session.game.memory.space, rectangle, review, present)


@dataclass(frozen=True, slots=True, eq=False)
class RedrawSearch:
    """Runs the planned pokes in a core of its own. Make it with :func:`prepare_redraws`."""

    plan: SessionPlan
    space: AddressSpace
    rectangle: Rectangle
    review: Moment
    present: Moment

    def run(
        self, progress: Progress = lambda *_: None, cancelled: Cancelled = lambda: False
    ) -> tuple[Redraw, ...]:
        """Bytes that redraw the rectangle, the most exclusive first; none if it did not change."""
        found = []
        with Laboratory(self.plan, self.space) as lab:
            seen = lab.review(self.review, self.rectangle)
            suspects = suspected(*seen, self.space.size_bytes)
            base = lab.fork(self.present, ()).pictures if suspects else ()
            for done, offset in enumerate(suspects, start=1):
                if cancelled():
                    break
                if (redraw := self._poke(lab, base, offset)) is not None:
                    found.append(redraw)
                progress(done, len(suspects))
        found.sort(key=lambda each: (each.outside > each.inside, each.frame, each.address))
        return tuple(found)

    def _poke(self, lab: Laboratory, base: Sequence[Frame], offset: int) -> Redraw | None:
        byte = int(self.present.ram[offset])
        # Another decimal digit in the low half, whichever way the number is coded.
        other = byte & 0xF0 | ((byte & 15) + 1) % 10
        try:
            pictures = lab.fork(self.present, (), [(offset, bytes([other]))]).pictures
        except (CoreCrashed, CoreHung):
            # The laboratory starts a new core for the next fork.
            return None
        for frame, (before, after) in enumerate(zip(base, pictures, strict=False), start=1):
            if before.pixels.shape != after.pixels.shape:
                return None
            pixels = (before.rgb() != after.rgb()).any(axis=2)
            inside = int(self.rectangle.within(pixels).sum())
            if inside:
                address = labs.address_at(self.space, offset)
                return Redraw(address, frame, inside, int(pixels.sum()) - inside)
        return None


def suspected(
    drawn: Sequence[bool], changed: Sequence[NDArray[np.integer]], size: int
) -> list[int]:
    """Flat offsets that changed shortly before the rectangle was ``drawn``, rare ones first.

    ``changed`` are the offsets that changed on each frame.
    """
    draws = np.flatnonzero(drawn)
    if not len(draws):
        return []
    total, hits, near = np.zeros((3, size), np.int64)
    for offsets in changed:
        total[offsets] += 1
    for draw in draws.tolist():
        # At most 3 frames pass from a change of memory to its picture.
        offsets = np.concatenate(changed[max(0, draw - 3) : draw + 1])
        hits[np.unique(offsets)] += 1
        np.add.at(near, offsets, 1)
    recall = hits / len(draws)
    precision = np.minimum(near, total) / np.maximum(total, 1)
    likeness = 2 * recall * precision / np.maximum(recall + precision, 1e-9)
    order = np.argsort(-likeness, kind="stable")[:96]  # each suspect is poked
    return [int(offset) for offset in order if hits[offset]]
