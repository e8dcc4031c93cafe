"""A workshop's jobs: a toolset in memory that uses every option of a declaration."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from laconic.kit import (
    UNSET,
    Batch,
    Caller,
    Changes,
    Complete,
    Conflict,
    Guard,
    Image,
    Inline,
    Link,
    Message,
    NotFound,
    Page,
    Progress,
    PromptEntry,
    Record,
    Resource,
    Text,
    Toolset,
    Unset,
    Was,
    Window,
    at_least_one,
    exactly_one,
    ordered,
)
from laconic.text import nearest

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108020000009077")


class Status(StrEnum):
    """How far a job is."""

    OPEN = "open"
    DOING = "in_progress"
    DONE = "done"
    CANCELLED = "cancelled"


Priority = Literal["low", "medium", "high", "critical"]


class Job(
    Record,
    formats={
        "minimal": ("title", "status"),
        "summary": ("title", "status", "priority", "labels", "assignee", "updated_at"),
        "full": (
            "title",
            "status",
            "priority",
            "labels",
            "assignee",
            "created_at",
            "updated_at",
            "version",
            "notes",
        ),
    },
    groups={"dates": ("created_at", "updated_at", "due")},
    headings=("status", "priority", "labels", "assignee", "updated_at", "created_at"),
    usual="status",
    bodies=("notes",),
):
    """A piece of work."""

    id: str
    title: str
    status: Status = Status.OPEN
    priority: Priority = "medium"
    labels: list[str] = Field(default_factory=list)
    assignee: str | None = None
    due: date | None = None
    created_at: datetime
    updated_at: datetime
    version: int = 1
    notes: str = ""


class Jobs:
    """The jobs, in memory."""

    def __init__(self, count: int = 60) -> None:
        self.items: dict[str, Job] = {}
        self.opened = 1
        statuses, priorities = list(Status), ("low", "medium", "high", "critical")
        start = datetime(2026, 1, 1, 9, tzinfo=UTC)
        for number in range(1, count + 1):
            at = start + timedelta(hours=number)
            job = Job(
                id=f"JOB-{number:04d}",
                title=f"Plane board {number}",
                status=statuses[number % 4],
                priority=priorities[number % 4],  # type: ignore[arg-type]  # one of the four
                labels=["oak"] if number % 2 else ["oak", "rush"],
                assignee="ann" if number % 3 == 0 else None,
                created_at=at,
                updated_at=at,
                notes=f"Board {number} must be planed on both sides.",
            )
            self.items[job.id] = job

    def find(self, window: Window, keep: Any) -> Page[Job]:
        """List jobs, newest change first."""
        found = [job for job in self.items.values() if keep(job)]
        return window.cut(found, key=lambda job: (_stamp(job.updated_at), job.id), reverse=True)

    def get(self, identifier: str) -> Job:
        """Read one."""
        if identifier not in self.items:
            raise NotFound("Job", identifier, near=nearest(identifier, self.items, least=0.8))
        return self.items[identifier]

    def add(self, **fields: Any) -> Job:
        """Keep a new one."""
        if any(job.title == fields["title"] for job in self.items.values()):
            raise Conflict(f"A job called '{fields['title']}' exists.", advice="Choose another title.")
        now = datetime(2026, 2, 1, tzinfo=UTC) + timedelta(seconds=len(self.items))
        job = Job(id=f"JOB-{len(self.items) + 1:04d}", created_at=now, updated_at=now, **fields)
        self.items[job.id] = job
        return job

    def fingerprint(self) -> str:
        """Tell whether anything changed."""
        return repr(sorted((job.id, job.model_dump_json()) for job in self.items.values()))


class Library:
    """Prompts that come and go."""

    def __init__(self) -> None:
        self.texts = {"greet": "Hello {name}!"}

    async def page(self, caller: Caller, after: str | None, count: int) -> Sequence[PromptEntry]:
        """The prompts there are now, in the order in which they came."""
        names = list(self.texts)
        return [_entry(name) for name in names[names.index(after) + 1 if after in names else 0 :][:count]]

    async def find(self, caller: Caller, name: str) -> PromptEntry | None:
        """Find one."""
        return _entry(name) if name in self.texts else None

    async def get(
        self, caller: Caller, entry: PromptEntry, arguments: Mapping[str, str]
    ) -> str | Sequence[Message]:
        """Render one."""
        return self.texts[entry.name].format(**arguments)

    async def complete(
        self, caller: Caller, entry: PromptEntry, argument: str, typed: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """Suggest values."""
        return [value for value in ("ann", "bob", "zoë") if value.startswith(typed)]


def _entry(name: str) -> PromptEntry:
    return PromptEntry(name, "A kept prompt.", [("name", "Whom to greet.", True)])


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


workshop = Toolset(
    "workshop",
    "Jobs of a workshop.",
    provides=(Jobs, Library),
    case="camel",
    instructions="Jobs have ids like JOB-0001.",
    prompt_source=Library,
)


@workshop.factory
async def open_workshop(section: Mapping[str, Any]) -> AsyncIterator[tuple[Jobs, Library]]:
    """Open the workshop; a test may bring its own jobs."""
    yield section.get("jobs") or Jobs(int(section.get("count", 60))), Library()


Id = Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, min_length=1, max_length=20)]


@workshop.read(hint="jobs_search")
async def jobs_list(
    jobs: Jobs,
    window: Window = Window(size=25, most=100, sizes={"full": 10}, offset=True),
    status: list[Status] | None = None,
    priority: list[Priority] | None = None,
    labels: Annotated[list[str] | None, "Keep jobs with any of these."] = None,
    assignee: Annotated[str | None, "Keep only this person's."] = None,
    changed_after: Annotated[datetime | None, "Keep what changed since."] = None,
) -> Page[Job]:
    """List jobs, newest change first. Read one in full with job_get."""

    def keep(job: Job) -> bool:
        return (
            (not status or job.status in status)
            and (not priority or job.priority in priority)
            and (not labels or bool(set(labels) & set(job.labels)))
            and (assignee is None or job.assignee == assignee)
            and (changed_after is None or job.updated_at >= changed_after)
        )

    return jobs.find(window, keep)


@workshop.read(hint="jobs_list", format="full")
async def job_get(jobs: Jobs, id: Annotated[Id, "Such as JOB-0001."]) -> Job:
    """Read one job in full."""
    return jobs.get(id)


@workshop.create(hint="jobs_list")
async def job_create(
    jobs: Jobs,
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), "One line."],
    notes: Annotated[str, "Markdown."] = "",
    priority: Priority = "medium",
    labels: Annotated[
        list[Annotated[str, Field(max_length=20)]] | None, Field(max_length=5), "Words."
    ] = None,
    due: Annotated[date | None, "The day it must be done."] = None,
) -> Job:
    """Add a job."""
    return jobs.add(title=title, notes=notes, priority=priority, labels=labels or [], due=due)


@workshop.update(
    hint="jobs_list", guard="version", rules=[at_least_one("title", "status", "priority", "assignee")]
)
async def job_update(
    jobs: Jobs,
    guard: Guard,
    id: Annotated[Id, "Such as JOB-0001."],
    title: Annotated[str | None, "New title."] = None,
    status: Status | None = None,
    priority: Priority | None = None,
    assignee: Annotated[str | Unset | None, "Who does it; null takes it from everyone."] = UNSET,
) -> Job:
    """Change a job; what is left out stays."""
    job = jobs.get(id)
    guard.check(f"Job {id}", job.version)
    new = {"title": title, "status": status, "priority": priority}
    changes: dict[str, Any] = {name: value for name, value in new.items() if value is not None}
    if not isinstance(assignee, Unset):
        changes["assignee"] = assignee
    if all(getattr(job, name) == value for name, value in changes.items()):
        return job
    moment = job.updated_at + timedelta(days=60)
    jobs.items[id] = job.model_copy(update={**changes, "version": job.version + 1, "updated_at": moment})
    return jobs.items[id]


@workshop.delete(hint="jobs_list", confirm="Delete {id} for good?")
async def job_delete(jobs: Jobs, id: Annotated[Id, "Such as JOB-0001."]) -> str:
    """Delete a job."""
    jobs.get(id)
    del jobs.items[id]
    return f"Deleted {id}."


def _regex(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"Invalid regex: {error}") from None
    return pattern


class _Way(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TextSearch(_Way):
    """Words as they stand."""

    type: Literal["text"]
    query: Annotated[str, Field(min_length=1, description="Words to find.")]
    caseSensitive: bool = False


class RegexSearch(_Way):
    """A pattern."""

    type: Literal["regex"]
    pattern: Annotated[str, AfterValidator(_regex), Field(description="A regular expression.")]
    flags: Annotated[str, Field(pattern="^[ims]*$")] = ""


class SemanticSearch(_Way):
    """Meaning."""

    type: Literal["semantic"]
    query: Annotated[str, Field(min_length=1, description="What it is about.")]
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.7


Search = Annotated[TextSearch | RegexSearch | SemanticSearch, Field(discriminator="type")]


@workshop.read(hint="jobs_list", was={"search": {"q": "query", "kind": "type"}}, until="2.0", listed=True)
async def jobs_search(
    jobs: Jobs, search: Annotated[Search, Inline()], window: Window = Window(size=10, most=100)
) -> Page[Job]:
    """Find jobs by words, by a pattern, or by meaning."""

    def keep(job: Job) -> bool:
        text = f"{job.title} {job.notes}"
        if isinstance(search, RegexSearch):
            return re.search(search.pattern, text) is not None
        if isinstance(search, TextSearch) and search.caseSensitive:
            return search.query in text
        return search.query.lower() in text.lower()

    return jobs.find(window, keep)


class Rule(BaseModel):
    """A tree of conditions."""

    model_config = ConfigDict(extra="forbid")

    field: Literal["title", "status", "priority", "assignee"] | None = None
    equals: str | None = None
    every: list[Rule] | None = None
    some: list[Rule] | None = None

    def holds(self, job: Job) -> bool:
        """Whether a job fits."""
        if self.every is not None:
            return all(rule.holds(job) for rule in self.every)
        if self.some is not None:
            return any(rule.holds(job) for rule in self.some)
        return self.field is None or str(getattr(job, self.field)) == self.equals


@workshop.read
async def jobs_filter(
    jobs: Jobs, rule: Annotated[Rule, "A condition, or every/some of several."], window: Window = Window()
) -> Page[Job]:
    """Find jobs by a tree of conditions."""
    return jobs.find(window, rule.holds)


@workshop.read(rules=[ordered("from", "to")], since="1.1")
async def jobs_report(
    jobs: Jobs,
    from_: Annotated[date, "First day."],
    to: Annotated[date, "Day after the last."],
    lines: Annotated[
        int, Field(ge=1, le=50), "How many lines.", Was("rows", until="2.0"), Was(type=str, convert=int)
    ] = 10,
) -> str:
    """Count the jobs of some days."""
    found = [job for job in jobs.items.values() if from_ <= job.updated_at.date() < to]
    return "\n".join(f"{job.id} {job.title}" for job in found[:lines]) or "No jobs in these days."


@workshop.update(hint="jobs_list", rules=[exactly_one("userId", "userName")])
async def job_assign(
    jobs: Jobs,
    id: Annotated[Id, "Such as JOB-0001."],
    user_id: Annotated[int | None, Field(ge=1), "The person's number."] = None,
    user_name: Annotated[str | None, "The person's name."] = None,
) -> Job:
    """Give a job to somebody."""
    job = jobs.get(id)
    jobs.items[id] = job.model_copy(update={"assignee": user_name or f"user {user_id}"})
    return jobs.items[id]


class Draft(BaseModel):
    """A job to be."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=80)]
    priority: Priority = "medium"
    minutes: Annotated[int | None, Field(ge=1, le=600)] = None


@workshop.read(hint="jobs_list", format="summary")
async def jobs_get(
    jobs: Jobs, ids: Annotated[list[Id], Field(min_length=1, max_length=50), "Such as JOB-0001."]
) -> Batch[Job]:
    """Read several jobs at once."""
    found = [jobs.items[id] for id in ids if id in jobs.items]
    return Batch(found, {id: f"Job {id} not found." for id in ids if id not in jobs.items})


@workshop.create(deadline=20)
async def jobs_import(
    jobs: Jobs,
    progress: Progress,
    drafts: Annotated[list[Draft], Field(min_length=1, max_length=50), "The jobs."],
) -> str:
    """Add several jobs."""
    for number, draft in enumerate(drafts, start=1):
        jobs.add(title=draft.title, priority=draft.priority)
        await progress(number, len(drafts), draft.title)
    return f"Added {len(drafts)} jobs."


@workshop.read(deadline=1)
async def job_wait(progress: Progress, seconds: Annotated[float, Field(ge=0, le=60)] = 30.0) -> str:
    """Wait, and report how long."""
    await progress(0, seconds, "waiting")
    await asyncio.sleep(seconds)
    return f"Waited {seconds:g} s."


@workshop.update(because="it never comes to an end", idempotent=False)
async def job_break(jobs: Jobs) -> str:
    """Fail with a bug, for tests."""
    raise RuntimeError(f"secret detail {jobs!r}")


@workshop.read(hint="jobs_list")
async def job_picture(jobs: Jobs, id: Annotated[Id, "Such as JOB-0001."]) -> list[Any]:
    """Show a job with its picture, its text as a document, and a link to it."""
    job = jobs.get(id)
    uri = f"job://{job.id}"
    return [Text(job.title), Image(PNG), Resource(uri, job.notes, "text/markdown"), Link(uri, job.title)]


@workshop.read(name="fibonacci")
async def calculate(n: Annotated[int, Field(ge=0, le=90), "Which one."]) -> int:
    """Calculate a Fibonacci number."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@workshop.read
async def whoami(caller: Caller) -> str:
    """Say who is calling."""
    return caller.name


@workshop.update
async def prompt_keep(
    library: Library,
    changes: Changes,
    name: Annotated[str, "The prompt's name."],
    text: Annotated[str, "Its text; {name} is filled in."],
) -> str:
    """Keep a prompt in the library."""
    library.texts[name] = text
    await changes.tell("prompts")
    return f"Kept {name}."


async def _ids(jobs: Jobs, typed: str) -> list[str]:
    return [identifier for identifier in jobs.items if typed.upper() in identifier]


@workshop.resource("job://{id}", mime="text/markdown", hint="jobs_list")
async def job(jobs: Jobs, id: Annotated[Id, "Such as JOB-0001.", Complete(_ids)]) -> str:
    """One job's notes."""
    return jobs.get(id).notes


@workshop.resource("workshop://rules", mime="text/plain")
async def rules() -> str:
    """The rules of the house."""
    return "Sweep the floor."


@workshop.prompt
async def plan_job(
    jobs: Jobs,
    id: Annotated[Id, "Such as JOB-0001.", Complete(_ids)],
    depth: Literal["short", "long"] = "short",
) -> list[Message]:
    """Plan one job."""
    return [
        Message(Text(f"Make a {depth} plan for {jobs.get(id).title}.")),
        Message(Text("Gladly."), "assistant"),
    ]
