"""Translations: the user's language is loaded; texts of tables are marked for translators.

``self.tr("text")`` is both at once. A text that stands in a table is marked where it is written and
looked up, with the same context, where it is shown. A text with a count in it is
``counted(self.tr("{0} frame[|s]", None, count), count)``: translators give each of their plurals.
"""

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

translate = QCoreApplication.translate

_CHOICE: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


def counted(text: str, count: int) -> str:
    """Let the words of an English text agree with a count: ``[of one|of any other]``."""
    return _CHOICE.sub(lambda choice: choice[1] if count == 1 else choice[2], text)


def install_translations(
    app: QCoreApplication, folder: Path, locale: QLocale | None = None
) -> list[QTranslator]:
    """Show texts in the language of ``locale`` (default: the system's), as far as there is one.

    ``folder`` has ``integrator_de.qm``, ``integrator_pt_BR.qm`` and so on. Qt's own words follow
    only where ours do. The result keeps the translators alive.
    """
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
