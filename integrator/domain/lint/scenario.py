"""Lint of a scenario: parts that never act, always act, or act otherwise than they look."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from integrator.domain.errors import ScenarioError
from integrator.domain.files.jsontext import show_path
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.files import Integration
from integrator.domain.integration.metadata import ScenarioDocument
from integrator.domain.scenario import tree
from integrator.domain.scenario.sandbox import functions_of
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.variables import VariableSpec

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


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
            yield self._finding("scenario-invalid", _ERROR, "", str(error).lstrip(": "))
            return
        for problem in spec.problems:
            yield self._finding("scenario-ignored", _WARNING, problem.path, problem.message)
        yield from self._unknown_variables(spec)
        yield from self._rewards(spec)
        yield from self._done(spec)
        yield from self._scripts(spec)
        yield from self._actions(spec)

    def _unknown_variables(self, spec: ScenarioSpec) -> Iterator[Finding]:
        known = self.integration.variables
        scripted = ", so a script must set it" if spec.scripts else ""
        used: list[tree.TermSpec | tree.TestSpec] = []
        for reward in spec.rewards:
            used += reward.terms if reward.script is None else ()
        for node in spec.done.walk() if spec.done_script is None else ():
            used += node.tests
        for each in used:
            if each.name not in known:
                yield self._finding(
                    "variable-unknown", _WARNING if scripted else _ERROR, each.path,
                    f"there is no variable {each.name!r} in data.json{scripted}",
                    "add the variable or correct the name",
                )  # fmt: skip

    def _rewards(self, spec: ScenarioSpec) -> Iterator[Finding]:
        if not any(self._pays(reward) for reward in spec.rewards):
            yield self._finding(
                "reward-zero", _WARNING, "reward", "the reward is always 0",
                "give a variable a reward or a penalty, or name a script",
            )  # fmt: skip
        for reward in spec.rewards:
            if reward.script is not None:
                continue
            if reward.time is not None and reward.time.penalty:
                yield self._finding(
                    "time-penalty", _WARNING, show_path((reward.path, "time", "penalty")),
                    "has no effect: time counts +1, which only reward multiplies",
                    "write a negative reward instead",
                )  # fmt: skip
            for term in reward.terms:
                yield from self._term(term)

    def _term(self, term: tree.TermSpec) -> Iterator[Finding]:
        if not term.reward and not term.penalty:
            yield self._finding(
                "term-zero", _WARNING, term.path,
                "has neither reward nor penalty, so it counts nothing", "give it one, or remove it",
            )  # fmt: skip
        if self._verdict(term) is False and term.op.asks:
            yield self._never(term)
            return
        low, high = self._results(term)
        for factor, unused, where in (
            ("reward", term.reward and high <= 0, "above"),
            ("penalty", term.penalty and low >= 0, "below"),
        ):
            if unused:
                yield self._finding(
                    "factor-unused", _WARNING, show_path((term.path, factor)),
                    f"has no effect: {_says(term)} is never {where} zero",
                    "remove it, or correct measurement, op or data type",
                )  # fmt: skip

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
                yield from self._test(test)
            if node.condition is tree.Condition.ALL and not node.tests and not node.nodes:
                yield self._finding(
                    "done-at-once", _ERROR, node.path,
                    "`all` of no checks holds always: the episode ends on its first frame",
                    "add a check or use `any`",
                )  # fmt: skip
        if not any(node.tests for node in spec.done.walk()) and not _ends_at_once(spec.done):
            yield self._finding(
                "done-never", _NOTE, "done", "nothing ends the episode",
                "add a check, or limit the number of steps in training",
            )  # fmt: skip

    def _test(self, test: tree.TestSpec) -> Iterator[Finding]:
        verdict = self._verdict(test)
        if verdict is False:
            yield self._never(test)
        elif verdict is True:
            yield self._finding(
                "op-always", _ERROR, test.path, f"{_says(test)} holds on every frame",
                "correct the op, the reference or the data type",
            )  # fmt: skip

    def _never(self, test: tree.TermSpec | tree.TestSpec) -> Finding:
        variable = self.integration.variables.get(test.name)
        return self._finding(
            "op-never", _ERROR, test.path,
            f"{_says(test)} can never hold: the variable is "
            f"{variable.type.spec if variable else 'unknown'}",
            "correct the op, the reference or the data type",
        )  # fmt: skip

    def _verdict(self, test: tree.TermSpec | tree.TestSpec) -> bool | None:
        """True when the op always holds, False when it never does, None when it may."""
        variable = self.integration.variables.get(test.name)
        if variable is None:
            return None
        low, high = measured_range(variable, test.measurement)
        return holds(test.op, test.reference, low, high)

    def _scripts(self, spec: ScenarioSpec) -> Iterator[Finding]:
        texts = self.integration.scripts
        for index, file in enumerate(spec.scripts):
            if file not in texts:
                yield self._finding(
                    "script-missing", _ERROR, show_path(("scripts", index)),
                    f"there is no file {file!r} in the directory", "add it or remove the entry",
                )  # fmt: skip
        defined = {name for file in spec.scripts for name in functions_of(texts.get(file, ""))}
        calls = [(reward.path, reward.script) for reward in spec.rewards]
        for path, call in [("done", spec.done_script), *calls]:
            if call is not None and call.function not in defined:
                yield self._finding(
                    "function-missing", _ERROR, show_path((path, "script")),
                    f"no script of this scenario defines {call.function!r}",
                    "list its file under scripts, or correct the name",
                )  # fmt: skip

    def _actions(self, spec: ScenarioSpec) -> Iterator[Finding]:
        if not self.buttons:
            return
        groups = spec.actions or self.actions
        listed = {button for group in groups for combo in group for button in combo}
        for button in sorted(listed - set(self.buttons)):
            yield self._finding(
                "button-unknown", _ERROR, "actions", f"the system has no button {button!r}",
                f"use {', '.join(self.buttons)}",
            )  # fmt: skip
        for button in sorted({"START", "RUN"} & (set(self.buttons) - listed)):
            # A start state is past the title screen; from power on, most games wait for START.
            severity, waits, instead = _NOTE, "", " if the game needs it"
            if self.integration.metadata.default_state() is None:
                waits = ", and training starts at power on, where most games wait for it"
                severity, instead = _WARNING, ", or save a start state behind the title screen"
            yield self._finding(
                "start-filtered", severity, "actions" if spec.actions else "",
                f"agents cannot press {button}: no action lists it{waits}",
                f'add a group [[], ["{button}"]] to actions{instead}',
            )  # fmt: skip

    def _finding(
        self, code: str, severity: Severity, path: str, message: str, cure: str = ""
    ) -> Finding:
        parts = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
        line = self.document.line_of(*(int(i) if i else name for i, name in parts)) if path else 0
        return Finding(code, severity, self.document.path, message, cure, path, line)


def measured_range(variable: VariableSpec, measurement: tree.Measurement) -> tuple[int, int]:
    """Least and greatest number that a variable can measure, mask included."""
    low, high = variable.type.minimum, variable.type.maximum
    mask = variable.signed_mask
    if mask is not None and mask >= 0:
        low, high = 0, mask if low < 0 else min(high, mask)
    elif mask is not None and low < 0:
        # Two negative numbers ANDed can come out lower than both, down to a power of two.
        low = -(1 << max((~low).bit_length(), (~mask).bit_length()))
    if measurement is tree.Measurement.DELTA:
        return low - high, high - low
    return low, high


def holds(op: tree.Op, reference: int, low: float, high: float) -> bool | None:
    """``op`` is above zero for all of low..high: True; for none: False; for some: None."""
    least, most = op.span(reference, low, high)
    return True if least > 0 else False if most <= 0 else None


def _ends_at_once(node: tree.DoneNode) -> bool:
    if node.condition is tree.Condition.ALL:
        return not node.tests and all(_ends_at_once(child) for child in node.nodes)
    return any(_ends_at_once(child) for child in node.nodes)


def _says(test: tree.TermSpec | tree.TestSpec) -> str:
    op = test.op.name or "without an op, above zero"
    reference = f" {test.reference}" if test.op.needs_reference else ""
    return f"{test.measurement} {test.name} {op}{reference}"
