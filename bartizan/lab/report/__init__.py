"""Tell what an experiment came to on one page: sentences, then pictures, tables, and games that show it."""

from bartizan.lab.report.page import render
from bartizan.lab.report.write import write_report

__all__ = ["render", "write_report"]
