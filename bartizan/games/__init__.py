"""The games, one folder each; a game knows the engine and nothing else."""
