"""Measure what people use today in the same run as ours; none of it is needed to run Bartizan."""
