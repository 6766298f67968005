"""Train policies: ``bartizan train``, a file for each algorithm."""
