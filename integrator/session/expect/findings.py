"""Faults of the expectations of an integration on disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.integration.expectations import ExpectationsDocument
from integrator.domain.integration.files import Integration
from integrator.session.expect.replay import check_expectations, new_values
from integrator.session.opening import movie_consoles, open_session
from integrator.session.setup.known_systems import systems

_NOT_CHECKED: Final = "expectation-not-checked"
_CURES: Final = {
    "expectation-failed": "correct the integration, or accept the new value with --accept",
    _NOT_CHECKED: "put the movie right, or remove the entry",
}


def expectation_findings(integration: Integration, *, accept: bool) -> Iterator[Finding]:
    """Replay the movies; with ``accept`` present values replace those that differ, on disk."""
    document, directory = integration.expectations, integration.directory
    verdicts = list(
        check_expectations(
            directory,
            document.entries,
            lambda players: open_session(directory, players=players),
            movie_consoles(systems()),
        )
    )
    accepted = new_values(verdicts) if accept else {}
    if accepted:
        document.accept(accepted)
        integration.save()
    damaged = [each for each in integration.findings if each.file == document.path]
    if any(each.code == "json-invalid" for each in damaged):
        text = "the file can not be read, so that no expectation is checked"
        yield Finding(_NOT_CHECKED, Severity.ERROR, document.path, text, "correct or remove it")
    for index, entry in enumerate(document.entries):
        if entry is None:
            yield _about(document, index, "the entry is no expectation")
    for verdict in verdicts:
        if not verdict.holds and verdict.index not in accepted:
            code = _NOT_CHECKED if verdict.problem else "expectation-failed"
            told = verdict.expected
            message = f"{told.name or told.kind} of {told.movie}: {verdict.message}"
            yield _about(document, verdict.index, message, code)


def _about(
    document: ExpectationsDocument, index: int, message: str, code: str = _NOT_CHECKED
) -> Finding:
    return Finding(
        code, Severity.ERROR, document.path, message, _CURES[code],
        f"expectations[{index}]", document.line_of("expectations", index),
    )  # fmt: skip
