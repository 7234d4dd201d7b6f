"""``integrator reward``: the terms that gave a movie's reward, in all and on each frame."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import required_movies
from integrator.domain.errors import SessionError
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles, open_session
from integrator.session.rescoring import Attribution, Share, attribute
from integrator.session.rework import import_movie
from integrator.session.setup.roots import find_integration, systems


@dataclass(frozen=True, slots=True)
class Explained:
    """A movie's reward taken apart, of its frames ``first`` to ``last``."""

    movie: Path
    game: Path
    parts: Attribution
    first: int
    last: int

    def paid(self) -> list[int]:
        """The frames with a reward or a term other than 0."""
        columns = [self.parts.rewards, *(column.parts for column in self.parts.columns)]
        some = np.any([column[self.first - 1 : self.last] != 0 for column in columns], axis=0)
        frames: list[int] = (self.first + np.flatnonzero(some)).tolist()
        return frames

    def to_json(self) -> dict[str, Any]:
        parts, span = self.parts, (self.first, self.last)
        frames = []
        for frame in self.paid():
            terms = [asdict(share) for share in parts.shares(frame, frame) if share.gave]
            frames.append({"frame": frame, "reward": parts.reward(frame, frame), "terms": terms})
        return {
            "movie": str(self.movie),
            "game": str(self.game),
            "first": self.first,
            "last": self.last,
            "reward": parts.reward(*span),
            "rounding": parts.rounding(*span),
            "terms": [asdict(share) for share in parts.shares(*span)],
            "frames": frames,
        }


def explain_rewards(
    paths: Sequence[Path],
    *,
    game: Path | None,
    scenario: str | None,
    player: int,
    first: int,
    last: int | None,
    quiet: bool,
) -> list[Explained]:
    """Play movies and take their reward apart. Raises SessionError, MovieError, HostError."""
    consoles, found = movie_consoles(systems()), []
    movies = [movie for path in paths for movie in required_movies(path)]
    with plain_progress(quiet=quiet, transient=True) as shown:
        for each in shown.track(movies, description="movies"):
            movie = read_movie(each, consoles)
            directory = game or find_integration(movie.game, each)
            with open_session(directory, scenario=scenario, players=movie.players) as session:
                import_movie(session, each)
                parts = attribute(session, player=player - 1)
            stop = parts.last if last is None else last
            if not 1 <= first <= stop <= parts.last:
                raise SessionError(f"{each}: it has frames 1 to {parts.last:,}; choose among them")
            found.append(Explained(each, directory, parts, first, stop))
    return found


def print_rewards(explained: Sequence[Explained]) -> None:
    """Print the terms of each movie, then the frames on which they paid."""
    console = plain_console(soft_wrap=True)
    for each in explained:
        parts = each.parts
        whole = f"{parts.reward(each.first, each.last):.9g}"
        console.print(f"{each.movie}, frames {each.first:,} to {each.last:,}: {whole}")
        table = Table()
        for column in ("term", "gave", "frames", "variable"):
            table.add_column(column, no_wrap=True)
        for share in parts.shares(each.first, each.last):
            table.add_row(share.term, f"{share.gave:.9g}", f"{share.paid_frames:,}", _moved(share))
        console.print(table)
        frames = each.paid()
        for frame in frames[:40]:
            told = ", ".join(
                f"{share.term} {share.gave:+.9g}" + (f" ({way})" if (way := _moved(share)) else "")
                for share in parts.shares(frame, frame)
                if share.gave
            )
            console.print(f"  frame {frame:,}: {parts.reward(frame, frame):.9g} = {told}")
        if more := len(frames[40:]):
            console.print(f"  and {more:,} more frames; --json lists all")


def _moved(share: Share) -> str:
    """The variable of a share and its way; empty for time and scripts."""
    if share.before is None or share.after is None:
        return share.variable
    return f"{share.variable} {share.before} → {share.after}"
