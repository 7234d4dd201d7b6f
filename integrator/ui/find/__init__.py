"""Owns the ways to find numbers: search, facts, suggestions, ends, proofs and naming.

A further source is one class, a :class:`~integrator.ui.find.results_view.ResultsView` that puts its
own controls above the list, with a row in ``shell/panels.py``. Proof, naming, keys, menus and the
way to other panels come with it. It shows Readings, or items of its own with a ``ResultsModel``
that names their columns.
"""
