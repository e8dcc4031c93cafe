"""A workspace left by people, programs, merges and accidents: all kinds of files the server must handle."""

import os
from pathlib import Path

FOLDER = ".wrangler"
PLAIN = """---
id: {id}
title: {title}
type: issue
status: {status}
priority: medium
labels:
  - bug
createdAt: '2025-01-02T03:04:05.678Z'
updatedAt: '2025-01-02T03:04:05.678Z'
---
Something about {title}.
"""

_ISSUES: dict[str, str | bytes] = {
    "ISS-000001-plain.md": PLAIN.format(id="ISS-000001", title="Plain", status="open"),
    "ISS-000002-crlf.md": PLAIN.format(id="ISS-000002", title="Crlf", status="open").replace("\n", "\r\n"),
    "ISS-000003-bom.md": "\ufeff" + PLAIN.format(id="ISS-000003", title="Bom", status="open"),
    "ISS-000004-no-end.md": PLAIN.format(id="ISS-000004", title="No end", status="open").rstrip("\n"),
    "ISS-000005-broken.md": "---\nid: ISS-000005\ntitle: [never closed\nstatus: open\n---\nBroken YAML.\n",
    "ISS-000006-conflict.md": (
        "---\nid: ISS-000006\ntitle: Conflict\n<<<<<<< HEAD\npriority: high\n=======\npriority: low\n"
        ">>>>>>> branch\nstatus: open\n---\nIn the header.\n"
    ),
    "ISS-000007-torn.md": (
        PLAIN.format(id="ISS-000007", title="Torn", status="open")
        + "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n"
    ),
    "ISS-000008-code.md": "---js\n{ title: require('fs').writeFileSync('owned', '') }\n---\nRuns as code.\n",
    "ISS-000009-json.md": '---json\n{"id": "ISS-000009", "title": "Json", "labels": ["a"]}\n---\nIn JSON.\n',
    "ISS-000010-types.md": (
        "---\nid: ISS-000010\ntitle: 42\nstatus:\n  - open\nlabels: bug, ui\ncreatedAt: yesterday\n"
        "updatedAt: 17\nwranglerContext: text\nassignee: true\n---\nWrong types.\n"
    ),
    "ISS-000011-words.md": (
        "---\nid: ISS-000011\ntitle: yes\nassignee: 000123\nproject: 2025-01-01\n"
        "labels: [no, 007, 1.10]\n---\n"
    ),
    "ISS-000012-binary.md": bytes(range(256)) * 8,
    "ISS-000013-latin.md": b"---\nid: ISS-000013\ntitle: Latin\n---\nCaf\xe9 au lait.\n",
    "ISS-000014-twice.md": "---\nid: ISS-000014\ntitle: One\ntitle: Two\n---\n",
    "ISS-000015-unknown.md": (
        "---\n# a remark\nid: ISS-000015\ntitle: Unknown\ntype: epic\nstatus: review\npriority: urgent\n"
        "dueDate: 2025-05-05\nlabels: []\n---\n"
    ),
    "ISS-000016-open-ended.md": "---\nid: ISS-000016\ntitle: The header never ends\n",
    "ISS-000020-one.md": PLAIN.format(id="ISS-000020", title="One of two", status="open"),
    "ISS-000020-two.md": PLAIN.format(id="ISS-000020", title="Two of two", status="open"),
    "ISS-000030-named.md": PLAIN.format(id="ISS-000031", title="Named otherwise", status="open"),
    "SPEC-000001-astray.md": "---\nid: SPEC-000001\ntitle: Astray\ntype: specification\n---\nIn issues.\n",
    "000123-legacy.md": PLAIN.format(id="'000123'", title="Legacy", status="open"),
    "000124-bare.md": PLAIN.format(id="000124", title="Bare", status="open"),
    "000007-shared.md": PLAIN.format(id="'000007'", title="Shared id", status="open"),
    "README.md": "# Issues\n\nHow we work.\n",
    "empty.md": "",
    "a-slug-id.md": PLAIN.format(id="a-slug", title="Slug", status="open"),
    "team/ISS-000040-nested.md": PLAIN.format(id="ISS-000040", title="Nested", status="open"),
    "folder.md/ISS-000041-inside.md": PLAIN.format(id="ISS-000041", title="Inside", status="open"),
    "node_modules/pkg/readme.md": "# A package\n",
    "archived/ISS-000050-closed.md": PLAIN.format(id="ISS-000050", title="Closed", status="closed"),
    "archived/ISS-000051-open.md": PLAIN.format(id="ISS-000051", title="Open in archived", status="open"),
}
_OTHERS: dict[str, str | bytes] = {
    "specifications/SPEC-000002-spec.md": "---\nid: SPEC-000002\ntitle: Spec\n---\n# Goals\n\nSTRAßE.\n",
    "specifications/archived/SPEC-TOS.md": "---\nid: SPEC-TOS\ntitle: Terms\nstatus: cancelled\n---\n",
    "ideas/IDEA-000001-idea.md": "---\nid: IDEA-000001\ntitle: Idea\n---\n",
    "ideas/000007-shared.md": PLAIN.format(id="'000007'", title="Shared too", status="open"),
    "ideas/just-text.md": "An idea without a header.\n",
}
_NOISE = {
    "issues/.counter": "147\n",
    "issues/.gitkeep": "",
    "issues/.hidden.md": "not listed",
    "issues/notes.txt": "not listed",
    "issues/UPPER.MD": "not listed",
    "issues/.drafts/x.md": "not listed",
}
_LINKED = ["issues/link-inside.md", "issues/link-folder/deep.md"]
LEFT_OUT = [f"{FOLDER}/issues/{name}" for name in ("link-nowhere.md", "link-out-folder", "link-out.md")]


def build(root: Path) -> list[str]:
    """Makes the workspace, next to a folder it must never reach; returns the paths of all its issues."""
    files = {f"issues/{name}": content for name, content in _ISSUES.items()} | _OTHERS
    for name, content in {**files, **_NOISE}.items():
        _write(root / FOLDER / name, content)
    _link(root)
    return sorted(f"{FOLDER}/{name}" for name in [*files, *_LINKED])


def _link(root: Path) -> None:
    outside = root.parent / f"{root.name}-outside"
    _write(outside / "secret.md", PLAIN.format(id="ISS-000666", title="Secret", status="open"))
    _write(root / "docs/linked.md", PLAIN.format(id="ISS-000060", title="Linked", status="open"))
    _write(root / "docs/folder/deep.md", PLAIN.format(id="ISS-000061", title="Deep", status="open"))
    issues = root / FOLDER / "issues"
    (issues / "link-inside.md").symlink_to("../../docs/linked.md")
    (issues / "link-folder").symlink_to("../../docs/folder")
    (issues / "link-listed.md").symlink_to("ISS-000001-plain.md")
    (issues / "link-circle").symlink_to(".")
    (issues / "link-root").symlink_to(root)
    (issues / "link-nowhere.md").symlink_to("nothing.md")
    (issues / "link-out.md").symlink_to(outside / "secret.md")
    (issues / "link-out-folder").symlink_to(outside)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def state(root: Path) -> dict[str, bytes]:
    """Returns every file and link below a folder with its content."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in [*names, *(entry.name for entry in os.scandir(folder) if entry.is_symlink())]:
            path = Path(folder, name)
            content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            found[path.relative_to(root).as_posix()] = content
    return found
