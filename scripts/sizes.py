"""The ten longest modules and functions under src/laconic, with their change since the last tag."""

import ast
import io
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

SOURCE = "src/laconic"
SHOWN = 10

Sizes = dict[str, int]


def main() -> None:
    tag = _git("describe", "--tags", "--abbrev=0").decode().strip()
    modules, functions = _measure((str(path), path.read_bytes()) for path in Path(SOURCE).rglob("*.py"))
    modules_then, functions_then = _measure(_files_at(tag)) if tag else (None, None)
    since = f" and their change since {tag}" if tag else ""
    _show(f"longest modules{since}", modules, modules_then)
    _show(f"longest functions{since}", functions, functions_then)


def _git(*arguments: str) -> bytes:
    """Return the output of git, empty without a tag or a repository."""
    return subprocess.run(["git", *arguments], capture_output=True, check=False).stdout


def _files_at(tag: str) -> Iterable[tuple[str, bytes]]:
    archive = _git("archive", "--format=tar", tag, SOURCE)
    if not archive:  # the tag is older than the source folder
        return
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if member.name.endswith(".py") and (file := tar.extractfile(member)):
                yield member.name, file.read()


def _measure(files: Iterable[tuple[str, bytes]]) -> tuple[Sizes, Sizes]:
    """Count the lines of each module, and of each function by its dotted name in it."""
    modules: Sizes = {}
    functions: Sizes = {}
    for name, source in files:
        modules[name] = source.count(b"\n")
        _walk(ast.parse(source), f"{name} ", functions)
    return modules, functions


def _walk(node: ast.AST, place: str, functions: Sizes) -> None:
    for child in ast.iter_child_nodes(node):
        inner = place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{place}{child.name}."
            if not isinstance(child, ast.ClassDef):
                functions[place + child.name] = (child.end_lineno or child.lineno) - child.lineno + 1
        _walk(child, inner, functions)


def _show(title: str, sizes: Sizes, then: Sizes | None) -> None:
    print(f"{title}:")
    for name in sorted(sizes, key=lambda name: (-sizes[name], name))[:SHOWN]:
        change = "" if then is None else f"{sizes[name] - then[name]:+6}" if name in then else "   new"
        print(f"{sizes[name]:6}{change}  {name}")


if __name__ == "__main__":
    main()
