"""Building blocks that every panel uses: theme, icons, tables, notices."""
