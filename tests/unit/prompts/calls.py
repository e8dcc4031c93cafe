"""What the tests of prompts share: calls that must work, and templates as a model reads them."""

from typing import Any

from laconic.kit.testing import Reply, TestClient

REVIEW = "Review this {{ language }} code:\n\n{{ code }}\n\n"


async def done(client: TestClient, tool: str, **arguments: Any) -> str:
    """Call a tool that must not fail."""
    reply = await client.call(tool, **arguments)
    assert not reply.failed, reply.text
    return str(reply.text)


async def refused(client: TestClient, tool: str, **arguments: Any) -> Reply:
    """Call a tool that must fail."""
    reply = await client.call(tool, **arguments)
    assert reply.failed, reply.text
    return reply


async def create(client: TestClient, name: str = "code-review", content: str = REVIEW, **more: object) -> str:
    return await done(client, "create_prompt", name=name, content=content, **more)


async def edit(client: TestClient, old: str, new: str, name: str = "code-review", **more: object) -> str:
    return await done(client, "edit_prompt_template", name=name, old_str=old, new_str=new, **more)


async def content(client: TestClient, name: str = "code-review") -> str:
    """The template as a model reads it."""
    text = await done(client, "get_prompt_template", name=name)
    return text.partition("<content>\n")[2].removesuffix("\n</content>")
