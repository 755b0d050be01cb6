"""Recordings of terminals: the text that they leave behind, in every answer, and the lines of their faults."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from hostile_requests import CAST
from service import REPOSITORY

CASTS = REPOSITORY / "Tests/EndToEnd/text/casts"
PROMPT = "^[1;32myou@host^[0m:^[1;34mproject^[0m$"
GREEN = PROMPT.replace("1;32", "32")
# What shells left behind, with ^ for ESC.
TEXTS = {
    "files-2": f"""\
{PROMPT} ls --color
^[1;34mdocs^[0m  notes.txt  ^[1;32mrun.sh  ^[34msrc
{GREEN} grep --color -n tree notes.txt
^[32m1^[36m:^[0mone ^[1;31mtree
^[0;32m3^[36m:^[0ma ^[1;31mtree^[0mtop
{PROMPT}
exit""",
    # A line that is longer than the terminal is wide, and a bar that is drawn three times.
    "progress-3": rf"""
{PROMPT} for n in 20 60 100; do printf '\r\e[K%3d%% [%-10s]' $n $(print
f '#%.0s' $(seq $((n / 10)))); sleep 0.1; done; echo
100% [##########]
{PROMPT} printf '\e[4mdone\e[0m, \e[38;5;208m漢字\e[0m\n'
^[4mdone^[0m, ^[38;5;208m漢字
{PROMPT}
exit""".lstrip(),
    # A mark for output without a line break, and wide characters that take others' place.
    "zsh-2": """\
^[32mproject ^[0;1m%^[0m print -n no line break
no line break^[1m#
^[0;32mproject ^[0;1m%^[0m echo 👻
👻
^[32mproject ^[0;1m%^[0m ls --color
^[1;34mdocs^[0m  notes.txt  ^[1;32mrun.sh  ^[34msrc
^[0;32mproject ^[0;1m%""",
}

# The beginnings of their first lines.
PROMPTS = {"files-2": "you@host:project$", "progress-3": "you@host:project$", "zsh-2": "project %"}


def cast(*output, width=80):
    """A recording whose output comes in these pieces."""
    events = [[number / 10, "o", piece.replace("^", "\x1b")] for number, piece in enumerate(output)]
    return "\n".join(json.dumps(line) for line in [{"version": 2, "width": width, "height": 24}, *events])


def faults(answer):
    assert answer.status == 400, answer.text
    return [(error["parameter"], error["message"]) for error in answer.json["errors"]]


def test_every_recording_has_a_text():
    assert {file.stem for file in CASTS.glob("*.cast")} == set(TEXTS)


@pytest.mark.parametrize("name", TEXTS)
def test_a_recording_is_drawn_as_the_text_that_its_shell_left_behind(server, name):
    recording = (CASTS / f"{name}.cast").read_bytes()
    text = TEXTS[name].replace("^", "\x1b")
    for target in ("/render.svg", "/render.png", "/embed", "/element"):
        drawn = server.post(target, recording, CAST)
        assert drawn.status == 200, drawn.text
        assert drawn.body == server.post(target, dict(text=text, preset="session", prompt=PROMPTS[name])).body
    query = parse_qs(urlsplit(server.post("/embed", recording, CAST).json["url"]).query)
    assert query == {"text": [text], "preset": ["session"], "prompt": [PROMPTS[name]]}


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_of_a_recording_is_the_output_of_itself(server, name):
    recording = (CASTS / f"{name}.cast").read_bytes()
    again = cast(TEXTS[name])
    assert server.post("/render.svg", again, CAST).body == server.post("/render.svg", recording, CAST).body


def test_the_query_has_the_other_parameters(server):
    recording = cast("$ ls\r\n^[34mdocs\r\n")
    assert server.post("/render.json?effect=fade", recording, CAST).status == 200
    own = server.post("/render.json?prompt=$&size=20", recording, CAST)
    text = "$ ls\n\x1b[34mdocs"
    assert own.body == server.post("/render.json", dict(text=text, preset="session", prompt="$", size=20)).body
    other = server.post("/render.json?preset=terminal", recording, CAST)
    assert other.body == server.post("/render.json", dict(text=text, preset="terminal", codeLanguage="console")).body
    assert faults(server.post("/render?text=x", recording, CAST)) == [
        ("text", "is given both in the query and in the body")]
    [fault] = faults(server.post("/render?preset=nowhere&codeLanguage=console", recording, CAST))
    assert fault[0] == "preset"


def test_a_recording_without_visible_output_is_refused(server):
    [(parameter, message)] = faults(server.post("/render", cast("^[31m \r\n", "\a"), CAST))
    assert parameter == "text" and "neither white space nor invisible" in message


@pytest.mark.parametrize(
    "body, message",
    [
        (cast("a", "^[2A"), "line 3 moves the cursor (ESC[2A);"),
        (cast("a", "^[?1049h"), "line 3 shows a full-screen program (ESC[?1049h);"),
        (cast("^[H^[2J"), "line 2 moves the cursor (ESC[H);"),
        (cast("a", "b", "\v"), "line 4 has the control character U+000B"),
        (cast("\n" * 1000), "line 2 writes more than 1000 lines"),
        (cast("a", width=0), "line 1 must have width, an integer from 1 to 4096; got 0"),
        (cast("a") + "\nx", "line 3 is not valid JSON: expected a value, at column 1"),
        (cast("a") + "\n[0]", 'line 3 must be an event, such as [0.5, "o", "text"]'),
        ("{}", "line 1 must have the version 2 or 3; got none"),
        ("", "line 1 is not valid JSON: a value is missing, at column 1"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_a_fault_names_the_line_of_the_recording(server, body, message):
    [(parameter, said)] = faults(server.post("/render", body, CAST))
    assert parameter == "body" and said.startswith(message)


def test_limits_of_bodies_and_of_texts_count_for_recordings(start):
    service = start("--max-body", "1000", "--max-graphemes", "20")
    assert service.post("/render", cast("a" * 20), CAST).status == 200
    assert service.post("/render", cast("a" * 21), CAST).status == 422
    assert service.post("/render", cast("a" * 1000), CAST).status == 413
