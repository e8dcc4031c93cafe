"""The worker: a process that checks and renders templates, one after another, until its input ends.

It starts with the limits as its arguments. Once it has imported what it needs, it can open no file, and a
template that takes too long ends it.
"""

from __future__ import annotations

import resource
import signal
import sys
from collections import OrderedDict
from typing import Any, BinaryIO, Final

from jinja2 import Template

from laconic.servers.prompts.templates.checking import inspect
from laconic.servers.prompts.templates.environment import RestrictedEnvironment
from laconic.servers.prompts.templates.limits import RenderLimits, TemplateFault
from laconic.servers.prompts.templates.messages import HEAD, length_of, packed, unpacked
from laconic.servers.prompts.templates.rendering import render
from laconic.servers.prompts.templates.resolving import resolved

__all__ = ["TemplateWorker", "main"]

_KEPT: Final = 64  # compiled templates
_MEGABYTE: Final = 1 << 20


class TemplateWorker:
    """Answers one request after another."""

    def __init__(self, limits: RenderLimits) -> None:
        self._limits = limits
        self._environment = RestrictedEnvironment(limits.output)
        self._compiled: OrderedDict[str, Template] = OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what was asked for, or the fault of the template."""
        try:
            if request["do"] == "inspect":
                return inspect(self._environment, request["source"])
            if request["do"] == "resolve":
                most = self._limits.output
                return {"text": resolved(self._environment, request["source"], request["sources"], most)}
            return {"text": self._rendered(request)}
        except TemplateFault as fault:
            return {"fault": [fault.kind, fault.message, fault.line, fault.prompt]}
        except MemoryError:
            raise
        except Exception as error:  # of Jinja itself; a worker that ends is taken for one out of memory
            return {"fault": ["failed", f"It cannot be used: {type(error).__name__}.", None, ""]}

    def _rendered(self, request: dict[str, Any]) -> str:
        environment, template = self._environment, None
        if request["sources"]:
            environment = RestrictedEnvironment(self._limits.output, request["sources"])
        else:
            template = self._compiled.get(request["source"])
        if template is None:
            template = environment.from_string(request["source"])
            if not request["sources"]:
                self._keep(request["source"], template)
        return render(environment, template, request["values"], request["missing"], self._limits.output)

    def _keep(self, source: str, template: Template) -> None:
        self._compiled[source] = template
        if len(self._compiled) > _KEPT:
            self._compiled.popitem(last=False)


def main() -> None:
    """Serve requests on the standard streams."""
    output, seconds, megabytes = sys.argv[1:]
    worker = TemplateWorker(
        RenderLimits(output=int(output), seconds=float(seconds), megabytes=int(megabytes))
    )
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    _warm_up(worker)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    _restrict(int(megabytes), files[1])
    _send(sink, {"ready": True})
    while (request := _receive(source)) is not None:
        signal.setitimer(signal.ITIMER_PROF, float(seconds))  # its signal ends the process
        try:
            answer = worker.answer(request)
        except MemoryError:
            answer = {"fault": ["too large", f"It needs more than {megabytes} MB of memory.", None, ""]}
        signal.setitimer(signal.ITIMER_PROF, 0)
        _send(sink, answer)
    resource.setrlimit(resource.RLIMIT_NOFILE, files)


def _warm_up(worker: TemplateWorker) -> None:
    """Use what is imported on first use: later no file can be opened."""
    filters = "{{ x|tojson }}{{ 'é\\n'|urlencode }}{{ x|striptags }}{{ x|wordwrap }}"
    for source in (f"{{% set é = 1 %}}{filters}{{{{ 1/0 }}}}", "{{ y }}"):
        worker.answer({"do": "inspect", "source": source})
        worker.answer({"do": "render", "source": source, "values": {"x": "é"}, "missing": [], "sources": {}})


def _restrict(megabytes: int, most_files: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * _MEGABYTE,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, most_files))


def _receive(source: BinaryIO) -> dict[str, Any] | None:
    head = source.read(HEAD)
    return unpacked(source.read(length_of(head))) if len(head) == HEAD else None


def _send(sink: BinaryIO, answer: dict[str, Any]) -> None:
    sink.write(packed(answer))
    sink.flush()


if __name__ == "__main__":
    main()
