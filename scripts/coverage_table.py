"""Prints how much of each package the last run of scripts/test --coverage ran."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "src/laconic"


def package_of(file: str) -> str:
    """The package a file belongs to, at most two levels below laconic."""
    return ".".join(["laconic", *Path(file).relative_to(SOURCE).parts[:-1][:2]])


def measured() -> dict[str, dict[str, int]]:
    """Lines and missing lines by file."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "coverage.json")
        # tests also run copies of our code, whose files are gone by now
        options = ["--quiet", "--ignore-errors", f"--include={SOURCE}/*", "-o", str(report)]
        subprocess.run([sys.executable, "-m", "coverage", "json", *options], cwd=ROOT, check=True)
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {name: one["summary"] for name, one in files.items()}


def main() -> None:
    lines: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for file, summary in measured().items():
        for name in (package_of(file), "all"):
            lines[name] += summary["num_statements"]
            missing[name] += summary["missing_lines"]
    width = max(map(len, lines))
    print(f"\n{'package':<{width}}  statements  not run  covered")
    for name in [*sorted(set(lines) - {"all"}), "all"]:
        covered = 1 - missing[name] / lines[name] if lines[name] else 1
        print(f"{name:<{width}}  {lines[name]:>10,}  {missing[name]:>7,}  {covered:>7.1%}")


if __name__ == "__main__":
    main()
