"""`titlecard render`: the same pictures and the same messages without a server."""

import os
import subprocess

import pytest

from service import BINARY, PATIENCE


def render(*arguments, input=b"", cwd=None, **environment):
    return subprocess.run(
        [BINARY, "render", *map(str, arguments)],
        input=input,
        capture_output=True,
        timeout=PATIENCE,
        cwd=cwd,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("format", ["svg", "json", "gif", "apng", "png", "lot"])
def test_the_ending_decides_the_format_and_the_bytes_are_the_servers(server, tmp_path, format):
    file = tmp_path / f"out.{format}"
    outcome = render("Who you gonna call?", "--effect", "birdman", "--seed", 4, "-o", file)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, b"", b"")
    assert file.read_bytes() == server.render(format, text="Who you gonna call?", effect="birdman", seed=4).body
    assert os.listdir(tmp_path) == [file.name]


def test_the_ending_goes_before_the_format(server, tmp_path):
    assert render("Hi", "--format", "png", "-o", tmp_path / "x.svg").returncode == 0
    assert (tmp_path / "x.svg").read_bytes() == server.render("svg", text="Hi").body


@pytest.mark.parametrize(
    "arguments, input, request_",
    [
        (["Hi"], b"", dict(text="Hi")),
        (["Hi", "-o", "-"], b"", dict(text="Hi")),
        (["-"], b"from input\n", dict(text="from input")),
        (["-"], b"two\r\nlines\r\n", dict(text="two\nlines")),
        (["-", "-o", "-"], "é 👻".encode(), dict(text="é 👻")),
        (["Hi", "--letterSpacing", 3], b"", dict(text="Hi", letterSpacing=3)),
        (["Hi", "--letter-spacing", 3], b"", dict(text="Hi", letterSpacing=3)),
        (["Hi", "--letter-spacing=-1.5"], b"", dict(text="Hi", letterSpacing=-1.5)),
        (["Hi", "--letter-spacing", "-1.5"], b"", dict(text="Hi", letterSpacing=-1.5)),
        (["--size", "20", "Hi"], b"", dict(text="Hi", size=20)),
        (["Hi", "--italic", "true"], b"", dict(text="Hi", italic=True)),
        (
            ["Hi", "--effect", "fade", "--min-duration", "0.1", "--easing", "cubic-bezier(0.2,0.8,0.2,1)"],
            b"",
            dict(text="Hi", effect="fade", minDuration=0.1, easing="cubic-bezier(0.2,0.8,0.2,1)"),
        ),
        (["one", "two", "--gap", 1], b"", dict(blocks=[dict(text="one"), dict(text="two")], gap=1)),
        (["<b>x</b>", "--markup", "true"], b"", dict(text="<b>x</b>", markup=True)),
        (["--", "--size"], b"", dict(text="--size")),
        (["Hi", "--color", "tomato", "--dark-color", "#fff"], b"", dict(text="Hi", color="tomato", darkColor="#fff")),
        (["a\nb\tc"], b"", dict(text="a\nb\tc")),
        (["Hi", "--animate", "false"], b"", dict(text="Hi", animate=False)),
        (["Hi", "--text", "you"], b"", dict(blocks=[dict(text="Hi"), dict(text="you")])),
    ],
    ids=str,
)
def test_arguments(server, arguments, input, request_):
    outcome = render(*arguments, input=input)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout == server.render("svg", **request_).body


def test_a_format_by_name_on_standard_output(server):
    assert render("Hi", "--format", "json").stdout == server.render("json", text="Hi").body
    assert (
        render("Hi", "--format", "png", "--time", "0.1", "--scale", 2).stdout
        == server.render("png", text="Hi", time=0.1, scale=2).body
    )


def test_the_environment_does_not_change_the_picture(server, tmp_path):
    outcome = render(
        "x 你好", cwd=tmp_path, LANG="ja_JP.UTF-8", LANGUAGE="zh_TW", TZ="Asia/Tokyo", TITLECARD_PORT="nonsense"
    )
    assert outcome.stdout == server.render("svg", text="x 你好").body


@pytest.mark.parametrize(
    "arguments, request_",
    [
        (["--sise", 3], dict(sise=3)),
        (["--size", "3"], dict(size=3)),
        (["--effect", "typwriter"], dict(effect="typwriter")),
        (["--interval", -1], dict(interval=-1)),
        (["--color", "blurple"], dict(color="blurple")),
        (["--width", "0.5"], dict(width=0.5)),
        (["--seed", "1.5"], dict(seed=1.5)),
        (["--effect", "fade", "--order", "random"], dict(effect="fade", order="random")),
        (["--min-duration", 3, "--effect", "fade"], dict(effect="fade", minDuration=3)),
        (["--text-align", "left"], {"textAlign": "left"}),
        (["--size", 1, "--weight", 1], dict(size=1, weight=1)),
    ],
    ids=str,
)
def test_the_messages_are_the_servers(server, arguments, request_):
    """Numbers come as text here, so that only the quoted value may differ from JSON's."""
    outcome = render("Hi", *arguments)
    assert outcome.returncode != 0 and outcome.stdout == b""
    errors = server.post("/render", {"text": "Hi", **request_}).json["errors"]
    lines = [line.replace('"', "") for line in outcome.stderr.decode().splitlines()]
    assert lines == [f"error: {error['parameter']}: {error['message']}".replace('"', "") for error in errors]


def test_a_limit_of_the_server_is_one_here(server):
    outcome = render("x" * 2001)
    message = server.post("/render", {"text": "x" * 2001}).json["errors"][0]["message"]
    assert outcome.returncode != 0 and message in outcome.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--size", "20"],
        ["Hi", "--size"],
        ["Hi", "-o"],
        ["Hi", "-x"],
        ["Hi", "-o", "out.bmp"],
        [""],
        ["Hi", "--size", "20", "--size", "30"],
        ["Hi", "--=3"],
        ["Hi", "--blocks", "[]"],
    ],
    ids=str,
)
def test_wrong_usage_is_an_error_and_leaves_nothing(tmp_path, arguments):
    outcome = render(*arguments, cwd=tmp_path)
    assert outcome.returncode != 0 and outcome.stdout == b"" and outcome.stderr.startswith(b"error: ")
    assert os.listdir(tmp_path) == []


def test_warnings_go_to_standard_error(tmp_path):
    outcome = render("x\ue000", "--font", "Comic Mono", "-o", tmp_path / "x.svg")
    assert outcome.returncode == 0 and (tmp_path / "x.svg").stat().st_size
    lines = outcome.stderr.decode().splitlines()
    assert (
        len(lines) == 2
        and all(line.startswith("warning: ") for line in lines)
        and "Comic Mono" in outcome.stderr.decode()
    )


def test_a_file_in_the_way_is_replaced_whole_or_not_at_all(server, tmp_path):
    file = tmp_path / "x.svg"
    file.write_text("old" * 10000)
    assert render("Hi", "--size", "bad", "-o", file).returncode != 0 and file.read_text().startswith("oldold")
    assert render("Hi", "-o", file).returncode == 0 and file.read_bytes() == server.render("svg", text="Hi").body


def test_a_disk_that_is_full_leaves_no_half_file(tmp_path):
    """A limit on the size of files stands in for a full disk."""
    script = 'ulimit -f 1; trap "" XFSZ; exec "$0" render "$1" --format json --effect slide -o "$2"'
    (tmp_path / "x.json").write_text("old")
    outcome = subprocess.run(
        ["bash", "-c", script, BINARY, "x" * 500, tmp_path / "x.json"], capture_output=True, timeout=PATIENCE
    )
    assert outcome.returncode != 0 and outcome.stderr.startswith(b"error: ")
    assert os.listdir(tmp_path) == ["x.json"] and (tmp_path / "x.json").read_text() == "old"


@pytest.mark.parametrize("target", ["missing/x.svg", "."])
def test_a_place_that_cannot_be_written_is_an_error(tmp_path, target):
    outcome = render("Hi", "--format", "svg", "-o", tmp_path / target)
    assert outcome.returncode != 0 and outcome.stderr.startswith(b"error: ")
    assert os.listdir(tmp_path) == []


def test_a_full_standard_output_is_an_error():
    with open("/dev/full", "wb") as full:
        outcome = subprocess.run([BINARY, "render", "Hi"], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert outcome.returncode != 0 and b"error" in outcome.stderr


def test_help_lists_every_parameter(server):
    text = render("--help").stdout.decode()
    effects = server.get("/effects").json["effects"]
    names = {parameter["name"] for effect in effects for parameter in effect["parameters"]} | {
        effect["name"] for effect in effects
    }
    names |= {
        parameter["name"] for parameter in server.get("/openapi.json").json["paths"]["/render"]["get"]["parameters"]
    } - {"text", "format", "signature"}
    assert [name for name in names if name not in text] == []
