"""Run every check and test: format, lint, types, generated files, the client, then pytest and the browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from scripts import chromium
from scripts.progress import ROOT, Failed, Problem, Progress, run
from scripts.setup import OFFLINE, PYTHON, WEB, client, node_environment, node_modules, npm

BROWSER_TESTS = ROOT / "tests" / "browser"
REPORTS = ROOT / ".build" / "reports"
GENERATED = tuple(WEB / "src" / "net" / name for name in ("schema.d.ts", "defaults.ts"))  # from openapi.json
PAGES = {"observations.md": "bartizan.envs.describe", "measures.md": "bartizan.lab.describe"}  # of docs/

Check = Callable[[], None]


def lint(progress: Progress) -> int:
    """Check format, lint and types, of the client too; return the exit status."""
    return _report(_run_all(progress, [*_python_checks(), *_web_lint(progress)]))


def everything(progress: Progress, rules: Future[None]) -> int:
    """Run all checks, tests and browser tests, print a summary last, and return the exit status.

    A failure stops nothing that does not depend on it: one run shows all there is to mend. The tests wait for
    `rules`, which are being compiled, so that they don't compile the same ones side by side.
    """
    start = time.monotonic()
    failures: list[Failed] = []
    # The client's checks, and a download, run beside Python's.
    with ThreadPoolExecutor(max_workers=2) as pool:
        web = pool.submit(_run_all, progress, _web_checks(progress))
        chromium_found = pool.submit(_find_chromium, progress, failures)
        failures += _run_all(
            progress,
            [
                *_python_checks(),
                ("openapi.json is fresh", _openapi_is_fresh),
                ("docs", build_docs),
                ("tests are found", _tests_are_found),
            ],
        )
        failures += web.result()
        browser = chromium_found.result()
    failures += _run_all(progress, [("", rules.result)])
    progress.close()

    environment = dict(os.environ) | ({"BARTIZAN_CHROMIUM": browser} if browser else {})
    failures += _run_suites(environment, with_browser=browser is not None)

    print()
    status = _report(failures)
    if os.environ.get("SKIP_BROWSER") == "1":
        print("The browser tests were SKIPPED, because SKIP_BROWSER=1.")
    print(f"{time.monotonic() - start:.0f} s in all")
    print("tests: {} passed, {} failed, {} skipped".format(*_counts()), flush=True)
    return status


def _run_suites(environment: dict[str, str], *, with_browser: bool) -> list[Failed]:
    """Run the tests, and the browser tests beside them: these wait for pages half of their time.

    Apart, because Playwright leaves an event loop running in the main thread.  Test by
    test: a file with whole games would keep a single worker busy at the end.
    """
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    folder = str(BROWSER_TESTS.relative_to(ROOT))
    suites = {"browser tests": [folder]} if with_browser else {}
    suites["tests"] = [f"--ignore={folder}", "tests"]
    running = {}
    for title, arguments in suites.items():  # the last one is watched, the other's output is shown at its end
        name = title.replace(" ", "-")
        command = [str(PYTHON), "-m", "pytest", "-q", f"--junitxml={REPORTS / f'{name}.xml'}"]
        with (REPORTS / f"{name}.log").open("wb") as log:
            running[title] = subprocess.Popen(
                [*command, "-n", _workers(title), "--dist", "worksteal", *arguments],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=None if title == "tests" else log,
                stderr=subprocess.STDOUT,
            )
    failures = []
    for title in reversed(suites):
        code = running[title].wait()
        if title != "tests":
            shown = (REPORTS / f"{title.replace(' ', '-')}.log").read_text(encoding="utf-8", errors="replace")
            print(f"\n{title}\n{shown}", flush=True)
        if code != 0:
            failures.append(Failed(title, "", f"The {title} failed (see above)."))
    return failures


def docs(progress: Progress) -> int:
    """Build the documentation site; return the exit status."""
    return _report(_run_all(progress, [("docs", build_docs)]))


def build_docs() -> None:
    """Build the documentation site strictly: a broken link or a page outside the navigation fails."""
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    run("docs", [PYTHON, "-m", "mkdocs", "build", "--quiet"], env=environment)


def mend(progress: Progress) -> int:
    """Format the code and apply the linters' safe fixes; return the worst of their exit statuses."""
    node_modules(progress)
    progress.close()
    ruff: list[str | Path] = [PYTHON, "-m", "ruff"]
    statuses = [
        subprocess.run([*ruff, "check", "--fix", "."], cwd=ROOT, check=False),
        subprocess.run([*ruff, "format", "."], cwd=ROOT, check=False),
        subprocess.run([*npm(), "run", "format"], cwd=WEB, env=node_environment(), check=False),
    ]
    return max(done.returncode for done in statuses)


def _python_checks() -> list[tuple[str, Check]]:
    return [
        ("ruff format", lambda: _tool("ruff format", "ruff", "format", "--check", ".")),
        ("ruff check", lambda: _tool("ruff check", "ruff", "check", "--output-format", "concise", ".")),
        ("mypy", lambda: _tool("mypy", "mypy")),
    ]


def _web_lint(progress: Progress) -> list[tuple[str, Check]]:
    return [
        (
            "",
            lambda: node_modules(progress),
        ),  # draws a line of its own where it does anything, as the build does
        ("client format and lint", lambda: _npm_script("lint")),
        ("client types", lambda: _npm_script("check")),
    ]


def _web_checks(progress: Progress) -> list[tuple[str, Check]]:
    return [
        *_web_lint(progress),
        ("types and defaults are fresh", _types_are_fresh),
        ("client test", lambda: _npm_script("test")),
        ("", lambda: client(progress)),
        ("client size", lambda: _npm_script("size")),
    ]


def _run_all(progress: Progress, checks: list[tuple[str, Check]]) -> list[Failed]:
    failures = []
    for title, check in checks:
        try:
            if title:
                with progress.step(title):
                    check()
            else:
                check()
        except Failed as failure:
            failures.append(failure)
        except Problem as problem:
            failures.append(Failed(title, "", str(problem)))
    return failures


def _report(failures: list[Failed]) -> int:
    for failure in failures:
        print(f"\n--- {failure.title}\n{failure.report()}")
    if failures:
        print(f"\nFAILED: {', '.join(failure.title for failure in failures)}")
        return 1
    print("All checks passed.")
    return 0


def _tool(title: str, *arguments: str) -> None:
    run(title, [PYTHON, "-m", *arguments])


def _npm_script(script: str) -> None:
    run(f"client {script}", [*npm(), "run", script], cwd=WEB, env=node_environment())


def _openapi_is_fresh() -> None:
    title = "openapi.json is fresh"
    kept = WEB / "openapi.json"
    done = subprocess.run(
        [PYTHON, "-m", "bartizan.server.openapi"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Failed(title, done.stdout + done.stderr)
    if not kept.is_file() or kept.read_text(encoding="utf-8") != done.stdout:
        raise Failed(title, "", "web/openapi.json is stale: run `make generated` and commit what it writes.")


def _tests_are_found() -> None:
    """Find all tests once, so that pytest's rewritten tests are cached and not each worker rewrites them."""
    _tool("tests are found", "pytest", "--collect-only", "-q", "tests")


def _types_are_fresh() -> None:
    title = "types and defaults are fresh"
    before = {path: path.read_bytes() for path in GENERATED if path.is_file()}
    try:
        _generate_types()
        stale = [path for path in GENERATED if path.read_bytes() != before.get(path)]
    finally:
        for path in GENERATED:  # a check leaves the tree as it was
            if path in before:
                path.write_bytes(before[path])
            else:
                path.unlink(missing_ok=True)
    if stale:
        names = " and ".join(str(path.relative_to(ROOT)) for path in stale)
        raise Failed(title, "", f"Missing or stale: {names}. Run `make generated` and commit what it writes.")


def generate(progress: Progress) -> int:
    """Write what is generated from the schema and from the games, and what is known of rules on a device."""
    node_modules(progress)
    with progress.step("openapi.json"):
        text = run("openapi.json", [PYTHON, "-m", "bartizan.server.openapi"])
        (WEB / "openapi.json").write_text(text, encoding="utf-8")
    with progress.step("types and defaults"):
        _generate_types()
    with progress.step("rules for a device"):
        test = [str(PYTHON), "-m", "pytest", "-q", "tests/games/test_ptx.py", "tests/envs/test_kernels.py"]
        run("rules for a device", test, env=dict(os.environ) | {"BARTIZAN_STAMPS": "write"})
    for name, module in PAGES.items():
        with progress.step(f"docs/{name}"):
            run(f"docs/{name}", [PYTHON, "-m", module, str(ROOT / "docs" / name)])
    return 0


def _generate_types() -> None:
    run("client types", [*npm(), "run", "types"], cwd=WEB, env=node_environment())


def _find_chromium(progress: Progress, failures: list[Failed]) -> str | None:
    """Return the browser to test with, none where its tests are left out; as root install Debian's."""
    if os.environ.get("SKIP_BROWSER") == "1":
        return None
    given = os.environ.get("BARTIZAN_CHROMIUM")
    if given and not os.access(given, os.X_OK):
        failures.append(Failed("browser tests", "", f"BARTIZAN_CHROMIUM names no program: {given}."))
        return None
    found = chromium.find()
    if not found and chromium.can_install():
        try:
            with progress.step("Chromium"):
                chromium.install()
        except Failed as failure:
            if OFFLINE.search(failure.output):
                failure.sentence = "Chromium could not be installed: the package index did not answer."
            failures.append(failure)
            return None
        found = chromium.find()
    if not found:
        sentence = f"The browser tests need Chromium: {chromium.HOW}, or leave them out with SKIP_BROWSER=1."
        failures.append(Failed("browser tests", "", sentence))
    return found


def _workers(title: str) -> str:
    """Return how many processes run a suite: as many as there are cores, up to four.

    The longer suite has one more, so that no core is idle once the other suite is over.
    """
    workers = min(4, os.cpu_count() or 1) + (title == "tests")
    return os.environ.get("BARTIZAN_TEST_WORKERS", str(workers))


def _counts() -> tuple[int, int, int]:
    """Add up passed, failed and skipped over the reports that pytest wrote."""
    total = failed = skipped = 0
    for report in REPORTS.glob("*.xml"):
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):
            total += int(suite.get("tests", "0"))
            failed += int(suite.get("failures", "0")) + int(suite.get("errors", "0"))
            skipped += int(suite.get("skipped", "0"))
    return total - failed - skipped, failed, skipped
