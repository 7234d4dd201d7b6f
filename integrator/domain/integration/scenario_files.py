"""Scenario files of an integration directory: scenario.json and its alternatives."""

from __future__ import annotations

from pathlib import Path

from integrator.domain.errors import DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.integration.cheats import CHEATS_FILE
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.integration.naming import DATA_FILE, METADATA_FILE, SCENARIO_FILE


class ScenarioDocument(JsonDocument):
    """A scenario file. :mod:`integrator.domain.scenario` parses its meaning."""

    @property
    def name(self) -> str:
        """The file name without ``.json``, which stable-retro takes as ``scenario=``."""
        return self.path.stem


def scenario_skeleton() -> dict[str, JsonValue]:
    """A scenario without reward that never ends: the beginning of a new integration.

    ``any``, the default condition, of nothing is never done; ``all`` of nothing is done at once.
    """
    return {"done": {"variables": {}}, "reward": {"variables": {}}}


def other_scenarios(directory: Path) -> tuple[dict[str, ScenarioDocument], list[Finding]]:
    """Scenario files beside scenario.json: any JSON with reward, rewards or done."""
    known = (DATA_FILE, SCENARIO_FILE, METADATA_FILE, CHEATS_FILE, EXPECTATIONS_FILE)
    scenarios: dict[str, ScenarioDocument] = {}
    findings: list[Finding] = []
    for path in sorted(directory.glob("*.json")):
        if path.name in known or path.name.startswith(".") or not path.is_file():
            continue
        try:
            document = ScenarioDocument.load(path)
        except DocumentError as error:
            # Training reads this file only when asked for it: the rest of the integration stays
            # usable.
            findings.append(
                Finding(
                    code="json-invalid",
                    severity=Severity.WARNING,
                    file=path,
                    message=str(error).removeprefix(f"{path}:"),
                    cure="correct or remove the file",
                )
            )
            continue
        if any(document.value.get(key) is not None for key in ("reward", "rewards", "done")):
            scenarios[path.stem] = document
    return scenarios, findings
