"""Former names, parameters and types keep working, with a note for the model and a warning in the log."""

from __future__ import annotations

from laconic.kit.declaring.signature import Parameter
from laconic.kit.declaring.spec import Spec, ToolSpec
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for
from laconic.kit.redaction import redacted_log

log = redacted_log("laconic.deprecated")


def names() -> Step:
    """Translate former names into present ones."""

    @only_for(_has_past)
    async def step(call: Call, inner: Inner) -> Answer:
        assert isinstance(call.spec, ToolSpec)
        _tool(call, call.spec)
        for parameter in call.spec.signature.parameters:
            _parameter(call, parameter)
        return await inner(call)

    return step


def _has_past(spec: Spec) -> bool:
    """True if something about a tool had another name or type before."""
    has_was = any(parameter.was for parameter in spec.signature.parameters)
    return isinstance(spec, ToolSpec) and (bool(spec.formers) or has_was)


def _tool(call: Call, spec: ToolSpec) -> None:
    for former in spec.formers:
        if former.name == call.name:
            _note(call, f"{former.name} is now {spec.name}{_until(spec.until)}; use that name.")
            for old, new in former.arguments.items():
                _rename(call, old, new)


def _parameter(call: Call, parameter: Parameter) -> None:
    for was in parameter.was:
        if was.name and _rename(call, was.name, parameter.wire):
            _note(call, f"{was.name} is now {parameter.wire}{_until(was.until)}.")
        value = call.arguments.get(parameter.wire)
        if was.type is not None and isinstance(value, was.type):
            try:
                call.arguments[parameter.wire] = was.convert(value) if was.convert else value
            except (ValueError, TypeError):
                return  # the check of arguments that follows tells what is allowed
            _note(call, f"{parameter.wire} is no longer a {_kind(was.type)}{_until(was.until)}.")


def _rename(call: Call, old: str, new: str) -> bool:
    if old not in call.arguments or new in call.arguments:
        return False
    call.arguments[new] = call.arguments.pop(old)
    return True


def _note(call: Call, note: str) -> None:
    call.notes.append(note)
    log.warning("[DEPRECATED] %s", note)


def _until(until: str | None) -> str:
    return f" (the old form works until {until})" if until else ""


def _kind(kind: type) -> str:
    return {str: "string", int: "number", list: "list", dict: "object", bool: "boolean"}.get(
        kind, kind.__name__
    )
