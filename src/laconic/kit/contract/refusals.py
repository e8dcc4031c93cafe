"""Rules about failures: each tells what is wrong and what to do next, in few words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from laconic.kit.arguments.known import arguments_of
from laconic.kit.contract.calls import leaves, misfit
from laconic.kit.contract.trial import Trial
from laconic.kit.errors import Bug
from laconic.kit.errors.notices import MOST_BYTES
from laconic.kit.keeping.handles import TOOL
from laconic.kit.redaction import Redactor, strings_in
from laconic.kit.testing import Reply
from laconic.text.names import SUGGESTION

_NONSENSE = "no-such-thing"
_MANY = 20  # more than fit into the text of a failure
_WAY = re.compile(r"\b(handle|lines)='([^']+)'")


async def an_unknown_argument_is_refused(trial: Trial) -> None:
    """An argument that does not exist is refused by name, with the nearest one that does exist."""
    right = next(iter(trial.properties), None)
    wrong = _misspelt(right or "argument", [*arguments_of(trial.spec).names, *_former_names(trial)])
    reply = await trial.send({wrong: "x"})
    if not reply.failed:
        raise trial.broken(f"the unknown argument '{wrong}' was accepted.")
    if wrong not in reply.text or (right and f"'{right}'" not in reply.text):
        raise trial.broken(f"'{wrong}' is refused without naming '{right}'.", f"it says: {reply.text}")
    _sound(trial, reply, {wrong: "x"})


def _misspelt(name: str, known: list[str]) -> str:
    wrong = name + name[-1]
    while wrong in known:
        wrong += name[-1]
    return wrong


def _former_names(trial: Trial) -> list[str]:
    of_tool = [old for former in trial.spec.formers for old in former.arguments]
    return of_tool + [was.name for one in trial.spec.signature.parameters for was in one.was if was.name]


async def a_failure_says_what_to_do(trial: Trial) -> None:
    """A failure has a code and a next action in at most 600 bytes, and no secret, path or stack trace."""
    for arguments in _mistakes(trial):
        reply = await trial.send(arguments)
        if reply.failed:
            _sound(trial, reply, arguments)
            if reply.error["code"] == Bug.code:
                raise trial.broken("a mistake of the caller becomes a bug.", f"called with {arguments}")
    for arguments in trial.terms.failing.get(trial.spec.name, ()):
        reply = await trial.send(arguments)
        if not reply.failed:
            raise trial.broken(f"this does not fail: {arguments}", "give arguments that fail in failing=")
        _sound(trial, reply, arguments)


async def every_mistake_is_reported(trial: Trial) -> None:
    """A call with many mistakes is told each of them: in the data, and in the text or behind its handle."""
    mistakes = {f"no_such_argument_{place}": place for place in range(_MANY)}
    reply = await trial.send(mistakes)
    if not reply.failed:
        return  # another rule is about that
    everywhere = {"the record": repr(reply.error.get("problems")), "the text": await _whole(trial, reply)}
    if trial.output != "text":
        everywhere["the data"] = repr(reply.structured)
    for where, words in everywhere.items():
        missing = [name for name in mistakes if f"'{name}'" not in words]
        if missing:
            raise trial.broken(
                f"of {_MANY} unknown arguments, {len(missing)} are not in {where}.", f"it says: {reply.text}"
            )


async def _whole(trial: Trial, reply: Reply) -> str:
    """Return the text of a failure, and what it says is kept."""
    way = dict(_WAY.findall(reply.text))
    if not way:
        return reply.text
    rest = await trial.client.send(TOOL, way)
    return f"{reply.text}\n{rest.text}"


async def a_failure_fits_its_schema(trial: Trial) -> None:
    """A failure fits the listed output schema, because clients check failures against it, too."""
    schema = trial.listed.get("outputSchema")
    for arguments in [{"no_such_argument": 1}, *trial.terms.failing.get(trial.spec.name, ())]:
        reply = await trial.send(arguments)
        wrong = misfit(schema, reply.structured) if schema and reply.failed else None
        if wrong:
            raise trial.broken(f"a failure does not fit the output schema: {wrong}", f"it was {arguments}")


def _mistakes(trial: Trial) -> Iterator[dict[str, Any]]:
    """Return calls as a careless caller makes them: an argument missing, of the wrong type, or unknown."""
    sample = dict(trial.terms.samples.get(trial.spec.name, {}))
    for name in trial.listed["inputSchema"].get("required", ()):
        yield {key: value for key, value in sample.items() if key != name}
    for name, node in trial.properties.items():
        yield {**sample, name: "text" if node.get("type") == "object" else {"not": "what was asked for"}}
        if isinstance(sample.get(name), str):
            yield {**sample, name: _NONSENSE}


def _sound(trial: Trial, reply: Reply, arguments: dict[str, Any]) -> None:
    """Check the form of one failure."""
    called = f"called with {arguments}, it says: {reply.text}"
    record = reply.error
    if not record.get("code") or f"[{record['code']}]" not in reply.text:
        raise trial.broken("a failure has no code in its text.", called)
    advised = [record.get(key) for key in ("next", "allowed", "field", "retryAfterMs")]
    if not any(advised) and SUGGESTION not in reply.text:
        raise trial.broken("a failure has no next action.", f"give the tool a hint=; {called}")
    if len(reply.text.encode()) > MOST_BYTES:
        raise trial.broken(f"a failure takes {len(reply.text.encode())} bytes.", called)
    if trial.output != "text" and not {record["code"], record["message"]} <= set(_words(reply)):
        raise trial.broken("the data of a failure lacks its code or message.", called)
    everything = reply.text + repr(record) + repr(reply.structured)
    if str(trial.folder) in everything or "Traceback" in everything:
        raise trial.broken("a failure shows a path or a stack trace of the machine.", called)
    if Redactor().for_model(everything, strings_in(arguments)) != everything:
        raise trial.broken("a failure shows a secret or a path.", f"do not declare it safe=True; {called}")


def _words(reply: Reply) -> list[str]:
    return [leaf for leaf in leaves(reply.structured) if isinstance(leaf, str)]
