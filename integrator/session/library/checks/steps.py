"""The steps from a ROM to a verified integration, and the evidence that each is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from integrator.domain.errors import DomainError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.session.edits.snapshot import Documents

STEPS: Final = ("play", "state", "variables", "reward", "done", "audit", "verify")
_PLAYED_FRAMES: Final = 60


@dataclass(frozen=True, slots=True)
class StepStatus:
    """A step: done, tried without success (``failed``), or neither; ``evidence`` says why."""

    done: bool
    evidence: str
    failed: bool = False


def judge_steps(
    documents: Documents, frames: int, results: Mapping[str, StepStatus]
) -> dict[str, StepStatus]:
    """The status of each of STEPS; ``results`` are of the last audit and verification."""
    states = documents.states
    played = frames >= _PLAYED_FRAMES or bool(states)
    steps = {
        "play": StepStatus(played, f"frames played: {frames:,}"),
        "state": StepStatus(bool(states), _listed(states) or "no start state"),
        "variables": _variables(documents),
        **_scenario(documents),
        "audit": StepStatus(done=False, evidence="not audited since the last edit"),
        "verify": StepStatus(done=False, evidence="not verified since the last edit"),
    }
    return {**steps, **results}


def _variables(documents: Documents) -> StepStatus:
    skipped = documents.skipped
    if skipped:
        name, reason = next(iter(skipped.items()))
        return StepStatus(done=False, evidence=f"{name}: {reason}", failed=True)
    return StepStatus(bool(documents.variables), _listed([*documents.variables]) or "no variable")


def _scenario(documents: Documents) -> dict[str, StepStatus]:
    try:
        spec = ScenarioSpec.parse(dict(documents.scenario))
    except DomainError as error:
        wrong = StepStatus(done=False, evidence=str(error), failed=True)
        return {"reward": wrong, "done": wrong}
    terms = [part for reward in spec.rewards for part in reward.parts]
    pays = any(reward.script or reward.summands for reward in spec.rewards)
    tests = [test.name for node in spec.done.walk() for test in node.tests]
    ends = [f"script {spec.done_script}"] if spec.done_script is not None else tests
    return {
        "reward": StepStatus(pays, _listed(terms) or ("script" if pays else "nothing is rewarded")),
        "done": StepStatus(bool(ends), _listed(ends) or "the episode never ends"),
    }


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(dict.fromkeys(names[:most])) + more
