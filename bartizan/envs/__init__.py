"""Environments: compiled batches of tables, single environments, data sets, device kernels."""
