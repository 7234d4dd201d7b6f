"""Speed of cores that draw with OpenGL, against their software renderers and a bare C loop.

``python -m scripts.bench_gl``: our proof ROMs of the N64 and the DS. Each run is a process of its
own, and the quickest of some rounds counts. Numbers are frames a second of processor time, that of
Mesa's threads included, because a busy machine changes it little. The bare loop has no OpenGL, so
it runs the software renderer alone."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

import libretro_host
from integrator import paths
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import plan_session
from libretro_host.host import CapturePlan, LoadRequest
from libretro_host.inprocess import InProcessHost

ROUNDS: Final = 3
FRAMES: Final = 120
_WARM_UP_FRAMES: Final = 30
OPENGL: Final = {
    "N64": ("parallel-n64-gfxplugin", "glide64"),
    "NintendoDs": ("melonds_opengl_renderer", "enabled"),
}
"""The option of each console's core that lets it draw with OpenGL."""
PLANS: Final = {
    "no pictures": CapturePlan(picture=False),
    "every picture": CapturePlan(picture_every=1),
}


def main(arguments: list[str]) -> None:
    """Print one line of JSON for each console."""
    if arguments[:1] == ["--one"]:
        system, renderer, plan = arguments[1:]
        sys.stdout.write(json.dumps(_cost(system, renderer, PLANS[plan])) + "\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        loop = _compiled(Path(folder))
        for system in OPENGL:
            rates = {"bare C loop, software": _rate(partial(_bare_cost, loop, system))}
            for renderer in ("software", "opengl"):
                for plan in PLANS:
                    one = ["--one", system, renderer, plan]
                    rates[f"{renderer}, {plan}"] = _rate(partial(_child_cost, one))
            sys.stdout.write(json.dumps({"system": system, "frames_a_second": rates}) + "\n")


def _rate(cost: Callable[[], float]) -> float:
    return round(1 / min(cost() for _ in range(ROUNDS)), 1)


def _request(system: str, renderer: str) -> LoadRequest:
    request = plan_session(proof_roms()[system].path, system=system).request
    key, value = OPENGL[system]
    changed = {key: value} if renderer == "opengl" else {}
    return replace(request, options={**request.options, **changed})


def _cost(system: str, renderer: str, plan: CapturePlan) -> float:
    """Seconds of processor time for a frame, in this process."""
    with tempfile.TemporaryDirectory() as saves:
        host = InProcessHost()
        host.load(replace(_request(system, renderer), save_dir=Path(saves)))
        host.run(np.zeros((_WARM_UP_FRAMES, 2), np.uint16), plan)
        began = time.process_time()
        host.run(np.zeros((FRAMES, 2), np.uint16), plan)
        took = time.process_time() - began
        host.close()
    return took / FRAMES


def _child_cost(arguments: list[str]) -> float:
    command = [sys.executable, "-W", "ignore", "-m", "scripts.bench_gl", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])


def _compiled(folder: Path) -> Path:
    source = paths.shipped("resources") / "bench" / "bareloop.c"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    flags = ["-std=gnu11", "-O2", f"-I{Path(libretro_host.__file__).parent}"]
    program = folder / "bareloop"
    subprocess.run([compiler, *flags, "-o", str(program), str(source), "-ldl"], check=True)
    return program


def _bare_cost(loop: Path, system: str) -> float:
    """Seconds of processor time for a frame: of a long run without those of a short one."""
    request = _request(system, "software")
    options = [f"{key}={value}" for key, value in request.options.items()]

    def run(frames: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [str(loop), str(request.core), str(request.content), str(frames), *options]
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return (run(_WARM_UP_FRAMES + FRAMES) - run(_WARM_UP_FRAMES)) / FRAMES


if __name__ == "__main__":
    main(sys.argv[1:])
