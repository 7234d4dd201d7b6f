"""Names of integrations and their files, and symbolic links that lead out of a directory."""

import json
import re
import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError, SaveError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import SMALL_BYTES, decoding, read_text
from integrator.domain.findings import Finding

DATA_FILE: Final = "data.json"
SCENARIO_FILE: Final = "scenario.json"
METADATA_FILE: Final = "metadata.json"
SHA_FILE: Final = "rom.sha"
OWN_FILES: Final = (DATA_FILE, SCENARIO_FILE, METADATA_FILE, SHA_FILE)
NOT_ROMS: Final = frozenset({".sha", ".delta", ".txt", ".json", ".lua", ".state", ".bk2", ".md5"})
"""Suffixes of files named ``rom`` that are no ROMs."""


def is_integration(directory: Path) -> bool:
    """Return True if a directory holds at least one file that only integrations have."""
    return any((directory / file).is_file() for file in OWN_FILES)


def find_rom(directory: Path) -> Path | None:
    return next(iter(find_roms(directory)), None)


def find_roms(directory: Path) -> list[Path]:
    """Return all files ``rom.<extension>`` of a directory; the first one is played."""
    if not directory.is_dir():
        return []
    found = (
        path
        for path in sorted(directory.iterdir())
        if path.stem == "rom" and path.suffix and path.suffix.lower() not in NOT_ROMS
    )
    return [path for path in found if path.is_file()]


def read_shas(path: Path) -> tuple[str, ...]:
    """Return the words of a rom.sha, in lower case. Raises DocumentError."""
    with decoding(DocumentError, str(path), "make it again with one SHA-1 in it"):
        # Hashes are ASCII, so invalid UTF-8 elsewhere does not matter.
        return tuple(read_text(path, SMALL_BYTES, "surrogateescape").lower().split())


LIST_SUFFIX: Final = ".subsystem"

_CURE: Final = '{"system": "NintendoDs", "subsystem": "gba", "files": ["a.nds", "b.gba"]} is one'


@dataclass(frozen=True, slots=True)
class SubsystemList:
    """The files of a subsystem's game in order; None stands for an optional file."""

    system: str
    subsystem: str
    files: tuple[Path | None, ...]

    @classmethod
    def read(cls, path: Path) -> "SubsystemList":
        """Read a list; file names in it are relative to its folder. Raises DocumentError."""
        with decoding(DocumentError, str(path), _CURE):
            value = parse_json(read_text(path, SMALL_BYTES))
            system, subsystem, names = value["system"], value["subsystem"], value["files"]
            texts = [system, subsystem, *(name for name in names if name is not None)]
            if not isinstance(names, list) or not all(isinstance(each, str) for each in texts):
                raise ValueError("system, subsystem and files are texts")
        files = tuple(None if name is None else path.parent / name for name in names)
        return cls(system, subsystem, files)

    def to_bytes(self) -> bytes:
        names = [None if file is None else str(file) for file in self.files]
        value = {"system": self.system, "subsystem": self.subsystem, "files": names}
        return (json.dumps(value, indent=2) + "\n").encode()


FILE_CURE: Final = "use letters, digits, dots and dashes"
NAME_CURE: Final = "use letters, digits, dots and dashes, for instance SuperGame-Nes"


def clean_name(filename: str, system: str) -> str:
    """Return a directory name: ``Legend of Foo, The (U) [!].nes`` becomes ``LegendOfFoo-Nes``.

    Tags in parentheses and brackets (GoodTools, No-Intro: region, version, dump) and ``, The`` are
    dropped, ``&`` becomes And, accents and punctuation are removed, words are joined in CamelCase
    and the system is appended. If nothing remains, the name is Untitled."""
    stem = filename.replace("\\", "/").rsplit("/", 1)[-1]
    # Only a short last part (or a list's suffix) is an extension: "Dr. Foo" must stay whole.
    stem = re.sub(rf"(\.[A-Za-z0-9]{{1,4}}|{re.escape(LIST_SUFFIX)})$", "", stem)
    previous = ""
    while previous != stem:  # removes nested tags from the inside out
        previous, stem = stem, re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", stem)
    stem = re.sub(r",\s*The\b", " ", stem, flags=re.IGNORECASE).strip()
    stem = re.sub(r"\s+-\s+(?:USA|Europe|Japan|World)$", "", stem, flags=re.IGNORECASE)
    stem = re.sub(r"['\u2018\u2019`\u00b4]", "", stem).replace("&", " And ")
    ascii_text = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    words = re.findall(r"[A-Za-z0-9]+", ascii_text)
    name = "".join(word[0].upper() + word[1:] for word in words) or "Untitled"
    return f"{name}-{system}"


def with_system(name: str, system: str) -> str:
    """Return ``SuperGame-Nes-v0`` for ``SuperGame``; a name with the system stays unchanged."""
    return name if system_of(name) == system else f"{name}-{system}-v0"


def system_of(name: str) -> str:
    """Return the text after a directory name's last dash (without ``-vN``), or '' without dash."""
    base = re.sub(r"-v\d+$", "", name)
    return base.rpartition("-")[2] if "-" in base else ""


# Windows treats these names as devices in every folder, with any suffix and in either case.
_DEVICE: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)", re.IGNORECASE
)


def fits_file_system(name: str) -> bool:
    """Return True if a file system can accept ``name``, whether or not it is sensible."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return 0 < size <= 255 and name not in {".", ".."} and not set(name) & {"/", "\0"}


def is_file_name(file: str) -> bool:
    """Return True if a file of this name stays in its folder on every platform."""
    wrong = any(c in '/\\:*?"<>|' or c < " " or c == "\x7f" for c in file)
    wrong = wrong or file.startswith(".") or file.endswith((".", " "))
    return fits_file_system(file) and not wrong and not _DEVICE.match(file)


def is_valid_name(name: str) -> bool:
    """Return True if ``name`` can be a directory name on every platform and an environment name."""
    fits = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", name) is not None
    return is_file_name(name) and fits


def free_name(name: str, taken: Container[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}{number}", number + 1
    return free


class LinkError(SaveError):
    """Saving would write through links that lead out of the folder; nothing was written."""

    def __init__(self, links: Iterable[tuple[Path, Path]]) -> None:
        self.links = tuple(links)
        path, target = self.links[0]
        more = f" (and {len(self.links) - 1} more)" if len(self.links) > 1 else ""
        super().__init__(
            f"{path} is a link to {target}, outside of the folder{more}, and nothing was written; "
            "replace it by a file, or agree to follow links (follow_links, --follow-links)"
        )


def leads_out(path: Path, folder: Path) -> Path | None:
    """Return a path's target if it is outside of ``folder`` or a circle of links, else None."""
    try:
        root, target = folder.resolve(), path.resolve()
    except (OSError, RuntimeError):
        return path
    if target.is_symlink():  # since Python 3.13, links in circles are left unresolved
        return path
    return None if target.is_relative_to(root) else target


def links_out(folder: Path, names: Iterable[str]) -> tuple[tuple[Path, Path], ...]:
    """Return the files among ``names`` that lead out of ``folder``, with their targets."""
    pairs = ((folder / name, leads_out(folder / name, folder)) for name in sorted(set(names)))
    return tuple((path, target) for path, target in pairs if target is not None)


def refuse_links(folder: Path, names: Iterable[str]) -> None:
    """Raise LinkError if one of the files ``names`` in ``folder`` leads out of the folder."""
    if found := links_out(folder, names):
        raise LinkError(found)


def link_finding(path: Path, target: Path) -> Finding:
    where = f"this is a link to {target}, outside of the folder"
    text = f"{where}; saving asks before it writes there"
    return Finding.of("link-outside", path, text, "replace it by a file of its own")
