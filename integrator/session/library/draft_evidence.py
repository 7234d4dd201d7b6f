"""The evidence for a part of a draft: scenes of the draft's movie, played in a hidden core."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.variables import VariableReader
from integrator.session.library.entries import AutoDraft, candidate_variables
from integrator.session.opening import plan_session
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session
from integrator.session.stills import Picture

_FILM: Final = range(-18, 31, 3)
"""The frames of a film, relative to its scene's frame; they span most of a second."""


@dataclass(frozen=True, slots=True, eq=False)
class DraftScene:
    """A frame of the movie, counted from 1, with pictures of the play around it. ``number`` is the
    part's number then, or None; ``earned`` is the first player's reward so far."""

    frame: int
    film: tuple[Picture, ...]
    number: float | None
    earned: float


@dataclass(frozen=True, slots=True, eq=False)
class DraftEvidence:
    """Up to three scenes; ``course`` is the part's number on each frame of the movie, or empty. A
    number that is paid is in the unit of the reward, which adds up the pieces of a score. The
    number of an end is the first one that its condition tests."""

    scenes: tuple[DraftScene, ...]
    course: NDArray[np.float64]


def draft_evidence(draft: AutoDraft, stopped: Callable[[], bool]) -> DraftEvidence:
    """Return evidence for the least certain part; empty if ``stopped``.

    Raises MovieError, HostError, and SessionError for files that cannot be opened."""
    none = np.zeros(0)
    with Session(plan_session(draft.directory).hidden()) as session:
        path = draft.directory / draft.report.movie
        played = import_movie(session, path, lambda *_: not stopped())
        if not played.complete:
            return DraftEvidence((), none)
        played.refuse_desync(path, played.stop, "integrate the game again")
        log, first, last = session.timeline.log, played.start, played.stop - 1
        choice = draft.part.choices[0] if draft.part.choices else {"variables": {}}
        reader = VariableReader(candidate_variables(choice), session.memory.space)
        columns = reader.read_ranges(log.ram_ranges(reader.ranges, first, last + 1))
        course = _course(columns, choice) if columns else none
        earned = np.cumsum(log.rewards(first, last + 1)[:, 0], dtype=np.float64)

        def picture(frame: int) -> Picture | None:
            shown = session.timeline.seek(min(max(first, first - 1 + frame), last)).frame
            return None if shown is None else shown.rgb()

        scenes = []
        for frame in _scene_frames(draft.part.frames, len(earned)):
            pictures = [picture(frame + by) for by in _FILM if not stopped()]
            if len(pictures) < len(_FILM):
                return DraftEvidence((), none)
            film = tuple(each for each in pictures if each is not None)
            number = float(course[frame - 1]) if len(course) else None
            scenes.append(DraftScene(frame, film, number, float(earned[frame - 1])))
    return DraftEvidence(tuple(scenes), course)


def _course(
    columns: Mapping[str, NDArray[np.int64]], choice: Mapping[str, Any]
) -> NDArray[np.float64]:
    paid = choice.get("reward", {}).get("variables", {})
    terms = {name: paid[name] for name in columns if name in paid}
    if not terms:
        return next(iter(columns.values())).astype(np.float64)
    pieces = [
        columns[name] * term.get("reward", term.get("penalty", 0)) for name, term in terms.items()
    ]
    return np.asarray(np.sum(pieces, axis=0, dtype=np.float64))


def _scene_frames(frames: Sequence[int], length: int) -> list[int]:
    """Return the first, middle and last of a part's frames, or else of the movie's frames."""
    known = sorted(frame for frame in frames if frame <= length) or [1, (1 + length) // 2, length]
    return sorted({known[0], known[len(known) // 2], known[-1]})
