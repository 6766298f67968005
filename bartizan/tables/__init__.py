"""Keep tables and play at them; a table is its move log.  Nothing here knows HTTP."""
