"""The dialog for the user's own consoles: drafts from a core, editing, trials, saving, export."""
