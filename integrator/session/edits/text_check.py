"""Problems of JSON text that is being written, by line and JSON path."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from integrator.domain.errors import ScenarioError, one_line
from integrator.domain.files.jsontext import JsonSyntaxError, JsonText, show_path
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.integration.naming import DATA_FILE, METADATA_FILE
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.scenario.spec import ScenarioSpec


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A problem at ``line`` (from 1); a ``fatal`` one keeps the text from being used."""

    line: int
    path: str
    message: str
    fatal: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", one_line(self.message))

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def check_text(
    schemas: SchemaSet, file: str, text: str, variables: frozenset[str]
) -> tuple[TextProblem, ...]:
    """The problems of a file's text by line; a scenario may read ``variables``."""
    try:
        parsed = JsonText(text)
    except JsonSyntaxError as error:
        message = f"{error.message}, at column {error.column}"
        return (TextProblem(error.line, "", message, fatal=True),)
    seen: dict[tuple[int, str], TextProblem] = {}
    for problem in _problems(schemas, file, parsed, variables):
        seen.setdefault((problem.line, problem.path), problem)
    return tuple(sorted(seen.values(), key=lambda problem: problem.line))


def _problems(
    schemas: SchemaSet, file: str, text: JsonText, variables: frozenset[str]
) -> Iterator[TextProblem]:
    if not isinstance(text.value, dict):
        yield TextProblem(1, "", "the file must hold an object in braces", fatal=True)
        return
    for path, line in text.duplicates():
        message = "this key stands here again; stable-retro uses the first"
        yield TextProblem(line, show_path(path), message)
    kinds = {DATA_FILE: "data", METADATA_FILE: "metadata", EXPECTATIONS_FILE: "expectations"}
    kind = kinds.get(file, "scenario")
    if kind == "scenario":
        yield from _scenario_problems(text, variables)
    for finding in schemas.check_text(kind, Path(file), text):
        yield TextProblem(finding.line, finding.path, finding.message)


def _scenario_problems(text: JsonText, variables: frozenset[str]) -> Iterator[TextProblem]:

    def at(path: str, message: str, *, fatal: bool = False) -> TextProblem:
        steps = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
        keys = tuple(int(index) if index else key for index, key in steps)
        return TextProblem(text.line_of(keys), path, message, fatal)

    try:
        spec = ScenarioSpec.parse(text.value)
    except ScenarioError as error:
        path, _, message = str(error).partition(": ")
        yield at(path, message, fatal=True)
        return
    for problem in spec.problems:
        yield at(problem.path, problem.message)
    terms = [(term.path, term.name) for reward in spec.rewards for term in reward.terms]
    tests = [(test.path, test.name) for node in spec.done.walk() for test in node.tests]
    for path, name in () if spec.scripts else (*terms, *tests):  # scripts may make variables
        if name not in variables:
            yield at(path, f"there is no variable {name!r} in data.json")
