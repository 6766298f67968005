"""Report the results of an experiment on one page: sentences, then pictures, tables, and sample games."""

from bartizan.lab.report.page import render
from bartizan.lab.report.write import write_report

__all__ = ["render", "write_report"]
