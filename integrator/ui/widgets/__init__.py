"""Owns building blocks that know no game: theme, icons, labels, tables, notices, texts. Other parts
of the window import them as one: ``from integrator.ui import widgets as ui``."""

from integrator.ui.widgets.docks import *
from integrator.ui.widgets.fields import *
from integrator.ui.widgets.fitting import *
from integrator.ui.widgets.notices import *
from integrator.ui.widgets.parts import *
from integrator.ui.widgets.rows_model import *
from integrator.ui.widgets.table import *
from integrator.ui.widgets.texts import *
from integrator.ui.widgets.theme import *
