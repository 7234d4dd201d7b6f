"""Code as users write it, checked as they check it: by mypy --strict and by pyright."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]


def faults(checker: str, scripts: Sequence[Path]) -> list[list[int]]:
    """The lines that a type checker refuses, of each script."""
    options = {
        # A cache beside that of `make check`, whose options differ.
        "mypy": ["--strict", "--cache-dir", str(TREE / ".mypy_cache" / "users")],
        "pyright": ["--pythonpath", sys.executable],
    }
    done = subprocess.run(
        [sys.executable, "-m", checker, *options[checker], *(each.name for each in scripts)],
        cwd=scripts[0].parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"(\w+\.py):(\d+):.* error", done.stdout)
    return [sorted({int(n) for name, n in found if name == each.name}) for each in scripts]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_tell_right_from_wrong(checker: str, tmp_path: Path) -> None:
    right, readme_py, wrong = (tmp_path / f"{each}.py" for each in ("right", "readme", "wrong"))
    mistakes = Path(__file__).with_name("users_wrong.py").read_text(encoding="utf-8")
    lines = mistakes.splitlines()
    readme = (TREE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert blocks
    right.write_text(Path(__file__).with_name("users_right.py").read_text(encoding="utf-8"))
    readme_py.write_text("".join(blocks))
    wrong.write_text(re.sub("  # type: ignore.*", "", mistakes))
    refused = [at for at, line in enumerate(lines, 1) if "# type: ignore" in line]
    assert len(refused) == 8
    assert faults(checker, (right, readme_py, wrong)) == [[], [], refused]
