"""Owns the search kernel: tests all memory with one comparison, for every type and scale at once.

A comparison and a scale give a :class:`~integrator.domain.sweep.questions.Predicate` of stored
numbers. A predicate and a data type give a question (``questions.py``): a test of rows of digits.
``refine.py`` hands each question to ``kernel.c`` once, for all layers that need the answer. For
``>u2``, "greater than 258" tests two digits of base 256: high > 1, or high == 1 and low > 2. Each
row is one loop over neighboring bytes, for every type; a ``<d4`` has four rows of base 100."""
