"""Hatchling build hook: compiles the C extensions and puts them into the wheel."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cffi import VerificationError
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_CURE = "install it (on Debian and Ubuntu: sudo apt-get install g++ libc6-dev python3-dev)"
"""Cure for extensions that cannot be compiled."""


class ExtensionsBuildHook(BuildHookInterface[Any]):
    """Builds the extensions for wheels and editable installs alike."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile next to the Python code; the wheel gets the tag of the limited API."""
        if self.target_name != "wheel":
            return
        path = Path(self.root) / "scripts" / "extensions.py"
        spec = importlib.util.spec_from_file_location("extensions", path)
        if spec is None or spec.loader is None:
            sys.exit(f"cannot read {path}")
        builder = importlib.util.module_from_spec(spec)
        # A dataclass looks its module up there.
        sys.modules[spec.name] = builder
        spec.loader.exec_module(builder)
        if elsewhere := os.environ.get("INTEGRATOR_EXTENSIONS"):  # of scripts/cross.py
            built = [path for path in Path(elsewhere).rglob("*") if path.is_file()]
            named = {str(path): path.relative_to(elsewhere).as_posix() for path in built}
            build_data["force_include"].update(named)
        else:
            for extension in _compile(builder.install_all):
                build_data["artifacts"].append(extension.relative_to(self.root).as_posix())
        build_data["pure_python"] = False
        python = "".join(map(str, builder.OLDEST_PYTHON))
        platform = re.sub("[-.]", "_", sysconfig.get_platform())
        build_data["tag"] = f"cp{python}-abi3-{platform}"


def _compile(install_all: Callable[[], list[Path]]) -> list[Path]:
    """Compile, and end the build with one sentence where that cannot be done."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if compiler and shutil.which(compiler[0]) is None:
        sys.exit(
            "retro-integrator needs a C compiler for its extensions, and there is no "
            f"{compiler[0]}; {_CURE}"
        )
    try:
        return install_all()
    except VerificationError as error:
        sys.exit(
            "retro-integrator needs a C and C++ compiler and Python's headers for its extensions; "
            f"what the compiler said stands above ({error}); {_CURE}"
        )
