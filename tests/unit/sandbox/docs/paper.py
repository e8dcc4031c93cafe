"""A document of the practice Docs as a test writes it: requests, what is refused, and what is there then."""

from __future__ import annotations

from typing import Any

from tests.google_server import GoogleServer

BULLETS = "BULLET_DISC_CIRCLE_SQUARE"
Request = dict[str, Any]


class Paper:
    """One document, over HTTP."""

    def __init__(self, site: GoogleServer, id: str = "", text: str = "") -> None:
        self.site = site
        self.id = id or site.ask("POST", "/v1/documents", {"title": "Paper"}).json()["documentId"]
        if text:
            self.do(insert(1, text))

    def ask(self, *requests: Request, token: str = "", **control: str) -> Any:
        """Send a batch; the response."""
        body: Request = {"requests": list(requests)}
        if control:
            body["writeControl"] = control
        more = {"headers": {"authorization": f"Bearer {token}"}} if token else {}
        return self.site.ask("POST", f"/v1/documents/{self.id}:batchUpdate", body, **more)

    def do(self, *requests: Request, **control: str) -> list[Request]:
        """Send a batch that is carried out; its replies."""
        reply = self.ask(*requests, **control)
        assert reply.status_code == 200, reply.text
        found: list[Request] = reply.json()["replies"]
        return found

    def refused(self, *requests: Request, status: int = 400, **control: str) -> str:
        """Send a batch that is refused; why."""
        reply = self.ask(*requests, **control)
        assert reply.status_code == status, reply.text
        return str(reply.json()["error"]["message"])

    def read(self, **query: str) -> Any:
        """The document, with its tabs."""
        reply = self.site.ask("GET", f"/v1/documents/{self.id}", includeTabsContent="true", **query)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def tab(self, number: int = 0, **query: str) -> Any:
        """The content of a tab."""
        return self.read(**query)["tabs"][number]["documentTab"]

    def lines(self, segment: str = "", **query: str) -> list[str]:
        """The blocks of a segment: where each begins and what it is."""
        return lines(content_of(self.tab(0, **query), segment))

    @property
    def text(self) -> str:
        """The text of the body."""
        return "".join(line.partition(" ")[2] for line in self.lines())


def content_of(tab: Request, segment: str = "") -> list[Request]:
    """The content of a segment of a tab."""
    if not segment:
        found: list[Request] = tab["body"]["content"]
        return found
    groups = (tab.get(name, {}) for name in ("headers", "footers", "footnotes"))
    return next(list(group[segment]["content"]) for group in groups if segment in group)


def lines(content: list[Request]) -> list[str]:
    """Blocks in short: an index and the text; elements in angle brackets, tables in square ones."""
    found = []
    for one in content:
        start = one.get("startIndex", 0)
        if "table" in one:
            rows = [
                ["".join(lines(cell["content"])) for cell in row["tableCells"]]
                for row in one["table"]["tableRows"]
            ]
            found.append(f"{start} {rows}")
        elif "paragraph" in one:
            sign = (
                "*" * (1 + one["paragraph"]["bullet"].get("nestingLevel", 0))
                if "bullet" in one["paragraph"]
                else ""
            )
            found.append(f"{start} {sign}{''.join(map(_element, one['paragraph']['elements']))}")
        else:
            found.append(f"{start} =")
    return found


def _element(one: Request) -> str:
    if "textRun" in one:
        return str(one["textRun"]["content"])
    return f"<{next(name for name in one if not name.endswith('Index'))}>"


def insert(index: int, text: str, **where: str) -> Request:
    return {"insertText": {"location": {"index": index, **where}, "text": text}}


def append(text: str, **where: str) -> Request:
    return {"insertText": {"endOfSegmentLocation": where, "text": text}}


def span(start: int, end: int, **where: str) -> Request:
    return {"startIndex": start, "endIndex": end, **where}


def delete(start: int, end: int, **where: str) -> Request:
    return {"deleteContentRange": {"range": span(start, end, **where)}}


def table(index: int, rows: int, columns: int, **where: str) -> Request:
    return {"insertTable": {"location": {"index": index, **where}, "rows": rows, "columns": columns}}


def bullets(start: int, end: int, preset: str = BULLETS) -> Request:
    return {"createParagraphBullets": {"range": span(start, end), "bulletPreset": preset}}


def style(start: int, end: int, fields: str = "", **styles: Any) -> Request:
    given = {"range": span(start, end), "textStyle": styles, "fields": fields or ",".join(styles)}
    return {"updateTextStyle": given}


def cell(table: int, row: int, column: int) -> Request:
    return {"tableStartLocation": {"index": table}, "rowIndex": row, "columnIndex": column}
