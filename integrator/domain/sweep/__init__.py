"""Owns the search kernel: one comparison asked of all memory, for every type and scale at once.

A comparison and a scale make a :class:`~integrator.domain.sweep.readings.Predicate` of stored
numbers. A predicate and a data type make a question (``questions.py``), which knows neither any
more: it is a test of rows of digits. ``kernel.c`` answers questions, and ``refine.py`` hands each
to it once and gives its answer to all layers that ask the same.

For example, "greater than 258" as a ``>u2``. A number has two digits of base 256, and 258 is the
digits 1 and 2. Memory from address 0 on is ``00 01 03 02 00``, which holds four such numbers::

    address          0    1    2    3
    high digit      00   01   03   02      the bytes from address 0 on
    low digit       01   03   02   00      the bytes from address 1 on
    low > 2          -    x    -    -
    high > 1         -    -    x    x
    high == 1        -    x    -    -      here the low digit decides
    answer           -    x    x    x      259, 770 and 512

Each line is one loop over neighbouring bytes, whatever the type: a ``<d4`` has four rows of digits
of base 100. A number equals another when all digits do, and is another plus a step when adding the
step on paper, digit by digit, gives it. The oracle in the tests decodes every number instead.
"""
