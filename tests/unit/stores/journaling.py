"""A process that appends to a journal: FOLDER NAME COUNT SEGMENT."""

import json
import sys
from pathlib import Path

from laconic.stores import Journal


def main(folder: str, name: str, count: str, segment: str) -> None:
    journal = Journal(Path(folder), segment=int(segment), most=10_000)
    for number in range(int(count)):
        journal.append([json.dumps({"name": name, "number": number, "fill": name * (number % 300)})])
        print(number, flush=True)  # it was appended


if __name__ == "__main__":
    main(*sys.argv[1:])
