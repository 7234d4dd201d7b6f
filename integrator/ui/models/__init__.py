"""Item models: they hold what views show and turn an edit of a cell into a request."""
