"""Lint of variables against memory: outside of it, wider than it, or over one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from integrator.domain.files.jsontext import show_path
from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.integration.variables_document import VariablesDocument
from integrator.domain.values.memory import AddressSpace, Region
from integrator.domain.values.variables import VariableReader, VariableSpec


@dataclass(frozen=True, slots=True)
class RamLimits:
    """Work RAM of a console, behind which no memory is mapped.

    ``is_all``: its cores map no other readable memory, whatever the cartridge.
    """

    region: Region
    is_all: bool = False


def lint_variables(
    document: VariablesDocument, system: str, work_ram: RamLimits | None, space: AddressSpace | None
) -> Iterator[Finding]:
    """Findings on the places of variables; ``space`` is a running core's memory, if there is one.

    Without it, the system's ``work_ram`` is checked; memory on cartridges is not known then.
    """
    specs = dict(document)
    if space is not None:
        outside = dict(VariableReader(specs, space).skipped)
    else:
        outside = {} if work_ram is None else _outside_work_ram(specs, system, work_ram)
    for name, reason in outside.items():
        yield Finding(
            "variable-outside-memory", Severity.ERROR, document.path, reason,
            "correct the address, or use a narrower type", show_path(("info", name)),
            document.line_of("info", name),
        )  # fmt: skip
    for first, second in _overlapping(specs.values()):
        yield Finding(
            "variables-overlap", Severity.NOTE, document.path, _overlap(first, second),
            "check the addresses and widths", show_path(("info", second.name)),
            document.line_of("info", second.name),
        )  # fmt: skip


def _outside_work_ram(
    specs: Mapping[str, VariableSpec], system: str, work_ram: RamLimits
) -> dict[str, str]:
    ram = work_ram.region
    outside: dict[str, str] = {}
    for name, spec in specs.items():
        span = f"0x{ram.address:X} to 0x{ram.end - 1:X}"
        if not ram.address <= spec.address < ram.end:
            if work_ram.is_all:
                outside[name] = f"0x{spec.address:X} is no memory of {system}, which has {span}"
        elif _end(spec) > ram.end:
            outside[name] = (
                f"{spec.type.width} bytes at 0x{spec.address:X} reach behind the memory of "
                f"{system}, which is {span}"
            )
    return outside


def _overlapping(
    specs: Iterable[VariableSpec],
) -> Iterator[tuple[VariableSpec, VariableSpec]]:
    """Each variable that shares bytes with an earlier one, and the one that reaches farthest."""
    # Masks pick bits out of shared bytes, so masked variables overlap on purpose.
    plain = sorted((spec for spec in specs if spec.mask is None), key=lambda spec: spec.address)
    farthest: VariableSpec | None = None
    for spec in plain:
        if farthest is not None and _end(farthest) > spec.address:
            yield farthest, spec
        if farthest is None or _end(spec) > _end(farthest):
            farthest = spec


def _end(spec: VariableSpec) -> int:
    return spec.address + spec.type.width


def _overlap(first: VariableSpec, second: VariableSpec) -> str:
    if (first.address, str(first.type)) == (second.address, str(second.type)):
        return f"{first.name} and {second.name} are the same place"
    return (
        f"{first.name} ({first.type.spec} at 0x{first.address:X}) and {second.name} "
        f"({second.type.spec} at 0x{second.address:X}) share bytes"
    )
