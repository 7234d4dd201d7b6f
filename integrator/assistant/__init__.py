"""Tools with which assistants use a session, by calls of the Model Context Protocol."""
