"""Lint of a scenario: finds parts that never act, always act, or act unexpectedly."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from integrator.domain.errors import ScenarioError
from integrator.domain.files.jsontext import keys_of, show_path
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.files import Integration
from integrator.domain.integration.json_files import ScenarioDocument
from integrator.domain.scenario import tree
from integrator.domain.scenario.sandbox import functions_of
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.variables import VariableSpec

_TEST_CURE = "correct the op, the reference or the data type"


@dataclass(frozen=True, slots=True)
class ScenarioLint:
    """Findings on one scenario file. ``buttons`` and ``actions`` are the system's, if known."""

    integration: Integration
    document: ScenarioDocument
    buttons: tuple[str, ...] = ()
    actions: tuple[tuple[tuple[str, ...], ...], ...] = ()

    def findings(self) -> Iterator[Finding]:
        try:
            spec = ScenarioSpec.parse(self.document.value)
        except ScenarioError as error:
            yield self._finding("scenario-invalid", "", str(error).lstrip(": "))
            return
        for problem in spec.problems:
            yield self._finding("scenario-ignored", problem.path, problem.message)
        yield from self._unknown_variables(spec)
        yield from self._rewards(spec)
        yield from self._done(spec)
        yield from self._scripts(spec)
        yield from self._actions(spec)

    def _unknown_variables(self, spec: ScenarioSpec) -> Iterator[Finding]:
        known = self.integration.variables
        scripted = ", so a script must set it" if spec.scripts else ""
        used: list[tree.TestSpec] = []
        for reward in spec.rewards:
            used += reward.terms if reward.script is None else ()
        for node in spec.done.walk() if spec.done_script is None else ():
            used += node.tests
        for each in used:
            if each.name not in known:
                text = f"there is no variable {each.name!r} in data.json{scripted}"
                cure = "add the variable or correct the name"
                found = self._finding("variable-unknown", each.path, text, cure)
                yield replace(found, severity=Severity.WARNING) if scripted else found

    def _rewards(self, spec: ScenarioSpec) -> Iterator[Finding]:
        if not any(self._pays(reward) for reward in spec.rewards):
            cure = "give a variable a reward or a penalty, or name a script"
            yield self._finding("reward-zero", "reward", "the reward is always 0", cure)
        for reward in spec.rewards:
            if reward.script is not None:
                continue
            if reward.time is not None and reward.time.penalty:
                path = show_path((reward.path, "time", "penalty"))
                text = "has no effect: time counts +1, which only reward multiplies"
                yield self._finding("time-penalty", path, text, "write a negative reward instead")
            for term in reward.terms:
                yield from self._term(term)

    def _term(self, term: tree.TermSpec) -> Iterator[Finding]:
        if not term.reward and not term.penalty:
            text = "has neither reward nor penalty, so it counts nothing"
            yield self._finding("term-zero", term.path, text, "give it one, or remove it")
        if self._verdict(term) is False and term.op.asks:
            yield self._never(term)
            return
        low, high = self._results(term)
        for factor, unused, where in (
            ("reward", term.reward and high <= 0, "above"),
            ("penalty", term.penalty and low >= 0, "below"),
        ):
            if unused:
                text = f"has no effect: {_says(term)} is never {where} zero"
                cure = "remove it, or correct measurement, op or data type"
                yield self._finding("factor-unused", show_path((term.path, factor)), text, cure)

    def _pays(self, reward: tree.RewardSpec) -> bool:
        if reward.script is not None or (reward.time is not None and reward.time.reward):
            return True
        results = ((term, *self._results(term)) for term in reward.terms)
        return any(
            (term.reward and high > 0) or (term.penalty and low < 0) for term, low, high in results
        )

    def _results(self, term: tree.TermSpec) -> tuple[float, float]:
        variable = self.integration.variables.get(term.name)
        low, high = -math.inf, math.inf
        if variable is not None:
            low, high = measured_range(variable, term.measurement)
        return term.op.span(term.reference, low, high)

    def _done(self, spec: ScenarioSpec) -> Iterator[Finding]:
        if spec.done_script is not None:
            return
        for node in spec.done.walk():
            for test in node.tests:
                verdict = self._verdict(test)
                if verdict is False:
                    yield self._never(test)
                elif verdict is True:
                    text = f"{_says(test)} holds on every frame"
                    yield self._finding("op-always", test.path, text, _TEST_CURE)
            if node.condition is tree.Condition.ALL and not node.tests and not node.nodes:
                text = "an empty `all` always holds, so the episode ends on its first frame"
                yield self._finding("done-at-once", node.path, text, "add a check or use `any`")
        if not any(node.tests for node in spec.done.walk()) and not _ends_at_once(spec.done):
            cure = "add a check, or limit the number of steps in training"
            yield self._finding("done-never", "done", "nothing ends the episode", cure)

    def _never(self, test: tree.TestSpec) -> Finding:
        variable = self.integration.variables.get(test.name)
        kind = variable.type.spec if variable else "unknown"
        text = f"{_says(test)} can never hold: the variable is {kind}"
        return self._finding("op-never", test.path, text, _TEST_CURE)

    def _verdict(self, test: tree.TestSpec) -> bool | None:
        """Return True if the op always holds, False if it never does, None if it may hold."""
        variable = self.integration.variables.get(test.name)
        if variable is None:
            return None
        low, high = measured_range(variable, test.measurement)
        return holds(test.op, test.reference, low, high)

    def _scripts(self, spec: ScenarioSpec) -> Iterator[Finding]:
        texts = self.integration.scripts
        for index, file in enumerate(spec.scripts):
            if file not in texts:
                path, text = f"scripts[{index}]", f"there is no file {file!r} in the directory"
                yield self._finding("script-missing", path, text, "add it or remove the entry")
        defined = {name for file in spec.scripts for name in functions_of(texts.get(file, ""))}
        calls = [(reward.path, reward.script) for reward in spec.rewards]
        for path, call in [("done", spec.done_script), *calls]:
            if call is not None and call.function not in defined:
                text = f"no script of this scenario defines {call.function!r}"
                cure = "list its file under scripts, or correct the name"
                yield self._finding("function-missing", show_path((path, "script")), text, cure)

    def _actions(self, spec: ScenarioSpec) -> Iterator[Finding]:
        if not self.buttons:
            return
        groups = spec.actions or self.actions
        listed = {button for group in groups for combo in group for button in combo}
        for button in sorted(listed - set(self.buttons)):
            text, cure = f"the system has no button {button!r}", f"use {', '.join(self.buttons)}"
            yield self._finding("button-unknown", "actions", text, cure)
        for button in sorted({"START", "RUN"} & (set(self.buttons) - listed)):
            # Start states are past the title screen, but after power on most games wait for START.
            severity, waits, instead = Severity.NOTE, "", " if the game needs it"
            if self.integration.metadata.default_state() is None:
                waits = ", and training starts at power on, where most games wait for it"
                instead = ", or save a start state behind the title screen"
                severity = Severity.WARNING
            text = f"agents cannot press {button}: no action lists it{waits}"
            cure = f'add a group [[], ["{button}"]] to actions{instead}'
            found = self._finding("start-filtered", "actions" if spec.actions else "", text, cure)
            yield replace(found, severity=severity)

    def _finding(self, code: str, path: str, message: str, cure: str = "") -> Finding:
        line = self.document.line_of(*keys_of(path)) if path else 0
        return Finding.of(code, self.document.path, message, cure, path=path, line=line)


def measured_range(variable: VariableSpec, measurement: tree.Measurement) -> tuple[int, int]:
    """Return the least and greatest number that a variable can measure, mask included."""
    low, high = variable.type.minimum, variable.type.maximum
    mask = variable.signed_mask
    if mask is not None and mask >= 0:
        low, high = 0, mask if low < 0 else min(high, mask)
    elif mask is not None and low < 0:
        # ANDing two negative numbers can give a lower one, down to minus a power of two.
        low = -(1 << max((~low).bit_length(), (~mask).bit_length()))
    if measurement is tree.Measurement.DELTA:
        return low - high, high - low
    return low, high


def holds(op: tree.Op, reference: int, low: float, high: float) -> bool | None:
    """Return True if ``op`` is above zero for all of low..high, False if for none, else None."""
    least, most = op.span(reference, low, high)
    return True if least > 0 else False if most <= 0 else None


def _ends_at_once(node: tree.DoneNode) -> bool:
    if node.condition is tree.Condition.ALL:
        return not node.tests and all(_ends_at_once(child) for child in node.nodes)
    return any(_ends_at_once(child) for child in node.nodes)


def _says(test: tree.TestSpec) -> str:
    op = test.op.name or "without an op, above zero"
    reference = f" {test.reference}" if test.op.needs_reference else ""
    return f"{test.measurement} {test.name} {op}{reference}"
