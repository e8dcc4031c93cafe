"""Options: one table, four sources in one order, and every unknown word is refused."""

from pathlib import Path

import pytest

from laconic.cli.configuration import settings
from laconic.cli.configuration.options import FILE, FLAG, OPTIONS, OWN_FILE, VARIABLE, ServerOptions
from laconic.cli.configuration.values import Address
from laconic.cli.serve import flag_parser, flags
from laconic.kit.errors import BadConfiguration

IN_NO_FILE = ("workspace", "http", "sandbox", "journal", "name", "version")
IN_OWN_FILE = (
    *(
        "public_url",
        "sites",
        "workers",
        "allow",
        "deny",
        "state",
        "database",
        "database_copies",
        "cache",
        "wire",
    ),
    *("secret", "token", "tokens", "readers", "jwt_issuer", "jwt_key"),
)
WITHOUT_VARIABLE = ("tokens", "readers")


class Config:
    """A workspace with a laconic.toml, the user's own file, flags and variables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.own = folder / "user" / "laconic" / "config.toml"

    def write(self, content: str) -> None:
        (self.folder / "laconic.toml").write_text(content, encoding="utf-8")

    def write_own(self, content: str) -> None:
        self.own.parent.mkdir(parents=True, exist_ok=True)
        self.own.write_text(content, encoding="utf-8")

    def read(self, *words: str, **variables: str) -> ServerOptions:
        known = {"XDG_CONFIG_HOME": str(self.folder / "user"), **variables}
        return settings.read(flags.parse(["--workspace", str(self.folder), *words]), known)

    def refused(self, *words: str, **variables: str) -> str:
        with pytest.raises(BadConfiguration) as caught:
            self.read(*words, **variables)
        return f"{caught.value.message} {caught.value.advice}".strip()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path)


def test_flags_win_over_variables_and_variables_over_the_file(config: Config) -> None:
    config.write("deadline = 10\nrate = 10\nconcurrency = 10")

    options = config.read("--deadline", "30", LACONIC_DEADLINE="20", LACONIC_RATE="20")

    assert (options.deadline, options.rate, options.concurrency) == (30.0, 20, 10)
    assert options.output == "text"  # nobody set it


def test_the_users_own_file_wins_over_the_workspace_and_loses_to_variables(config: Config) -> None:
    config.write("deadline = 10\nrate = 10\nconcurrency = 10\n[example]\nfolder = 'a'\ncolour = 'red'")
    config.write_own("deadline = 20\nrate = 20\nstate = '/here'\n[example]\nfolder = 'b'\nsize = 'big'")

    options = config.read(LACONIC_DEADLINE="30", LACONIC_EXAMPLE_SIZE="small")

    assert (options.deadline, options.rate, options.concurrency) == (30.0, 20, 10)
    assert options.state == "/here"
    assert options.sections == {"example": {"folder": "b", "colour": "red", "size": "small"}}
    assert options.from_workspace == {"example": ("folder", "colour")}


def test_secrets_may_be_in_the_users_own_file(config: Config) -> None:
    config.write_own("secret = ['a secret that is long enough']\ntoken = 'another secret'")

    options = config.read()
    assert options.secret == ("a secret that is long enough",)
    assert options.token == "another secret"


@pytest.mark.parametrize("key", IN_NO_FILE)
def test_what_differs_from_start_to_start_is_in_no_file(config: Config, key: str) -> None:
    config.write_own(f"{key} = 'x'")

    refused = config.refused()
    assert refused == f"{key} is not allowed in {config.own}. Set LACONIC_{key.upper()} instead."


def test_a_mistake_in_the_users_own_file_is_reported_with_its_path(config: Config) -> None:
    config.write_own("readonly = true")
    assert config.refused() == f"Unknown key 'readonly' in {config.own}. Did you mean read_only?"
    config.write_own("read_only = ")
    assert config.refused().startswith(f"{config.own} is not TOML: ")


def test_a_flag_can_override_the_file(config: Config) -> None:
    config.write("read_only = true")

    assert config.read().read_only
    assert not config.read("--no-read-only").read_only


def test_servers_and_flags_come_in_any_order(config: Config) -> None:
    assert config.read("one", "--verbose", "two", "--rate", "5", "three").servers == ("one", "two", "three")
    assert config.read(LACONIC_SERVERS="one, two").servers == ("one", "two")


def test_every_option_has_help_and_is_read_from_its_sources() -> None:
    listed = flag_parser.parser().format_help()
    for option in OPTIONS.values():
        assert option.help, option.name
        assert (option.flag in listed or option.name == "servers") is (FLAG in option.sources)
        assert option.sources <= {FLAG, VARIABLE, OWN_FILE, FILE}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"LACONIC_DEADLINE": "soon"}, "LACONIC_DEADLINE is 'soon'. Expected: a number of seconds above 0."),
        ({"LACONIC_RATE": "0"}, "LACONIC_RATE is '0'. Expected: a whole number of at least 1."),
        ({"LACONIC_READ_ONLY": "maybe"}, "LACONIC_READ_ONLY is 'maybe'. Expected: true or false."),
        ({"LACONIC_OUTPUT": "xml"}, "LACONIC_OUTPUT is 'xml'. Expected: one of text, structured, both."),
        ({"LACONIC_HTTP": "here"}, "LACONIC_HTTP is 'here'. Expected: HOST:PORT, such as 127.0.0.1:8321."),
        ({"LACONIC_PUBLIC_URL": "mcp.example.org"}, "such as https://mcp.example.org."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_what_would(
    config: Config, given: dict[str, str], said: str
) -> None:
    assert said in config.refused(**given)


@pytest.mark.parametrize("value", ["rate = true", "rate = 1.5", "servers = [1]", "[prefix]\nexample = 1"])
def test_a_value_of_a_wrong_kind_in_the_file_is_refused(config: Config, value: str) -> None:
    config.write(value)

    assert "in laconic.toml is" in config.refused()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("127.0.0.1:8321", Address("127.0.0.1", 8321)),
        ("8321", Address("127.0.0.1", 8321)),
        (":8321", Address("127.0.0.1", 8321)),
        ("[::1]:8321", Address("::1", 8321)),
        ("mcp.example.org:80", Address("mcp.example.org", 80)),
    ],
)
def test_an_address_is_a_host_and_a_port(config: Config, given: str, read: Address) -> None:
    assert config.read("--http", given).http == read
    assert config.read("--http", str(read)).http == read


def test_an_unknown_key_is_refused_with_the_nearest(config: Config) -> None:
    config.write("readonly = true")

    assert config.refused() == "Unknown key 'readonly' in laconic.toml. Did you mean read_only?"


def test_an_unknown_key_in_a_table_of_ours_is_refused(config: Config) -> None:
    config.write_own("[http]\nworker = 2")

    assert "Did you mean http.workers?" in config.refused()


@pytest.mark.parametrize("prefix", ["a b", "\\n", "é", "ignore.all", "x" * 33])
def test_a_prefix_is_no_place_for_words_to_a_model(config: Config, prefix: str) -> None:
    config.write(f'[prefix]\nexample = "{prefix}"')

    assert "a table of prefixes" in config.refused()


@pytest.mark.parametrize("given", ["0", "65", "9" * 400])
def test_workers_are_few(config: Config, given: str) -> None:
    assert "--workers" in config.refused("--workers", given)
    assert config.read("--workers", "64").workers == 64


def test_an_unknown_variable_is_refused_with_the_nearest(config: Config) -> None:
    refused = config.refused(LACONIC_READONLY="1")

    assert refused == "Unknown variable 'LACONIC_READONLY'. Did you mean LACONIC_READ_ONLY?"


def test_variables_of_our_tests_and_empty_ones_are_ignored(config: Config) -> None:
    options = config.read(LACONIC_REQUIRE="redis", LACONIC_SOAK="1", LACONIC_HTTP="", HOME="/")

    assert options.http is None


def test_an_unknown_flag_is_refused_with_the_nearest(config: Config) -> None:
    assert config.refused("--dedline", "5") == "Unknown flag --dedline. Did you mean --deadline?"


def test_a_file_that_is_not_toml_is_refused_with_the_line(config: Config) -> None:
    config.write("deadline = ")

    assert config.refused().startswith("laconic.toml is not TOML: Invalid value (at ")


def test_tables_of_toolsets_are_passed_on_and_variables_add_to_them(config: Config) -> None:
    config.write("[example]\nfolder = 'memos'\ncolour = 'red'\n[prefix]\nexample = 'my_'")

    options = config.read(LACONIC_EXAMPLE_COLOUR="blue")

    assert options.sections == {"example": {"folder": "memos", "colour": "blue"}}
    assert options.prefix == {"example": "my_"}


def test_tokens_and_readers_are_read_from_the_table_of_http(config: Config) -> None:
    config.write_own(
        "[http]\nreaders = ['ci']\n[http.tokens]\nci = 'sha256:00'\n[http.jwt]\nissuer = 'https://i'"
    )

    options = config.read(LACONIC_JWT_KEY="a key")

    assert (options.tokens, options.readers) == ({"ci": "sha256:00"}, ("ci",))
    assert (options.jwt_issuer, options.jwt_key) == ("https://i", "a key")


@pytest.mark.parametrize("name", [*IN_NO_FILE, *IN_OWN_FILE])
def test_a_file_in_a_repository_holds_no_secret_and_moves_nothing_of_ours(config: Config, name: str) -> None:
    key = OPTIONS[name].key
    config.write(f"{key} = 'a value that is long enough'")

    refused = config.refused()
    assert refused.startswith(f"{key} is not allowed in laconic.toml. Set ")
    assert (f"LACONIC_{name.upper()} " in refused) is (name not in WITHOUT_VARIABLE)
    assert ("laconic/config.toml instead." in refused) is (name in IN_OWN_FILE)


def test_any_other_option_may_be_in_a_file_of_a_repository() -> None:
    kept = {name for name, option in OPTIONS.items() if FILE not in option.sources}

    assert kept == {*IN_NO_FILE, *IN_OWN_FILE}


@pytest.mark.parametrize(
    ("content", "key", "ways"),
    [
        ("[http.tokens]\nme = 'let-me-in'", "http.tokens", ""),
        ("http = {tokens = {me = 'let-me-in'}}", "http.tokens", ""),
        ("'http.tokens' = {me = 'let-me-in'}", "http.tokens", ""),
        ("[http]\nreaders = ['owner']", "http.readers", ""),
        ("[http.jwt]\nissuer = 'let-me-in'", "http.jwt.issuer", "LACONIC_JWT_ISSUER or "),
        ("[http.jwt]\nkey = 'let-me-in'", "http.jwt.key", "LACONIC_JWT_KEY or "),
        ("[http]\npublic_url = 'https://x.example'", "http.public_url", "LACONIC_PUBLIC_URL or "),
        ("[http]\nsites = ['https://let-me-in.example']", "http.sites", "LACONIC_SITES or "),
    ],
)
def test_a_file_in_a_repository_lets_nobody_in(config: Config, content: str, key: str, ways: str) -> None:
    config.write(content)

    refused = config.refused(LACONIC_TOKEN="the user's own")
    assert refused.startswith(f"{key} is not allowed in laconic.toml. Set {ways}{key} in ")
    assert refused.endswith("laconic/config.toml instead.") and "let-me-in" not in refused


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("https://App.example.org/", ("https://app.example.org",)),
        ("http://localhost:3000, https://a.example:443", ("http://localhost:3000", "https://a.example")),
        ("http://[::1]:3000,http://a.example:80", ("http://[::1]:3000", "http://a.example")),
        ("", ()),
    ],
)
def test_sites_are_read_as_browsers_name_them(config: Config, given: str, read: tuple[str, ...]) -> None:
    assert config.read(LACONIC_SITES=given).sites == read


@pytest.mark.parametrize(
    "given", ["*", "null", "https://*.example", "app.example", "https://a.example/b", "ftp://a.example"]
)
def test_what_is_no_site_is_refused_with_an_example(config: Config, given: str) -> None:
    assert "https://app.example.org" in config.refused(LACONIC_SITES=given)


def test_a_file_in_a_repository_cannot_name_code_to_run(config: Config) -> None:
    config.write("servers = ['setup:toolset']")

    assert "only installed servers are allowed there" in config.refused()
    config.write("")
    assert config.read("setup:toolset").servers == ("setup:toolset",)  # a person may


@pytest.mark.parametrize("given", [{"LACONIC_TOKEN": " "}, {"LACONIC_JWT_KEY": ""}])
def test_a_blank_variable_counts_as_unset(config: Config, given: dict[str, str]) -> None:
    options = config.read(**given)

    assert options.token is None and options.jwt_key is None


def test_a_refusal_does_not_repeat_a_secret(config: Config) -> None:
    config.write_own("[http]\ntokens = 'tell-nobody'")

    refused = config.refused()
    assert "is a secret. Expected: a table of strings." in refused and "tell-nobody" not in refused


def test_a_workspace_that_is_not_there_is_refused(config: Config) -> None:
    assert config.refused("--workspace", "${workspaceFolder}").endswith("${workspaceFolder} is not a folder.")
