"""The environment that git runs in: the user's, without what points git at another repository."""

from __future__ import annotations

import os
from typing import Final

_OF_ONE_REPOSITORY: Final = frozenset(  # `git rev-parse --local-env-vars` but configuration, and more
    [
        *("GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX"),
        *("GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH"),
        *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE"),
        *("GIT_GRAFT_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE"),
        *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
    ]
)


def git_environment(**settings: str) -> dict[str, str]:
    """Return the variables for a git command in the folder we mean, even if a hook started this process."""
    kept = {name: value for name, value in os.environ.items() if not _is_dropped(name)}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", **settings}


def _is_dropped(name: str) -> bool:
    return name in _OF_ONE_REPOSITORY or name.startswith("GIT_TRACE")  # a trace would mix with the output
