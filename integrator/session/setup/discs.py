"""The discs that a playlist lists, by the names of their files."""

from __future__ import annotations

from pathlib import Path

from integrator.domain.files.reading import SMALL_BYTES, read_text
from libretro_host.systems.axes import PLAYLIST


def discs_of(content: Path) -> tuple[str, ...]:
    """Names of a playlist's discs in their order; none for other content."""
    if content.suffix.lower() != PLAYLIST:
        return ()
    lines = (line.strip() for line in read_text(content, SMALL_BYTES).splitlines())
    return tuple(Path(line).stem for line in lines if line and not line.startswith("#"))
