"""What is shown first, and of it what: weights, re-ranking, excerpts, passages. All of it pure."""
