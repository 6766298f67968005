"""Publish an experiment: a folder with its report, pictures, figures and games, for any web server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bartizan.engine.files import Unwritable, reason
from bartizan.lab.design import BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups import GROUPS
from bartizan.lab.report.findings import SECONDS, Findings
from bartizan.lab.report.gather import Progress, gather
from bartizan.lab.report.page import Contents, contents, page_of
from bartizan.lab.report.pictures import Picture

PAGE = "index.html"
MADE_HERE = '<meta name="generator" content="Bartizan Lab">'  # stands in the page of a folder to replace


def publish(
    experiment: Experiment,
    out: Path,
    *,
    server: str = "",
    progress: Progress | None = None,
    seconds: float = SECONDS,
) -> Path:
    """Write the report with its pictures (PNG, CSV), figures and games to a folder; return its page's path.

    The page needs no server; with the address of one its games can be watched there.  A folder that was
    published before is replaced as a whole.
    Raises `BadExperiment` if no game is finished or the folder holds something else, `Unwritable`.
    """
    try:
        if not _is_replaceable(out):
            raise BadExperiment(f"{out} contains something else. Choose another folder.")
        findings = gather(experiment, progress, seconds)
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as beside:
            made = Path(beside) / "new"
            made.mkdir()
            _write(made, findings, server)
            if out.exists():
                out.rename(Path(beside) / "old")
            made.rename(out)
    except OSError as error:
        raise Unwritable(f"{out} cannot be written: {reason(error)}.") from error
    return out / PAGE


def _is_replaceable(out: Path) -> bool:
    """Say whether a path is free, an empty folder, or one that was published before."""
    if not out.is_dir():
        return not out.exists() and not out.is_symlink()
    page = out / PAGE
    if page.is_file():
        return MADE_HERE in page.read_text(encoding="utf-8", errors="replace")
    return not any(out.iterdir())


def _write(folder: Path, findings: Findings, server: str) -> None:
    content = contents(findings)
    files = {}
    (folder / "pictures").mkdir()
    for name, picture in _named(content):
        files[id(picture)] = f"pictures/{name}"
        (folder / "pictures" / f"{name}.png").write_bytes(picture.png)
        (folder / "pictures" / f"{name}.csv").write_text(picture.csv, encoding="utf-8")
    (folder / "games").mkdir()
    for shown in findings.shown:
        (folder / "games" / f"game_{shown.game}.txt").write_text(shown.record, encoding="utf-8")
    findings.measures.write_csv(folder / "measures.csv")
    page = page_of(findings, content, server.rstrip("/"), files)
    (folder / PAGE).write_text(page, encoding="utf-8")


def _named(content: Contents) -> Iterator[tuple[str, Picture]]:
    """Yield all pictures with names for files; of a stranger's group no word gets into one."""
    if content.first is not None:
        yield "answers", content.first
    for section in content.sections:
        name = section.group if section.group in GROUPS else section.key
        for number, picture in enumerate(section.pictures, start=1):
            yield f"{name}-{number}", picture
