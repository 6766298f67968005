"""Keep tables and play at them; a table is its log. Nothing here knows HTTP."""
