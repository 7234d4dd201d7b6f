"""Tools that edit the integration, and tools that judge it."""

from typing import Annotated, Any, Literal

from pydantic import Field

from integrator.assistant.playing import Address, TypeName, first_rows
from integrator.assistant.workbench import Call
from integrator.domain.errors import ChoiceError, SessionError
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.naming import is_integration
from integrator.domain.scenario.tree import OPS
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.audit import gathered, probe_jobs, run_jobs
from integrator.session.edits import commands as edits
from integrator.session.edits.editor import Change, Edit
from integrator.session.hidden.clips import survey_states
from integrator.session.library.checks import checking
from integrator.session.rescoring import WhatIfJob, attribute
from integrator.session.session import Session
from integrator.session.setup.game import Game
from integrator.unattended.job import AutoJob, run_alone

Measured = Literal["delta", "absolute"]
OpName = Annotated[str | None, Field(description=f"One of {', '.join(filter(None, OPS))}.")]
Variable = Annotated[str, Field(min_length=1, max_length=100)]
Remove = Annotated[bool, Field(description="Take it out.")]


def set_variable(
    call: Call,
    name: Variable,
    address: Address = 0,
    data_type: TypeName = "|u1",
    mask: int | None = None,
    remove: Remove = False,
) -> str:
    """Add or change a variable of data.json: a named number in memory that agents see in info."""
    if remove:
        return _edited(call, lambda game: game.integration.variables.remove(name))
    spec = VariableSpec(name, address, DataType.parse(data_type), mask)
    call.ask(lambda session: session.memory.space.offsets(address, spec.type.width))
    return _edited(call, edits.put_variable(None, spec))


def set_reward(
    call: Call,
    variable: Variable,
    reward: float = 0.0,
    penalty: float = 0.0,
    measurement: Measured = "delta",
    op: OpName = None,
    reference: int | None = None,
    player: Annotated[int, Field(ge=1, le=2)] = 1,
    remove: Remove = False,
) -> str:
    """Reward a variable's change (delta) or value, on each frame.

    A positive number, or result of op, is multiplied by reward; a negative one by penalty. For
    example, a score has reward 1, and lives that are lost have penalty 10."""
    term = {"reward": reward, "penalty": penalty, "measurement": measurement}
    term = {key: value for key, value in term.items() if value not in (0.0, "delta")}
    term |= _tested(op, reference)

    def several(session: Session) -> bool:
        return "rewards" in session.integration.scenarios[session.game.scenario_name].value

    rewards = ("rewards", player - 1) if player > 1 or call.ask(several) else ("reward",)
    value = None if remove else term or {"reward": 0.0}
    return _edited(call, edits.set_in_scenario((*rewards, "variables", variable), value))


def set_done(
    call: Call,
    variable: str = "",
    op: OpName = None,
    reference: int | None = None,
    measurement: Measured = "absolute",
    condition: Literal["any", "all"] | None = None,
    end: Annotated[int, Field(ge=0, description="A condition's number in the list of ends.")] = 0,
    remove: Remove = False,
) -> str:
    """End episodes when a variable passes a test, such as less-than 0, or by a condition of ends.

    Condition says whether any or all of the tests must hold."""
    if end:
        if end > len(call.bench.ends):
            raise ChoiceError(f"no condition {end}; the tool ends listed {len(call.bench.ends)}")
        return _edited(call, edits.add_done_condition(call.bench.ends[end - 1]))
    if not variable and condition is None:
        raise ChoiceError("give a variable with its test, or the number of a condition of ends")

    def change(root: dict[str, Any]) -> None:
        if condition is not None:
            edits.set_at(root, ("done", "condition"), condition)
        if variable:
            test = {"measurement": measurement} if measurement == "delta" else {}
            value = None if remove else test | _tested(op, reference)
            edits.set_at(root, ("done", "variables", variable), value)

    return _edited(call, edits.change_scenario(change))


def set_actions(
    call: Call,
    groups: Annotated[
        list[list[list[str]]] | None,
        Field(description="As [[[], ['LEFT'], ['RIGHT']], [[], ['A']]]; null: the console's own."),
    ],
) -> str:
    """Set the button combinations that an agent may press: one of each group at a time."""
    return _edited(call, edits.set_in_scenario(("actions",), groups))


def set_scenario(
    call: Call,
    path: Annotated[str, Field(min_length=1, description="As crop, reward.time or done.script.")],
    value: Annotated[Any, Field(description="JSON; null takes it out.")] = None,
) -> str:
    """Set any other part of scenario.json, for instance crop to [x, y, width, height]."""
    keys = [int(key) if key.isdigit() else key for key in path.split(".")]
    return _edited(call, edits.set_in_scenario(keys, value))


def set_script(
    call: Call,
    name: Annotated[str, Field(description="As script.lua.")],
    text: Annotated[str, Field(max_length=100_000, description="Lua; empty takes it out.")],
) -> str:
    """Write a Lua script of the scenario, which runs in a sandbox with limits.

    Its functions are used by set_scenario, as reward.script "lua:name" or done.script."""

    def edit(game: Game) -> None:
        scripts = game.integration.scripts
        if not text and name not in scripts:
            raise ChoiceError(f"no script {name!r}; there are {', '.join(scripts) or 'none'}")
        if text:
            scripts[name] = text
        else:
            del scripts[name]
        list_it = edits.list_script if text else edits.unlist_script
        edits.change_scenario(list_it, name)(game)

    return _edited(call, edit)


def states(
    call: Call,
    action: Literal["list", "save", "load", "make_default", "rename", "remove"] = "list",
    name: str = "",
    new_name: str = "",
) -> str:
    """List, save, load, rename or remove start states, or choose the default, at which episodes
    begin. The first state that is saved becomes the default."""
    made: dict[str, Edit] = {
        "save": edits.save_state(name),
        "make_default": edits.make_default(name, 0),
        "rename": lambda game: game.integration.rename_state(name, new_name),
        "remove": lambda game: game.integration.remove_state(name),
    }
    if action in made:
        return _edited(call, made[action])

    def work(session: Session) -> str:
        known = list(session.integration.states)
        if action == "load":
            if name not in known:
                raise ChoiceError(f"no state {name!r}; there are {', '.join(known) or 'none'}")
            session.restore_state(name)
            return f"Play goes on from {name}"
        rows = [
            f"{each.name}: {each.size_bytes:,} bytes, by {each.stamp or 'an unknown core'}"
            + (", the default" if each.default_for else "")
            for each in survey_states(session.integration)
        ]
        return "\n".join(first_rows(rows) or ["No start states yet"])

    return call.ask(work)


def undo(
    call: Call, redo: Annotated[bool, Field(description="Do it again instead.")] = False
) -> str:
    """Undo the newest edit of the integration."""
    change = call.wait(call.bench.edit(lambda editor: editor.redo() if redo else editor.undo()))
    return _summary(change) if change.subjects else f"Nothing to {'redo' if redo else 'undo'}"


def save(
    call: Call,
    name: Annotated[
        str | None, Field(max_length=100, description="For a new integration, as SuperGame.")
    ] = None,
) -> str:
    """Write the integration to disk, where check, verify and training find it."""
    return f"Saved {call.wait(call.bench.save(name))}"


def what_if(call: Call) -> str:
    """Score everything played by the saved documents and by the present edits, and compare."""
    job = WhatIfJob()
    while (result := call.ask_scored(job.step)) is None:
        call.goes_on(int(100 * job.progress), 100)
    if result.same:
        return f"The same on all {result.frames:,} frames"
    rows = [
        f"Episode {each.number} (frames {each.start:,} to {each.stop - 1:,}): reward "
        f"{each.before_return[0]:g} -> {each.after_return[0]:g}, done "
        f"{each.before_done or 'never'} -> {each.after_done or 'never'}"
        for each in result.episodes
        if each.changed
    ]
    return "\n".join([*first_rows(rows), *result.warnings])


def explain_reward(
    call: Call,
    first: Annotated[int, Field(ge=1)] = 1,
    last: Annotated[int, Field(ge=0, description="0: the newest frame.")] = 0,
    player: Annotated[int, Field(ge=1, le=2)] = 1,
) -> str:
    """List the terms that gave the reward of recorded frames, and the frames with most reward."""
    found = call.ask_scored(lambda session: attribute(session, player - 1))
    last = last or found.last
    rows = [
        f"{share.term}: {share.gave:g} on {share.paid_frames:,} frames"
        + (f", from {share.before} to {share.after}" if share.before is not None else "")
        for share in found.shares(first, last)
    ]
    rewards = found.rewards[first - found.first : last + 1 - found.first]
    most = sorted(int(row) for row in abs(rewards).argsort()[::-1][:5] if rewards[row])
    paid = ", ".join(f"{row + first:,} ({rewards[row]:g})" for row in most)
    paying = [f"Frames that paid most: {paid}"] if paid else []
    head = f"Reward of frames {first:,} to {last:,}: {found.reward(first, last):g}"
    return "\n".join([head, *first_rows(rows), *paying])


def check(call: Call) -> str:
    """List faults of the integration: as saved, and with the game running, if it was saved."""
    directory = call.ask(lambda session: session.integration.directory)
    if is_integration(directory):
        found = checking.check_integration(directory, checking.lint_options())
        head = "Checked as saved."
    else:
        found = _faults(call)
        head = "Not saved yet, so the game was not run."
    return "\n".join([head, *(first_rows(list(map(str, found)), 40) or ["No faults."])])


def verify(call: Call) -> str:
    """Check the saved integration, and compare 1,000 random steps with stable-retro's own."""
    integration = call.ask(lambda session: session.integration)
    if not is_integration(integration.directory):
        raise SessionError("the game is no integration yet: save it first")
    if call.ask(lambda _: integration.modified):
        raise SessionError("there are edits that are not saved: save them first")
    result = checking.verify(integration.directory, call.goes_on, call.stopped)
    return "\n".join(first_rows(result.text.splitlines(), 40))


def audit(call: Call) -> str:
    """List traps that agents would fall into, with evidence, after probes have played the game."""
    plan = call.ask(lambda session: session.game.plan.hidden())
    results = run_jobs(probe_jobs(plan), plan, call.stopped, call.goes_on)
    errors = list(dict.fromkeys(each.error for each in results if each.error))
    rows = [
        f"{'serious' if trap.is_serious else 'remark'} {trap.kind}: {trap.evidence}; "
        f"{trap.source}, frames {trap.frames[0]:,} to {trap.frames[1]:,}. {trap.cure}"
        for trap in gathered(results)
    ]
    return "\n".join([*errors[:3], *(first_rows(rows) or [f"No traps in {len(results)} plays."])])


def auto(
    call: Call,
    game: str,
    minutes: Annotated[float, Field(ge=0.5, le=10)] = 6,
    seed: Annotated[int, Field(ge=0)] = 0,
) -> str:
    """Make an integration of a ROM without a person; unproven parts have little confidence."""
    rom, root = call.bench.game(game), call.bench.root
    if not rom.is_file():
        raise SessionError(f"{game}: this is no ROM, which is one file")
    made = run_alone(AutoJob(rom.absolute(), root, minutes, seed), call.stopped)
    parts = made.report.parts if made.report is not None else {}
    rows = [f"{name}: confidence {part.confidence:.2f}" for name, part in parts.items()]
    where = made.directory or made.rom
    return "\n".join([f"{made.outcome}: {where} {made.reason}", *first_rows(rows)])


def _tested(op: str | None, reference: int | None) -> dict[str, Any]:
    if op is not None and op not in OPS:
        raise ChoiceError(f"no op {op!r}; there are {', '.join(filter(None, OPS))}")
    test: dict[str, Any] = {} if op is None else {"op": op}
    return test if reference is None else test | {"reference": reference}


def _edited(call: Call, edit: Edit) -> str:
    """Make an edit; return its changes, and the errors in the edited documents."""
    text = _summary(call.wait(call.bench.edit(lambda editor: editor.do(edit))))
    found = [each for each in _faults(call) if each.severity is Severity.ERROR]
    errors = [f"Fault: {each.path}: {each.message}" for each in found]
    return "\n".join([text, *first_rows(errors, 3)])


def _faults(call: Call) -> tuple[Finding, ...]:
    return call.ask(lambda session: checking.lint_session(session, checking.lint_options()))


def _summary(change: Change) -> str:
    rows = [
        f"{each.file} {'.'.join(map(str, each.path))}: {_short(each.old)} -> {_short(each.new)}"
        for each in change.places
    ]
    return "\n".join(first_rows(rows) or ["Nothing changed"])


def _short(value: object) -> str:
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    text = "none" if value is None else str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
