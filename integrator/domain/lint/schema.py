"""Checks documents against the JSON Schemas that ship with the program."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from integrator.domain.errors import DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonText, JsonValue, show_path
from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.scenario.ops import OPS
from integrator.domain.values.datatype import spec_pattern

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SCHEMA_KINDS = ("data", "scenario", "metadata", "expectations")


class SchemaSet:
    """The schemas of ``SCHEMA_KINDS`` out of a folder of ``*.schema.json``.

    The names of the ops and the pattern of data types are added to them from their tables.
    Raises DocumentError when one is missing or is no JSON.
    """

    def __init__(self, folder: Path) -> None:
        # Imported late: it is the slowest import of all, and the window starts without it.
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - see above

        self._validators: dict[str, Draft202012Validator] = {}
        for kind in SCHEMA_KINDS:
            path = folder / f"{kind}.schema.json"
            try:
                schema = json.loads(read_text(path, SMALL_BYTES))
            except (OSError, ValueError) as error:
                raise DocumentError(
                    f"{path} could not be read ({error}); install the program again"
                ) from error
            if kind == "scenario":
                schema["$defs"]["op"]["enum"] = [name for name in OPS if name]
            if kind == "data":
                schema["$defs"]["type"]["pattern"] = spec_pattern()
            self._validators[kind] = Draft202012Validator(schema)

    def check(self, kind: str, document: JsonDocument) -> Iterator[Finding]:
        """One finding for each place at which ``document`` breaks the schema ``kind``."""
        return self._check(kind, document.path, document.value, document.line_of)

    def check_text(self, kind: str, path: Path, text: JsonText) -> Iterator[Finding]:
        """As :meth:`check`, for a text that is being written for the file ``path``."""
        return self._check(kind, path, text.value, lambda *keys: text.line_of(keys))

    def _check(
        self, kind: str, path: Path, value: JsonValue, line_of: Callable[..., int]
    ) -> Iterator[Finding]:
        for error in self._validators[kind].iter_errors(value):
            keys = tuple(error.absolute_path)
            yield Finding(
                code="schema",
                severity=Severity.WARNING,
                file=path,
                path=show_path(keys),
                line=line_of(*keys),
                message=_sentence(error),
                cure=str(error.schema.get("description", "")) if _is_object(error) else "",
            )


def _is_object(error: "ValidationError") -> bool:
    return isinstance(error.schema, dict)


def _sentence(error: "ValidationError") -> str:
    """The validator's message; long values are cut."""
    text = error.message
    return text if len(text) <= 160 else f"{text[:120]} ... {text[-36:]}"
