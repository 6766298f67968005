"""Show an experiment in a notebook: its first screen as HTML."""

from __future__ import annotations

from html import escape

from bartizan.lab.experiment import Experiment
from bartizan.lab.report.gather import answers_of
from bartizan.lab.report.pictures import shares_of
from bartizan.lab.report.svg import with_light_colours

EMPTY = "No games are finished yet. <code>run()</code> plays them."


class NotebookExperiment(Experiment):
    """An experiment that a notebook shows as its first screen; `bartizan.lab.Experiment`."""

    def _repr_html_(self) -> str:
        """Return the three answers and their picture as HTML, every word of it escaped."""
        head = f"<h3>{escape(self.design.game.title)}</h3>"
        if not self.folder.numbers:
            return f"<div>{head}<p>{EMPTY}</p></div>"
        answers = answers_of(self, self.measures())
        lines = [
            f"<p><b>{escape(each.question)}</b><br>{escape(each.sentence)}</p>" for each in answers.answers
        ]
        note = f"<p><i>{escape(answers.note)}</i></p>" if answers.note else ""
        picture = shares_of(answers)
        drawn = ""
        if picture is not None:
            svg = with_light_colours(picture.svg)
            drawn = f"<p>{escape(picture.caption)}</p><div style='background: white'>{svg}</div>"
        return f"<div>{head}{''.join(lines)}{note}{drawn}</div>"
