"""The result of a benchmark: printed, saved as JSON, and written into the docs as tables and plots."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from benchmarks.harness import Measured
from benchmarks.programs import ROOT

__all__ = ["Bars", "Result", "Table", "figures", "short", "times", "write"]

_RESULTS = ROOT / "benchmarks" / "results"
_PAGE = ROOT / "docs" / "benchmarks.md"
_IMAGES = ROOT / "docs" / "images"


@dataclass(frozen=True)
class Table:
    """Rows under columns, with a caption."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Return the table as the docs show it, with figures aligned right."""
        ruler = ["---", *["--:"] * (len(self.columns) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in (self.columns, ruler, *self.rows)]
        return "\n".join([self.caption, "", *lines])


@dataclass(frozen=True)
class Bars:
    """A bar plot, with one bar per series and label; `line` marks the target."""

    name: str
    title: str
    unit: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]
    line: float | None = None
    is_log: bool = False


@dataclass(frozen=True)
class Result:
    """All results of one benchmark."""

    name: str
    tables: Sequence[Table]
    plots: Sequence[Bars] = ()
    notes: Sequence[str] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)

    def markdown(self) -> str:
        """Return its part of the page."""
        pictures = [f"![{plot.title}](images/{plot.name}.svg)" for plot in self.plots]
        return "\n\n".join([*(table.markdown() for table in self.tables), *pictures, *self.notes])


def times(ratio: float) -> str:
    """Format a ratio."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def figures(found: Mapping[str, Measured], baseline: Mapping[str, str]) -> dict[str, Any]:
    """Return what is saved of measured subjects; `baseline` maps a subject to what it is compared with."""
    kept: dict[str, Any] = {}
    for name, measured in found.items():
        kept[name] = {"median": short(measured.median), "p95": short(measured.p95)}
        if name in baseline:
            low, high = measured.spread(found[baseline[name]])
            ratio = measured.over(found[baseline[name]])
            kept[name] |= {
                "over": baseline[name],
                "ratio": short(ratio),
                "quartiles": [short(low), short(high)],
            }
    return kept


def short(number: float) -> float:
    """Round to four significant digits."""
    return float(f"{number:.4g}")


def write(result: Result) -> None:
    """Save the figures, draw the plots, and fill the result's part of the page."""
    _RESULTS.mkdir(parents=True, exist_ok=True)
    kept = {"run": _run(), "figures": result.figures}
    _RESULTS.joinpath(f"{result.name}.json").write_text(
        json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    for plot in result.plots:
        _draw(plot)
    text = _PAGE.read_text(encoding="utf-8")
    _PAGE.write_text(filled(text, result), encoding="utf-8")


def filled(text: str, result: Result) -> str:
    """Return the page with one result's part filled in.

    Raises:
        ValueError: the page has no place for it.
    """
    start = re.escape(f"<!-- generated:bench-{result.name} -->\n")
    region = re.compile(rf"({start}).*?(<!-- /generated -->)", re.DOTALL)
    run = _run()
    note = f"Run of {run['day']}: Python {run['python']}, mcp {run['mcp']}, {run['cores']} shared cores"
    note += f" at a load of {run['load']}." if run["load"] else "."
    body = f"\n{result.markdown()}\n\n{note}\n\n"
    text, count = region.subn(lambda match: f"{match[1]}{body}{match[2]}", text)
    if count != 1:
        raise ValueError(f"docs/benchmarks.md has no place for bench-{result.name}")
    return text


def _run() -> dict[str, Any]:
    """Return what the figures depend on, without identifying the machine."""
    versions = {name: version(name) for name in ("mcp", "pydantic", "uvicorn")}
    return {
        "day": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[1]) if hasattr(os, "getloadavg") else 0,  # of the last minutes
        **versions,
    }


def _draw(plot: Bars) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": plot.name, "font.size": 9})
    from matplotlib import pyplot

    height = 0.9 + 0.22 * len(plot.labels) * len(plot.series) + 0.25 * len(plot.labels)
    figure, axes = pyplot.subplots(figsize=(7, height), layout="constrained")
    thick = 0.8 / len(plot.series)
    for number, (name, values) in enumerate(plot.series.items()):
        places = [place + thick * number for place in range(len(values))]
        bars = axes.barh(places, values, height=thick * 0.9, label=name, log=plot.is_log)
        axes.bar_label(
            bars, fmt=lambda value: f"{value:,.3g}" if value < 1000 else f"{value:,.0f}", padding=2
        )
    middle = thick * (len(plot.series) - 1) / 2
    axes.set_yticks([place + middle for place in range(len(plot.labels))], plot.labels)
    axes.invert_yaxis()
    axes.set_xlabel(plot.unit)
    axes.set_title(plot.title, loc="left", fontsize=10)
    axes.margins(x=0.15)
    axes.spines[["top", "right"]].set_visible(False)
    if plot.line is not None:
        axes.axvline(plot.line, color="black", linewidth=0.8, linestyle="--")
    if len(plot.series) > 1:
        axes.legend(frameon=False, fontsize=8)
    _IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(_IMAGES / f"{plot.name}.svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
