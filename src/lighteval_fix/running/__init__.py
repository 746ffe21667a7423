"""Floor 2: what a program does, found out by running it, as it was written, inside a sandbox."""
