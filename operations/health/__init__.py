"""How the server is, for programs that watch it: alive, ready, figures."""
