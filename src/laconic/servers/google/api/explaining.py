"""Explaining: a refusal as a failure that says what Google said, why, and what to change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from laconic.kit import (
    BadArguments,
    Conflict,
    Failure,
    NotFound,
    RateLimited,
    Refused,
    TooLarge,
    UpstreamDown,
    failure_of,
)
from laconic.servers.google.accounts.known import KnownAccount
from laconic.servers.google.accounts.remedies import how_to_allow, how_to_sign_in, scope_to_ask
from laconic.servers.google.accounts.renewing import NotSignedIn
from laconic.servers.google.api.reasons import Reason, reason_of
from laconic.servers.google.catalogue.operations import Operation
from laconic.upstream import (
    Absent,
    Clash,
    Faulty,
    Forbidden,
    Invalid,
    Rejected,
    Throttled,
    Unauthorised,
    Unreachable,
    UpstreamError,
)

_SCOPE_WORDS: Final = ("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientScopes")
_OFF: Final = ("accessNotConfigured", "SERVICE_DISABLED")
_CAUSES: Final = {  # by Google's word for it: what it means, and what to do
    "insufficientFilePermissions": (
        "this account may not change it",
        "Ask its owner for the right to edit, or copy it.",
    ),
    "insufficientParentPermissions": (
        "this account may not change that folder",
        "Choose another folder, or ask its owner.",
    ),
    "appNotAuthorizedToFile": (
        "the account allowed only files that this app made",
        "A person can allow more: 'laconic google login'.",
    ),
    "domainPolicy": ("a rule of the domain forbids it", "Ask the domain's administrator."),
    "storageQuotaExceeded": ("the storage is full", "Delete files, or empty the trash."),
    "dailyLimitExceeded": ("the project's limit of this day is reached", "Try again tomorrow."),
    "sharingRateLimitExceeded": ("too much was shared today", "Try again tomorrow, or share a folder once."),
    "cannotAddParent": (
        "a file is in one folder",
        "Pass one folder, and removeParents with the one that it is in.",
    ),
    "activeItemCreationLimitExceeded": ("the account has too many files", "Delete files."),
    "numChildrenInNonRootLimitExceeded": ("the folder is full", "Use another folder."),
    "teamDriveFileLimitExceeded": ("the shared drive is full", "Use another drive."),
    "teamDriveMembershipRequired": ("only members of the shared drive may", "Ask one of its managers."),
    "teamDriveHierarchyTooDeep": ("the folders are nested too deeply", "Use a folder further up."),
    "fileNotDownloadable": ("Google files have no bytes of their own", "Use drive_exportFile."),
    "cannotCopyFile": (
        "it is a folder, or copying it is switched off",
        "Make a folder and copy the files into it, or ask its owner.",
    ),
}

_NOT_FOUND: Final = re.compile(r"(\w[\w ]*) not found: (.*?)\.?")  # what, and its id
_FOLDER: Final = re.compile(r"'([^']*)' in parents")
_OTHER_TYPE: Final = "not supported for this document"
_NOT_DONE: Final = 501  # only the practice Google says so
_CONVERTED: Final = (
    "A document is made from text, markdown or html, a spreadsheet from csv: pass contentType, such as "
    "text/csv, or a path that ends so."
)
_QUERY: Final = "A query looks like name contains 'budget' and starred = true, or fullText contains 'pier'."


def explained(
    error: UpstreamError, account: KnownAccount, operation: Operation, arguments: Mapping[str, Any]
) -> Failure:
    """Return an error of the session as a failure."""
    failure = _explained(error, account, operation, arguments)
    failure.changed = error.changed
    failure.harmless = error.harmless
    if isinstance(error, Rejected):
        word = reason_of(error.body).word
        failure.about |= {"httpStatus": error.status, **({"reason": word} if word else {})}
    return failure


def _explained(
    error: UpstreamError, account: KnownAccount, operation: Operation, arguments: Mapping[str, Any]
) -> Failure:
    if isinstance(error, Unreachable):
        return UpstreamDown(str(error))
    if not isinstance(error, Rejected):
        return failure_of(error)
    reason = reason_of(error.body)
    match error:
        case Throttled():
            return RateLimited(f"{error} {_said(reason)}".strip(), retry_after=error.wait)
        case Unauthorised():
            return signed_out(error, account)
        case Forbidden():
            return _forbidden(reason, account, operation)
        case Absent():
            return _absent(reason, account.alias, arguments)
        case Clash():
            return Conflict(_said(reason) or str(error))
        case Invalid():
            return _invalid(error, reason, operation)
        case Faulty():
            return UpstreamDown(f"{error} {_said(reason)}".strip())
    return failure_of(error)


def signed_out(error: Rejected, account: KnownAccount) -> Failure:
    """Return why Google does not accept an account any more: one sentence, and who must do what."""
    reason, alias = reason_of(error.body), account.alias
    words = reason.message.lower()
    if "iat" in words or "timeframe" in words:
        return NotSignedIn(
            f"The clock of this machine is wrong, so Google refuses the account '{alias}'.{_clock(error)}",
            advice="A person must set the clock.",
        )
    if reason.word == "unauthorized_client":
        return NotSignedIn(
            f"The service account '{alias}' may not act for that person. {_said(reason)}",
            advice="The domain's administrator must allow its client id, with these scopes.",
        )
    if "audience" in words or "invalid_client" in (reason.word, words):
        return NotSignedIn(
            f"Google does not know the client or key of the account '{alias}'. {_said(reason)}",
            advice="A person must check the client or key file.",
        )
    if "jwt" in words or "account not found" in words:
        return NotSignedIn(
            f"Google does not accept the key of the account '{alias}'. {_said(reason)}",
            advice="A person must make a new key for it, and name its file.",
        )
    ended = f"The sign-in of the account '{alias}' has ended. {_said(reason)}".strip()
    return NotSignedIn(ended, advice=how_to_sign_in(account))


def _clock(error: Rejected) -> str:
    try:
        theirs = parsedate_to_datetime(error.headers.get("date", ""))
    except ValueError:
        return ""
    return f" Google's clock says {theirs:%Y-%m-%d %H:%M} UTC."


def _forbidden(reason: Reason, account: KnownAccount, operation: Operation) -> Failure:
    alias = account.alias
    if reason.word in _SCOPE_WORDS or "insufficient authentication scopes" in reason.message.lower():
        scopes = operation.facts["scopes"]
        return Refused(
            f"The account '{alias}' has not allowed this: it needs the scope {scope_to_ask(scopes)}.",
            advice=how_to_allow(account, scopes),
        )
    if reason.word in _OFF:
        return Refused(
            f"The {operation.entry.api} API is switched off in the Google Cloud project. {_said(reason)}",
            advice="A person must switch it on there.",
        )
    if reason.word == "exportSizeLimitExceeded":
        return TooLarge(
            "Google converts at most 10 MB at once.",
            advice="Use drive_downloadFile with a type: it has no such limit.",
        )
    cause, advice = _CAUSES.get(reason.word, ("", ""))
    if "inherited permission" in reason.message.lower():
        advice = "Change it at the folder that drive_listPermissions names."
    why = f" ({cause})" if cause else ""
    return Refused(f"Google refused it to the account '{alias}'{why}. {_said(reason)}".strip(), advice=advice)


def _absent(reason: Reason, alias: str, arguments: Mapping[str, Any]) -> Failure:
    said = _NOT_FOUND.fullmatch(reason.message)
    what, name = said.groups() if said else ("File", "")
    if not name and (folder := _FOLDER.search(str(arguments.get("q") or ""))):
        what, name = "Folder", folder[1]
    name = name or _first_id(arguments)
    if what not in ("File", "Folder"):  # the file is there
        return NotFound(what, name, advice="List them to see which there are.")
    if not name:
        return NotFound("It", "was", advice=_said(reason))
    return NotFound(
        what,
        name,
        advice=f"The account '{alias}' does not see it: it may be in another account, or not shared with "
        "it. drive_listFiles finds files.",
    )


def _first_id(arguments: Mapping[str, Any]) -> str:
    return next((str(value) for key, value in arguments.items() if key.endswith("Id") and value), "")


def _invalid(error: Rejected, reason: Reason, operation: Operation) -> Failure:
    told = [one for one in reason.details if one.partition(": ")[2] not in reason.message]
    details = f" {'; '.join(told[:5])}" if told else ""
    if "unknown name" in reason.message.lower():
        advice = "Google does not know a field: the feature may not be open to this project."
        return BadArguments(f"{_said(reason)}{details}", advice=advice)
    if error.status == _NOT_DONE:
        return BadArguments(reason.message, advice="A real account can do it.")
    advice = _QUERY if reason.place == "q" else "Correct that, and call again."
    if reason.place == "fields" and "pageToken" in operation.parameters:
        advice = f"Name the fields of a list as in {_items_of(operation)}(id)."
    if "conversion" in reason.message.lower() and operation.entry.effect != "read":
        advice = _CONVERTED
    if _OTHER_TYPE in reason.message.lower():
        advice = "The file is of another type. drive_getFile says which. drive_exportFile reads it."
    return BadArguments(f"{_said(reason) or error}{details}", advice=advice)


def _items_of(operation: Operation) -> str:
    answer = operation.api.types[operation.facts["response"]]["properties"]
    return next((name for name, node in answer.items() if node.get("type") == "array"), "items")


def _said(reason: Reason) -> str:
    return f"Google says: {reason.message[:400]}" if reason.message else ""
