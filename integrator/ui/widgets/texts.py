"""Texts of the window: translations, numbers, sizes and times."""

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from integrator.domain.words import tr

translate = QCoreApplication.translate


def words(text: str) -> str:
    """Translate a text that ``tr`` marks in a table of the program."""
    return translate("", text)


_CHOICE: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


def counted(text: str, count: int) -> str:
    """Choose words of an English text by a count: ``[singular|plural]``."""
    return _CHOICE.sub(lambda choice: choice[1] if count == 1 else choice[2], text)


def count_text(text: str, count: int, *others: object) -> str:
    """Format a text whose first placeholder is the count; ``others`` fill the further ones."""
    return counted(text, count).format(grouped(count), *others)


def place_of_words(query: str, text: str) -> int | None:
    """Return the sum of the places of ``query``'s words in a text; None unless it has them all."""
    lowered = text.lower()
    places = [lowered.find(word) for word in query.lower().split()]
    return sum(places) if min(places, default=0) >= 0 else None


_BETWEEN_GROUPS: Final = tr(",")


def grouped(number: float) -> str:
    """Return a whole number as text, with the language's separator between groups: ``100,000``."""
    return f"{number:,.0f}".replace(",", words(_BETWEEN_GROUPS))


def install_translations(
    app: QCoreApplication, folder: Path, locale: QLocale | None = None
) -> list[QTranslator]:
    """Show texts in the language of ``locale`` (default: the system's) if it is available.

    ``folder`` has ``integrator_de.qm``, ``integrator_pt_BR.qm`` and so on. Qt's own texts are
    translated only if ours are. The caller must keep the returned translators alive."""
    locale = locale or QLocale.system()
    places = (
        ("integrator", str(folder)),
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
    )
    installed: list[QTranslator] = []
    for name, place in places:
        translator = QTranslator(app)
        if not translator.load(locale, name, "_", place):
            break
        app.installTranslator(translator)
        installed.append(translator)
    return installed


def signed(value: float) -> str:
    """Return a reward as text, without trailing zeros: ``+20``, ``-0.01``, ``0``."""
    text = f"{value:+.4f}".rstrip("0").rstrip(".")
    return "0" if float(text or 0) == 0 else text


def plain_number(value: float) -> str:
    """Return a sum as text: ``80``, ``146.4``; ``…`` for NaN, a sum that is not known yet."""
    if math.isnan(value):
        return "…"
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def size_text(size: int) -> str:
    """Return a number of bytes as text: ``128 B``, ``64 KiB``, ``1.25 MiB``."""
    if size < 1024:
        return f"{size} B"
    return f"{size / 1024:.4g} KiB" if size < 1 << 20 else f"{size / (1 << 20):.3g} MiB"


def clock_text(frames: int, fps: float) -> str:
    """Return the playing time of ``frames`` as ``mm:ss.t``."""
    seconds = frames / fps if fps else 0.0
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes):02d}:{int(rest):02d}.{int(rest * 10) % 10}"


def bits_text(mask: int) -> str:
    """Return the numbers of adjacent bits as text; the lowest bit is bit 0."""
    low, high = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
    return f"bit {low}" if low == high else f"bits {low}-{high}"


def exact_number(value: Fraction) -> str:
    """Return a number as text: ``1200``, ``12.5``, ``0.333333``."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
