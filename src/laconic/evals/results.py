"""Results: one record per case and sample, kept while a run goes on, and a stable JSON file in the end."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from laconic.evals.conversation import Outcome
from laconic.evals.suite import ModelSpec, Suite
from laconic.stores.durable import write_over

__all__ = ["Run", "Unfinished", "read_run", "record_of"]

FORMAT: Final = 1
_PARTIAL: Final = ".partial.jsonl"


def record_of(case: str, sample: int, outcome: Outcome) -> dict[str, Any]:
    """Return what is kept of a case."""
    return {"case": case, "sample": sample, **asdict(outcome)}


@dataclass(frozen=True)
class Run:
    """A finished run."""

    data: dict[str, Any]

    @classmethod
    def of(
        cls, suite: Suite, model: ModelSpec, records: Iterable[dict[str, Any]], about: Mapping[str, Any]
    ) -> Run:
        """Sum up the records of a run; a sample passes if all its cases do."""
        ordered = sorted(records, key=lambda one: (one["sample"], [*_ids(suite)].index(one["case"])))
        samples: dict[int, bool] = defaultdict(lambda: True)
        for one in ordered:
            samples[one["sample"]] &= one["outcome"] == "pass"
        rate = sum(samples.values()) / len(samples)
        return cls(
            {
                "format": FORMAT,
                "suite": {"name": suite.name, "digest": suite.digest},
                "model": model.model_dump(mode="json"),
                **about,
                "samples": len(samples),
                "samples_passed": sum(samples.values()),
                "pass_threshold": suite.eval.pass_threshold,
                "passed": rate >= suite.eval.pass_threshold,
                "cases": [_summed(id, ordered) for id in _ids(suite)],
                "records": ordered,
            }
        )

    @property
    def passed(self) -> bool:
        """True if enough samples passed."""
        return bool(self.data["passed"])

    @property
    def title(self) -> str:
        """The suite and the model."""
        model = self.data["model"]
        return f"{self.data['suite']['name']} with {model['provider']}/{model['name']}"

    def write(self, path: Path) -> None:
        """Write the run to a file."""
        write_over(path, f"{json.dumps(self.data, ensure_ascii=False, indent=2)}\n".encode())


def _ids(suite: Suite) -> list[str]:
    return [case.id for case in suite.test_cases]


def _summed(id: str, records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    mine = [one for one in records if one["case"] == id]
    count = len(mine) or 1
    return {
        "id": id,
        "samples": len(mine),
        "passed": sum(one["outcome"] == "pass" for one in mine),
        "errors": sum(one["outcome"] == "error" for one in mine),
        "calls": round(sum(len(one["calls"]) for one in mine) / count, 2),
        "tokens": {
            kind: round(sum(one["tokens"].get(kind, 0) for one in mine) / count)
            for kind in ("tools", "answers", "in", "out")
        },
    }


class Unfinished:
    """The records of a run that goes on, or that was interrupted: one line each, appended."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        self._path = path.with_name(path.name.removesuffix(".json") + _PARTIAL)
        self._head = dict(head)

    def read(self) -> list[dict[str, Any]]:
        """Return what an interrupted run of the same suite and model kept; a torn last line is dropped."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        found: list[dict[str, Any]] = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except ValueError:
                break
        return found[1:] if found[:1] == [self._head] else []

    def start(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Write the head and what is known already."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(one, ensure_ascii=False) for one in (self._head, *records)]
        write_over(self._path, "".join(f"{line}\n" for line in lines).encode())

    def add(self, record: Mapping[str, Any]) -> None:
        """Append a record."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def end(self) -> None:
        """Remove the file: the run is written whole elsewhere."""
        self._path.unlink(missing_ok=True)


def read_run(path: Path) -> Run:
    """Read a finished run.

    Raises:
        ValueError: the file is not one.
        OSError: it cannot be read.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("is not a result of laconic eval, or of another version")
    return Run(data)
