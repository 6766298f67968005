"""Train policies: ``bartizan train``, with a file for each algorithm."""
