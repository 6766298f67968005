"""Measure speed in a checkout: ``make bench``.  Nothing here is part of the package."""
