"""``python -m scripts.fit_counters``: weights of evidence for score and lives in suggestions.

Each game for tuning is played for a minute: every second one of stable-retro by name, with two
seeds, and those of ``bench_annotated``; the games of ``bench_evidence`` are judged by values. In
each play, a number that overlaps the score (or lives)
is to be likelier than all others (a conditional logistic regression). Each game counts as much as
another. Ranks are told for games that were left out of the fit. ``score.py`` and ``lives.py`` in
``integrator/domain/suggest/counters`` have the printed weights. ROMs come from the package ale-py
(``pip install --no-deps ale-py``).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.counters.kinds import LIVES, SCORE
from integrator.domain.suggest.counters.traits import EvidenceOfKind, Traits, traits_of
from integrator.domain.suggest.suggestion import Kind
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.suggesting import SuggestRun, play_of, rows_left_out
from scripts.bench_annotated import annotated_games, start_game
from scripts.bench_evidence import BOOT_FRAMES, played_games
from scripts.bench_games import atari_games, judge_games, rom_dir, seed_of
from scripts.bench_suggest import play_minute
from scripts.bench_suggest_labels import documented
from scripts.reporting import report, show_missing, show_table

Floats = NDArray[np.float64]

_FITTED: Final[Mapping[Kind, EvidenceOfKind]] = {"score": SCORE, "lives": LIVES}
_SEEDS: Final = 2
"""Plays of each game of stable-retro, the first with the seed of ``bench_suggest``."""
_STEPS: Final = 400
_RATE: Final = 0.3
_FOLDS: Final = 8
_SHRINK: Final = 0.1
"""The price of a weight's square, beside the mean log-likelihood of a game."""


@dataclass(frozen=True, slots=True, eq=False)
class Plays:
    """The numbers of one play of a game that may be of a kind.

    ``measures`` are float64 (numbers, evidence), ``right`` is true for numbers that overlap the
    known one, and ``places`` are the logical indexes of each number's bytes.
    """

    kind: Kind
    game: str
    measures: Floats
    right: NDArray[np.bool_]
    places: Sequence[frozenset[int]]

    @classmethod
    def of(cls, kind: Kind, game: str, own: Sequence[Traits], right: NDArray[np.bool_]) -> Self:
        """The plays' measures of numbers that may be of a kind."""
        evidence = _FITTED[kind].evidence.values()
        measures = np.array([[float(each.measure(t)) for each in evidence] for t in own])
        return cls(kind, game, measures, right, [t.number.places for t in own])

    def rank(self, weights: Floats) -> int:
        """The rank of the first right number among those that have no byte of a likelier one."""
        taken: set[int] = set()
        rank = 0
        for index in np.argsort(-(self.measures @ weights), kind="stable").tolist():
            if not self.places[index] & taken:
                taken |= self.places[index]
                rank += 1
                if self.right[index]:
                    return rank
        return 0


class FitOfKind(TypedDict):
    """Weights, and ranks of plays by weights fitted without them."""

    weights: dict[str, float]
    bias: float
    ranks: list[dict[str, object]]


class FitReport(TypedDict):
    """The document of ``--json``: the fit of each kind, and games that were left out."""

    kinds: dict[Kind, FitOfKind]
    missing: dict[str, str]


def fit_counters(*, quiet: bool = False) -> FitReport:
    """Play the games for tuning and fit. Games that can not be played are ``missing``."""
    plays: list[Plays] = []
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="fit-counters-") as folder:
        shipped = list(atari_games(Path(folder)))[::2]
        others = list(annotated_games(rom_dir(), Path(folder)))
        for games, start, seeds in ((shipped, False, range(_SEEDS)), (others, True, range(1))):
            for seed in seeds:
                judge = partial(_played, seed=seed, start=start)
                found, without = judge_games(games, judge, quiet=quiet)
                plays += found
                missing |= without
    plays += _drawn_plays()
    kinds = {kind: _fit_of([play for play in plays if play.kind == kind]) for kind in _FITTED}
    return {"kinds": kinds, "missing": missing}


def _drawn_plays() -> list[Plays]:
    """Plays of the games for tuning of ``bench_evidence``, judged by values."""
    found: list[Plays] = []
    for game in played_games():
        numbers = _numbers(game.session)
        for kind, known in _FITTED.items():
            own = [t for t in numbers if t.number.may_be(kind) and known.may_be(t)]
            truth = game.values(kind)[rows_left_out(game.session.recorded_play()) - BOOT_FRAMES :]
            right = np.array([bool((t.number.values == truth).all()) for t in own])
            if right.any():
                found.append(Plays.of(kind, f"drawn {game.number}", own, right))
    return found


def _fit_of(plays: Sequence[Plays]) -> FitOfKind:
    names = _FITTED[plays[0].kind].evidence
    weights = fit(plays)
    return {
        "weights": dict(zip(names, weights.round(2).tolist(), strict=True)),
        "bias": round(bias_of(plays, weights), 2),
        "ranks": [{"game": play.game, "rank": rank} for play, rank in left_out(plays)],
    }


def _played(name: str, directory: Path, _: bool, *, seed: int, start: bool) -> list[Plays]:
    """One play, for each kind with a documented number that changed."""
    with open_session(directory, isolated=False) as session:
        session.reset()
        if start:
            start_game(session)
        for _state in play_minute(session, seed_of(directory) + seed):
            pass
        labels = documented(session)
        numbers = _numbers(session)
        space = session.memory.space
    found = []
    for kind, known in _FITTED.items():
        ends = [(each.address, each.address + each.width) for each in labels if each.kind == kind]
        own = [t for t in numbers if t.number.may_be(kind) and known.may_be(t)]
        right = np.array([_overlaps(space.address_of(t.number.place), t, ends) for t in own])
        if right.any():
            found.append(Plays.of(kind, name, own, right))
    return found


def _overlaps(address: int, t: Traits, ends: Sequence[tuple[int, int]]) -> bool:
    stop = address + t.number.type.width
    return any(address < last and first < stop for first, last in ends)


def _numbers(session: Session) -> list[Traits]:
    """Numbers of what was played, with pictures."""
    recorded = session.recorded_play()
    play = SuggestRun(recorded, list(_FITTED)).watched(play_of(recorded), session.host, [])
    return traits_of(play)


def fit(plays: Sequence[Plays]) -> Floats:
    """The weights that make right numbers likelier than the others, each game counting alike."""
    every = np.vstack([play.measures for play in plays])
    unit = every.std(axis=0) + 1e-6
    counts = {play.game: sum(each.game == play.game for each in plays) for play in plays}
    weights = np.zeros(len(unit))
    for _ in range(_STEPS):
        slope = -_SHRINK * len(counts) * weights
        for play in plays:
            likely = _shares(play.measures / unit @ weights)
            pull = _shares(np.where(play.right, np.log(likely + 1e-12), -np.inf)) - likely
            slope += pull @ play.measures / unit / counts[play.game]
        weights += _RATE * slope / len(counts)
    result: Floats = weights / unit
    return result


def _shares(odds: Floats) -> Floats:
    raised: Floats = np.exp(odds - odds.max())
    shares: Floats = raised / raised.sum()
    return shares


def bias_of(plays: Sequence[Plays], weights: Floats) -> float:
    """The bias with which confidences add up to the count of right numbers."""
    odds = np.concatenate([play.measures @ weights for play in plays])
    right = sum(int(play.right.sum()) for play in plays)
    low, high = -100.0, 100.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        too_many = (1 / (1 + np.exp(-odds - middle))).sum() > right
        low, high = (low, middle) if too_many else (middle, high)
    return low


def left_out(plays: Sequence[Plays]) -> Iterator[tuple[Plays, int]]:
    """Each play with its rank by weights that were fitted without its game and some others."""
    games = sorted({play.game for play in plays})
    for fold in range(min(_FOLDS, len(games))):
        tested = set(games[fold::_FOLDS])
        others = [play for play in plays if play.game not in tested]
        if others:
            weights = fit(others)
            yield from ((play, play.rank(weights)) for play in plays if play.game in tested)


def print_fit(fitted: FitReport) -> None:
    """Print each kind's table, then the ranks of games that were left out of the fit."""
    for kind, found in fitted["kinds"].items():
        rows = [*found["weights"].items(), ("bias", found["bias"])]
        show_table(f"Weights of the evidence for {kind}", ("evidence", "weight"), rows)
        ranks: list[int] = [int(str(row["rank"])) for row in found["ranks"]]
        counts = (len(ranks), sum(rank == 1 for rank in ranks), sum(1 <= r <= 3 for r in ranks))
        show_table("Plays left out of the fit", ("plays", "first", "first three"), [counts])
        late = (row.values() for row in found["ranks"] if row["rank"] not in (1, 2, 3))
        show_table("Not among the first three", ("game", "rank"), late)
    show_missing(fitted["missing"])


if __name__ == "__main__":
    report(__doc__, lambda quiet: fit_counters(quiet=quiet), print_fit)
