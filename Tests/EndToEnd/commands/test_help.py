"""What the command line says of itself: its commands, parameters, and the values that they take."""

import json
import re

import pytest

from commands import render, run
from service import REPOSITORY, query
from terminals import at_a_terminal

USAGE = 64
STAMP = (REPOSITORY / "examples/effects/stamp.json").read_text()


def kebab(name):
    return "--" + re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name)


def options(lines):
    """The options of a help by name, each with its description in one line."""
    found, last = {}, ""
    for line in lines:
        if match := re.match(r"  (?:-\w, )?(--[\w-]+)(?: [A-Z/]+)?(?:$|  +(.*))", line):
            last = match[1]
            found[last] = match[2] or ""
        elif line.startswith("      ") and last:
            found[last] = (found[last] + " " + line.strip()).strip()
        else:
            last = ""
    return found


def sections():
    """The options of `render --help --all`: those of all texts, and those of each effect by its name."""
    whole, *effects = re.split(r"\n--effect (\S+)\n", render("--help", "--all").stdout.decode())
    return options(whole.splitlines()), {
        name: options(text.splitlines()) for name, text in zip(effects[::2], effects[1::2])
    }


def test_a_bare_call_prints_the_help():
    outcome = run()
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout == run("--help").stdout == run("help").stdout
    for command in ["render", "serve", "list", "help", "completion", "health", "sign", "import", "canonical", "cache-metrics"]:
        assert f"\n  {command} ".encode() in outcome.stdout


def test_an_option_without_a_command_does_not_serve():
    outcome = run("--port", "0")
    assert outcome.returncode == USAGE and b"--port" in outcome.stderr and not outcome.stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (["rneder"], '"rneder" is not a command; did you mean "render"?'),
        (["sevre", "--port", "0"], '"sevre" is not a command; did you mean "serve"?'),
        (["frobnicate"], '"frobnicate" is not a command'),
        (["Hello\n"], '"Hello\\n" is not a command'),
        (["help", "efect"], '"efect" is not a command; did you mean "effect"?'),
        (["help", "effect", "tyepwriter"], '"tyepwriter" is not an effect; did you mean "typewriter"?'),
        (["help", "render", "serve"], "help takes a command, or effect and the name of one"),
    ],
    ids=str,
)
def test_a_wrong_word_is_an_error_that_says_which_may_be_meant(words, message):
    outcome = run(*words)
    assert (outcome.returncode, outcome.stdout) == (USAGE, b"")
    assert outcome.stderr.decode() == f"error: {message}\n"


@pytest.mark.parametrize("command", ["serve", "list", "help", "completion", "health", "sign", "import", "canonical", "cache-metrics"])
def test_help_of_a_command_is_the_same_both_ways(command):
    assert run("help", command).stdout == run(command, "--help").stdout != b""


def test_help_of_render_is_the_same_both_ways():
    assert run("help", "render").stdout == render("--help").stdout
    assert run("help", "render", "--all").stdout == render("--help", "--all").stdout == render("--all", "--help").stdout


def test_all_is_only_for_the_help():
    outcome = render("Hi", "--all")
    assert (outcome.returncode, outcome.stdout) == (USAGE, b"") and b"all: is an option of --help" in outcome.stderr


@pytest.mark.parametrize("columns", [40, 60, 80, 132])
def test_help_is_as_wide_as_the_terminal(columns):
    """At a terminal, and by COLUMNS."""
    for command in [["render", "--help"], ["help", "effect", "typewriter"], ["render", "--help", "--all"]]:
        outcome = at_a_terminal(*command, streams=("stdout",), columns=columns)
        assert outcome.returncode == 0
        assert run(*command, COLUMNS=str(columns)).stdout == outcome.stdout
        lines = outcome.stdout.decode().splitlines()
        wrapped = [line for line in lines if not line.startswith("  titlecard") and "--keyframes '" not in line]
        # A word that is longer than its column stays whole.
        assert all(len(line) <= columns or len(line.split()) == 1 for line in wrapped)
        assert max(map(len, lines)) > columns - 10


def test_help_has_80_columns_where_nothing_is_known():
    widths = [len(line) for line in run("render", "--help", COLUMNS="").stdout.decode().splitlines()]
    assert 70 < max(widths) <= 80


def test_common_options_come_first_and_fit_on_a_few_screens():
    text = render("--help").stdout.decode()
    found = list(options(text.splitlines()))
    assert len(text.splitlines()) < 160
    assert found.index("--output") < found.index("--font") < found.index("--effect") < found.index("--batch")
    for hint in ["--help --all", "titlecard help effect typewriter", "titlecard list effects", "titlecard completion bash"]:
        assert hint in text


def test_help_lists_every_parameter(server):
    general, effects = sections()
    own = {effect["name"]: effect["parameters"] for effect in server.get("/effects").json["effects"]}
    assert {name: list(found) for name, found in effects.items()} == {
        name: [kebab(parameter["name"]) for parameter in parameters] for name, parameters in own.items() if parameters
    }
    owned = {parameter["name"] for parameters in own.values() for parameter in parameters}
    assert {kebab(name) for name in set(server.parameters) - owned - {"text", "blocks", "captions"}} <= set(general)


def test_help_says_what_every_parameter_takes(server):
    """In the words of the message that a wrong value gets."""
    general, effects = sections()
    own = {effect["name"]: effect["parameters"] for effect in server.get("/effects").json["effects"]}
    owned = {parameter["name"] for parameters in own.values() for parameter in parameters}
    # Pictures of one's own are a directory there.
    cases = [(name, {}, general) for name in set(server.parameters) - owned - {"text", "blocks", "captions", "pictures"}]
    for effect, parameters in own.items():
        cases += [(parameter["name"], {"effect": effect}, effects[effect]) for parameter in parameters]
    easing = expectation(server, "easing", {"effect": "slide"})
    assert f"An easing is {easing}." in " ".join(render("--help", "--all").stdout.decode().split())
    for name, request, section in cases:
        expected = expectation(server, name, request).replace(easing, "an easing")
        assert expected and expected in section[kebab(name)], (name, expected)
    assert 'a whole number from 1 to 1000 or "infinite"' in general["--loop"]


def expectation(server, name, request):
    """What a parameter takes, by the message that a wrong value gets."""
    for wrong in ("{}", "x" * 2000):  # a string takes the first
        answer = server.get("/render?" + query({"text": "x", **request, name: wrong}))
        if answer.status == 400:
            message = next(error["message"] for error in answer.json["errors"] if error["parameter"] == name)
            return re.fullmatch("must (?:be|have) (.*?)(?:; got .*)?", message)[1]


def test_help_of_an_effect_has_its_parameters(server):
    _, all = sections()
    for effect in server.get("/effects").json["effects"]:
        text = run("help", "effect", effect["name"]).stdout.decode()
        assert effect["title"] in text and f"--effect {effect['name']}" in text
        assert options(text.splitlines()) == all.get(effect["name"], {})
    assert run("help", "effect").stdout == run("list", "effects").stdout


def test_help_and_lists_know_an_operators_effects(tmp_path):
    (tmp_path / "stamp.json").write_text(STAMP)
    for place in [dict(arguments=["--effects", tmp_path]), dict(TITLECARD_EFFECTS=str(tmp_path))]:
        arguments = place.pop("arguments", [])
        assert b"The effect stamp: " in run("help", "effect", "stamp", *arguments, **place).stdout
        assert b"\nstamp " in run("list", "effects", *arguments, **place).stdout
        assert b"--effect stamp\n" in run("help", "render", "--all", *arguments, **place).stdout


@pytest.mark.parametrize("name", ["effects", "presets", "targets", "formats", "fonts"])
def test_a_list_as_json_has_the_bytes_of_the_service(server, name):
    outcome = run("list", name, "--json")
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout == server.get(f"/{name}").body
    key = "family" if name == "fonts" else "name"
    names = [entry[key] for entry in json.loads(outcome.stdout)[name]]
    lines = run("list", name).stdout.decode().splitlines()
    assert [line.split("  ")[0] for line in lines] == names and all(len(line.split("  ")) > 1 for line in lines)


def test_palettes_are_the_presets_with_colours_only(server):
    presets = server.get("/presets").json["presets"]
    palettes = [preset for preset in presets if preset["group"] == "colors"]
    assert json.loads(run("list", "palettes", "--json").stdout) == {"palettes": palettes}
    lines = run("list", "palettes").stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == [palette["name"] for palette in palettes]


def test_a_list_takes_a_line_a_name_at_a_terminal_too():
    outcome = at_a_terminal("list", "targets", streams=("stdout",), columns=40)
    assert outcome.stdout == run("list", "targets").stdout
    assert at_a_terminal("list", "targets", "--json", streams=("stdout",)).stdout.endswith(b"]}\n")


def test_a_list_that_there_is_not_is_an_error_that_names_all():
    for words in (["list"], ["list", "efects"]):
        outcome = run(*words)
        assert outcome.returncode == USAGE and not outcome.stdout
    assert all(name in outcome.stderr for name in [b"effects", b"presets", b"palettes", b"fonts", b"targets", b"formats"])
