"""Report an experiment on one page: three answers, then reasons, pictures, tables and sample games."""
