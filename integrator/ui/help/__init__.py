"""Help: the tour, the pages, the reference of types and ops, bug reports."""
