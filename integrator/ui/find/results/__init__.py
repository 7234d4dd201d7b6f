"""Owns the list of found numbers that search, facts, suggestions and ends share.

A further source is one class, a :class:`~integrator.ui.find.results.results_view.ResultsView` that
puts its own controls above the list, with a row in ``shell/panels.py``. A source that works for
long has a :class:`~integrator.ui.find.results.source_controller.SourceController`. Proof, naming,
keys, menus and the way to other panels come with it. It shows Readings, or items of its own with a
:class:`~integrator.ui.find.results.results_model.ResultsModel` that names their columns.
"""
