"""Hatchling build hook: compiles the libretro shim and puts it into the wheel."""

from __future__ import annotations

import importlib.util
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShimBuildHook(BuildHookInterface[Any]):
    """Builds ``libretro_host/_shim`` for wheels and editable installs alike."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile the shim beside its Python code; the wheel gets the tag of the limited API."""
        if self.target_name != "wheel":
            return
        package = Path(self.root) / "libretro_host"
        spec = importlib.util.spec_from_file_location("shim_build", package / "shim_build.py")
        if spec is None or spec.loader is None:
            sys.exit(f"cannot read {package / 'shim_build.py'}")
        builder = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(builder)
        shim = builder.install_beside_package()
        build_data["artifacts"].append(f"libretro_host/{shim.name}")
        build_data["pure_python"] = False
        python = "".join(map(str, builder.OLDEST_PYTHON))
        platform = re.sub("[-.]", "_", sysconfig.get_platform())
        build_data["tag"] = f"cp{python}-abi3-{platform}"
