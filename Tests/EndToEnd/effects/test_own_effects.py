"""An operator's own effects (`--effects DIR`) and keyframes from a file: `serve`, `render` and the page."""

import json
import os

import pytest

from commands import DATA_ERROR, NO_INPUT, USAGE, messages_of, run
from effect_files import directory
from preview_page import pick_effect
from service import REPOSITORY, Service

EXAMPLES = REPOSITORY / "examples" / "effects"
NAMES = sorted(json.loads(file.read_text())["name"] for file in EXAMPLES.glob("*.json"))
GLOW = {"name": "glow", "title": "Glow", "keyframes": [{"opacity": 0, "scale": 2}], "by": "word", "easing": "bounce"}


@pytest.fixture(scope="module")
def server():
    """A server with the effects of examples/effects."""
    service = Service("--effects", EXAMPLES)
    yield service
    assert service.stop() == 0


# The directory


def test_the_catalogues_have_the_effects_with_the_defaults_of_their_files(server):
    effects = {effect["name"]: effect for effect in server.get("/effects").json["effects"]}
    assert [name for name in effects if name in NAMES] == NAMES == list(effects)[-len(NAMES) :]
    for name in NAMES:
        file = json.loads((EXAMPLES / f"{name}.json").read_text())
        assert effects[name]["title"] == file["title"]
        listed = {one["name"]: one for one in effects[name]["parameters"]}
        assert list(listed) == ["by", "order", "interval", "duration", "easing", "mask"]
        # Of many items each starts sooner than the file says.
        assert listed["interval"]["default"] == "auto"
        parameters = {parameter: one.get("earlierDefault", one["default"]) for parameter, one in listed.items()}
        given = {key: value for key, value in file.items() if key in parameters}
        given["easing"] = given.get("easing", "ease-out").replace(", ", ",")
        assert parameters.items() >= given.items()
    assert set(NAMES) <= set(server.parameters["effect"]["values"]) & set(server.parameters["exit"]["values"])


def test_an_effect_that_begins_with_the_finished_text_is_an_emphasis(start, tmp_path):
    hop = {"name": "hop", "title": "Hop", "keyframes": [{"y": 0}, {"y": -0.5}, {"y": 0}], "by": "all", "duration": 0.4}
    service = start("--effects", directory(tmp_path / "effects", hop=hop, glow=GLOW))
    assert "hop" in service.parameters["emphasis"]["values"] and "glow" not in service.parameters["emphasis"]["values"]
    request = dict(text="Hop", effect="none", emphasis="hop", emphasisInterval=0.1, hold=0.9)
    answer = service.render("json", **request)
    assert answer.json["duration"] == 0.9
    tops = [key["time"] for key in answer.json["glyphs"][0]["offsetY"] if key["value"] < 0]
    assert tops == [0.2, 0.7]
    slower = service.render("json", **request, emphasisDuration=2).json
    assert slower["duration"] == 2
    assert [key["time"] for key in slower["glyphs"][0]["offsetY"] if key["value"] < 0] == [1]


@pytest.mark.parametrize("name", NAMES)
def test_an_effect_draws_as_custom_with_its_keyframes_does(server, name):
    file = json.loads((EXAMPLES / f"{name}.json").read_text())
    values = {key: value for key, value in file.items() if key not in ("name", "title")}
    request = {"text": "Who you\ngonna call?", "exit": "auto", "loop": "infinite", "seed": 3}
    for format in ["json", "png", "gif", "apng", "webp", "lot"]:
        own = server.render(format, **request, effect=name, time=0.4)
        custom = server.render(format, **request, effect="custom", **values, time=0.4)
        if format == "json":
            assert own.body.replace(f'"{name}"'.encode(), b'"custom"') == custom.body
        elif format != "lot":
            assert own.body == custom.body, format
        assert own.headers["Content-Location"] != custom.headers["Content-Location"]
        assert server.get(own.headers["Content-Location"]).body == own.body
    assert b"@keyframes" in server.render("svg", **request, effect=name).body


def test_an_effect_can_be_an_exit_and_have_parameters(server):
    scene = server.render("json", text="a b", effect="none", exit=NAMES[0]).json
    assert scene["blocks"][0]["exitEnd"] > scene["blocks"][0]["exitStart"]
    slow = server.render("json", text="a b", effect=NAMES[0], duration=3).json
    assert slow["duration"] > server.render("json", text="a b", effect=NAMES[0]).json["duration"]
    answer = server.post("/render", {"text": "a", "effect": NAMES[0], "keyframes": [{"y": 1}]})
    assert (answer.status, answer.faults) == (400, ["keyframes"])


def test_an_entity_tag_depends_on_the_content_of_the_effect_alone(tmp_path):
    tags = []
    for content in [GLOW, GLOW | {"keyframes": [{"opacity": 0, "scale": 3}]}, GLOW | {"interval": 1}, dict(reversed(GLOW.items()))]:
        service = Service("--effects", directory(tmp_path / "effects", glow=content))
        answers = [service.render("svg", text="a", effect="fade"), service.render("svg", text="a", effect="glow"),
                   service.render("svg", text="a", exit="glow")]
        tags.append([answer.headers["ETag"] for answer in answers])
        assert len({answer.headers["Content-Location"] for answer in answers}) == 3
        service.stop()
    plain, own, leaving = zip(*tags)
    assert len(set(plain)) == 1
    assert own[0] == own[3] and len(set(own)) == 3
    assert leaving[0] == leaving[3] and len(set(leaving)) == 3


def test_files_that_are_none_are_passed_over_and_links_are_followed(tmp_path):
    effects = directory(tmp_path / "effects")
    (effects / "README.md").write_text("no effect")
    (effects / ".glow.json").write_text("hidden")
    (effects / "below").mkdir()
    (tmp_path / "glow.json").write_text(json.dumps(GLOW))
    (effects / "linked.json").symlink_to("../glow.json")
    outcome = run("render", "a", "--effect", "glow", "--effects", effects)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout == run("render", "a", "--effect", "glow", TITLECARD_EFFECTS=str(effects)).stdout
    assert b"--effect glow\n" in run("render", "--help", "--all", "--effects", effects).stdout


WRONG = {
    "no JSON": ('{"name": "glow",}', "is not valid JSON: the comma before } is one too many, at column 16"),
    "no object": ("[]", "must be a JSON object; got an array"),
    "nothing": ("", "is not valid JSON: a value is missing, at column 1"),
    "no name": ({key: value for key, value in GLOW.items() if key != "name"}, "name is required"),
    "a name with a space": (GLOW | {"name": "a glow"}, "name must be 1 to 40 lower-case letters, digits and hyphens"),
    "a name that is built in": (GLOW | {"name": "rise"}, 'name must not be one of Titlecard\'s own; got "rise"'),
    "a name with a meaning": (GLOW | {"name": "between"}, "name must not be one of Titlecard's own"),
    "no title": (GLOW | {"title": ""}, "title must have from 1 to 60 characters; got 0"),
    "no keyframes": (GLOW | {"keyframes": []}, "keyframes must be an array of 1 to 16 objects; got 0"),
    "seventeen keyframes": (GLOW | {"keyframes": [{}] * 17}, "keyframes must be an array of 1 to 16 objects; got 17"),
    "a value out of range": (GLOW | {"keyframes": [{}, {"blur": 3}]}, "keyframes[1].blur must be from 0 to 2 em; got 3"),
    "a property that is none": (GLOW | {"keyframes": [{"opacty": 0}]}, 'keyframes[0].opacty unknown; did you mean "opacity"?'),
    "an end that moves": (GLOW | {"keyframes": [{"x": 1}, {"x": 1}]}, "keyframes[1].x must be 0 at the end"),
    "a default out of range": (GLOW | {"duration": 11}, "duration must be from 0 to 10 seconds; got 11"),
    "a default of another type": (
        GLOW | {"interval": "1"}, 'interval must be from 0 to 10 seconds or "auto", a number, not a string; got "1"'),
    "an easing that is none": (GLOW | {"easing": "spring(2)"}, "easing must be one of linear, "),
    "a parameter that is none": (GLOW | {"distance": 1}, "distance unknown"),
    "too many bytes": (json.dumps(GLOW) + 16_384 * " ", "the file has more than 16384 bytes"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_ends_the_start_with_its_name_place_and_fault(tmp_path, case):
    content, fault = WRONG[case]
    effects = directory(tmp_path / "effects", good=GLOW, wrong=GLOW | {"name": "other"})
    directory(effects, wrong=content)
    for command in [["serve", "--port", 0], ["render", "a"]]:
        (message,) = messages_of(run(*command, "--effects", effects), DATA_ERROR)
        assert message.startswith(f"wrong.json: {fault}")


def test_all_faults_of_all_files_are_told_in_the_order_of_the_files(tmp_path):
    effects = directory(tmp_path / "effects", b=GLOW, a={}, c=GLOW, d=GLOW | {"by": 1, "order": 2})
    assert [message.split(" ")[:2] for message in messages_of(run("serve", "--effects", effects), DATA_ERROR)] == [
        ["a.json:", "name"], ["a.json:", "title"], ["a.json:", "keyframes"], ["c.json:", "name"],
        ["d.json:", "by"], ["d.json:", "order"]]


def test_a_directory_that_cannot_be_read_ends_the_start(tmp_path):
    effects = directory(tmp_path / "effects", glow=GLOW)
    (effects / "folder.json").mkdir()
    os.mkfifo(effects / "pipe.json")
    assert messages_of(run("serve", "--effects", effects), NO_INPUT) == [
        f"{name}.json: the file is not a regular file" for name in ["folder", "pipe"]]
    for path, reason in [(tmp_path / "none", "No such file"), (effects / "glow.json", "Not a directory")]:
        (message,) = messages_of(run("serve", TITLECARD_EFFECTS=str(path)), NO_INPUT)
        assert message.startswith(f"effects: cannot read the directory {path}: {reason}")


def test_there_are_at_most_64_files(tmp_path):
    files = {f"own{number}": GLOW | {"name": f"own-{number}"} for number in range(64)}
    effects = directory(tmp_path / "effects", **files)
    assert run("render", "a", "--effects", effects, "--effect", "own-63").returncode == 0
    directory(effects, more=GLOW)
    (message,) = messages_of(run("serve", "--effects", effects), DATA_ERROR)
    assert message == f"effects: {effects} has 65 files; the limit is 64"


def test_the_page_has_the_effects(visit, server):  # noqa: F811
    tab = visit({"text": "Own", "effect": "none"})
    tab.shows("Own")
    before = tab.address()
    assert tab.locator(".effect-group", has_text="Your own").locator("[value=stamp]").count() == 1
    pick_effect(tab, "stamp")
    tab.another_than(before)
    assert tab.control("by").input_value() == "word"
    assert tab.request() == {"text": "Own", "effect": "stamp"}
    assert tab.control("exit").locator("option", has_text="Stamp").count() == 1
    tab.is_quiet()


# Keyframes from a file


def test_keyframes_come_from_a_file_or_as_text(tmp_path):
    keyframes = json.dumps([{"y": "50%", "opacity": 0}], indent=2)
    (tmp_path / "k.json").write_text(keyframes)
    drawn = run("render", "a", "--effect", "custom", "--keyframes", f"@{tmp_path}/k.json")
    assert (drawn.returncode, drawn.stderr) == (0, b"")
    assert drawn.stdout == run("render", "a", "--effect", "custom", "--keyframes", keyframes).stdout


@pytest.mark.parametrize(
    "content, status, fault",
    [
        ("[{}, {\"blur\": 3}]", USAGE, "{}: keyframes[1].blur: must be from 0 to 2 em; got 3"),
        ("[{", USAGE, "{}: keyframes: is not valid JSON: expected a name in double quotes, at column 3"),
        ("{}", USAGE, "{}: keyframes: must be an array of 1 to 16 objects; got an object"),
        (b"[\xff]", DATA_ERROR, "{}: keyframes: is not UTF-8"),
        (b" " * 65_537, DATA_ERROR, "keyframes: {} has more than 65536 bytes"),
        (None, NO_INPUT, "keyframes: cannot read {}: No such file or directory"),
    ],
)
def test_a_fault_of_a_file_with_keyframes_names_the_file(tmp_path, content, status, fault):
    file = tmp_path / "k.json"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    outcome = run("render", "a", "--effect", "custom", "--keyframes", f"@{file}")
    assert messages_of(outcome, status) == [fault.replace("{}", str(file), 1)]


def test_keyframes_that_are_wrong_are_not_missing_too():
    (message,) = messages_of(run("render", "a", "--effect", "custom", "--keyframes", "[{}, 1]"), USAGE)
    assert message == "keyframes[1]: must be an object; got 1"
    (message,) = messages_of(run("render", "a", "--effect", "custom"), USAGE)
    assert message == "keyframes: is required"
