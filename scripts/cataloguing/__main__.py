"""Writes the catalogue, or says whether it is current."""

from __future__ import annotations

import sys

from scripts.cataloguing.files import DATA, contents


def main(check: bool) -> int:
    made = contents()
    old = {path.name: path.read_text(encoding="utf-8") for path in DATA.glob("*.json")}
    changed = sorted(name for name in {*made, *old} if made.get(name) != old.get(name))
    if check:
        print("\n".join(f"{name} is not current; run scripts/catalogue." for name in changed))
        return 1 if changed else 0
    for name in changed:
        if name in made:
            (DATA / name).write_text(made[name], encoding="utf-8")
        else:
            (DATA / name).unlink()
    print(f"{len(changed)} files written.")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
