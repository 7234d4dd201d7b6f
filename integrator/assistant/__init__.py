"""Tools for assistants: a session worked by calls of the Model Context Protocol."""
