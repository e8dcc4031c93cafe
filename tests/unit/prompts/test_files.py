"""Prompts as files: a round trip is the identity, unchanged files are not touched, no prompt is lost."""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from laconic.kit import BadArguments, Changes
from laconic.servers.prompts.files import folders
from laconic.servers.prompts.files.folders import all_prompts, write_out, write_skills
from laconic.servers.prompts.files.importing import bring_in
from laconic.servers.prompts.files.pages import read_page
from laconic.servers.prompts.files.skills import SkillHost, skills_of
from laconic.servers.prompts.models import Argument, Edit, Prompt
from laconic.servers.prompts.service import Library
from laconic.servers.prompts.store import KIND
from laconic.servers.prompts.templates.judge import Judge
from laconic.stores import By, Database, Locked, Shelf

ME = By("ada", "test")
HARD = [
    "Plain {{ topic }}.",
    "\n\nBlank lines around.\n\n",
    "---\ntitle: not a header\n---\nA text.\n",
    "CRLF\r\nand {{ x }}\r\n",
    "Tab\t\"quotes\" 'x' \u2028 \u0085 \u00c5 \ud83d\udc69".encode("utf-16", "surrogatepass").decode(
        "utf-16"
    ),
    "# {{ a }}\n{% if b %}{{ b }}{% endif %}",
]


@pytest.fixture
async def library(tmp_path: Path, judge: Judge) -> AsyncIterator[Library]:
    """An empty library."""
    database = Database(tmp_path / "library.db", [Shelf.schema])
    yield Library(Shelf(database, [KIND]), judge, Changes())
    await database.close()


@pytest.fixture
async def other(tmp_path: Path, judge: Judge) -> AsyncIterator[Library]:
    """Another empty library."""
    database = Database(tmp_path / "other.db", [Shelf.schema])
    yield Library(Shelf(database, [KIND]), judge, Changes())
    await database.close()


def write_files(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())


async def fill(library: Library) -> None:
    for number, content in enumerate(HARD):
        await library.editing.create(
            f"prompt-{number}",
            content,
            ME,
            title=f"Title: {number} # \u2028 'x' \"y\"",
            description="Two\nlines, and --- more\n---\n" if number % 2 else None,
            tags=["b", "a"] if number % 3 else [],
        )
    await library.editing.create(
        "argued",
        "{{ who }} {{ tone }}",
        ME,
        arguments=[
            Argument(name="who", required=True, description="Line\nbreak: yes"),
            Argument(name="tone", default="kind", choices=["kind", "curt"]),
        ],
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_a_round_trip_is_the_identity(library: Library, other: Library, tmp_path: Path) -> None:
    await fill(library)
    await write_out(library, tmp_path / "one")

    done = await bring_in(other, tmp_path / "one", ME)
    await write_out(other, tmp_path / "two")

    assert {outcome.action for outcome in done} == {"new"}, done
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    for before, after in zip(await all_prompts(library), await all_prompts(other), strict=True):
        assert before.content == after.content and before.title == after.title
        assert before.description == after.description and before.tags == after.tags
        assert before.arguments == after.arguments


async def test_what_is_unchanged_is_neither_written_nor_saved(library: Library, tmp_path: Path) -> None:
    await fill(library)
    folder = tmp_path / "files"
    await write_out(library, folder)
    stamps = {path: path.stat().st_mtime_ns for path in sorted(folder.glob("*"))}

    again = await write_out(library, folder)
    back = await bring_in(library, folder, ME, on_conflict="replace")

    assert {outcome.action for outcome in [*again, *back]} == {"unchanged"}
    assert stamps == {path: path.stat().st_mtime_ns for path in sorted(folder.glob("*"))}
    assert {prompt.version for prompt in await all_prompts(library)} == {1}


@pytest.mark.parametrize(
    ("policy", "action", "expected"),
    [
        ("skip", "skipped", {"review": "Old."}),
        ("replace", "replaced", {"review": "New."}),
        ("rename", "renamed", {"review": "Old.", "review-2": "New."}),
    ],
)
async def test_a_name_that_is_taken_is_treated_as_it_was_asked_for(
    library: Library, tmp_path: Path, policy: str, action: str, expected: dict[str, str]
) -> None:
    await library.editing.create("review", "Old.", ME)
    write_files(tmp_path / "files", {"review.md": "New."})

    plan = await bring_in(library, tmp_path / "files", ME, on_conflict=policy, dry_run=True)  # type: ignore[arg-type]
    assert [prompt.content for prompt in await all_prompts(library)] == ["Old."]
    done = await bring_in(library, tmp_path / "files", ME, on_conflict=policy)  # type: ignore[arg-type]

    assert [outcome.action for outcome in plan] == [outcome.action for outcome in done] == [action]
    assert {prompt.name: prompt.content for prompt in await all_prompts(library)} == expected


async def test_a_file_that_cannot_be_a_prompt_is_told_and_stops_no_other(
    library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "files"
    files = {
        "Bad Name.md": "x",
        "bad-template.md": "{% if %}",
        "bad-header.md": "---\ntitle: [\n---\nx",
        "bad-key.md": "---\nauthor: me\n---\nx",
        "bad-tag.md": "---\ntags: [No Tag!]\n---\nx",
        "bad-title.md": f"---\ntitle: {'x' * 501}\n---\nx",
        "no-end.md": "---\ntitle: x\nx",
        "no-list.md": "---\narguments: {who: {}}\n---\nHi {{ who }}",
        "zero.md": '---\ntitle: "a\\u0000b"\n---\nx',
        "other-name.md": "---\nname: another\n---\nx",
        "good.md": "---\ntags: dev, work\n---\nGood.\n",
    }
    write_files(folder, files)
    (folder / "bytes.md").write_bytes(b"\xff\xfe")
    (folder / "link.md").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text("of the user, not of the team")
    (folder / "other.txt").write_text("not a prompt")
    (folder / ".hidden.md").write_text("not a prompt")

    plan = await bring_in(library, folder, ME, dry_run=True)
    done = await bring_in(library, folder, ME)

    assert [(outcome.file, outcome.action) for outcome in plan] == [
        (outcome.file, outcome.action) for outcome in done
    ]
    refused = {path.name for path in folder.glob("*.md")} - {"good.md", ".hidden.md"}
    assert {outcome.file for outcome in done if outcome.action == "refused"} == refused
    assert all(outcome.why for outcome in done if outcome.action == "refused")
    (good,) = await all_prompts(library)
    assert (good.content, good.tags) == ("Good.\n", ["dev", "work"])


async def test_a_library_that_cannot_be_used_is_told_once(tmp_path: Path, judge: Judge) -> None:
    database = Database(tmp_path / "library.db", [Shelf.schema], patience=0.01)
    library = Library(Shelf(database, [KIND]), judge, Changes())
    await library.editing.create("kept", "Kept.", ME)
    write_files(tmp_path / "files", {"a.md": "A.", "b.md": "B."})

    with closing(sqlite3.connect(tmp_path / "library.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked):
            await bring_in(library, tmp_path / "files", ME)

    assert {outcome.action for outcome in await bring_in(library, tmp_path / "files", ME)} == {"new"}
    await database.close()


async def test_a_file_that_would_make_a_prompt_invalid_replaces_nothing(
    library: Library, tmp_path: Path
) -> None:
    await library.editing.create("review", "Old.", ME)
    write_files(tmp_path / "files", {"review.md": f"---\ndescription: {'x' * 2001}\n---\nNew."})

    for dry_run in (True, False):
        (done,) = await bring_in(library, tmp_path / "files", ME, on_conflict="replace", dry_run=dry_run)
        assert done.action == "refused" and "at most 2,000 characters" in done.why

    assert [prompt.content for prompt in await all_prompts(library)] == ["Old."]


async def test_a_prompt_that_includes_another_file_waits_for_it(library: Library, tmp_path: Path) -> None:
    await library.editing.create("kept", "Kept.", ME)
    files = {
        "a.md": "{% include 'b' %}",
        "b.md": "{% include 'c' %}{{ x }}",
        "c.md": "C",
        "declared.md": "---\narguments: []\n---\n{% include 'b' %}",
        "egg.md": "{% include 'hen' %}",
        "hen.md": "{% include 'egg' %}",
        "kept.md": "{% include 'nobody' %}",
        "lost.md": "{% include 'nobody' %}",
        "skipping.md": "{% include 'kept' %}",
    }
    write_files(tmp_path / "files", files)

    plan = await bring_in(library, tmp_path / "files", ME, dry_run=True)
    done = await bring_in(library, tmp_path / "files", ME)

    actions = {outcome.file: outcome.action for outcome in done}
    assert actions == {outcome.file: outcome.action for outcome in plan}
    refused = {file for file, action in actions.items() if action == "refused"}
    assert refused == {"declared.md", "egg.md", "hen.md", "lost.md"} and actions["kept.md"] == "skipped"


def test_a_header_that_people_wrote_is_read() -> None:
    page = read_page(
        "---\nname: greet\ntitle: T\narguments:\n- name: who\n  required: true\n---\n\nHello {{ who }}",
        "greet",
    )

    spaced = read_page("---  \ntitle: T\ntags: [Dev, null, true, 0x10, dev]\n---\t\nX", "greet")
    assert (spaced.title, spaced.content, spaced.tags) == ("T", "X", ("dev", "null", "true", "0x10"))
    assert (page.content, page.arguments) == ("\nHello {{ who }}", (Argument(name="who", required=True),))
    with pytest.raises(BadArguments, match=r"arguments\.0\.name"):
        read_page("---\narguments:\n- required: true\n---\nx", "greet")


def test_line_breaks_that_git_or_an_editor_put_in_are_taken_out() -> None:
    plain = "---\ntitle: T\n---\nOne.\nTwo.\n"

    assert read_page("\ufeff" + plain.replace("\n", "\r\n"), "x") == read_page(plain, "x")
    assert read_page(plain.replace("One.\n", "One.\r\n"), "x").content == "One.\r\nTwo.\n"  # of the template


async def test_a_name_that_an_archived_prompt_keeps_is_not_taken(library: Library, tmp_path: Path) -> None:
    await library.editing.create("review", "Old.", ME)
    for name in ("gone", "review-2"):
        await library.editing.create(name, "Archived.", ME)
        await library.shelving.archive(name, ME)
    write_files(tmp_path / "files", {"review.md": "New.", "gone.md": "New."})

    for dry_run in (True, False):
        done = await bring_in(library, tmp_path / "files", ME, on_conflict="rename", dry_run=dry_run)

        assert [(outcome.action, outcome.name) for outcome in done] == [
            ("refused", ""),
            ("renamed", "review-3"),
        ]
        assert "archived" in done[0].why


async def test_an_export_tells_of_files_that_no_prompt_has_and_takes_away_what_a_killed_one_left(
    library: Library, tmp_path: Path
) -> None:
    await library.editing.create("review", "Old.", ME)
    write_files(tmp_path, {"renamed.md": "x", "README.md": "of the team"})
    old, new = tmp_path / ".laconic-1.tmp", tmp_path / ".laconic-2.tmp"
    for draft in (old, new):
        draft.write_text("half")
    os.utime(old, (0, 0))

    done = await write_out(library, tmp_path)

    assert [(outcome.file, outcome.action) for outcome in done] == [
        ("review.md", "written"),
        ("renamed.md", "left"),
    ]
    assert not old.exists() and new.exists()  # somebody may still be writing it


@pytest.mark.parametrize("host", ["claude-code", "codex", "claude-desktop"])
async def test_no_prompt_is_lost_to_a_name_clash(library: Library, host: SkillHost) -> None:
    long = "a" * 99
    for name in (long + "b", long + "c", "a" * 64, "short"):
        await library.editing.create(name, f"The text of {name}.", ME)

    files = await skills_of(library, await all_prompts(library), host)

    assert len(files) == 4
    names = [text.partition("name: ")[2].partition("\n")[0] for text in files.values()]
    assert len(set(names)) == 4 and max(map(len, names)) <= (100 if host == "codex" else 64)
    for path, name in zip(files, names, strict=True):
        assert path == (f"{name}.md" if host == "claude-desktop" else f"{name}/SKILL.md")
    assert await skills_of(library, await all_prompts(library), host) == files


async def test_a_skill_has_a_description_its_variables_and_the_template(library: Library) -> None:
    arguments = [
        Argument(name="who", required=True, description="Whom"),
        Argument(name="tone", default="kind"),
    ]
    await library.editing.create(
        "greet", "Hi {{ who }}, {{ tone }}.\n", ME, description="Greets.\nAlways.", arguments=arguments
    )

    (text,) = (await skills_of(library, await all_prompts(library), "claude-code")).values()

    assert text.startswith('---\nname: greet\ndescription: "Greets. Always. Needs: who. Takes: tone."\n')
    assert '- `who` (required): Whom\n- `tone` (optional) (default: "kind")\n' in text
    assert text.endswith("\nHi {{ who }}, {{ tone }}.\n")


async def test_a_skill_has_what_its_prompt_includes(library: Library) -> None:
    await library.editing.create("tone", "Be {{ tone }}.\n", ME)
    await library.editing.create("rules", "{% include 'tone' %}Rule one.", ME)
    await library.editing.create("review", "Review.\n{% include 'rules' %}", ME)

    text = (await skills_of(library, await all_prompts(library), "codex"))["review/SKILL.md"]

    assert "Review.\n{% include 'rules' %}\n" in text
    assert "`{% include 'rules' %}` is:\n\n{% include 'tone' %}Rule one." in text
    assert "`{% include 'tone' %}` is:\n\nBe {{ tone }}.\n" in text
    await library.shelving.archive("tone", ME)
    gone = (await skills_of(library, await all_prompts(library), "codex"))["review/SKILL.md"]
    assert gone.endswith("Review.\n{% include 'rules' %}")


async def test_a_file_that_says_the_same_is_not_touched_however_it_is_written(
    library: Library, tmp_path: Path
) -> None:
    who = Argument(name="who", required=True)
    await library.editing.create("greet", "Hi {{ who }}.\n", ME, tags=["b", "a"], arguments=[who])
    await library.editing.create("plain", "Plain.\n", ME)
    by_hand = "---\n# ours\ntags:\n- a\n- b\narguments:\n- name: who\n  required: true\n---\nHi {{ who }}.\n"
    files = {"greet.md": by_hand, "plain.md": "---\r\narguments: []\r\n---\r\nPlain.\r\n"}
    write_files(tmp_path / "files", files)

    assert {outcome.action for outcome in await write_out(library, tmp_path / "files")} == {"unchanged"}
    assert contents(tmp_path / "files") == {name: text.encode() for name, text in files.items()}

    write_files(tmp_path / "files", {"greet.md": "---\ntags: a, b\n---\nHi {{ who }}.\n"})  # lacks something
    (greet, _) = await write_out(library, tmp_path / "files")
    assert greet.action == "written"


async def test_a_file_is_written_over_only_if_the_library_once_said_the_same(
    library: Library, tmp_path: Path
) -> None:
    for name in ("changed", "forgotten", "link", "taken"):
        await library.editing.create(name, "Old.", ME)
    await write_out(library, tmp_path)
    for name in ("changed", "forgotten"):
        await library.editing.edit(name, [Edit(old_str="Old", new_str="New")], ME)
    (tmp_path / "forgotten.md").write_text("---\narguments: []\n---\nOld, and what somebody has added.")
    (tmp_path / "link.md").unlink()
    (tmp_path / "link.md").symlink_to(tmp_path / "changed.md")
    (tmp_path / "taken.md").unlink()
    (tmp_path / "taken.md").mkdir()

    done = {outcome.file: (outcome.action, outcome.why) for outcome in await write_out(library, tmp_path)}

    assert done["changed.md"] == ("written", "") and (tmp_path / "changed.md").read_text().endswith("New.")
    assert done["forgotten.md"][0] == "refused" and "import it" in done["forgotten.md"][1]
    assert (tmp_path / "forgotten.md").read_text().endswith("somebody has added.")
    assert done["link.md"] == ("refused", "It is a link, which is not followed.")
    assert done["taken.md"][0] == "refused" and (tmp_path / "taken.md").is_dir()


async def test_a_prompt_that_is_put_away_while_prompts_are_exported_stops_no_other(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("early", "late"):
        await library.editing.create(name, "Old.", ME)
    prompts = await all_prompts(library)
    await library.shelving.archive("early", ME)

    async def listed(library: Library) -> list[Prompt]:
        return prompts

    monkeypatch.setattr(folders, "all_prompts", listed)
    write_files(tmp_path, {"early.md": "Mine.", "late.md": "Old."})

    early, late = await write_out(library, tmp_path)

    assert (early.action, early.why, late.action) == ("refused", "Prompt early not found.", "unchanged")


async def test_a_skill_of_somebody_else_is_not_written_over_and_one_of_no_prompt_is_told(
    library: Library, tmp_path: Path
) -> None:
    for name in ("review", "gone"):
        await library.editing.create(name, "Old.", ME, description="\U0001f600" * 1024)
    (tmp_path / "greet").mkdir()
    mine = tmp_path / "greet" / "SKILL.md"
    mine.write_text("---\nname: greet\ndescription: Mine.\n---\nMine.")

    async def export() -> list[tuple[str, str]]:
        files = await skills_of(library, await all_prompts(library), "claude-code")
        return [(outcome.file, outcome.action) for outcome in write_skills(tmp_path, files)]

    assert await export() == [("gone/SKILL.md", "written"), ("review/SKILL.md", "written")]
    await library.editing.create("greet", "Theirs.", ME)
    await library.editing.edit("review", [Edit(old_str="Old", new_str="New")], ME)
    await library.shelving.archive("gone", ME)
    assert await export() == [
        ("greet/SKILL.md", "refused"),
        ("review/SKILL.md", "written"),
        ("gone/SKILL.md", "left"),
    ]
    assert mine.read_text().endswith("Mine.")


async def test_files_that_are_brought_in_again_are_not_renamed_again(
    library: Library, tmp_path: Path
) -> None:
    await library.editing.create("review", "Old.", ME)
    write_files(tmp_path, {"review.md": "New.", "README.md": "About the folder."})

    for action in ("renamed", "unchanged"):
        done = await bring_in(library, tmp_path, ME, on_conflict="rename")

        assert [(outcome.file, outcome.action) for outcome in done] == [
            ("README.md", "left"),
            ("review.md", action),
        ]
    assert [prompt.name for prompt in await all_prompts(library)] == ["review", "review-2"]
