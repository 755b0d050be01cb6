"""Every command of the documentation's examples works as it stands, and its tables hold every parameter and option."""

import json
import re
import shlex
import subprocess

import pytest

from service import BINARY, REPOSITORY

README = REPOSITORY / "README.md"
API, EFFECTS, GALLERY, OPERATIONS = (
    REPOSITORY / "docs" / name for name in ("api.md", "effects.md", "gallery.md", "operations.md")
)
PROGRAM = ".build/release/titlecard"
PICTURES = {
    page: [page.parent / path for path in re.findall(r"""(?:\]\(|src(?:set)?=")([\w/-]+\.(?:svg|webp))""", page.read_text())]
    for page in (README, GALLERY)
}
ADDRESSES = re.findall(r"(/(?:render)?\?[^`'\s]+)", README.read_text() + GALLERY.read_text())


def commands(file, word):
    """The commands of a file's shell examples that begin with a word, lines joined."""
    blocks = re.findall(r"```sh\n(.*?)```", file.read_text(), re.S)
    for block in blocks:
        block = re.sub(r"\\\n\s*", "", block)
        yield from re.findall(rf"^{re.escape(word)} .*?(?=\n\n|\n#|\n\.build|\Z)", block, re.S | re.M)


def rows(text):
    """The rows of Markdown tables by their first cell, which is code: the other cells, without backticks around them."""
    found = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text, re.M)
    return {name: [cell.strip("`") for cell in rest.split(" | ")] for name, rest in found}


@pytest.fixture(scope="module")
def everything(start):
    """A service with the routes that have to be switched on."""
    return start("--mcp")


@pytest.mark.parametrize("command", [*commands(README, "curl"), *commands(API, "curl")])
def test_a_curl_example_writes_its_answer(everything, tmp_path, command):
    command = command.replace("localhost:8080", everything.url.removeprefix("http://"))
    command = command.replace("curl", "curl --fail -sS", 1)
    given = tmp_path / "talk.srt"
    given.write_text("1\n00:00:00,500 --> 00:00:01,000\nHello\n")
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, stdout=subprocess.PIPE)
    (length,) = [file.stat().st_size for file in tmp_path.iterdir() if file != given] or [len(run.stdout)]
    assert length > 300


@pytest.mark.parametrize("file", sorted((REPOSITORY / "examples/requests").iterdir()), ids=lambda file: file.stem)
def test_an_example_of_a_request_is_rendered_without_a_warning(server, file):
    for format in ["svg", "gif"]:
        answer = server.post(f"/render.{format}", json.loads(file.read_text()))
        assert answer.status == 200 and "Titlecard-Warnings" not in answer.headers


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_of_the_readme_or_the_gallery_is_drawn_without_a_warning(server, address):
    # One may stand in the parentheses of a Markdown image.
    answer = server.get(address if address.count("(") == address.count(")") else address.removesuffix(")"))
    assert answer.status == 200 and "Titlecard-Warnings" not in answer.headers


def test_no_picture_of_the_readme_or_the_gallery_plays_forever():
    """Dozens of pictures that did would keep a reader's browser busy for as long as the page is open."""
    assert len(PICTURES[README]) > 12 and len(PICTURES[GALLERY]) > 50
    for picture in PICTURES[README] + PICTURES[GALLERY]:
        content = picture.read_bytes()
        assert b"infinite" not in content and b"ANIM" not in content[:64], picture


def test_the_gallery_has_the_address_of_every_picture_that_the_readme_shows_as_a_link():
    linked = re.findall(r"\[!\[[^]]*\]\(([\w/-]+\.svg)\)\]\(docs/gallery\.md#[\w-]+\)", README.read_text())
    assert len(linked) == 12
    assert {REPOSITORY / path for path in linked} <= set(PICTURES[GALLERY])


def test_the_readme_starts_with_a_target_of_make():
    start = README.read_text().split("## Start")[1].split("\n## ")[0]
    [command] = re.findall(r"`(make \w+)`", start)
    subprocess.run([*command.split(), "--dry-run"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("command", [*commands(README, PROGRAM), *commands(OPERATIONS, PROGRAM)])
def test_an_example_of_the_command_line_works(tmp_path, command):
    command = command.strip().replace(PROGRAM, str(BINARY), 1).replace(" examples/", f" {REPOSITORY}/examples/")
    output = subprocess.run(shlex.split(command), cwd=tmp_path, check=True, capture_output=True).stdout
    assert len(output) > 300 or [file.stat().st_size > 300 for file in tmp_path.iterdir()] == [True]


def test_the_way_of_a_text_names_types_that_exist():
    text = (REPOSITORY / "docs" / "architecture.md").read_text()
    way = re.search(r"^## The way of a text\n(.*?)^## ", text, re.S | re.M)[1]
    stations = re.findall(r"^\d+\. (.*?)(?=^\d+\. |\Z)", way, re.S | re.M)
    assert 5 < len(stations) <= 14
    sources = "\n".join(file.read_text() for file in (REPOSITORY / "Sources").rglob("*.swift"))
    for station in stations:
        types = re.findall(r"`([A-Z]\w+)`", station)
        assert types, station
        for name in types:
            assert re.search(rf"\b(class|struct|enum|protocol|typealias) {name}\b", sources), name


def test_the_examples_are_found():
    assert len(list(commands(README, "curl"))) == 1
    assert len(list(commands(API, "curl"))) >= 20
    assert len(list(commands(README, PROGRAM))) == 1
    assert len(list(commands(OPERATIONS, PROGRAM))) == 5


def test_the_parameter_tables_hold_every_parameter(server):
    chapters = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## )", EFFECTS.read_text(), re.S | re.M))
    owned = set()
    for effect in server.get("/effects").json["effects"]:
        table = rows(chapters[effect["name"]])
        names = [parameter["name"] for parameter in effect["parameters"]]
        assert list(table) == names
        for parameter in effect["parameters"]:
            default = parameter["default"]
            written = default if isinstance(default, str) else "none" if default is None else json.dumps(default)
            assert table[parameter["name"]][1] == written
        owned |= set(names)
    table = rows(API.read_text().split("## The request")[1].split("### Ways to send it")[0])
    assert set(table) == set(server.parameters) - owned


def test_the_metrics_that_there_are_stand_in_their_table(server):
    text = server.get("/metrics").text
    table = rows(API.read_text().split("\n## Metrics")[1].split("\n## ")[0])
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
    assert {name.split("{")[0]: cells[0] for name, cells in table.items()} == kinds


def test_every_option_stands_in_its_table_with_its_default():
    help = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    options = {}
    for option in re.split(r"\n  (?=-)", help.split("SERVICE:")[1].split("OPTIONS:")[0]):
        # The words that an option takes come after its default.
        option = re.sub(r"\(values:[^()]*\)(?=\s*(?:\n\n|\Z))", "", option)
        if match := re.search(r"^--([\w-]+)\b.*\(([^()]*)\)\s*(?:\n\n|\Z)", option, re.S):
            options["--" + match[1]] = " ".join(match[2].split())
    assert len(options) > 30
    described = OPERATIONS.read_text().split("## Options of `serve`")[1]
    table = rows(described.split("\n## ")[0])
    assert {name: cells[0] for name, cells in table.items() if name.startswith("--")} == options
