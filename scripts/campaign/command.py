"""The campaign's command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scripts.campaign import mutants
from scripts.campaign.kinds import KINDS


def main(arguments: list[str]) -> int:
    """Parse the command line and run a part; 1 when it found a fault."""
    parser = argparse.ArgumentParser(prog="python -m scripts.campaign", description=__doc__)
    parser.add_argument("part", choices=["mutants"])
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("campaign-out"))
    parser.add_argument("--jobs", type=int, default=mutants.jobs())
    parser.add_argument("--only")
    options = parser.parse_args(arguments)
    kinds = [k for k in KINDS if options.only in (None, k.name)]
    log = options.out / f"mutants-{options.seed}.jsonl"
    told = mutants.run(options.count or 20_000, options.seed, log, jobs=options.jobs, kinds=kinds)
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return bool(told["faults"] or told["leaked"])
