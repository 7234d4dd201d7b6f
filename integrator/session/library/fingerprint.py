"""The fingerprint of all that a result is computed from."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from integrator.domain.files.reading import open_file
from integrator.domain.integration.naming import is_integration
from integrator.session.setup.plan import SessionPlan

_DOCUMENTS = frozenset({".json", ".lua"})


def fingerprint(plan: SessionPlan, state: str = "", *further: Path) -> str:
    """A hash of all that a result depends on, and ``further`` files. Raises OSError."""
    request, integration = plan.request, plan.integration
    digest = hashlib.sha256(repr((state, sorted(request.options.items()))).encode())
    files = [request.core, request.content, *_documents(integration.directory), *further]
    if integration.has_state(state):
        files.append(integration.state_path(state))
    for path in files:
        with open_file(path, None) as stream:
            content = hashlib.sha256(stream.read()).hexdigest()
        digest.update(f"{path.name} {content}\n".encode())
    return digest.hexdigest()[:32]


def _documents(directory: Path) -> Iterator[Path]:
    if is_integration(directory):
        yield from (path for path in sorted(directory.iterdir()) if path.suffix in _DOCUMENTS)
