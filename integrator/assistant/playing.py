"""Tools that open a game, play it, look at it, and read or write its memory."""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, Literal

import numpy as np
from mcp.server.mcpserver import Image
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from integrator.assistant.workbench import Call, CallStopped, few
from integrator.domain.errors import ChoiceError, DomainError, SessionError
from integrator.domain.integration.naming import is_file_name
from integrator.domain.movies.reading import MOVIE_FORMATS
from integrator.domain.values.memory import DataType
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import FrameResult
from integrator.session.library.entries import read_movie_folder
from integrator.session.opening import movie_consoles
from integrator.session.recorded_rows import run_movie
from integrator.session.session import Session
from integrator.session.stills import png_bytes, scaled

Shown = list[str | Image]  # a text, and then pictures

MOST_FRAMES: Final = 36_000
_CHUNK_FRAMES: Final = 240


def _number(value: object) -> object:
    with suppress(ValueError):
        return int(value, 0) if isinstance(value, str) else value
    return value


Address = Annotated[
    int,
    BeforeValidator(_number),
    WithJsonSchema({"type": ["integer", "string"], "description": "As 66 or 0x42."}),
]
TypeName = Annotated[
    str, Field(description="As |u1, >u2 (big-endian), <i4, >d3 (BCD), |n1 (a digit a byte).")
]
Players = Annotated[int, Field(ge=1, le=8)]


class HeldButtons(BaseModel, extra="forbid"):
    """Buttons that one player holds for some frames."""

    buttons: list[str] = Field(default=[], description="Names; none to wait.")
    frames: int = Field(default=1, ge=1, le=MOST_FRAMES)
    player: Players = 1
    axes: dict[str, int] = Field(default={}, description="Sticks and the like, where there are.")


def open_game(call: Call, game: str, state: str | None = None, players: Players = 1) -> Shown:
    """Open a game and begin an episode.

    The game is a ROM, an integration directory, or an integration's name. Unsaved edits of the
    game that was open are lost."""
    call.bench.open(call.bench.game(game), state, players)

    def begin(session: Session) -> Shown:
        text = _described(session)
        try:
            return [text, _picture([session.reset()], 1)]
        except DomainError as error:
            return [f"{text}\nFault: {error}"]  # other tools can correct the documents

    return call.ask(begin)


def play(
    call: Call,
    steps: Annotated[list[HeldButtons], Field(max_length=2000)],
    reset: Annotated[
        bool, Field(description="Begin an episode at the start state before.")
    ] = False,
    look: Annotated[bool, Field(description="Give the last picture too.")] = False,
) -> Shown:
    """Hold buttons for some frames, one step after the other, from the present frame on.

    All play is kept on the timeline, and other tools can use it later. Play after a seek makes a
    branch."""
    frames = sum(step.frames for step in steps)
    if frames > MOST_FRAMES:
        raise SessionError(f"{frames:,} frames at once; play at most {MOST_FRAMES:,} in a call")
    rows = call.ask_scored(lambda session: _rows(session, steps))
    last = call.ask(lambda session: session.reset()) if reset else None
    paid, ended = 0.0, 0
    for first in range(0, frames, _CHUNK_FRAMES):
        chunks = call.ask(partial(Session.run, inputs=rows[first : first + _CHUNK_FRAMES]))
        last = chunks[-1].last
        for chunk in chunks:
            done = chunk.outcomes.done
            paid += float(chunk.outcomes.rewards[:, 0].sum())
            ended = ended or (chunk.first_number + int(done.argmax()) if done.any() else 0)
        call.bench.on_frame(last)
        if not call.goes_on(first, frames):
            raise CallStopped(f"stopped at frame {last.number}")
    if last is None:
        raise SessionError("no steps: give one at least, or reset")
    text = call.ask(lambda session: frame_text(session, last))
    text += f"\nReward of these {frames:,} frames: {paid:g}." if frames else ""
    text += f" Done first held on frame {ended:,}." if ended else ""
    text += f"\nScript error: {last.script_error}" if last.script_error else ""
    return [text, _picture([last], 1)] if look else [text]


def look(
    session: Session,
    scale: Annotated[int, Field(ge=1, le=4)] = 2,
    frames: Annotated[
        tuple[int, ...], Field(max_length=8, description="A strip of earlier moments.")
    ] = (),
    variables: Annotated[tuple[str, ...], Field(description="None: the first ten.")] = (),
) -> Shown:
    """Show the picture of the present frame, or of several frames, with the values there."""
    travel = session.timeline
    if not travel.length:
        session.reset()
    if frames and session.memory.written:
        raise SessionError("memory was written here, and other frames lose that: play first")
    here = travel.position
    try:
        shown = [travel.seek(frame) for frame in frames]
    finally:
        last = travel.seek(here) if frames else travel.here()
    text = frame_text(session, last, variables)
    if frames:
        notes = (f" ({_values(each.values, variables)})" if each.values else "" for each in shown)
        moments = zip(shown, notes, strict=True)
        strip = "; ".join(f"frame {each.number:,}{values}" for each, values in moments)
        text += f"\nFrom left to right: {strip}"
    return [text, _picture(shown or [last], scale)]


def seek(session: Session, call: Call, frame: Annotated[int, Field(ge=1)]) -> str:
    """Go to a frame of the timeline; later frames are kept."""
    return frame_text(session, session.timeline.seek(frame, call.goes_on))


def branches(
    session: Session, action: Literal["list", "keep", "go_to", "drop"] = "list", name: str = ""
) -> str:
    """List the kept lines of play, keep the present one, go to the end of another, or drop one."""
    travel = session.timeline
    if action == "keep":
        travel.fork(name or None)
    elif action == "go_to":
        travel.switch_to(name)
    elif action == "drop":
        travel.log.delete_branch(name)
    rows = [
        f"{each.name}: {each.length:,} frames, {each.shared_frames:,} of them shared, "
        f"reward {each.rewards[0]:g}"
        for each in travel.branches
    ]
    here = f"Now on {travel.log.current}, frame {travel.position:,} of {travel.length:,}."
    return "\n".join([here, *first_rows(rows)])


def read_memory(
    session: Session,
    address: Address,
    data_type: TypeName = "|u1",
    count: Annotated[int, Field(ge=1, le=256)] = 1,
) -> str:
    """Read successive numbers in memory at the present frame."""
    width = DataType.parse(data_type).width
    places = range(address, address + count * width, width)
    numbers = ", ".join(str(session.memory.read(place, data_type)) for place in places)
    return f"0x{address:X} {data_type}: {numbers}"


def write_memory(
    session: Session, address: Address, value: int, data_type: TypeName = "|u1"
) -> str:
    """Write a number into the memory of the running game."""
    session.memory.write(address, data_type, value)
    return f"0x{address:X} {data_type} is {value}; play a frame to see what the game makes of it"


def movies(
    session: Session,
    call: Call,
    action: Literal["list", "record", "stop", "play"] = "list",
    name: Annotated[str, Field(description="File name, without a folder.")] = "",
) -> str:
    """List the movies of the game, record one (.bk2) from here until stop, or play one to its end.

    A movie is a recording that replays frame by frame; it belongs to the game's saved folder."""
    folder = session.integration.directory
    if not folder.is_dir() or not call.bench.holds(folder):
        raise SessionError("movies lie in the integration's own folder: save it first")
    suffixes = (".bk2",) if action == "record" else tuple(MOVIE_FORMATS)
    path = folder / (name if name.endswith(suffixes) else f"{name}.bk2")
    if action in ("record", "play") and not is_file_name(name):
        raise ChoiceError(f"{name!r} is no file name; give one, as {session.integration.name}")
    if action == "record":
        if path.exists():
            raise ChoiceError(f"there is a movie {path.name} already; give another name")
        return f"Recording {path.name} from frame {session.record(path).number:,} on"
    if action == "stop":
        done = session.stop_recording()
        return f"{done.name} is complete" if done else "No movie was being recorded"
    if action == "play":
        movie, apart = session.game.read_movie(path), "no row differs from it"
        played = run_movie(session, movie, call.goes_on)
        if played.desync_row is not None:
            apart = f"row {played.desync_row} differs from it"
        elif session.game.identity().comparable(movie).ram_hashes is None:
            apart = "no row was compared, because its memory is not known"
        return f"{frame_text(session, played.last)}\nThe movie was played; {apart}."
    found = read_movie_folder(folder, movie_consoles())
    rows = [each.problem or f"{each.path.name}: {each.frames:,} frames" for each in found]
    return "\n".join(first_rows(rows) or ["No movies yet"])


def frame_text(session: Session, result: FrameResult, names: Iterable[str] = ()) -> str:
    """Return two lines with the frame's number, rewards and values."""
    outcome = result.outcome
    # A total is NaN while it is not known, as after an edit of the reward.
    sums = outcome.total_rewards
    totals = ", ".join("not known" if math.isnan(total) else f"{total:g}" for total in sums)
    done = "; done" if outcome.done else ""
    return (
        f"Frame {result.number:,} of {session.timeline.length:,}, "
        f"{outcome.frame:,} in the episode; reward so far {totals}{done}\n"
        f"{_values(result.values, names)}"
    )


def _values(values: Mapping[str, int | float], names: Iterable[str] = ()) -> str:
    unknown = [name for name in names if name not in values]
    if unknown:
        raise ChoiceError(f"no variable {unknown[0]!r}; there are {few(list(values), 'variable')}")
    chosen = list(names) or list(values)
    return few([f"{name} {values[name]}" for name in chosen], "variable") or "no variables yet"


def first_rows(rows: list[str], most: int = 10) -> list[str]:
    """Return the first rows, and a row with the number of the others."""
    more = len(rows) - most
    return rows if more <= 0 else [*rows[:most], f"… {more:,} more"]


def _described(session: Session) -> str:
    game, integration = session.game, session.integration
    buttons = [name for name in session.system.buttons if name]
    regions = [f"0x{r.address:X}-0x{r.end - 1:X}" for r in session.memory.space.regions]
    lines = [
        f"{integration.name} on {session.system.title}, {game.fps:.2f} frames a second.",
        f"Buttons: {', '.join(buttons)}. Memory: {few(regions, 'region', 4)}.",
        f"Variables: {few(list(integration.variables), 'variable') or 'none'}.",
        f"Start states: {few(list(integration.states), 'state') or 'none'}.",
        f"Episodes begin at {game.state_name}.",
    ]
    if game.axes:
        lines.append(f"Axes: {', '.join(each.name for each in game.axes)}.")
    return "\n".join(lines)


def _rows(session: Session, steps: list[HeldButtons]) -> Inputs:
    buttons, game = session.system.buttons, session.game
    made = []
    for step in steps:
        unknown = [name for name in step.buttons if name not in buttons]
        if unknown:
            known = ", ".join(name for name in buttons if name)
            raise ChoiceError(f"no button {unknown[0]!r}; there are {known}")
        mask = sum(1 << buttons.index(name) for name in {*step.buttons})
        masks = [0] * (step.player - 1) + [mask]
        made.append(game.input_rows(masks, step.frames, filtered=False, axes=step.axes or None))
    return np.concatenate(made) if made else np.zeros((0, game.players), np.uint16)


def _picture(results: list[FrameResult], scale: int) -> Image:
    pictures: list[Any] = [each.frame.rgb() for each in results if each.frame is not None]
    if not pictures:
        raise SessionError("the core has drawn no picture yet; play a frame")
    height = max(len(picture) for picture in pictures)
    # Fill the space below a lower picture, and a gap between two pictures, with black.
    strip = [np.pad(each, ((0, height - len(each)), (0, 2), (0, 0))) for each in pictures]
    return Image(data=png_bytes(scaled(np.hstack(strip)[:, :-2], scale)), format="png")
