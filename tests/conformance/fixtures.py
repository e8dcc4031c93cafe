"""Everything the conformance suite of the protocol looks for in a server, declared with the kit.

The suite finds tools, prompts and resources by name, so the names and most words here are the suite's.
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from laconic.kit import (
    Audio,
    Changes,
    Complete,
    Failure,
    Image,
    Message,
    Peer,
    Problem,
    Progress,
    Resource,
    Text,
    Toolset,
)

Question = tuple[str, dict[str, Any]]

PICTURE = Image(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    )
)
SOUND = Audio(
    base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="), "audio/wav"
)
STRING = {"type": "string"}


def form(message: str, *required: str, **properties: dict[str, Any]) -> Question:
    """A question to the person, as a form."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return "elicitation/create", {"mode": "form", "message": message, "requestedSchema": schema}


def sample(prompt: str) -> Question:
    """A question to the client's model."""
    said = {"role": "user", "content": {"type": "text", "text": prompt}}
    return "sampling/createMessage", {"messages": [said], "maxTokens": 100}


ROOTS: Question = ("roots/list", {})
NAME = form("What is your name?", "name", name=STRING)
CONFIRM = form("Please confirm", "ok", ok={"type": "boolean"})
THREE = {"user_name": NAME, "greeting": sample("Generate a greeting"), "client_roots": ROOTS}


def typed(answer: Mapping[str, Any], field: str) -> str:
    """What the person typed into one field of a form."""
    return str((answer.get("content") or {}).get(field))


conformance = Toolset("conformance", "What the conformance suite looks for.", case="camel")

# Answers of every kind


@conformance.read  # the suite calls the first tool of the list without arguments, so this one stays first
async def test_simple_text() -> str:
    """Answer with text."""
    return "This is a simple text response for testing."


@conformance.read
async def test_image_content() -> Image:
    """Answer with an image."""
    return PICTURE


@conformance.read
async def test_audio_content() -> Audio:
    """Answer with a sound."""
    return SOUND


@conformance.read
async def test_embedded_resource() -> Resource:
    """Answer with a resource."""
    return Resource("test://embedded-resource", "This is an embedded resource content.")


@conformance.read
async def test_multiple_content_types() -> list[Text | Image | Resource]:
    """Answer with text, an image and a resource."""
    document = Resource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return [Text("Multiple content types test:"), PICTURE, document]


@conformance.read
async def test_error_handling() -> str:
    """Always fail."""
    raise Failure("This tool intentionally returns an error for testing.")


# What a tool sends while it works


@conformance.read
async def test_tool_with_logging(peer: Peer) -> str:
    """Send three log lines."""
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await peer.log("info", line)
    return "Three lines were logged."


@conformance.read
async def test_logging_tool(peer: Peer) -> str:
    """Send a log line, when the request asked for it."""
    await peer.log("error", "Only for those who asked", logger="conformance")
    return "Done."


@conformance.read
async def test_tool_with_progress(progress: Progress) -> str:
    """Report progress three times."""
    for done in (0, 50, 100):
        await progress(done, 100, f"{done} of 100")
    return "Progress was reported."


@conformance.read
async def test_reconnection(peer: Peer) -> str:
    """Close its own stream, then answer to the client that comes back."""
    await peer.close_stream()
    await asyncio.sleep(0.1)
    return "Answered after the stream was closed."


@conformance.read
async def test_trigger_tool_change(changes: Changes) -> str:
    """Report that the list of tools changed."""
    await changes.tell("tools")
    return "Told."


@conformance.read
async def test_trigger_prompt_change(changes: Changes) -> str:
    """Report that the list of prompts changed."""
    await changes.tell("prompts")
    return "Told."


@conformance.read
async def test_trigger_resource_change(changes: Changes) -> str:
    """Report that the list of resources changed, and one of them."""
    await changes.tell("resources")
    await changes.tell("resource", "test://watched-resource")
    return "Told."


# What a tool asks


@conformance.read
async def test_sampling(peer: Peer, prompt: Annotated[str, "What to ask."]) -> str:
    """Ask the client's model."""
    answers = await peer.ask({"answer": sample(prompt)})
    return f"LLM response: {answers['answer']['content']['text']}"


@conformance.read
async def test_elicitation(peer: Peer, message: Annotated[str, "What to ask."]) -> str:
    """Ask the person."""
    question = form(message, "username", "email", username=STRING, email=STRING)
    answer = (await peer.ask({"user": question}))["user"]
    return f"User response: <action: {answer['action']}, content: {json.dumps(answer.get('content'))}>"


@conformance.read
async def test_elicitation_sep1034_defaults(peer: Peer) -> str:
    """Ask the person with a default of every kind."""
    question = form(
        "Please review the values",
        name={"type": "string", "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    )
    answer = (await peer.ask({"form": question}))["form"]
    return f"Elicitation completed: action={answer['action']}, content={json.dumps(answer.get('content'))}"


@conformance.read
async def test_elicitation_sep1330_enums(peer: Peer) -> str:
    """Ask the person to choose, in every way there is."""
    plain = ["option1", "option2", "option3"]
    titled = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
    question = form(
        "Please choose",
        untitledSingle={"type": "string", "enum": plain},
        titledSingle={"type": "string", "oneOf": titled},
        legacyEnum={"type": "string", "enum": plain, "enumNames": ["First", "Second", "Third"]},
        untitledMulti={"type": "array", "items": {"type": "string", "enum": plain}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )
    answer = (await peer.ask({"form": question}))["form"]
    return f"Elicitation completed: action={answer['action']}, content={json.dumps(answer.get('content'))}"


@conformance.read
async def test_missing_capability(peer: Peer) -> str:
    """Need a client whose model can be asked."""
    await peer.ask({"answer": sample("Anything")})
    return "The client declared sampling."


@conformance.read
async def test_streaming_elicitation(peer: Peer, progress: Progress) -> str:
    """Report progress, then ask the person."""
    await progress(1, 2)
    answers = await peer.ask({"user_name": NAME})
    return f"Hello, {typed(answers['user_name'], 'name')}!"


@conformance.read
async def test_input_required_result_elicitation(peer: Peer) -> str:
    """Ask the person for a name."""
    answers = await peer.ask({"user_name": NAME})
    return f"Hello, {typed(answers['user_name'], 'name')}!"


@conformance.read
async def test_input_required_result_sampling(peer: Peer) -> str:
    """Ask the client's model for a capital."""
    answers = await peer.ask({"capital_question": sample("What is the capital of France?")})
    return f"The model said: {answers['capital_question']['content']['text']}"


@conformance.read
async def test_input_required_result_list_roots(peer: Peer) -> str:
    """Ask the client for its roots."""
    answers = await peer.ask({"client_roots": ROOTS})
    return "Roots: " + ", ".join(root["uri"] for root in answers["client_roots"]["roots"])


@conformance.read
async def test_input_required_result_request_state(peer: Peer) -> str:
    """Ask the person, and remember something meanwhile."""
    await peer.ask({"confirm": CONFIRM}, state="round 1")
    return "state-ok"


@conformance.read
async def test_input_required_result_tampered_state(peer: Peer) -> str:
    """Ask the person, and remember something nobody may change."""
    await peer.ask({"confirm": CONFIRM}, state="sealed")
    return "state-ok"


@conformance.read
async def test_input_required_result_multiple_inputs(peer: Peer) -> str:
    """Ask the person, the model and the client at once."""
    answers = await peer.ask(THREE, state="three")
    name, roots = typed(answers["user_name"], "name"), answers["client_roots"]["roots"]
    return f"{answers['greeting']['content']['text']} {name}, {len(roots)} root(s)"


@conformance.read
async def test_input_required_result_multi_round(peer: Peer) -> str:
    """Ask the person, and then once more."""
    first = await peer.ask({"step1": form("Step 1: your name?", "name", name=STRING)}, state="round 1")
    second = await peer.ask({"step2": form("Step 2: your colour?", "color", color=STRING)}, state="round 2")
    return f"{typed(first['step1'], 'name')} likes {typed(second['step2'], 'color')}"


@conformance.read
async def test_input_required_result_capabilities(peer: Peer) -> str:
    """Ask only what this client can answer."""
    possible = {key: question for key, question in THREE.items() if peer.supports(*question)}
    answers = await peer.ask(possible)
    return "Answered: " + ", ".join(answers)


@conformance.read
async def test_side_by_side(peer: Peer) -> str:
    """Ask two things from two tasks."""
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(peer.ask({"first": NAME}))
        second = tasks.create_task(peer.ask({"second": NAME}))
    return f"{typed(first.result()['first'], 'name')} and {typed(second.result()['second'], 'name')}"


# Schemas


class Address(BaseModel):
    street: str | None = None
    city: str | None = None


def reachable(arguments: Mapping[str, Any]) -> Problem | None:
    """The listed `if`, `then` and `else` as a rule, for callers that do not read the schema."""
    needed = "phone" if arguments.get("contactMethod") == "phone" else "email"
    return None if needed in arguments else Problem(needed, f"Missing {needed}: it is how you are reached.")


@conformance.read(
    rules=[reachable],
    extra_schema={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": STRING, "city": STRING},
            }
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
)
async def json_schema_2020_12_tool(
    name: Annotated[str | None, "Who it is."] = None,
    address: Annotated[Address | None, "Where they live."] = None,
    contact_method: Annotated[Literal["phone", "email"] | None, "How they are reached."] = None,
    phone: Annotated[str | None, "A number."] = None,
    email: Annotated[str | None, "An address."] = None,
) -> str:
    """Take arguments that only a schema of 2020-12 describes."""
    return f"{name} in {address and address.city}: {phone or email} ({contact_method})"


@conformance.read
async def test_header_param(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"}), "Where to look."],
) -> str:
    """Take an argument that is in a header of the request as well."""
    return f"Looked in {region}."


# Prompts


@conformance.prompt
async def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


async def _words(start: str) -> list[str]:
    return [word for word in ("paris", "park", "party", "test", "testing") if word.startswith(start)]


@conformance.prompt
async def test_prompt_with_arguments(
    arg1: Annotated[str, "First test argument.", Complete(_words)],
    arg2: Annotated[str, "Second test argument."],
) -> str:
    """A prompt with two arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@conformance.prompt
async def test_prompt_with_embedded_resource(
    resource_uri: Annotated[str, "The resource to embed."],
) -> list[Message]:
    """A prompt with a resource."""
    document = Resource(resource_uri, "Embedded resource content for testing.")
    return [Message(document), Message(Text("Please process the embedded resource above."))]


@conformance.prompt
async def test_prompt_with_image() -> list[Message]:
    """A prompt with an image."""
    return [Message(PICTURE), Message(Text("Please analyze the image above."))]


@conformance.prompt
async def test_input_required_result_prompt(peer: Peer) -> str:
    """A prompt that asks the person first."""
    question = form("What context should the prompt use?", "context", context=STRING)
    answers = await peer.ask({"user_context": question})
    return f"Context: {typed(answers['user_context'], 'context')}"


# Resources


@conformance.resource("test://static-text", name="static-text")
async def static_text() -> str:
    """A text that never changes."""
    return "This is the content of the static text resource."


@conformance.resource("test://static-binary", mime="image/png", name="static-binary")
async def static_binary() -> bytes:
    """An image that never changes."""
    return PICTURE.data


@conformance.resource("test://watched-resource", name="watched-resource")
async def watched_resource() -> str:
    """A text that clients watch."""
    return "Watched."


@conformance.resource("test://template/{id}/data", mime="application/json", name="template")
async def template(id: Annotated[str, "Which one."]) -> str:
    """Data by its id."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
