"""The border between a file's bytes and our types: every decoding failure becomes one error."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from integrator.domain.errors import IntegratorError

DAMAGE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,  # too deep a nesting, an encrypted member, a compression that is not known
    EOFError,
    OSError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)
"""Exceptions of Python's readers for files that are damaged or made to mislead.

zipfile alone raises ten of them: no reader can list those of its own libraries, so that all share
this list.
"""


@contextmanager
def decoding(damaged: type[IntegratorError], subject: str, cure: str = "") -> Iterator[None]:
    """Raise ``damaged``, chained, for every exception that a damaged file causes in the block.

    The block does nothing but read ``subject``, which the message names. Our own errors pass.
    """
    try:
        yield
    except IntegratorError:
        raise
    except DAMAGE as error:
        end = f"; {cure}" if cure else ""
        raise damaged(f"{subject}: {reason(error)}{end}") from error


def reason(error: BaseException) -> str:
    """The error's message in a few words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, RecursionError):
        return "nested too deep"
    words = str(error).strip() or type(error).__name__
    return f"no {words}" if isinstance(error, KeyError) else words
