"""``integrator new``: an integration directory for a ROM."""

from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.integration.directory import create_integration
from integrator.domain.integration.naming import with_system
from integrator.session.opening import named_system
from integrator.session.setup.content import prepare_content
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import begins_otherwise


def new_integration(
    rom: Path, *, name: str | None, root: Path | None, system: str | None = None
) -> dict[str, Any]:
    """Make ``<root>/<Name>-<System>``, never over another. Raises IntegratorError."""
    if not rom.is_file():
        raise SessionError(f"{rom}: there is no such file; check the spelling")
    descriptors = systems()
    named = named_system(descriptors, system)
    content = prepare_content(rom, descriptors, paths.user_cache_dir() / "content", named)
    descriptor = content.system
    if begins_otherwise(content.path, descriptor):
        raise SessionError(content.doubts[-1])
    root = root or paths.user_integrations_dir()
    directory_name = None if name is None else with_system(name, descriptor.name)
    extension = descriptor.extension_of(content.path)
    created = create_integration(content.path, root, directory_name, descriptor.name, extension)
    return {
        "directory": str(created.directory),
        "name": created.name,
        "system": descriptor.name,
        "files": sorted(path.name for path in created.directory.iterdir()),
    }
