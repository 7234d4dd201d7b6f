"""Symbolic links out of a folder: found, reported, and written through only on request."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from integrator.domain.errors import SaveError
from integrator.domain.findings.finding import Finding, Severity


class LinkError(SaveError):
    """Saving would write or copy through links that lead out of the folder; nothing was written.

    ``links`` are pairs of a path and its target.
    """

    def __init__(self, links: Iterable[tuple[Path, Path]]) -> None:
        self.links = tuple(links)
        path, target = self.links[0]
        more = f" (and {len(self.links) - 1} more)" if len(self.links) > 1 else ""
        super().__init__(
            f"{path} is a link to {target}, outside of the folder{more}, and nothing was written; "
            "replace it by a file, or agree to follow links (follow_links, --follow-links)"
        )


def leads_out(path: Path, folder: Path) -> Path | None:
    """Target of a path below ``folder`` when it lies outside of the folder; else None.

    The folder may be a link itself, since the user chose it. Links in circles lead out.
    """
    try:
        root, target = folder.resolve(), path.resolve()
    except (OSError, RuntimeError):
        return path
    if target.is_symlink():  # since Python 3.13, links in circles are left unresolved
        return path
    return None if target.is_relative_to(root) else target


def links_out(folder: Path, names: Iterable[str]) -> tuple[tuple[Path, Path], ...]:
    """The files of ``names`` in ``folder`` that lead out of it, with their targets."""
    pairs = ((folder / name, leads_out(folder / name, folder)) for name in sorted(set(names)))
    return tuple((path, target) for path, target in pairs if target is not None)


def refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Raise LinkError when one of the files ``names`` in ``folder`` leads out of it."""
    if found := links_out(folder, names):
        raise LinkError(found)


def link_finding(path: Path, target: Path) -> Finding:
    """Sentence about a link that leads out."""
    return Finding(
        "link-outside",
        Severity.WARNING,
        path,
        f"this is a link to {target}, outside of the folder; saving asks before it writes there",
        "replace it by a file of its own",
    )


def ignore_links_out(root: Path) -> Callable[[str, list[str]], set[str]]:
    """For :func:`shutil.copytree`: leave out files that lead out of ``root``."""

    def ignore(folder: str, names: list[str]) -> set[str]:
        return {n for n in names if leads_out(Path(os.path.join(folder, n)), root) is not None}  # noqa: PTH118 - names as the system lists them

    return ignore
