"""Programs of this project's maintainers: benchmarks, the soak, the pictures of the README.

None of them ships. ``python -m scripts.NAME`` runs one of them at the top of the tree."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
"""Top of the tree; a child process has to start there to find this package."""
