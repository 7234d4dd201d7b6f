"""Rules: the documents' part in reading and scoring RAM."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

from integrator.domain.errors import SessionError
from integrator.domain.files.document import JsonDocument
from integrator.domain.integration.directory import Integration
from integrator.domain.integration.metadata import VariablesDocument
from integrator.domain.values.variables import VariableSpec

_NOT_SCORED = frozenset({"actions", "crop", "crops"})


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of scoring rules: a scenario's JSON value, its variables, its scripts' texts."""

    scenario: Mapping[str, Any]
    variables: Mapping[str, VariableSpec]
    scripts: Mapping[str, str]

    @classmethod
    def of(
        cls,
        scenario: Mapping[str, Any],
        variables: Mapping[str, VariableSpec],
        scripts: Mapping[str, str],
    ) -> Self:
        """Rules as a copy; equal ones score the same, whatever else their scenarios say."""
        scored = {key: value for key, value in scenario.items() if key not in _NOT_SCORED}
        return cls(deepcopy(scored), variables, dict(scripts))

    @classmethod
    def present(cls, integration: Integration, scenario: str) -> Self:
        """The rules of the present documents, a copy.

        Raises SessionError without the scenario file.
        """
        value = _document(integration, scenario).value
        return cls.of(value, dict(integration.variables), integration.scripts)

    @classmethod
    def saved(cls, integration: Integration, scenario: str) -> Self:
        """The rules of the documents as last loaded or saved; scripts as they are now."""
        document = _document(integration, scenario)
        data = integration.variables
        variables = VariablesDocument.create(data.path, data.saved_value)
        return cls.of(document.saved_value, dict(variables), integration.scripts)


def _document(integration: Integration, name: str) -> JsonDocument:
    document = integration.scenarios.get(name)
    if document is None:
        raise SessionError(f"{integration.directory}: there is no {name}.json to score with")
    return document
