"""The campaign: crashes, kills, full disks and a million damaged files, counted."""
