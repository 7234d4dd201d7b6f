"""Copies of the compiled shim. Each copy holds one core, so that a process can run many."""

import shutil
import sys
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from mmap import mmap
from pathlib import Path
from typing import Any, Final

from libretro_host import _shim
from libretro_host.errors import HostError


@dataclass(frozen=True, slots=True)
class Shim:
    """A loaded copy of the shim, which Python never unloads; ``ffi`` fits only its own ``lib``."""

    ffi: Any
    lib: Any

    def listed(self, kind: str) -> list[Any]:
        """Return all structures of a kind that the core announced, such as ``lh_region``."""
        out = self.ffi.new(f"{kind} **")
        return [out[0][index] for index in range(getattr(self.lib, f"{kind}s")(out))]


ORIGINAL = Shim(_shim.ffi, _shim.lib)


def text(pointer: Any) -> str:
    """Return a C string as text; NULL becomes empty, and invalid UTF-8 becomes U+FFFD."""
    return bytes(_shim.ffi.string(pointer)).decode("utf-8", "replace") if pointer else ""


_PULSES: Final[list[mmap]] = []


def show_pulse(pulse: mmap) -> None:
    """Make all shims count their cores' calls in ``pulse`` (two uint64); see ``lh_set_pulse``."""
    _PULSES.append(pulse)
    ORIGINAL.lib.lh_set_pulse(ORIGINAL.ffi.from_buffer("uint64_t[]", pulse))


def is_core_process() -> bool:
    """Return True in a child process that only runs cores, whose end its parent survives."""
    return bool(_PULSES)


def copy_shim(folder: Path) -> Shim:
    """Copy the shim to ``folder`` and load it; a separate file has its own C variables."""
    source = Path(_shim.__file__)
    path = folder / source.name
    shutil.copy2(source, path)
    loader = ExtensionFileLoader(_shim.__name__, str(path))
    spec = spec_from_file_location(_shim.__name__, path, loader=loader)
    if spec is None:
        raise HostError(f"{path}: cannot be loaded as an extension of Python")
    # cffi registers every copy's functions under this name, so the first copy's are restored.
    name = f"{_shim.__name__}.lib"
    kept = sys.modules.get(name)
    module = module_from_spec(spec)
    if kept is not None:
        sys.modules[name] = kept
    for pulse in _PULSES:
        module.lib.lh_set_pulse(module.ffi.from_buffer("uint64_t[]", pulse))
    return Shim(module.ffi, module.lib)
