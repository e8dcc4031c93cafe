"""A tool that reads or writes by one of its arguments may read where nothing may be changed."""

from __future__ import annotations

from laconic.kit.errors import Refused
from laconic.kit.pipeline import Answer, Call, Inner, Step, only_for


def reading(read_only: bool) -> Step:
    """Refuse the calls that write of a tool declared with `reads_with`, as `scope` refuses other writes."""

    @only_for(lambda spec: bool(spec.reads_with))
    async def step(call: Call, inner: Inner) -> Answer:
        is_allowed = not read_only and call.peer.caller.may_write
        if not is_allowed and not (call.checked and call.spec.only_reads(call.checked.wire)):
            ways = [f"{name}: {' or '.join(values)}" for name, values in call.spec.reads_with.items()]
            raise Refused(
                f"Nothing can be changed here: {call.spec.name} only takes {', '.join(ways)}.",
                advice="A person can allow changes, by another start of the server or another token.",
            )
        return await inner(call)

    return step
