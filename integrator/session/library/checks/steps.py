"""The steps from a ROM to a verified integration, and the evidence that each is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from integrator.domain.errors import DomainError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents

STEPS: Final = ("play", "state", "variables", "reward", "done", "audit", "verify")


@dataclass(frozen=True, slots=True)
class StepStatus:
    """A step that is done, ``failed``, or neither, and the evidence in words."""

    done: bool
    evidence: str
    failed: bool = False
    values: tuple[str, ...] = ()


def judge_steps(
    documents: Documents, frames: int, results: Mapping[str, StepStatus]
) -> dict[str, StepStatus]:
    """The status of each of STEPS; ``results`` are of the last audit and verification."""
    states = documents.states
    played = frames >= 60 or bool(states)  # a second of play
    steps = {
        "play": StepStatus(played, tr("frames played: {0}"), values=(f"{frames:,}",)),
        "state": _named(states, tr("no start state")),
        "variables": _named([*documents.variables], tr("no variable")),
        **_scenario(documents),
        "audit": StepStatus(done=False, evidence=tr("not audited since the last edit")),
        "verify": StepStatus(done=False, evidence=tr("not verified since the last edit")),
    }
    if documents.skipped:
        name, reason = next(iter(documents.skipped.items()))
        steps["variables"] = _wrong(f"{name}: {reason}")
    return {**steps, **results}


def _scenario(documents: Documents) -> dict[str, StepStatus]:
    try:
        spec = ScenarioSpec.parse(dict(documents.scenario))
    except DomainError as error:
        return dict.fromkeys(("reward", "done"), _wrong(str(error)))
    paying = [r for r in spec.rewards if r.script or r.summands]
    terms = [part for reward in paying for part in reward.parts] or ["script"] * len(paying)
    tests = [test.name for node in spec.done.walk() for test in node.tests]
    ends = tests if spec.done_script is None else [f"script {spec.done_script}"]
    return {
        "reward": _named(terms, tr("nothing is rewarded")),
        "done": _named(ends, tr("the episode never ends")),
    }


def _wrong(fault: str) -> StepStatus:
    return StepStatus(done=False, evidence=tr("{0}"), failed=True, values=(fault,))


def _named(names: Sequence[str], none: str, most: int = 5) -> StepStatus:
    if not names:
        return StepStatus(done=False, evidence=none)
    listed = ", ".join(dict.fromkeys(names[:most])) + ("…" if len(names) > most else "")
    return StepStatus(done=True, evidence=tr("{0}"), values=(listed,))
