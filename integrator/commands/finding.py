"""``integrator suggest``, ``ends``, ``prove``, ``search`` and ``reward``."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from rich.table import Column, Table

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.fanout import message_at
from integrator.commands.shared.options import movies_of, require_path, required_movies, show
from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import ChoiceError, SessionError
from integrator.domain.integration.naming import is_integration
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.domain.query.solve import Solution
from integrator.domain.scenario.spec import START_BUTTONS
from integrator.domain.suggest.suggestion import KindName, Suggestion
from integrator.domain.values.memory import DataType
from integrator.session.audit import PROBE_FRAMES, Probe, play_buttons, play_masks
from integrator.session.frame.result import MovieDesync, MovieWarning
from integrator.session.opening import movie_consoles, open_session
from integrator.session.proof.proof import Verdict
from integrator.session.recorded_rows import PlayedMovie, import_movie
from integrator.session.rescoring import Attribution, Share, attribute
from integrator.session.session import Session
from integrator.session.setup.roots import find_integration
from integrator.session.stills import png_bytes
from libretro_host.errors import CoreCrashed, CoreHung


@contextmanager
def played(
    paths: Sequence[Path],
    *,
    game: Path | None = None,
    state: str | None = None,
    seed: int = 1,
    quiet: bool = False,
) -> Iterator[tuple[Session, tuple[int, ...]]]:
    """Open a session that has played movies of one game, or a minute of random buttons.

    Also yields the last frame of each movie. Raises SessionError, MovieError."""
    for path in paths:
        require_path(path)
    if len(paths) == 1 and (
        is_integration(paths[0]) or not (paths[0].is_dir() or is_movie(paths[0]))
    ):
        with open_session(paths[0], state=state) as session:
            buttons = tuple(play_buttons(session.system))
            rows = Probe("random", seed=seed).masks(PROBE_FRAMES, session.game.players, buttons)
            begun = rows[:0] if is_integration(paths[0]) else _start_presses(session)
            with _losses_named(paths[0]):
                play_masks(session, np.concatenate([begun, rows]))
            yield session, ()
        return
    consoles = movie_consoles()
    movies = [read_movie(each, consoles) for path in paths for each in movies_of(path)]
    games = {game or find_integration(each.game, each.path) for each in movies}
    if len(games) != 1:
        raise SessionError(f"{paths[0]}: the movies are of {len(games)} games; name those of one")
    players = max(each.players for each in movies)
    with open_session(games.pop(), state=state, players=players) as session:
        with plain_progress(quiet=quiet, transient=True) as shown:
            done = [
                _imported(session, each.path) for each in shown.track(movies, description="movies")
            ]
        yield session, tuple(each.stop - 1 for each in done)


def _imported(session: Session, movie: Path) -> PlayedMovie:
    """Play a movie, and print on stderr why it may not be, or is not, as it was recorded."""
    with _losses_named(movie):
        played = import_movie(session, movie)
    for event in session.take_events():
        if isinstance(event, MovieWarning | MovieDesync):
            plain_console(stderr=True, soft_wrap=True).print(event.text)
    return played


@contextmanager
def _losses_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (CoreCrashed, CoreHung) as error:
        raise SessionError(message_at(path, error)) from error


def _start_presses(session: Session) -> NDArray[np.uint16]:
    """Return ten seconds in which player 1 gets from a title into play, as masks."""
    names = session.system.buttons
    starts = [1 << names.index(each) for each in START_BUTTONS if each in names]
    rows = np.zeros((600, session.game.players), np.uint16)
    for number, frame in enumerate(range(100, len(rows), 50)):
        # Some titles and menus listen to another button alone.
        pressed = starts if number % 2 == 0 else list(play_buttons(session.system))[:1]
        rows[frame : frame + 6, 0] = sum(pressed)
    return rows


def kinds_of(names: Sequence[str] | None) -> list[KindName] | None:
    """Return the kinds of these names; None means all. Raises ChoiceError for an unknown kind."""
    known: tuple[KindName, ...] = get_args(KindName)
    for name in names or ():
        if name not in known:
            raise ChoiceError(f"there is no kind {name!r}; choose among {', '.join(known)}")
    return [each for each in known if each in names] if names else None


def target(session: Session, name: str) -> tuple[int, DataType]:
    """Return the candidate named by ``VARIABLE`` or ``ADDRESS:TYPE``. Raises ChoiceError."""
    spec = session.integration.variables.get(name)
    if spec is not None:
        return spec.address, spec.type
    address, _, kind = name.partition(":")
    try:
        return int(address, 0), DataType.parse(kind or "|u1")
    except ValueError as error:
        cure = "an address is written as 0xFF0000:>u2"
        raise ChoiceError(f"{name}: no variable of the game has this name; {cure}") from error


def _plain(each: object, *names: str) -> dict[str, Any]:
    """Return fields of a value; values that JSON does not have, such as types, become text."""
    values = {name: getattr(each, name) for name in names}
    kept = (int, float, str, list, tuple, type(None))
    return {
        name: value if isinstance(value, kept) else str(value) for name, value in values.items()
    }


def show_suggestions(found: Sequence[Suggestion], *, as_json: bool) -> None:
    names = ("kind", "address", "type", "mask", "confidence")
    rows = []
    for each in found:
        row = {**_plain(each, *names), "ruling": each.ruling or None, "reason": each.reason}
        row["box"] = each.box
        zero = each.pieces and each.pieces.coding.zero
        row["pieces"] = each.pieces and {"addresses": each.addresses, "zero": zero}
        row["seen"] = [
            {"frame": one.frame, "value": one.value, "png": b64encode(png_bytes(one.crop)).decode()}
            for one in each.seen
        ]
        sure = f"{each.kind:9} {each.confidence:4.2f} {each.ruling:8}"
        rows.append((row, f"{sure} 0x{each.address:X} {each.type}  {each.reason}"))
    _show("suggestions", rows, as_json=as_json)


def show_ends(found: Sequence[EndCondition], *, as_json: bool) -> None:
    """Print done conditions; a test of a byte that is no variable has no ``variable``."""
    rows = []
    for each in found:
        tests = [
            {
                "variable": test.spec.name or None,
                "address": test.address,
                "type": str(test.type),
                "measurement": str(test.spec.measurement),
                "op": test.spec.op.name or "positive",
                "reference": test.spec.reference,
            }
            for test in each.tests
        ]
        facts = _plain(each, "late", "false_alarms", "alike")
        held = f"{len(each.late) - each.late.count(None)} of {len(each.late)} ends"
        line = f"{each}: holds at {held}, {each.frames_late} frames late"
        row = {"condition": str(each.condition), "tests": tests, **facts}
        rows.append((row, f"{line}; false alarms: {len(each.false_alarms)}"))
    _show("ends", rows, as_json=as_json)


def show_verdicts(found: Sequence[Verdict], *, as_json: bool) -> None:
    rows = []
    for each in found:
        row = _plain(each, "address", "type", "ruling", "reasons")
        row["copy_of"] = each.copy_of and _plain(each.copy_of, "address", "type")
        line = f"0x{each.address:X} {each.type}: {each.ruling}; {' '.join(each.reasons)}"
        rows.append((row, line))
    _show("verdicts", rows, as_json=as_json)


def show_solution(found: Solution, *, as_json: bool) -> None:
    """Print the counts of a search and its matches; as text, only the best twenty."""
    names = ("address", "type", "mask", "scale", "failed", "off_frames")
    rows = []
    for each in found.matches:
        copies = [_plain(copy, "address", "type") for copy in each.copies]
        failed = f"  but not: {each.failed}" if each.failed else ""
        line = f"0x{each.address:X} {each.type} {each.scale}{failed}"
        rows.append(({**_plain(each, *names), "copies": copies}, line))
    head = f"{found.exact_count:,} fit all facts, {found.near_count:,} all but one"
    counts = {"exact": found.exact_count, "near": found.near_count}
    _show("matches", rows, as_json=as_json, head=[head], most=20, **counts)


def _show(
    name: str,
    rows: Sequence[tuple[dict[str, Any], str]],
    *,
    as_json: bool,
    head: Sequence[str] = (),
    most: int | None = None,
    **counts: int,
) -> None:
    """Print counts and all rows as JSON, or ``head`` and the lines of at most ``most`` rows."""
    value = {**counts, name: [row for row, _ in rows]}
    text = "\n".join([*head, *(line for _, line in rows[:most])] or ["nothing found"])
    show(value, plain_console(soft_wrap=True).print, text, as_json=as_json)


@dataclass(frozen=True, slots=True)
class Explained:
    """The parts of a movie's reward on its frames ``first`` to ``last``."""

    movie: Path
    game: Path
    parts: Attribution
    first: int
    last: int

    def paid(self) -> list[int]:
        """Return the frames on which the reward or a term is not 0."""
        columns = [self.parts.rewards, *(column.parts for column in self.parts.columns)]
        some = np.any([column[self.first - 1 : self.last] != 0 for column in columns], axis=0)
        return [self.first + int(at) for at in np.flatnonzero(some)]

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
    """Play movies, and split their rewards by term. Raises SessionError, MovieError, HostError."""
    consoles, found = movie_consoles(), []
    movies = [movie for path in paths for movie in required_movies(path)]
    with plain_progress(quiet=quiet, transient=True) as shown:
        for each in shown.track(movies, description="movies"):
            movie = read_movie(each, consoles)
            directory = game or find_integration(movie.game, each)
            with open_session(directory, scenario=scenario, players=movie.players) as session:
                _imported(session, each)
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
        names = "term", "gave", "frames", "variable"
        table = Table(*(Column(name, no_wrap=True) for name in names))
        for share in parts.shares(each.first, each.last):
            table.add_row(share.term, f"{share.gave:.9g}", f"{share.paid_frames:,}", _moved(share))
        console.print(table)
        frames = each.paid()
        for frame in frames[:40]:
            terms = ", ".join(
                f"{share.term} {share.gave:+.9g}" + (f" ({way})" if (way := _moved(share)) else "")
                for share in parts.shares(frame, frame)
                if share.gave
            )
            console.print(f"  frame {frame:,}: {parts.reward(frame, frame):.9g} = {terms}")
        if more := len(frames[40:]):
            console.print(f"  and {more:,} more frames; --json lists all")


def _moved(share: Share) -> str:
    """Return a share's variable with its change; empty for time and scripts."""
    if share.before is None or share.after is None:
        return share.variable
    return f"{share.variable} {share.before} → {share.after}"
