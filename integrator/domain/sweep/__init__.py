"""Owns the search kernel: one comparison asked of all memory, for every type and scale at once.

A comparison and a scale make a :class:`~integrator.domain.sweep.readings.Predicate` of stored
numbers; with a data type it is a question (``questions.py``), a test of rows of digits, which
``kernel.c`` answers and ``refine.py`` hands to it once for all layers that ask it. "Greater than
258" as ``>u2`` asks for two digits of base 256: high > 1, or high == 1 and low > 2. Each row is one
loop over neighbouring bytes, whatever the type; a ``<d4`` has four rows of base 100.
"""
