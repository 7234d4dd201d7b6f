"""``python -m scripts.fit_evidence``: weights of traits for the kinds of number in suggestions.

Games are played: those for tuning of ``bench_evidence``, judged by values, every second Atari game
of stable-retro by name, and games of ``bench_annotated``. For each kind whose number changed, the
right readings and the likeliest wrong ones are rows of ``resources/bench/evidence.npz``. In each
play a right one is to be likelier than all others (a conditional logistic regression, in which each
game counts as much as another). Ranks are those of games left out of the fit. ``--kept`` fits
the kept rows again and plays nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.counters.kinds import COUNTERS, WEIGHTS
from integrator.domain.suggest.counters.traits import TRAITS, Traits, measures_of, traits_of
from integrator.domain.suggest.suggestion import Kind
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.suggesting import SuggestRun, play_of, rows_left_out
from scripts.bench_annotated import annotated_games, start_game
from scripts.bench_evidence import BOOT_FRAMES, ROOT, played_games
from scripts.bench_games import atari_games, judge_games, play_minute, rom_dir, seed_of
from scripts.bench_labels import documented
from scripts.reporting import report, show_table

Floats = NDArray[np.float64]

KEPT: Final = ROOT / "resources" / "bench" / "evidence.npz"
_WRONG: Final = 24
"""The likeliest wrong readings of a play that are kept."""
_STEPS: Final = 400
_RATE: Final = 0.3
_FOLDS: Final = 8
_SHRINK: Final = 0.4
"""The price of the square of a weight's way from where it began, next to the mean log-likelihood
of a game."""
_PRIORS: Final[Mapping[Kind, Mapping[str, float]]] = {
    "score": {
        "rises": 0.33,
        "drawn": 2.25,
        "always_drawn": 2.97,
        "drawn_inside": -1.06,
        "new_values": 1.76,
        "binary": -1.44,
        "decimal": 1.01,
        "noisy": -0.26,
        "even": -1.29,
        "starts_again": -0.88,
        "renewal": -1.34,
        "upheaval": 1.15,
        "read_whole": 2.0,
        "often_falls": -3.0,
        "record": -3.0,
    },
    "lives": {
        "rises": -0.69,
        "changes": -0.94,
        "drawn": 0.97,
        "drawn_inside": -0.96,
        "upheaval": 0.43,
        "high": -1.58,
        "two_values": -2.8,
        "falls_by_ones": 2.36,
        "starts_highest": 1.02,
        "changes_soon": -1.42,
        "part_of_byte": -1.97,
        "starts_again": -1.01,
        "read": 0.5,
    },
    "timer": {
        "even": 2.0,
        "paced": 2.0,
        "falls_by_ones": 1.0,
        "drawn": 2.0,
        "read": 2.0,
        "wide": -0.7,
    },
    "level": {"rises": 1.0, "rises_by_ones": 2.0, "upheaval": 1.0, "drawn": 1.0, "read": 1.0},
    "health": {"rises": -0.7, "falls_alike": 1.0, "starts_highest": 1.0, "drawn": 2.0, "read": 2.0},
}
"""The weights that the fit begins with, and leaves only for evidence.

Those of scores and lives were fitted to 105 plays of Atari games; the others are set by hand.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Plays:
    """Readings of one play that may be of a kind; ``right`` is true for those of the known number.

    ``measures`` are (readings, traits).
    """

    kind: Kind
    game: str
    measures: Floats
    right: NDArray[np.bool_]

    @property
    def console(self) -> str:
        """The console, which the game's name begins with."""
        return self.game.split(" ")[0]

    def rank(self, weights: Floats) -> int:
        """The rank of the first right reading."""
        odds = self.measures @ weights
        return 1 + int(np.count_nonzero(odds[~self.right] >= odds[self.right].max()))


def played(*, quiet: bool = False) -> list[Plays]:
    """Plays of all games for tuning."""
    found = list(_drawn())
    with tempfile.TemporaryDirectory(prefix="fit-evidence-") as folder:
        shipped = list(atari_games(Path(folder)))[::2]
        others = list(annotated_games(rom_dir(), Path(folder)))[::2]
        for games, start in ((shipped, False), (others, True)):

            def judge(name: str, directory: Path, _: bool, start: bool = start) -> list[Plays]:
                return _atari(name, directory, start=start)

            found += judge_games(games, judge, quiet=quiet)[0]
    return found


def _drawn() -> Iterator[Plays]:
    for game in played_games():
        numbers = _numbers(game.session)
        skipped = rows_left_out(game.session.recorded_play()) - BOOT_FRAMES
        for kind in COUNTERS:
            if kind in game.coded.numbers:
                truth = game.values(kind)[skipped:]
                right = [bool((t.number.values == truth).all()) for t in numbers]
                yield from _plays(kind, f"{game.coded.console.name} {game.number}", numbers, right)


def _atari(name: str, directory: Path, *, start: bool) -> list[Plays]:
    with open_session(directory, isolated=False) as session:
        session.reset()
        if start:
            start_game(session)
        for _state in play_minute(session, seed_of(directory)):
            pass
        labels = documented(session)
        numbers = _numbers(session)
        space = session.memory.space
    found: list[Plays] = []
    for kind in COUNTERS:
        ends = [(each.address, each.address + each.width) for each in labels if each.kind == kind]
        right = []
        for t in numbers:
            address = space.address_of(t.number.place)
            stop = address + t.number.type.width
            right.append(any(address < last and first < stop for first, last in ends))
        found += _plays(kind, f"atari {name}", numbers, right)
    return found


def _numbers(session: Session) -> list[Traits]:
    """Numbers of what was played, with pictures."""
    recorded = session.recorded_play()
    play = SuggestRun(recorded, list(COUNTERS)).watched(play_of(recorded), session.host, [])
    return traits_of(play)


def _plays(
    kind: Kind, game: str, numbers: Sequence[Traits], right: Sequence[bool]
) -> Iterator[Plays]:
    row = COUNTERS[kind]
    own = [(t, good) for t, good in zip(numbers, right, strict=True) if row.may_be(t)]
    if not any(good for _, good in own):
        return
    own.sort(key=lambda pair: -row.weigh(pair[0]))
    wrong = [pair for pair in own if not pair[1]][:_WRONG]
    kept = [pair for pair in own if pair[1]][:_WRONG] + wrong
    measures = np.array([measures_of(t) for t, _ in kept], np.float64)
    yield Plays(kind, game, measures, np.array([good for _, good in kept]))


def keep(plays: Sequence[Plays]) -> None:
    """Write the rows of all plays."""
    np.savez_compressed(
        KEPT,
        traits=np.array([trait.name for trait in TRAITS]),
        measures=np.vstack([play.measures for play in plays]).astype(np.float32),
        right=np.concatenate([play.right for play in plays]),
        lengths=np.array([len(play.right) for play in plays]),
        kinds=np.array([play.kind for play in plays]),
        games=np.array([play.game for play in plays]),
    )


def kept() -> list[Plays]:
    """The plays whose rows are kept, as far as there are such traits today."""
    with np.load(KEPT) as rows:
        names = rows["traits"].tolist()
        columns = [names.index(trait.name) for trait in TRAITS if trait.name in names]
        stops = np.cumsum(rows["lengths"])[:-1]
        measures = np.split(rows["measures"][:, columns].astype(np.float64), stops)
        right = np.split(rows["right"], stops)
        every = zip(rows["kinds"].tolist(), rows["games"].tolist(), measures, right, strict=True)
        return [Plays(*each) for each in every]


def weights_of(plays: Sequence[Plays]) -> dict[Kind, dict[str, float]]:
    """The weights and the bias of each kind, as they ship."""
    found = {}
    for kind in COUNTERS:
        own = [play for play in plays if play.kind == kind]
        weights = fit(own)
        names = [trait.name for trait in TRAITS]
        found[kind] = dict(zip(names, weights.round(2).tolist(), strict=True))
        found[kind]["bias"] = round(bias_of(own, weights), 2)
    return found


def fit(plays: Sequence[Plays]) -> Floats:
    """The weights that make right readings likelier; each game counts alike."""
    every = np.vstack([play.measures for play in plays])
    unit = every.std(axis=0) + 0.05
    games = {play.game for play in plays}
    share = {game: 1 / len(games) / sum(play.game == game for play in plays) for game in games}
    priors = _PRIORS[plays[0].kind] if every.shape[1] == len(TRAITS) else {}
    prior = unit * [priors.get(trait.name, 0.0) for trait in TRAITS][: len(unit)]
    weights = np.array(prior)
    for _ in range(_STEPS):
        slope = _SHRINK * (prior - weights)
        for play in plays:
            likely = _shares(play.measures / unit @ weights)
            pull = _shares(np.where(play.right, np.log(likely + 1e-12), -np.inf)) - likely
            slope += share[play.game] * (pull @ play.measures / unit)
        weights += _RATE * slope
    result: Floats = weights / unit
    return result


def _shares(odds: Floats) -> Floats:
    raised: Floats = np.exp(odds - odds.max())
    shares: Floats = raised / raised.sum()
    return shares


def bias_of(plays: Sequence[Plays], weights: Floats) -> float:
    """The bias with which confidences add up to the count of right readings."""
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


def fit_evidence(*, quiet: bool = False, again: bool = False) -> list[dict[str, object]]:
    """Fit, write the weights, and give the ranks of games left out by kind and console."""
    if not again:
        keep(played(quiet=quiet))
    plays = kept()
    WEIGHTS.write_text(json.dumps(weights_of(plays), indent=1) + "\n")
    return list(_shares_of(plays))


def _shares_of(plays: Sequence[Plays]) -> Iterator[dict[str, object]]:
    for kind in COUNTERS:
        ranked = list(left_out([play for play in plays if play.kind == kind]))
        for console in sorted({play.console for play, _ in ranked}):
            ranks = [rank for play, rank in ranked if play.console == console]
            first, three = sum(r == 1 for r in ranks), sum(r < 4 for r in ranks)
            shares: Mapping[str, object] = {
                "kind": kind,
                "console": console,
                "plays": len(ranks),
                "first": first,
                "first three": three,
            }
            yield dict(shares)


def print_fit(rows: list[dict[str, object]]) -> None:
    """Print the ranks of games that were left out of the fit."""
    show_table("Games left out of the fit", list(rows[0]), [row.values() for row in rows])


if __name__ == "__main__":
    again = "--kept" in sys.argv
    sys.argv = [each for each in sys.argv if each != "--kept"]
    report(__doc__, lambda quiet: fit_evidence(quiet=quiet, again=again), print_fit)
