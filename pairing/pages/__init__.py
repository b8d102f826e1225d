"""Pages: rounds, standings, players, the home pages, the replay, the style guide."""
