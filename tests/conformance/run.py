"""Tests real servers with the protocol's own programs, the conformance suite and the inspector.

Fails unless every scenario that applies passes and every run of the inspector ends as expected; then writes
the results into docs/conformance.md, or with --check compares them with that page.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from tests.components import NODE_FOLDER, ROOT

PAGE = ROOT / "docs" / "conformance.md"
BEGIN, END = "<!-- generated:conformance -->", "<!-- /generated -->"
REVISIONS = ("2026-07-28", "2025-11-25")
ERAS = {"modern": "2026-07-28", "legacy": "2025-11-25"}  # what the inspector calls them

# Extensions of the protocol that we do not offer, by how the names of their scenarios begin.
NOT_OFFERED = {
    "tasks-": "the Tasks extension is not offered",
    "sep-2640-skills-": "the Skills extension is not offered",
}
NOT_SCORED = {
    "pending": "pending in the suite",
    "added-after-release": "added to the suite after the release",
}

# What the suite requires of HTTP itself: the lean wire uses stdio, and the bridge between the two carries
# only messages. Scenarios, and single checks of others.
ABOUT_HTTP = {
    "dns-rebinding-protection": "hosts and origins",
    "http-header-validation": "headers",
    "http-custom-header-server-validation": "headers",
    "server-sse-polling": "resuming streams",
    "sep-2575-http-server-header-mismatch-400": "headers",
    "sep-2575-http-server-method-not-found-404-initialize": "status codes; over stdio the answer is -32022",
}

PYTHON = (sys.executable, "-W", "error")
CONFORMANCE = (*PYTHON, "-m", "tests.conformance.server")
BRIDGE = (*PYTHON, "-m", "tests.conformance.bridge")


def main(arguments: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Programs(Path(folder)))
        with served(Path(folder) / "server.log", *CONFORMANCE, "http") as url:
            results = {revision: suite.run(revision, url) for revision in REVISIONS}
            with ThreadPoolExecutor(max_workers=4) as pool:
                inspected = list(pool.map(lambda run: inspect(run, url), RUNS))
        with served(Path(folder) / "bridge.log", *BRIDGE) as url:
            lean = {revision: suite.run(revision, url, ABOUT_HTTP) for revision in REVISIONS}
        problems = [
            *suite.problems(results),
            *suite.problems(lean, ABOUT_HTTP),
            *(said for one in inspected for said in one.problems()),
        ]
        if problems:
            print("\n".join(problems), file=sys.stderr)
            return 1
        generated = page(suite, results, lean, inspected)
    passed = ", ".join(
        f"{suite.count(results[revision])} and {suite.count(lean[revision])} of {revision}"
        for revision in REVISIONS
    )
    inspections = len(RUNS) * len(ERAS)
    print(f"conformance: all pass over HTTP and stdio ({passed}), and {inspections} runs of the inspector")
    return publish(generated, is_check="--check" in arguments)


# Programs


@dataclass(frozen=True)
class Outcome:
    """How a program ended, and what it printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Programs:
    """The programs from npm, with a home that is not the user's."""

    home: Path

    def __call__(self, program: str, *words: str, seconds: float = 60) -> Outcome:
        """Run a program, with a time limit."""
        path = f"{NODE_FOLDER}{os.pathsep}{os.environ['PATH']}"
        found = shutil.which(program, path=path)
        if found is None:
            raise SystemExit(f"conformance: {program} is missing (scripts/node)")
        process = subprocess.Popen(
            [found, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PATH": path, "HOME": str(self.home)},
            start_new_session=True,  # it starts others, which must end with it
        )
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate(timeout=10)
            return Outcome(-1, out, f"{err}\nnot done after {seconds:g} s")
        return Outcome(process.returncode, out, err)

    def text(self, program: str, *words: str) -> str:
        """Return what a program prints."""
        outcome = self(program, *words)
        if outcome.code != 0:
            raise SystemExit(f"conformance: {program} {' '.join(words)} failed: {outcome.err.strip()}")
        return outcome.out


@contextmanager
def served(log: Path, *command: str) -> Iterator[str]:
    """The fixtures on a free port of this machine; a traceback in their log is a failure."""
    port = _free_port()
    with log.open("w", encoding="utf-8") as stderr:
        process = subprocess.Popen([*command, str(port)], stderr=stderr, cwd=ROOT)
    try:
        _wait_for(port, process, log)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
        process.kill()
        process.wait(timeout=5)
    said = log.read_text(encoding="utf-8")
    if "Traceback" in said:
        raise SystemExit(f"conformance: the server met a bug:\n{said}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 20
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"conformance: the server did not start:\n{log.read_text(encoding='utf-8')}")
        time.sleep(0.05)


# The suite


@dataclass(frozen=True)
class Scenario:
    """One scenario of the suite, and the revisions of the protocol it belongs to."""

    name: str
    revisions: tuple[str, ...]

    @property
    def not_offered(self) -> str:
        """Why it cannot pass here; empty if it can."""
        return next((why for start, why in NOT_OFFERED.items() if self.name.startswith(start)), "")


@dataclass(frozen=True)
class Result:
    """What a run found in one scenario."""

    statuses: tuple[str, ...]
    failures: tuple[str, ...]

    @classmethod
    def of(cls, checks: Sequence[Mapping[str, Any]]) -> "Result":
        """Read the suite's own record."""
        bad = [check for check in checks if check["status"] in ("FAILURE", "WARNING")]
        said = (f"{check['status']} {check['id']} {check.get('errorMessage', '')}".rstrip() for check in bad)
        return cls(tuple(check["status"] for check in checks), tuple(said))

    @property
    def verdict(self) -> str:
        """What the table shows; a warning is a SHOULD that was not kept, and fails here."""
        if self.failures:
            return "fail"
        return "pass" if "SUCCESS" in self.statuses else "nothing checked"


Results = Mapping[str, Result]


@dataclass
class Suite:
    """The conformance suite: its scenarios, what it requires, and its results."""

    programs: Programs
    scenarios: list[Scenario] = field(init=False)
    unscored: dict[str, dict[str, str]] = field(init=False)  # by revision: scenario and reason
    version: str = field(init=False)
    broken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        listed = self.programs.text("conformance", "list", "--server")
        found = re.findall(r"^  - (\S+) \[(.*)\]$", listed, re.MULTILINE)
        self.scenarios = [Scenario(name, tuple(revisions.split(","))) for name, revisions in found]
        self.unscored = {revision: self._unscored(revision) for revision in REVISIONS}
        self.version = self.programs.text("conformance", "--version").strip()

    def _unscored(self, revision: str) -> dict[str, str]:
        listed = self.programs.text("conformance", "list", "--server", "--requirements", revision)
        reason, found = "", {}
        for line in listed.partition("never scored:")[2].splitlines():
            if heading := re.fullmatch(r"  (\S+) \(\d+\):", line):
                reason = heading[1]
            elif entry := re.fullmatch(r"    - (\S+) \[server\]", line):
                found[entry[1]] = reason
        return found

    def run(self, revision: str, url: str, not_here: Collection[str] = ()) -> Results:
        """Run what one revision requires; what does not apply is left out of the record."""
        folder = self.programs.home / f"{revision}{' lean' if not_here else ''}"
        words = ("server", "--url", url, "--requirements", revision, "-o", str(folder))
        outcome = self.programs("conformance", *words, seconds=300)
        if outcome.code != 0 and not not_here:
            self.broken.append(f"{revision}: the suite ended with {outcome.code}. {outcome.err}".rstrip())
        results = {}
        for checks in folder.glob("*/checks.json"):
            named = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", checks.parent.name)
            assert named, checks
            if named[1] not in not_here:
                found = json.loads(checks.read_text(encoding="utf-8"))
                results[named[1]] = Result.of([check for check in found if check["id"] not in not_here])
        return results

    def problems(self, results: Mapping[str, Results], not_here: Collection[str] = ()) -> list[str]:
        """Return what should have passed and did not; an extension that is not offered need not."""
        found = [] if not_here else list(self.broken)
        for scenario in self.scenarios:
            for revision in REVISIONS:
                if scenario.not_offered or revision not in scenario.revisions or scenario.name in not_here:
                    continue
                result = results[revision].get(scenario.name)
                if result is None:
                    found.append(f"{revision} {scenario.name}: did not run")
                elif result.verdict != "pass":
                    found.append(
                        f"{revision} {scenario.name}: {result.verdict}. {'; '.join(result.failures)}"
                    )
        return found

    def count(self, results: Results) -> int:
        """How many passed."""
        return sum(result.verdict == "pass" for result in results.values())

    def remark(self, scenario: Scenario) -> str:
        """Why it does not apply somewhere, or is not scored."""
        newest, before = REVISIONS
        remarks = []
        if scenario.not_offered:
            return f"not scored: {scenario.not_offered}"
        if newest not in scenario.revisions:
            remarks.append(f"removed in {newest}")
        elif before not in scenario.revisions:
            remarks.append(f"new in {newest}")
        reasons = {self.unscored[revision].get(scenario.name, "") for revision in REVISIONS} - {""}
        return "; ".join([*remarks, *(f"not scored: {NOT_SCORED[reason]}" for reason in sorted(reasons))])


# The inspector


@dataclass(frozen=True)
class Run:
    """One request the inspector sends to a server, and how it should end; over stdio it starts the server."""

    server: str
    words: tuple[str, ...]
    says: str  # {version} is the revision of the era
    code: int = 0
    over: str = "stdio"


FAILED = 5  # the inspector's exit code when a tool fails
_FIXTURES = [
    Run("conformance", ("initialize",), '"protocolVersion":"{version}"'),
    Run("conformance", ("tools/list", "--strict"), "test_simple_text"),
    Run(
        "conformance",
        ("tools/call", "--tool-name", "test_header_param", "--tool-arg", "region=eu"),
        "Looked in eu.",
    ),
    Run("conformance", ("tools/call", "--tool-name", "test_error_handling"), "intentionally", FAILED),
    Run("conformance", ("resources/read", "--uri", "test://static-text"), "the static text resource"),
    Run("conformance", ("prompts/get", "--prompt-name", "test_simple_prompt"), "a simple prompt"),
]
SDK, HTTP = "stdio, the SDK's wire", "HTTP"
RUNS = [
    *_FIXTURES,
    *(replace(run, over=over) for over in (SDK, HTTP) for run in _FIXTURES),
    Run("example", ("initialize",), '"protocolVersion":"{version}"'),
    Run("example", ("tools/list", "--strict"), "memo_get"),
    Run("example", ("tools/call", "--tool-name", "memo_get", "--tool-arg", "name=tea"), "Four minutes."),
    Run("example", ("tools/call", "--tool-name", "memo_get", "--tool-arg", "name=t"), "not found", FAILED),
    Run("example", ("resources/read", "--uri", "memo://tea"), "Four minutes."),
    Run(
        "example",
        ("prompts/get", "--prompt-name", "summarise_memo", "--prompt-args", "name=tea"),
        "Four minutes.",
    ),
]


@dataclass(frozen=True)
class Inspected:
    """How one run ended in each era."""

    run: Run
    ends: Mapping[str, Outcome]

    def problems(self) -> list[str]:
        """Return the runs that did not end as expected."""
        return [self._problem(era, end) for era, end in self.ends.items() if not self._is_fine(era, end)]

    def _is_fine(self, era: str, end: Outcome) -> bool:
        return end.code == self.run.code and self.run.says.replace("{version}", ERAS[era]) in end.out

    def _problem(self, era: str, end: Outcome) -> str:
        ended = f"exit {end.code}; wanted {self.run.code}, and the words: {self.run.says}"
        said = f"{end.out[:1000]}\n{end.err[:1000]}".strip()
        where = f"{era}, {self.run.server}, {self.run.over}, {' '.join(self.run.words)}"
        return f"inspector, {where}: {ended}\n{said}"


def inspect(run: Run, url: str) -> Inspected:
    """Let the inspector make one run in each era; the address is that of the fixtures."""
    with tempfile.TemporaryDirectory() as home:
        if run.over == HTTP:
            command = [url, "--transport", "http"]
        elif run.server == "conformance":
            command = [*CONFORMANCE, "sdk" if run.over == SDK else "lean"]
        else:
            command = _example(Path(home))
        path = os.environ.get("PYTHONPATH")
        handed = ["-e", f"PYTHONPATH={path}"] if path else []  # otherwise a server sees little but the home
        ends = {}
        for era in ERAS:
            words = ["--cli", "--protocol-era", era, *handed, *command, "--method", *run.words]
            ends[era] = Programs(Path(home))("mcp-inspector", *words, "--format", "json")
    return Inspected(run, ends)


def _example(folder: Path) -> list[str]:
    """The product's own command on a workspace with one memo."""
    memo = folder / "workspace" / "memos" / "tea.md"
    memo.parent.mkdir(parents=True)
    memo.write_text("---\ntitle: Tea\ntags: []\n---\nFour minutes.\n", encoding="utf-8")
    return [*PYTHON, "-m", "laconic", "serve", "example", "--workspace", str(folder / "workspace")]


# The page


def page(
    suite: Suite,
    results: Mapping[str, Results],
    lean: Mapping[str, Results],
    inspected: Sequence[Inspected],
) -> str:
    """The generated part: nothing in it changes from run to run unless a result does."""
    lines = [f"Conformance suite {suite.version}, requirements {' and '.join(REVISIONS)}:", ""]
    lines += [f"| scenario | {' | '.join(REVISIONS)} | remark |", "| --- | --- | --- | --- |"]
    for scenario in suite.scenarios:
        found = [results[revision].get(scenario.name) for revision in REVISIONS]
        cells = [result.verdict if result else "n/a" for result in found]
        lines.append(f"| {' | '.join([scenario.name, *cells, suite.remark(scenario)])} |")
    passed = " and ".join(f"{suite.count(lean[revision])} for {revision}" for revision in REVISIONS)
    lines += [
        "",
        "The same scenarios over the lean wire, behind a bridge from HTTP to stdio:",
        f"{passed} pass. These test HTTP itself and do not apply:",
    ]
    lines += ["", "| scenario or check | what it tests |", "| --- | --- |"]
    lines += [f"| {name} | {why} |" for name, why in ABOUT_HTTP.items()]
    version = suite.programs.text("mcp-inspector", "--version").strip()
    lines += ["", f"Inspector {version}, its command line. Over stdio it starts the servers itself:", ""]
    lines += [f"| server | over | run | {' | '.join(ERAS)} |", "| --- | --- | --- | --- | --- |"]
    for one in inspected:
        words, cells = " ".join(one.run.words), [f"exit {one.ends[era].code}" for era in ERAS]
        lines.append(f"| {' | '.join([one.run.server, one.run.over, f'`{words}`', *cells])} |")
    return "\n".join(lines)


def publish(generated: str, *, is_check: bool) -> int:
    """Write it into the page, or report where the page differs."""
    old = PAGE.read_text(encoding="utf-8")
    head, begin, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"conformance: {PAGE.name} has no place for the tables: {BEGIN} … {END}")
    new = f"{head}{BEGIN}\n\n{generated}\n\n{END}{tail}"
    if new == old:
        return 0
    name = str(PAGE.relative_to(ROOT))
    if is_check:
        sys.stderr.writelines(unified_diff(old.splitlines(True), new.splitlines(True), name, "this run"))
        print(f"conformance: {name} is not current: run scripts/conformance", file=sys.stderr)
        return 1
    PAGE.write_text(new, encoding="utf-8")
    print(f"conformance: {name} written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
