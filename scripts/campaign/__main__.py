"""Run as ``python -m scripts.campaign PART [--quick]``; see ``--help``."""

from __future__ import annotations

import sys

from scripts.campaign.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
