"""Numbers that change now and then: score, lives, timer, level and health."""
