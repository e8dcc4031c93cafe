"""Secrets and places are hidden, and what only resembles them is not."""

import pytest

from laconic.text.secrets import HIDDEN, Folders, hide_folders, hide_home, hide_secrets

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

SECRETS: list[tuple[str, str]] = [
    ("401 for Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"),
    ("sk_live_abc123 was refused", "sk_live_abc123"),
    ("Bearer 0a1b2c3d4e", "0a1b2c3d4e"),
    ("header bearer some-opaque-access-value", "some-opaque-access-value"),
    ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    ("authorization='Bearer abc.def'", "abc.def"),
    ("{'Authorization': 'Bearer opaque-token-1'}", "opaque-token-1"),
    ("Authorization: Token aabbcc", "aabbcc"),
    (f"jwt {JWT} expired", JWT),
    ("key sk-proj-abcDEF0123456789abcDEF0123456789", "sk-proj-abcDEF0123456789abcDEF0123456789"),
    ("sk-ant-api03-abcdefghij_klmnop-qrstuvwxyz", "sk-ant-api03-abcdefghij_klmnop-qrstuvwxyz"),
    ("push with ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
    ("github_pat_11ABCDEFG0abcdefghijkl_xyz", "github_pat_11ABCDEFG0abcdefghijkl_xyz"),
    ("glpat-abcdefghij0123456789", "glpat-abcdefghij0123456789"),
    ("xoxb-123456789012-abcdefABCDEF", "xoxb-123456789012-abcdefABCDEF"),
    ("AKIAIOSFODNN7EXAMPLE is unknown", "AKIAIOSFODNN7EXAMPLE"),
    ("?key=AIzaSyA1234567890abcdefghijklmnopqrstuv", "AIzaSyA1234567890abcdefghijklmnopqrstuv"),
    ("ya29.a0AfH6SMBabcdefghijklmnop", "ya29.a0AfH6SMBabcdefghijklmnop"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "MIIEow"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEow and no end", "MIIEow"),
    ("https://hooks.slack.com/services/T000/B000/XXXXyyyy", "T000/B000/XXXXyyyy"),
    ("password=hunter2", "hunter2"),
    ("password = swordfish, user=ada", "swordfish"),
    ("password: swordfish", "swordfish"),
    ("PGPASSWORD=x1", "x1"),
    ("wrong password 'swordfish' for ada", "swordfish"),
    ('{"password": "correct horse battery"}', "correct horse battery"),
    ("{'db_password': 'p w'}", "p w"),
    ("my-secret=abcdef", "abcdef"),
    ("client_secret: Zx81abc", "Zx81abc"),
    ("GET /x?token=abcdef&page=2", "abcdef"),
    ("access_token=abcdef", "abcdef"),
    ('"accessToken": "abcdef"', "abcdef"),
    ("api_key: 12ab34cd", "12ab34cd"),
    ("apiKey=abcdef;", "abcdef"),
    ("X-Api-Key: 9f8e7d6c5b4a", "9f8e7d6c5b4a"),
    ("LACONIC_TOKEN=abcdef", "abcdef"),
    ("Set-Cookie: session=abc123; Path=/", "abc123"),
    ("postgresql://ada:s3cr3t@db/main", "s3cr3t"),
    ("redis://:p@ss@cache:6379/0", "p@ss"),
    ("https://x.example/a?sig=abc%2Fdef&b=1", "abc%2Fdef"),
    ("SECRET_KEY='s3cr3t'", "s3cr3t"),
    ("DB_PASS=swordfish pass=x", "swordfish"),
    ("login with pass=hunter2", "hunter2"),
    ("Command '['psql', '--password', 'swordfish', '-U', 'ada']' failed", "swordfish"),
    ('["curl", "--api-key", "swordfish"]', "swordfish"),
    ("psql --password hunter2 -U ada", "hunter2"),
    ('body {\\"password\\":\\"hunter2\\"}', "hunter2"),
    ('body {\\"a\\": {\\"api_key\\": \\"swordfish\\", \\"b\\": 1}}', "swordfish"),
    ('{"password": "hun\\"ter2"}', "ter2"),
    ("<password>swordfish</password>", "swordfish"),
    ('<db:Password type="x">sword fish</db:Password>', "sword fish"),
    ("[('user', 'ada'), ('password', 'swordfish')]", "swordfish"),
    ("X-Api-Key: swordfish", "swordfish"),
    ("{'x-auth-token': 'swordfish'}", "swordfish"),
    ("GET https://a.example/v1?key=AKfoo123456789012345&x=1", "AKfoo123456789012345"),
    ("密码password=秘密", "秘密"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_hidden(text: str, secret: str) -> None:
    assert secret in text
    said = hide_secrets(text)
    assert secret not in said and HIDDEN in said
    assert hide_secrets(said) == said  # what is hidden stays hidden, once


HARMLESS = [
    "tokens: 12",
    "max_tokens=4096",
    "token 12 of 40",
    "A title like password reset",
    "password reset: see the guide",
    "Set a new password. The token expired.",
    "The token: expired 5 minutes ago",
    "Missing password: string of at least 8 characters.",
    "Missing token: one of a, b.",
    "Missing secret: UUID.",
    "Unknown argument 'token'. Did you mean 'tokens'?",
    "Unknown argument 'passwrd'. Did you mean 'password'?",
    "Unexpected token: identifier",
    "Unexpected token '<' in JSON",
    "Bearer authentication is required.",
    "Basic authentication is not supported.",
    "authorization: required",
    "page_token=CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA",
    '"nextPageToken": "CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA"',
    "password=<your password>",
    "token=$GITHUB_TOKEN",
    "api_key=***",
    "The secretary: Ann Lee2",
    "passwordless=true1",
    "ISS-000042 and JOB-0001",
    "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "9b74c9897bac770ffc029102a200c5de",
    "commit 0765f2544e4f7a0d8ed2cbd1e0bd5c2b4d3c4f5a",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "cursor 'AbCdEf0123456789abcdef'",
    "idempotency_key=plan-42-b",
    "https://example.org:8080/a@b",
    "mail ada@example.org",
    "risk-assessment-of-long-hyphenated-words",
    "docs/tokens/readme.md",
    "key: value",
    "?key=name and ?key=PROJ-1234",
    "tests pass: 12, pass=12, bypass=abc, compass: north",
    "Valid values: 'password', 'email'.",
    "Unknown fields ['password', 'email'] and ('password', 'email', 'name')",
    "Pass --token to log in, or --password and a name.",
    "X-Api-Key: required",
    "<password></password> and <token>",
    '{\\"tokens\\": 12}',
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_resembles_a_secret_stays(text: str) -> None:
    assert hide_secrets(text) == text


def test_known_secrets_are_hidden_by_value() -> None:
    assert hide_secrets("login as blue-whale failed", ["blue-whale"]) == "login as [hidden] failed"


def test_what_the_reader_sent_may_be_repeated_unless_it_is_a_known_secret() -> None:
    text = "Unknown id 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' of blue-whale"
    said = hide_secrets(text, ["blue-whale"], lambda part: part in text)
    assert said == text.replace("blue-whale", HIDDEN)


PLACES: list[tuple[str, str]] = [
    ("No file '/home/ada/notes/a.md'.", "No file '~/notes/a.md'."),
    ("in /home/ada.", "in ~."),
    ("/Users/Ada Lovelace/x", "~ Lovelace/x"),
    (f"/{'root'}/.ssh/id", "~/.ssh/id"),
    ("file:///home/ada/x.md", "file://~/x.md"),
    ("path:/home/ada/x.md", "path:~/x.md"),
    ("C:\\Users\\ada\\x.md", "~\\x.md"),
    ("'C:\\\\Users\\\\ada\\\\x.md'", "'~\\\\x.md'"),
    ("/tmp/abc/x.db is locked", "$TMPDIR/abc/x.db is locked"),
    ("/private/var/folders/zz/abc123/T/x", "$TMPDIR/x"),
    ("/var/tmp/x", "$TMPDIR/x"),
    ("cannot read /etc/laconic/server.pem.", "cannot read …/server.pem."),
    ('File "/usr/lib/python3.11/json/decoder.py", line 3', 'File "…/decoder.py", line 3'),
    ("D:\\data\\secret plans\\x.md", "…/secret plans\\x.md"),
    ("D:/Data/app/x.db is locked", "…/x.db is locked"),
    ("D:\\Data/app\\x.db", "…/x.db"),
    ("no \\\\srv\\share\\plans\\x.md.", "no …/x.md."),
    ("'\\\\\\\\srv\\\\share\\\\x.md'", "'…/x.md'"),
    ("cannot open /data/app/x.db", "cannot open …/x.db"),
    ("/run/secrets/db, /boot/grub and /lib/x", "…/db, …/grub and …/x"),
    ("[/media/stick/x] [/app/config.yml]", "[…/x] […/config.yml]"),
    ("--file=/garden/beds/north.json", "--file=…/north.json"),
    ("sqlite:///data/app/x.db sqlite:////garden/x.db", "sqlite://…/x.db sqlite:///…/x.db"),
    ("/dev/mapper/disk", "…/disk"),
    ("sqlite:////home/ada/app.db is locked", "sqlite:///~/app.db is locked"),
    ("sqlite:////tmp/app.db", "sqlite:///$TMPDIR/app.db"),
    ("gcc -I/home/ada/include -L/opt/x/lib failed", "gcc -I~/include -L…/lib failed"),
    ("-I/home/ada/include", "-I~/include"),
    ("['cc', '-I/home/ada/x']", "['cc', '-I~/x']"),
    ("/workspace/x/y", "…/y"),
    *((f"/{folder}/garden/plan", "…/plan") for folder in ("work", "code", "builds", "vagrant")),
    ("/code/main/plan, /builds/ada/x", "…/plan, …/x"),
]


@pytest.mark.parametrize(("text", "shown"), PLACES)
def test_a_place_of_the_machine_is_hidden(text: str, shown: str) -> None:
    assert hide_folders(hide_home(text)) == shown


NOWHERE = [
    "docs/home/ada/x.md",
    "https://example.org/home/ada",
    "https://example.org:8080/tmp/x and https://example.org/usr/lib/x",
    "http://home/ada",
    "/wiki/home",
    "/users/12 and /api/v2/items",
    "../tmp/x and ./etc/x",
    "a/b and 3/4, and/or",
    "~/notes/a.md",
    "/tmpfile and /homes/x",
    "/home",
    "ratio 1:2, C: drive",
    "GET /data/items failed, POST '/garden/beds.json' too",
    "https://example.org/garden/beds.json, http://[::1]/data/x.db, {base}/data/x.db",
    "on 1/2/2026, n/a, /api/v1.2, /help",
    "tabs \\\\t\\\\n and \\\\section\\\\begin",
    "/dev/null",
    "A-B/home/ada and x-y/tmp/z",
]


@pytest.mark.parametrize("text", NOWHERE)
def test_an_address_or_a_relative_path_stays(text: str) -> None:
    assert hide_folders(hide_home(text)) == text


def test_a_folder_of_this_machine_is_short_after_a_flag_and_in_an_address() -> None:
    folders = Folders({"/garden/main": "…"})
    assert folders.hide("-I/garden/main/x sqlite:////garden/main/x.db") == "-I…/x sqlite:///…/x.db"


def test_the_folders_at_the_root_of_this_machine_are_known() -> None:
    text = "/garden/beds/north and /api/beds/north"
    assert hide_folders(text, roots={"garden"}) == "…/north and /api/beds/north"
