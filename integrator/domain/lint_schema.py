"""Checks documents against the JSON Schemas that ship with the program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from integrator.domain.document import JsonDocument
from integrator.domain.errors import DocumentError
from integrator.domain.finding import Finding, Severity, show_path

SCHEMA_KINDS = ("data", "scenario", "metadata")


class SchemaSet:
    """The schemas ``data``, ``scenario`` and ``metadata`` out of a folder of ``*.schema.json``.

    Raises DocumentError when one is missing or is no JSON.
    """

    def __init__(self, folder: Path) -> None:
        self._validators: dict[str, Draft202012Validator] = {}
        for kind in SCHEMA_KINDS:
            path = folder / f"{kind}.schema.json"
            try:
                self._validators[kind] = Draft202012Validator(json.loads(path.read_text("utf-8")))
            except (OSError, ValueError) as error:
                raise DocumentError(
                    f"{path} could not be read ({error}); install the program again"
                ) from error

    def check(self, kind: str, document: JsonDocument) -> Iterator[Finding]:
        """One finding for each place at which ``document`` breaks the schema ``kind``."""
        for error in self._validators[kind].iter_errors(document.value):
            keys = tuple(error.absolute_path)
            yield Finding(
                code="schema",
                severity=Severity.WARNING,
                file=document.path,
                path=show_path(keys),
                line=document.line_of(*keys),
                message=_sentence(error),
                cure=str(error.schema.get("description", "")) if _is_object(error) else "",
            )


def _is_object(error: ValidationError) -> bool:
    return isinstance(error.schema, dict)


def _sentence(error: ValidationError) -> str:
    """The validator's message; long values are cut."""
    text = error.message
    return text if len(text) <= 160 else f"{text[:120]} ... {text[-36:]}"
