"""Your own step: counts the calls of every tool, and how they ended.

A step takes a call and the next step, and is added in one place: `steps=`. It is outside the kit's cache, so
a cached answer is counted, too, although the tool did not run.

    python -m examples.counter_step    # serves over stdio with the step; `laconic serve` would leave it out
"""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Literal

from laconic.kit import Answer, Call, Endpoint, Inner, Settings, Toolset, UpstreamDown

counts: Counter[tuple[str, str]] = Counter()


async def count(call: Call, inner: Inner) -> Answer:
    """Count a call by its tool and its end; an exception of any kind passes through."""
    outcome = "failed"
    try:
        answer = await inner(call)
        outcome = "answered"
        return answer
    finally:
        counts[call.spec.name, outcome] += 1


toolset = Toolset("counter_step", "Tides, and how often they were asked for.")
settings = Settings(steps=[count])


@toolset.read(cache=60, deadline=5)
async def tide_get(harbour: Annotated[Literal["Brest", "Dover"], "Which harbour."]) -> str:
    """Say when the next high tide is."""
    if harbour == "Dover":
        raise UpstreamDown("The gauge of Dover does not answer.")
    return f"High tide at 05:12, read off at {datetime.now(UTC):%H:%M:%S.%f}."


@toolset.read
async def call_counts() -> str:
    """Say how often each tool was called so far, and how that ended."""
    return "\n".join(f"{tool} {outcome}: {times}" for (tool, outcome), times in sorted(counts.items()))


if __name__ == "__main__":
    from laconic.kit.wire.stdio import serve_stdio

    asyncio.run(serve_stdio(Endpoint([toolset], settings=settings)))
