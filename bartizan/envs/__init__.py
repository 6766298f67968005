"""Train on the games: a compiled batch of tables, single environments, data sets, device kernels."""
