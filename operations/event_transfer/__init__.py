"""One event as one file, with everything in it, which another Clubnight takes in whole."""
