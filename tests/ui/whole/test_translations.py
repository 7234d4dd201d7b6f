"""The window in another language: all its texts can be translated, and are."""

import ast
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenuBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from ui_driver import delete_windows, open_and_wait

import integrator
from integrator import paths
from integrator.agents.table import AGENTS
from integrator.app import build_window, write_i_as_english
from integrator.commands.shared.options import demo_game
from integrator.domain.scenario.tree import OPS
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.fields import parse_number
from integrator.ui.widgets.texts import grouped, install_translations
from scripts.translations import TRANSLATIONS, compile_to, extract

OUR_CODE = Path(integrator.__file__).parent
PYQTGRAPH = {"Form", "GraphicsScene", "PlotItem", "ViewBox"}
"""Contexts of the plots' own menus, which are never shown."""

LOCALE = QLocale(QLocale.Language.Esperanto)
"""A language that Qt has no words in, so that texts of others stay."""

Text = tuple[str, str]
"""Context and source text."""

DATA = {
    r"Integrator": "the program's name",
    r"EmberMoth-Nes-v0|/\S*EmberMoth-Nes-v0|Start · fceumm": "the game, its state and its core",
    r"(data|scenario|cheats|expectations|metadata)\.json": "file names",
    r"[|<>=]{0,2}[uidn]\d.*|0x[0-9A-F]{4}   .*": "data types, as they are written in files",
    r"B|A|B \+ A|UP|DOWN|LEFT|RIGHT|START|SELECT|St|Sel": "the console's buttons",
    r"[xywh]": "keys of crop",
    "|".join(("delta", "absolute", "sign", *OPS)): "words of scenarios",
    "|".join(kind.name for kind in AGENTS): "names of agents, as on the command line",
    r"Start|Level2": "start states of the game",
    r" ?(delta|absolute|[a-z-]*equal|op —|sign): ": "a word of scenarios before what it means",
    r"[^«»]+  \(\w+\)": "consoles",
    r"/\S*_libretro\.so": "the file of a core",
    r"window": "name of the search that a window begins with",
    r".*\d (KiB|fps)|(genesis_plus_gx|fceumm).*": "numbers with their units; cores",
    r"\w+  ×": "a variable that is plotted",
    r"[\d:+*/ -]*(Hz)?": "numbers",
    r"Float|&?(Close|Cancel|OK)|Scroll (Left|Right)": "Qt's own words",
    r"Export(\.\.\.)?": "pyqtgraph's own action, in no menu",
}
"""Texts that are the same in every language, with the reason."""


@pytest.fixture(scope="module")
def ts_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All texts of the program, as a translator is given them."""
    found = tmp_path_factory.mktemp("texts") / "integrator_eo.ts"
    extract(found)
    return found


@pytest.fixture(scope="module")
def extracted(ts_file: Path) -> frozenset[Text]:
    """The texts in the file."""
    contexts = ET.parse(ts_file).iter("context")
    return frozenset(
        (context.findtext("name", ""), message.findtext("source", ""))
        for context in contexts
        for message in context.iter("message")
    )


@pytest.fixture(scope="module")
def folder(ts_file: Path) -> Path:
    """A folder of translations with one in which each text is wrapped: «Save»."""
    tree = ET.parse(ts_file)
    for message in tree.iter("message"):
        translation = message.find("translation")
        assert translation is not None
        translation.attrib.pop("type", None)
        text = f"«{message.findtext('source', '')}»"
        forms = translation.findall("numerusform")
        assert bool(forms) == (message.get("numerus") is not None)
        for place in forms or [translation]:
            place.text = text
    tree.write(ts_file.with_name("wrapped.ts"), encoding="utf-8", xml_declaration=True)
    compile_to(ts_file.with_name("integrator_eo.qm"), ts_file.with_name("wrapped.ts"))
    return ts_file.parent


class _Asked(QTranslator):
    """Knows no word, but notes which it was asked for.

    PySide asks for each class that an object is of."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.contexts: dict[str, set[str]] = defaultdict(set)

    def translate(self, context: str, source: str, *_: object) -> str | None:
        """Take it down."""
        self.contexts[source].add(context)
        return None

    def not_in(self, known: frozenset[Text]) -> list[tuple[str, list[str]]]:
        """Texts of ours that were looked up but cannot be extracted."""
        return [
            (source, sorted(contexts))
            for source, contexts in self.contexts.items()
            if not any((context, source) in known for context in contexts)
            and not all(c.startswith("Q") or c in PYQTGRAPH for c in contexts)
            and any(c.isalpha() for c in source)
        ]


@pytest.fixture
def asked(qapp: QApplication, folder: Path) -> Iterator[_Asked]:
    """The wrapped language is in use; looked-up texts are noted."""
    installed = install_translations(qapp, folder, LOCALE)
    assert len(installed) == 1
    recorder = _Asked(qapp)
    qapp.installTranslator(recorder)
    yield recorder
    for translator in (recorder, *installed):
        qapp.removeTranslator(translator)


@pytest.fixture
def foreign(
    asked: _Asked,  # noqa: ARG001 - in use before the window is made
    qapp: QApplication,
    qtbot: QtBot,
    settings_path: Path,
    own_home: Path,
) -> Iterator[MainWindow]:
    """A window in the wrapped language with the demo game in it and every panel shown."""
    assert own_home.is_dir()
    window = build_window(qapp, settings_path)
    window.show()
    open_and_wait(window, qtbot, demo_game())
    for key in (each.key for each in WORKSPACES):
        window.use_workspace(key)
        qtbot.wait(50)
    window.docks.fill_all()
    for dock in window.docks.all.values():
        dock.show()
    qtbot.wait(300)
    yield window
    delete_windows(qapp, [window])


def marked(path: Path) -> Iterator[tuple[int, Text]]:
    """Every text that a file marks for translators: its line, and the key to find it by."""

    def walk(node: ast.AST, name: str) -> Iterator[tuple[int, Text]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                called = ast.unparse(child.func)
                given = [each.value for each in child.args if isinstance(each, ast.Constant)]
                owner, _, function = called.rpartition(".")
                if function == "tr" and given:
                    yield child.lineno, (name if owner == "self" else owner, str(given[0]))
                elif called == "translate" and len(given) > 1:
                    yield child.lineno, (str(given[0]), str(given[1]))
            yield from walk(child, child.name if isinstance(child, ast.ClassDef) else name)

    return walk(ast.parse(path.read_text(encoding="utf-8")), "")


def test_what_is_marked_is_extracted_in_its_context(extracted: frozenset[Text]) -> None:
    """lupdate does not look into f-strings, and takes the class around a call for its context."""
    lost = [
        f"{path.name}:{line}: {text}"
        for path in sorted(OUR_CODE.rglob("*.py"))
        for line, text in marked(path)
        if text not in extracted
    ]
    assert len(extracted) > 1000
    assert lost == []


def test_without_a_translation_nothing_is_loaded(qapp: QApplication, tmp_path: Path) -> None:
    assert install_translations(qapp, tmp_path, LOCALE) == []


def test_the_window_speaks_another_language(foreign: MainWindow) -> None:
    """A «text» within another one is an argument of it."""
    assert foreign.actions_by_key["save"].text() == "«&Save integration»"
    assert len(set(all_texts(foreign))) > 500
    assert untranslated(foreign, foreign) == set()


def test_the_dialogs_speak_another_language(
    foreign: MainWindow, asked: _Asked, extracted: frozenset[Text], qtbot: QtBot
) -> None:
    keys = ("preferences", "bindings", "cores", "help", "import_roms", "new_integration", "clip")
    for key in (*keys, "consoles", "export_range", "palette"):
        before = set(QApplication.topLevelWidgets())
        foreign.actions_by_key[key].trigger()
        qtbot.waitUntil(lambda known=before: bool(set(QApplication.topLevelWidgets()) - known))  # type: ignore[misc]  # binds the loop's value
        qtbot.wait(50)
        for shown in set(QApplication.topLevelWidgets()) - before:
            # A core's options are the core's own words.
            assert key == "cores" or untranslated(foreign, shown) == set(), key
            shown.close()
    assert asked.not_in(extracted) == []


def is_translated(text: str) -> bool:
    """True when all letters are translated, but for data."""
    rest = re.sub(r"<[^<>]*>|&nbsp;", "", text)
    rest = re.sub(r" \((Ctrl|Shift|Alt|F\d|F\)|\+)[^«»]*\)?$", "", rest)
    while (inner := re.sub(r"«[^«»]*»", "", rest)) != rest:
        rest = inner
    rest = rest.replace("\n", " ")
    return not any(c.isalpha() for c in rest) or any(re.fullmatch(p, rest) for p in DATA)


def all_texts(window: QWidget) -> Iterator[str]:
    """The texts of buttons, labels, menus, tabs, choices, headers and tooltips."""
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip())
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.windowTitle(), widget.accessibleName())
        if not isinstance(widget, QLineEdit):
            yield from (str(widget.property(name) or "") for name in ("text", "title"))
        yield str(widget.property("placeholderText") or "")
        if isinstance(widget, QComboBox):
            for i in range(widget.count()):
                yield widget.itemText(i)
                yield str(widget.itemData(i, Qt.ItemDataRole.ToolTipRole) or "")
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(i) for i in range(widget.count()))
        elif isinstance(widget, QHeaderView) and widget.model() is not None:
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                for section in range(widget.count()):
                    title = widget.model().headerData(section, widget.orientation(), role)
                    yield str(title or "")


def untranslated(window: MainWindow, widget: QWidget) -> set[str]:
    """A widget's untranslated texts; the names of the game's variables are data."""
    assert window.controller.documents is not None
    names = set(window.controller.documents.variables)
    return {
        text
        for text in all_texts(widget)
        if text not in names
        if not is_translated(text) and not all(map(is_translated, text.split("\n")))
    }


def test_it_is_found_by_the_name_of_the_language(qapp: QApplication, folder: Path) -> None:
    german = install_translations(qapp, folder, QLocale(QLocale.Language.German))
    assert german == []
    esperanto = install_translations(qapp, folder, LOCALE)
    assert QCoreApplication.translate("", "Find") == "«Find»"
    for translator in esperanto:
        qapp.removeTranslator(translator)


LANGUAGES = sorted(TRANSLATIONS.glob("*.ts"))


def fields(text: str) -> set[str]:
    """The places of arguments in a text."""
    return set(re.findall(r"\{[^{}]*\}", text))


@pytest.mark.parametrize("ts", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_every_text_with_its_arguments(ts: Path, extracted: frozenset[Text]) -> None:
    """`python -m scripts.translations` lists what is missing, and compiles what was written."""
    kept = {
        (context.findtext("name", ""), message.findtext("source", "")): message
        for context in ET.parse(ts).iter("context")
        for message in context.iter("message")
    }
    assert extracted - kept.keys() == set(), "not in the file"
    assert kept.keys() - extracted == set(), "in the file, but in no code"
    translator = QTranslator()
    assert translator.load(str(ts.with_suffix(".qm")))
    for (context, source), message in kept.items():
        element = message.find("translation")
        assert element is not None
        assert element.get("type") is None, f"{source} waits for a translator"
        written = [form.text or "" for form in element.iter("numerusform")] or [element.text or ""]
        assert all(fields(text) == fields(source) for text in written), source
        count = 1 if message.get("numerus") else -1
        assert translator.translate(context, source, None, count) == written[0], "not compiled"


def test_german_menus_and_workspaces_are_whole_in_a_small_window(
    qapp: QApplication, qtbot: QtBot, settings_path: Path, own_home: Path
) -> None:
    assert own_home.is_dir()
    german = QLocale(QLocale.Language.German)
    installed = install_translations(qapp, paths.shipped("resources") / "translations", german)
    window = build_window(qapp, settings_path)
    window.resize(1280, 720)
    window.show()
    try:
        bar = window.top_bar
        qtbot.waitUntil(lambda: bar.width() == 1280)
        assert grouped(100_026) == "100\N{NO-BREAK SPACE}026"
        assert parse_number(grouped(100_026)) == 100_026
        for each in (window.findChild(QMenuBar), bar.segments):
            assert each is not None
            assert each.width() >= each.sizeHint().width()
    finally:
        delete_windows(qapp, [window])
        for translator in installed:
            qapp.removeTranslator(translator)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (
            {"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_US.UTF-8"},
            {"LC_CTYPE": "C.UTF-8", "LANG": "tr_TR.UTF-8"},
        ),
        (
            {"LC_CTYPE": "tr_TR.UTF-8", "LANG": "de_DE.UTF-8"},
            {"LC_CTYPE": "C.UTF-8", "LANG": "de_DE.UTF-8"},
        ),
        ({"LANG": "ku_TR.UTF-8"}, {"LC_CTYPE": "C.UTF-8", "LANG": "ku_TR.UTF-8"}),
        ({"LANG": "crh_UA"}, {"LC_CTYPE": "C.UTF-8", "LANG": "crh_UA"}),
        ({"LANG": "de_DE.UTF-8"}, {"LANG": "de_DE.UTF-8"}),
    ],
)
def test_turkish_letters_hide_no_property_and_change_no_language(
    given: dict[str, str], kept: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG")
    for name in {*names, *(each for each in os.environ if each.startswith("LC_"))}:
        # pytest restores a variable only if it has changed it.
        monkeypatch.setenv(name, "")
    os.environ.update(given)
    write_i_as_english()
    assert {name: os.environ[name] for name in names if os.environ.get(name)} == kept
