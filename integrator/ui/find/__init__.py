"""Owns the ways to find numbers: search, facts, suggestions, ends, proofs and naming. A new source
is a subclass of :class:`~integrator.ui.find.results_view.ResultsView` that puts its own controls
above the list, and a row in ``shell/panels.py``. The base class brings proofs, names, keys, menus
and links to other panels. The list shows Readings, or other items if a subclass of ``ResultsModel``
defines their columns."""
