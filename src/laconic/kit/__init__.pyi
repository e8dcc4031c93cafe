# Written by scripts/docs from _HOMES in __init__.py.

from laconic.kit.answers.cells import line_start as line_start
from laconic.kit.answers.cells import one_line as one_line
from laconic.kit.answers.content import Audio as Audio
from laconic.kit.answers.content import Image as Image
from laconic.kit.answers.content import Link as Link
from laconic.kit.answers.content import Message as Message
from laconic.kit.answers.content import Resource as Resource
from laconic.kit.answers.content import Text as Text
from laconic.kit.answers.content import Verbatim as Verbatim
from laconic.kit.answers.envelope import META as META
from laconic.kit.answers.envelope import PAGINATION as PAGINATION
from laconic.kit.answers.envelope import TABLE as TABLE
from laconic.kit.answers.envelope import Envelope as Envelope
from laconic.kit.answers.envelope import Items as Items
from laconic.kit.answers.envelope import Meta as Meta
from laconic.kit.answers.envelope import PageFacts as PageFacts
from laconic.kit.answers.envelope import Pagination as Pagination
from laconic.kit.answers.pages import Batch as Batch
from laconic.kit.answers.pages import Page as Page
from laconic.kit.answers.pages import Position as Position
from laconic.kit.answers.pages import Window as Window
from laconic.kit.answers.records import Record as Record
from laconic.kit.arguments.described import Described as Described
from laconic.kit.arguments.separate import SeparatePart as SeparatePart
from laconic.kit.asking import Ask as Ask
from laconic.kit.checkups import Diagnosis as Diagnosis
from laconic.kit.compose import Parts as Parts
from laconic.kit.compose import settle as settle
from laconic.kit.declaring.options import Versioned as Versioned
from laconic.kit.declaring.parts import COMMAS as COMMAS
from laconic.kit.declaring.parts import UNLISTED as UNLISTED
from laconic.kit.declaring.parts import CamelPart as CamelPart
from laconic.kit.declaring.parts import Part as Part
from laconic.kit.declaring.profiles import Profile as Profile
from laconic.kit.declaring.rules import Rule as Rule
from laconic.kit.declaring.rules import at_least_one as at_least_one
from laconic.kit.declaring.rules import exactly_one as exactly_one
from laconic.kit.declaring.rules import ordered as ordered
from laconic.kit.declaring.rules import together as together
from laconic.kit.declaring.signature import UNSET as UNSET
from laconic.kit.declaring.signature import Complete as Complete
from laconic.kit.declaring.signature import Inline as Inline
from laconic.kit.declaring.signature import Raw as Raw
from laconic.kit.declaring.signature import Unset as Unset
from laconic.kit.declaring.signature import Was as Was
from laconic.kit.declaring.spec import Effect as Effect
from laconic.kit.declaring.spec import RouteSpec as RouteSpec
from laconic.kit.declaring.spec import ToolSpec as ToolSpec
from laconic.kit.declaring.takes import Takes as Takes
from laconic.kit.endpoint import Endpoint as Endpoint
from laconic.kit.errors import BadArguments as BadArguments
from laconic.kit.errors import BadConfiguration as BadConfiguration
from laconic.kit.errors import BadCursor as BadCursor
from laconic.kit.errors import Bug as Bug
from laconic.kit.errors import Conflict as Conflict
from laconic.kit.errors import Declined as Declined
from laconic.kit.errors import Failure as Failure
from laconic.kit.errors import Moved as Moved
from laconic.kit.errors import NeedsConfirm as NeedsConfirm
from laconic.kit.errors import NotFound as NotFound
from laconic.kit.errors import OutsideWorkspace as OutsideWorkspace
from laconic.kit.errors import Problem as Problem
from laconic.kit.errors import RateLimited as RateLimited
from laconic.kit.errors import Refused as Refused
from laconic.kit.errors import TimedOut as TimedOut
from laconic.kit.errors import TooLarge as TooLarge
from laconic.kit.errors import Unavailable as Unavailable
from laconic.kit.errors import Unknown as Unknown
from laconic.kit.errors import UpstreamDown as UpstreamDown
from laconic.kit.idle import later as later
from laconic.kit.journal.calls import CallJournal as CallJournal
from laconic.kit.memory import Memory as Memory
from laconic.kit.peer import About as About
from laconic.kit.peer import Caller as Caller
from laconic.kit.peer import Changed as Changed
from laconic.kit.peer import Changes as Changes
from laconic.kit.peer import Guard as Guard
from laconic.kit.peer import NotSupported as NotSupported
from laconic.kit.peer import Peer as Peer
from laconic.kit.peer import Progress as Progress
from laconic.kit.peer import Shown as Shown
from laconic.kit.peer import SilentPeer as SilentPeer
from laconic.kit.pipeline import Answer as Answer
from laconic.kit.pipeline import Call as Call
from laconic.kit.pipeline import Inner as Inner
from laconic.kit.pipeline import Step as Step
from laconic.kit.pipeline import only_for as only_for
from laconic.kit.pipeline import time_left as time_left
from laconic.kit.redaction import learn_secrets as learn_secrets
from laconic.kit.serving import serve as serve
from laconic.kit.settings import InWorkspace as InWorkspace
from laconic.kit.settings import Settings as Settings
from laconic.kit.settings import UserOnly as UserOnly
from laconic.kit.supplying.home import Home as Home
from laconic.kit.supplying.home import HomeFolders as HomeFolders
from laconic.kit.toolset import PromptEntry as PromptEntry
from laconic.kit.toolset import PromptSource as PromptSource
from laconic.kit.toolset import Toolset as Toolset
from laconic.kit.translation import failure_of as failure_of
from laconic.kit.wire.door import Door as Door
from laconic.kit.wire.door import caller_of as caller_of
from laconic.kit.wire.door import status_of as status_of
from laconic.kit.wire.http import http_app as http_app
from laconic.kit.wire.listening import serve_http as serve_http
from laconic.kit.wire.tokens import Holder as Holder
from laconic.kit.wire.tokens import Tokens as Tokens
from laconic.kit.wire.tokens import Verifier as Verifier

__all__ = [
    "COMMAS",
    "META",
    "PAGINATION",
    "TABLE",
    "UNLISTED",
    "UNSET",
    "About",
    "Answer",
    "Ask",
    "Audio",
    "BadArguments",
    "BadConfiguration",
    "BadCursor",
    "Batch",
    "Bug",
    "Call",
    "CallJournal",
    "Caller",
    "CamelPart",
    "Changed",
    "Changes",
    "Complete",
    "Conflict",
    "Declined",
    "Described",
    "Diagnosis",
    "Door",
    "Effect",
    "Endpoint",
    "Envelope",
    "Failure",
    "Guard",
    "Holder",
    "Home",
    "HomeFolders",
    "Image",
    "InWorkspace",
    "Inline",
    "Inner",
    "Items",
    "Link",
    "Memory",
    "Message",
    "Meta",
    "Moved",
    "NeedsConfirm",
    "NotFound",
    "NotSupported",
    "OutsideWorkspace",
    "Page",
    "PageFacts",
    "Pagination",
    "Part",
    "Parts",
    "Peer",
    "Position",
    "Problem",
    "Profile",
    "Progress",
    "PromptEntry",
    "PromptSource",
    "RateLimited",
    "Raw",
    "Record",
    "Refused",
    "Resource",
    "RouteSpec",
    "Rule",
    "SeparatePart",
    "Settings",
    "Shown",
    "SilentPeer",
    "Step",
    "Takes",
    "Text",
    "TimedOut",
    "Tokens",
    "TooLarge",
    "ToolSpec",
    "Toolset",
    "Unavailable",
    "Unknown",
    "Unset",
    "UpstreamDown",
    "UserOnly",
    "Verbatim",
    "Verifier",
    "Versioned",
    "Was",
    "Window",
    "at_least_one",
    "caller_of",
    "exactly_one",
    "failure_of",
    "http_app",
    "later",
    "learn_secrets",
    "line_start",
    "one_line",
    "only_for",
    "ordered",
    "serve",
    "serve_http",
    "settle",
    "status_of",
    "time_left",
    "together",
]
