"""`laconic eval SUITE`: ask a model to use the tools, execute its calls, and check what came of them."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic import __version__
from laconic.kit.errors import BadConfiguration

if TYPE_CHECKING:
    from laconic.evals.providers.choosing import Chosen
    from laconic.evals.results import Run
    from laconic.evals.suite import ModelSpec, Suite

__all__ = ["EPILOG", "eval_"]

EPILOG = """\
\b
examples:
  laconic eval                                        # the suites that come with Laconic
  laconic eval prompts-edit                           # with its scripted model: tests the suite itself
  laconic eval prompts-edit --model anthropic/NAME    # the key comes from ANTHROPIC_API_KEY
  laconic eval suite.yaml --model openai/NAME --url http://127.0.0.1:8000/v1
  laconic eval --compare one.json two.json            # two results beside each other

Exit status: 0 enough samples passed; 1 too few; 2 wrong usage, or the suite is wrong.
"""


def eval_(
    suite: Annotated[
        str | None, typer.Argument(metavar="SUITE", help="a file, or a name from the list")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Argument(metavar="RESULT", help="with --compare: two results")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", metavar="PROVIDER/NAME", help="model to ask; repeatable")
    ] = None,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="address of the model's API")] = "",
    samples: Annotated[int | None, typer.Option(min=1, help="how often each case is asked")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="cases at the same time")] = None,
    results: Annotated[Path, typer.Option(metavar="DIR", help="folder for the results")] = Path(
        "eval-results"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="print the result as JSON")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="forget an interrupted run")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="show two results beside each other")] = False,
) -> None:
    """Run a suite of questions for a model through the real tools."""
    from laconic.evals.conversation import BadSuite

    try:
        if compare:
            _compare([Path(suite)] if suite else [], others or [])
            return
        if suite is None:
            _list()
            return
        passed = _run(suite, model or [], url, samples, concurrency, results, as_json, fresh)
    except BadSuite as error:
        raise BadConfiguration(str(error), advice="") from None
    if not passed:
        raise typer.Exit(1)


def _list() -> None:
    from laconic.evals.reading import read_suite, shipped

    for name in shipped():
        suite = read_suite(name)
        typer.echo(f"{name}\t{len(suite.test_cases)} cases\t{suite.description}")


def _compare(first: list[Path], others: list[Path]) -> None:
    from laconic.cli.eval.showing import show_two
    from laconic.evals.results import read_run

    paths = [*first, *others]
    if len(paths) != 2:
        raise BadConfiguration("--compare takes two results.", advice="")
    runs = []
    for path in paths:
        try:
            runs.append(read_run(path))
        except OSError as error:
            raise BadConfiguration(f"{path.name} cannot be read: {error.strerror}.", advice="") from None
        except ValueError:
            raise BadConfiguration(f"{path.name} is not a result of laconic eval.", advice="") from None
    show_two(*runs)


def _run(
    name: str,
    models: list[str],
    url: str,
    samples: int | None,
    concurrency: int | None,
    folder: Path,
    as_json: bool,
    fresh: bool,
) -> bool:
    from laconic.evals.providers.choosing import Chosen, spec_of
    from laconic.evals.reading import read_suite

    suite = read_suite(name)
    more = {"samples": samples, "max_concurrency": concurrency}
    limits = suite.eval.model_copy(update={key: value for key, value in more.items() if value is not None})
    suite = suite.model_copy(update={"eval": limits})
    specs = [spec_of(one) for one in models] or list(suite.models) or _scripted(suite)
    runs = [_asked(suite, Chosen(suite, spec, url, os.environ), folder, fresh) for spec in specs]
    for run in runs:
        _print(run, as_json)
    return all(run.passed for run in runs)


def _scripted(suite: Suite) -> list[ModelSpec]:
    from laconic.evals.conversation import BadSuite
    from laconic.evals.suite import ModelSpec

    names = suite.scripts()
    if not names:
        raise BadSuite(f"{suite.name} names no model and has no scripts. Pass --model.")
    return [ModelSpec(provider="scripted", name="right" if "right" in names else names[0])]


def _asked(suite: Suite, chosen: Chosen, folder: Path, fresh: bool) -> Run:
    import asyncio

    from laconic.cli.cost import meter
    from laconic.cli.eval.progress import CaseBar
    from laconic.cli.eval.stages import stages_of
    from laconic.evals.results import Run, Unfinished
    from laconic.evals.running import run
    from laconic.kit import learn_secrets
    from laconic.stores.durable import free_name

    learn_secrets(chosen.secret)
    spec = chosen.spec
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", f"{suite.name}-{spec.title}")
    started = datetime.now(UTC)
    head = {"suite": suite.digest, "model": spec.model_dump(mode="json")}
    kept = Unfinished(folder / f"{stem}-{suite.digest}.json", head)
    before = [] if fresh else kept.read()
    known = [one for one in before if one["sample"] < suite.eval.samples]
    if known:
        typer.echo(f"Continuing an interrupted run: {len(known)} results are known.", err=True)
    kept.start(before)
    scale = meter()

    async def work() -> list[dict[str, Any]]:
        try:
            total = len(suite.test_cases) * suite.eval.samples
            with CaseBar(total, len(known)) as progress, stages_of(suite) as stages:

                def done(record: dict[str, Any]) -> None:
                    kept.add(record)
                    progress.advance()

                return await run(
                    suite,
                    stages,
                    chosen,
                    count=scale.count,
                    known=known,
                    done=done,
                )
        finally:
            await chosen.close()

    try:
        records = asyncio.run(work())
    except KeyboardInterrupt:
        typer.echo("Interrupted. The same command continues where it was.", err=True)
        raise
    about = {
        "started": started.isoformat(timespec="seconds"),
        "laconic": __version__,
        "tokens_exact": scale.exact,
    }
    result = Run.of(suite, spec, records, about)
    result.write(free_name(folder / f"{stem}-{started:%Y%m%d-%H%M%S}.json"))
    kept.end()
    return result


def _print(run: Run, as_json: bool) -> None:
    import json

    from laconic.cli.eval.showing import show_run

    if as_json:
        typer.echo(json.dumps(run.data, ensure_ascii=False, indent=2))
    else:
        show_run(run)
