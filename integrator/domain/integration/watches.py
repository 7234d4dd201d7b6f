"""A watch list: addresses to keep an eye on, with notes, as a file of JSON.

The document is ``{"format": "integrator-watches", "version": 1, "watches": [{"address", "type",
"name", "note"}]}``; addresses are numbers. Unknown keys are kept.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import decoding
from integrator.domain.values.datatype import DataType

_FORMAT: Final = "integrator-watches"
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Watch:
    """One watched address with its data type, name and note.

    ``more`` are keys that another program wrote.
    """

    address: int
    type: DataType
    name: str = ""
    note: str = ""
    more: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> tuple[int, DataType]:
        """Identity of a watch: two watches with one key are the same."""
        return self.address, self.type


def dump_watches(watches: Sequence[Watch]) -> str:
    """The document as text, a line a watch."""
    lines = [
        json.dumps(
            {
                "address": watch.address,
                "type": watch.type.spec,
                "name": watch.name,
                "note": watch.note,
                **watch.more,
            },
            ensure_ascii=False,
        )
        for watch in watches
    ]
    head = f'{{"format": "{_FORMAT}", "version": {_VERSION}, "watches": ['
    body = ",".join(f"\n  {line}" for line in lines)
    return f"{head}{body}\n]}}\n"


def load_watches(text: str) -> tuple[Watch, ...]:
    """Read a document. Raises DocumentError when it is malformed, DataTypeError for a bad type."""
    with decoding(DocumentError, "the watch list is malformed"):
        document = parse_json(text)
        if document["format"] != _FORMAT or document["version"] != _VERSION:
            raise DocumentError(
                f"this is {document['format']} version {document['version']}, not {_FORMAT} "
                f"version {_VERSION}"
            )
        return tuple(_watch(entry) for entry in document["watches"])


def _watch(entry: Mapping[str, Any]) -> Watch:
    known = ("address", "type", "name", "note")
    return Watch(
        int(entry["address"]),
        DataType.parse(entry["type"]),
        str(entry.get("name", "")),
        str(entry.get("note", "")),
        {key: value for key, value in entry.items() if key not in known},
    )
