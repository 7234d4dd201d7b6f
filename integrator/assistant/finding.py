"""Tools that find variables and the ends of episodes in recorded play."""

from typing import Annotated, Literal

from pydantic import Field

from integrator.assistant.playing import Address, TypeName, first_rows
from integrator.assistant.workbench import Call, few
from integrator.domain.errors import ChoiceError, SearchError
from integrator.domain.search.operators import SearchOp
from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.domain.suggest.suggestion import KindName
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import DataType
from integrator.session.proof.proof import Verdict, prepare
from integrator.session.session import Session
from integrator.session.suggestions.recorded_play import Box

Name = Annotated[str, Field(description="Name of the search, such as score.", max_length=60)]
Edge = Annotated[int, Field(ge=0)]
Size = Annotated[int, Field(ge=1)]


def search(session: Session, name: Name) -> str:
    """Begin a search of all memory for a number, or start it again. Then play, and refine."""
    return _left(session, session.searches.restart(name, scales=True))


def refine(
    session: Session,
    name: Name,
    op: SearchOp | Literal["undo"],
    value: int | list[int] | None = None,
    against: Annotated[
        str | None, Field(description="previous (the last step), first, or as 'frame 300'")
    ] = None,
) -> str:
    """Keep the candidates that fit the number on the screen, or its change since the last step.

    The best ten candidates are listed; value is the number as the screen shows it."""
    if name not in session.searches.names:
        raise ChoiceError(f"no search {name!r}; begin it with the tool search")
    found = session.search(name)
    if op != "undo":
        found.refine(op, value, against=against)
    elif not found.undo():
        raise SearchError(f"the search {name!r} has no step to take back")
    return _left(session, found)


def facts(
    session: Session,
    lines: Annotated[
        list[str],
        Field(
            max_length=60,
            description="As '300 = 1200', '512: 3 -> 2', '300..400 unchanged', 'changed', 'up', "
            "'down', 'only grows' or 'only falls'.",
        ),
    ],
) -> str:
    """List every place in memory that fits statements about recorded frames, best first."""
    found = session.timeline.query("\n".join(lines))
    rows = []
    for each in found.matches:
        widest = sorted(each.copies, key=lambda copy: -copy.type.width)
        copies = few([f"0x{copy.address:X} {copy.type}" for copy in widest], "reading", 4)
        rows.append(
            f"0x{each.address:X} {each.type}{_scale(str(each.scale))}{_mask(each.mask)}"
            + (f"; alike: {copies}" if copies else "")
            + (f", but not: {each.failed}" if each.failed is not None else "")
        )
    rows += [f"a number in {len(each.pieces)} pieces: {each.pieces}" for each in found.in_pieces]
    said = f"{found.exact_count:,} fit all, {found.near_count:,} all but one."
    return "\n".join([said, *first_rows(rows)])


def suggest(
    call: Call,
    kinds: Annotated[tuple[KindName, ...], Field(description="None: all.")] = (),
    prove: Annotated[bool, Field(description="Prove the likeliest of each kind.")] = True,
) -> str:
    """Suggest likely variables from recorded play. Play a minute with all buttons first.

    Each has a confidence from 0 to 1. An original is the game's own number; a copy only shows it.
    """
    look = call.ask(Session.hidden_look)
    every = look.suggest(call.goes_on, call.stopped, lambda _: None) or ()
    found = [each.suggestion for each in every if not kinds or each.suggestion.kind in kinds]
    best = {each.kind: each for each in reversed(found) if prove and each.is_worth_a_proof}
    rulings = _prove(call, [(each.address, each.type) for each in best.values()])
    for each, verdict in zip(best.values(), rulings, strict=False):
        found[found.index(each)] = each.proven(verdict.ruling)
    rows = [
        f"{each.kind}: 0x{each.address:X} {each.type}{_mask(each.mask)}, confidence "
        f"{each.confidence:.2f}{each.ruling and f', {each.ruling}'}; {each.reason}"
        for each in found
    ]
    return "\n".join(first_rows(rows, 10 if kinds else 24)) or "nothing likely yet: play on"


def point(call: Call, x: Edge, y: Edge, width: Size, height: Size) -> str:
    """Find numbers that a box on the screen shows, best first; the box is in pixels at scale 1."""
    found, enough = call.ask(Session.hidden_look).point(Box(x, y, width, height), call.stopped)
    rows = [
        f"0x{each.suggestion.address:X} {each.suggestion.type} = {each.curve[-1]}, confidence "
        f"{each.suggestion.confidence:.2f}; {each.suggestion.reason}"
        for each in found
    ]
    more = [] if enough else ["Too few different numbers were seen there: play on, and ask again."]
    return "\n".join([*first_rows(rows), *more]) or "nothing explains the box"


def prove(call: Call, address: Address, data_type: TypeName = "|u1") -> str:
    """Poke a number in a hidden core to see whether it is the game's own, a copy, or neither."""
    for each in _prove(call, [(address, DataType.parse(data_type))]):
        copied, other = each.copy_of, each.other_form
        of = f" of 0x{copied.address:X} {copied.type}" if copied is not None else ""
        better = f" Better: 0x{other[0]:X} {other[1]}." if other is not None else ""
        reasons = " ".join(each.reasons)
        return f"0x{each.address:X} {each.type}: {each.ruling}{of}. {reasons}{better}"
    return "stopped before it was proven"


def ends(
    call: Call,
    frames: Annotated[
        tuple[int, ...], Field(max_length=100, description="Frames on which an episode ended.")
    ] = (),
) -> str:
    """Find conditions that hold at given ends and never before, best first; set_done uses one.

    Without frames, moments that look like ends are listed and used."""
    reasons = []
    specs = call.ask(lambda session: dict(session.integration.variables))
    if not frames:
        moments = call.ask(Session.hidden_look).moments(specs, call.stopped)
        frames = tuple(each.frame for each in moments)
        reasons = [f"frame {each.frame:,}: {each.reason}" for each in moments]
        if not moments:
            return "Nothing looks like an end yet: play until a life is lost, or name frames."
    call.bench.ends = tuple(call.ask(lambda session: session.ends_run(frames)).run())
    rows = [
        f"{number}. {each}; {'exact' if each.exact else f'{len(each.false_alarms)} false alarms'}, "
        f"{each.frames_late:+} frames from the end, {each.alike} alike"
        for number, each in enumerate(call.bench.ends, 1)
    ]
    return "\n".join([*first_rows(reasons), *first_rows(rows)]) or "no condition fits these ends"


def _prove(call: Call, numbers: list[tuple[int, DataType]]) -> tuple[Verdict, ...]:
    if not numbers:
        return ()
    return call.ask(lambda session: prepare(session, numbers)).run(call.goes_on, call.stopped)


def _mask(mask: int | None) -> str:
    return "" if mask is None else f", mask {mask}"


def _scale(scale: str) -> str:
    return f", the screen shows it {scale}" if scale else ""


def _left(session: Session, found: Search) -> str:
    """Return the number of candidates and the ten likeliest: usual types first, then by width."""
    usual = {str(DataType.parse(spec)) for spec in session.system.types}

    def rank(each: Candidate) -> tuple[bool, bool, int, int]:
        return each.scale != PLAIN, str(each.type) not in usual, -each.type.width, each.address

    steps = " > ".join(f"{step.op} {step.count:,}" for step in found.history)
    head = f"{found.count:,} candidates left" + (f" ({steps})" if steps else "")
    if found.count > 2000:
        return f"{head}: too many to list, so play and refine"
    rows = [
        f"0x{each.address:X} {each.type_text} = {each.value}{_scale(str(each.scale))}, "
        f"changed {each.changes:,} times"
        for each in sorted(found.candidates(), key=rank)
    ]
    return "\n".join([head, *first_rows(rows)])
