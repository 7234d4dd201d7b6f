"""Hatchling build hook: compiles the libretro shim and puts it into the wheel."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShimBuildHook(BuildHookInterface[Any]):
    """Builds ``libretro_host/_shim`` for wheels and editable installs alike."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile in a temporary folder, then place the shared object beside its Python code."""
        if self.target_name != "wheel":
            return
        package = Path(self.root) / "libretro_host"
        spec = importlib.util.spec_from_file_location("shim_build", package / "shim_build.py")
        if spec is None or spec.loader is None:
            sys.exit(f"cannot read {package / 'shim_build.py'}")
        builder = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(builder)
        with tempfile.TemporaryDirectory() as folder:
            built = Path(builder.compile_shim(Path(folder)))
            target = package / f"_shim{sysconfig.get_config_var('EXT_SUFFIX')}"
            # Replace, never overwrite: a running process may have the old one mapped.
            staged = target.with_suffix(".new")
            shutil.copy2(built, staged)
            staged.replace(target)
        build_data["artifacts"].append(f"libretro_host/{target.name}")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
