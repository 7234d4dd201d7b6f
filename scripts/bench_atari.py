"""Suggestions and boxes judged on Atari games, by the addresses that are documented.

A recorded minute of each game is played with seeded inputs. A suggestion, or the first number that
explains a box round the score, is right when its bytes overlap those of a label; the box is where
two poked scores look different. ``bench_evidence --atari`` prints the tables. ROMs come from the
package ale-py (``pip install --no-deps ale-py``)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.suggest.suggestion import Kind, KindName, Suggestion
from integrator.domain.values.variables import VariableSpec
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.pointing import PointedMatch
from integrator.session.suggestions.recorded_play import Box
from libretro_host.host import CapturePlan
from scripts.bench_annotated import annotated_games, start_game
from scripts.bench_games import atari_games, judge_games, play_minute, rom_dir, seed_of
from scripts.bench_labels import Label, documented, positions

Answer = Suggestion | PointedMatch
Ranked = Callable[[str, str, Kind, Sequence[Label], Sequence[Answer]], None]
"""Told a table, a game, a kind, its labels, and the answers, best first."""

KINDS: Final[tuple[KindName, ...]] = ("score", "lives", "timer", "level", "player-x", "player-y")
_MOMENTS: Final = 8
_MOST_MOMENTS: Final = 0.5
_DIGITS: Final = (1, 7)
_DRAWN_AFTER: Final = 4


def judge_atari(told: Ranked, off_pixels: int, *, quiet: bool = False) -> dict[str, str]:
    """Judge stable-retro's games that nothing was fitted with, and the others of ale-py.

    Gives the games that could not be judged, with the cause."""
    with tempfile.TemporaryDirectory(prefix="bench-atari-") as folder:

        def suggested(name: str, directory: Path, _: bool) -> list[None]:
            with open_session(directory, isolated=False) as session:
                session.reset()
                states = list(play_minute(session, seed_of(directory)))
                found = session.suggest(list(KINDS))
                labels = [*documented(session), *positions(name, session, states)]
                for kind in KINDS:
                    own = [label for label in labels if label.kind == kind]
                    if own:
                        told("suggest", name, kind, own, [e for e in found if e.kind == kind])
                _judge_boxes(session, states, name, told, off_pixels)
            return []

        def pointed(name: str, directory: Path, _: bool) -> list[None]:
            with open_session(directory, isolated=False) as session:
                session.reset()
                start_game(session)
                states = list(play_minute(session, seed_of(directory)))
                _judge_boxes(session, states, name, told, off_pixels)
            return []

        games = list(atari_games(Path(folder)))[1::2]
        missing = judge_games(games, suggested, quiet=quiet)[1]
        others = list(annotated_games(rom_dir(), Path(folder)))[1::2]
        return missing | judge_games(others, pointed, quiet=quiet)[1]


def _judge_boxes(
    session: Session, states: Sequence[bytes], name: str, told: Ranked, off_pixels: int
) -> None:
    scores = _scores(session)
    box = _box(session, scores, states) if scores else None
    if box is None:
        return
    labels = [Label("score", spec.address, spec.type.width) for spec in scores]
    rng = np.random.default_rng(len(name))
    for table, off in (("point", 0), ("point off", off_pixels)):
        left, top, right, bottom = rng.integers(-off, off + 1, 4).tolist()
        x, y = max(0, box.x - left), max(0, box.y - top)
        wide, high = box.x + box.width + right - x, max(2, box.y + box.height + bottom - y)
        try:
            found = session.point(x, y, wide, high)
        except SearchError:
            found = []
        told(table, name, "score", labels, found)


def _scores(session: Session) -> list[VariableSpec]:
    """The documented variables of the player's score that changed."""
    places = {label.address for label in documented(session) if label.kind == "score"}
    return [
        spec
        for spec in session.integration.variables.values()
        if spec.address in places and spec.name.lower().startswith("score")
    ]


def _box(session: Session, scores: Sequence[VariableSpec], states: Sequence[bytes]) -> Box | None:
    """The part of the picture that differs between two scores; None without one."""
    present = session.save_state()
    seen = [
        one != other
        for state in states[:: max(1, len(states) // _MOMENTS)]
        for one, other in [[_picture(session, scores, state, digit) for digit in _DIGITS]]
        if one.shape == other.shape
    ]
    session.host.unserialize(present)
    places = np.argwhere(np.mean(seen, axis=0) > _MOST_MOMENTS)
    if not len(places):
        return None
    (top, left), (bottom, right) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    return Box(left, top, right - left + 1, bottom - top + 1)


def _picture(
    session: Session, scores: Sequence[VariableSpec], state: bytes, digit: int
) -> NDArray[np.uint32]:
    """The picture a few frames after all digits of a score were poked."""
    session.host.unserialize(state)
    for offset, raw in _poked(session, scores, digit):
        session.host.write_ram(offset, raw)
    run = session.host.run(np.zeros((_DRAWN_AFTER, 1), np.uint16), CapturePlan())
    assert run.frame is not None
    return Box(0, 0, 1 << 12, 1 << 12).cut(run.frame)


def _poked(
    session: Session, scores: Sequence[VariableSpec], digit: int
) -> Iterator[tuple[int, bytes]]:
    for spec in scores:
        values = np.unique(session.timeline.column(spec.name))
        number = int(str(digit) * 2 * spec.type.width)
        if spec.type.kind not in "dn":
            number = int(values[len(values) * digit // 8])
        least = min(number, spec.type.maximum)
        yield from session.memory.space.encode_write(spec.address, spec.type, least)
