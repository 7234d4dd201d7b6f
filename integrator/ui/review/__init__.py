"""The Review workspace: time slider, branches, movies, input log and plots."""
