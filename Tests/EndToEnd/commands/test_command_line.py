"""`titlecard render`: the same pictures and the same messages without a server."""

import os
import signal
import subprocess
import time

import pytest

from catalogue import catalogue_under_test
from commands import render
from service import BINARY, PATIENCE, until

# sysexits.h
USAGE, DATA_ERROR, CANNOT_CREATE, INPUT_OUTPUT = 64, 65, 73, 74
FORMATS = {name: format["extension"] for name, format in catalogue_under_test().formats.items()}


def fails(outcome, status, *words):
    """Whether a command ended with this status and one message that has these words, and printed nothing."""
    assert outcome.returncode == status, outcome.stderr
    assert not outcome.stdout and outcome.stderr.startswith(b"error: ")
    assert all(word in outcome.stderr.decode() for word in words), outcome.stderr


@pytest.mark.parametrize("format", FORMATS.values())
def test_the_ending_decides_the_format_and_the_bytes_are_the_servers(server, tmp_path, format):
    file = tmp_path / f"out.{format}"
    request = dict(effect="birdman", seed=4, background="#fff")
    options = [part for name, value in request.items() for part in (f"--{name}", value)]
    outcome = render("Who you gonna call?", *options, "-o", file)
    # Telegram's stickers play it in three seconds; libass draws bold letters of a variable font bolder.
    warned = b"warning: unsupported: " if format in ("tgs", "ass") else b""
    assert (outcome.returncode, outcome.stdout, outcome.stderr[:len(warned)]) == (0, b"", warned)
    assert warned or not outcome.stderr
    assert file.read_bytes() == server.render(format, text="Who you gonna call?", **request).body
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("ending", ["svg", "webp"])
def test_an_ending_that_contradicts_the_target_is_blamed(tmp_path, ending):
    outcome = render("Hi", "--for", "slack-emoji", "-o", tmp_path / f"d.{ending}")
    title = ending.upper().replace("WEBP", "WebP")
    fails(outcome, USAGE, f"error: -o: must end in .gif: slack-emoji takes GIF, and d.{ending} is {title}\n")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("ending", FORMATS.values())
def test_an_ending_that_contradicts_the_format_is_an_error(server, tmp_path, ending, format):
    outcome = render("Hi", "--format", format, "-o", tmp_path / f"x.{ending}")
    if FORMATS[format] == ending:
        assert outcome.returncode == 0
        assert (tmp_path / f"x.{ending}").read_bytes() == server.render(ending, text="Hi").body
    else:
        fails(outcome, USAGE, "format: ", f'"{format}"', f".{ending}")
        assert os.listdir(tmp_path) == []


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
        ["Hi", "--size", "20", "--size", "30"],
        ["Hi", "--=3"],
        ["Hi", "--blocks", "[]"],
    ],
    ids=str,
)
def test_wrong_usage_is_an_error_and_leaves_nothing(tmp_path, arguments):
    fails(render(*arguments, cwd=tmp_path), USAGE)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "arguments, input, parameter",
    [
        ([b"caf\xe9"], b"", "text"),
        ([b"\xff"], b"", "text"),
        (["Hi", b"\xed\xa0\x80"], b"", "text"),
        (["--text", b"\xc0\x80"], b"", "text"),
        ([b"--text=\xf8"], b"", "text"),
        (["Hi", "--title", b"\xff"], b"", "title"),
        (["Hi", b"--title=\xff"], b"", "title"),
        (["Hi", "--italic", b"\xff"], b"", "text"),
        (["Hi", "-o", b"\xff.svg"], b"", "-o"),
        (["Hi", b"--ti\xfftle", "x"], b"", "--ti"),
        (["--", b"\x80"], b"", "text"),
        (["-"], b"caf\xe9\n", "text"),
        (["-"], b"\xef\xbb", "text"),
        (["-", "--title", "x"], b"a\xf0\x9f\x91", "text"),
    ],
    ids=str,
)
def test_what_is_not_utf_8_is_an_error_that_names_the_parameter(tmp_path, arguments, input, parameter):
    outcome = render(*arguments, input=input, cwd=tmp_path)
    fails(outcome, DATA_ERROR, parameter, "UTF-8")
    assert outcome.stderr.decode().startswith(f"error: {parameter}") and os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["serve", "health", "sign", "import"])
def test_every_command_refuses_what_is_not_utf_8(command):
    outcome = subprocess.run([BINARY, command, b"--host=caf\xe9"], capture_output=True, timeout=PATIENCE)
    fails(outcome, DATA_ERROR, "--host", "UTF-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["<b>x", "--markup"],
        ["a\x01"],
        [""],
        [" "],
        ["x" * 2001],
        ["x", "--hold", 60, "--delay", 60, "--gap", 60],
        ["x", "--width", 4096, "--height", 4096, "--scale", 4, "--format", "png"],
    ],
    ids=lambda arguments: arguments[0][:10],
)
def test_a_text_that_cannot_be_drawn_is_wrong_data(arguments):
    fails(render(*arguments), DATA_ERROR)


def test_a_text_that_cannot_be_drawn_beside_a_wrong_option_is_wrong_usage():
    fails(render("<b>x", "--markup", "--size", 1), USAGE)


def test_standard_input_is_read_whole_or_not_at_all():
    fails(render("-", input=b" " * 1_048_577), DATA_ERROR, "text: ")


def test_an_input_that_cannot_be_read_is_an_error():
    folder = os.open("/", os.O_RDONLY)
    outcome = subprocess.run([BINARY, "render", "-"], stdin=folder, capture_output=True, timeout=PATIENCE)
    os.close(folder)
    fails(outcome, INPUT_OUTPUT, "cannot read standard input")
    outcome = subprocess.run(
        [BINARY, "render", "-"], preexec_fn=lambda: os.close(0), capture_output=True, timeout=PATIENCE
    )
    fails(outcome, INPUT_OUTPUT, "cannot read standard input")


@pytest.mark.parametrize(
    "markup, message",
    [
        ("<b>unclosed", "<b> at character 1 is never closed"),
        ("a <b>b <i>c</i>", "<b> at character 3 is never closed"),
        ("one\ntwo <b>x", "<b> at line 2, character 5 is never closed"),
        ("👻é <b>x", "<b> at character 4 is never closed"),
        ("x</b>", "</b> at character 2 closes nothing"),
        ("<b>x</i>", "</i> at character 5 does not close <b> at character 1"),
        ("<b><i>x</b></i>", "</b> at character 8 does not close <i> at character 4"),
        ("a & b", "& at character 3 does not begin a reference; write &amp; for the character itself"),
        ("a &nbsp; b", "&nbsp; at character 3 is not known; one of &amp; &lt; &gt; &quot; &apos;"),
        ("a &#xD800;", "&#xD800; at character 3 stands for no character"),
        ("1 < 2", "< at character 3 does not begin an element; write &lt; for the character itself"),
        ("1 <", "< at character 3 does not begin an element; write &lt; for the character itself"),
        ("a <b", "the tag at character 3 is not finished"),
        ("a <span size", "the tag at character 3 is not finished"),
        ("<span size=12>x</span>", "the value of size at character 12 has no quotes"),
        ('<span size="12>x</span>', "the value of size at character 12 has no closing quote"),
        ("<span size>x</span>", "size at character 7 has no value"),
        ("<b/", "the tag at character 1 is not finished"),
        ("<b / >x", "a / at character 4 has no place in the tag at character 1"),
        ("</b", "the tag at character 1 is not finished"),
        ("<!-- no -->x", "comments and processing instructions are not supported (at character 1)"),
        ("<![CDATA[x", "<![CDATA[ at character 1 is never closed with ]]>"),
        ("x <blink>y</blink>", "element <blink> is not supported; one of "),
        ("x <blink>y</blink>", "(at character 3)"),
        ("x</markup>y", "</markup> at character 2 closes nothing"),
        ("x</markup><markup>y", "</markup> at character 2 closes nothing"),
    ],
)
def test_broken_markup_is_explained_by_what_was_written(server, markup, message):
    outcome = render(markup, "--markup")
    fails(outcome, DATA_ERROR, "error: text: markup: ", message)
    errors = server.post("/render", {"text": markup, "markup": True}).json["errors"]
    assert outcome.stderr.decode() == f"error: text: {errors[0]['message']}\n"


def test_warnings_go_to_standard_error(tmp_path):
    outcome = render("x\U0010fffd", "--font", "Comic Mono", "-o", tmp_path / "x.svg")
    assert outcome.returncode == 0 and (tmp_path / "x.svg").stat().st_size
    lines = outcome.stderr.decode().splitlines()
    assert (
        len(lines) == 2
        and {line.split(": ")[1] for line in lines} == {"missing-font", "missing-glyph"}
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
    script = 'ulimit -f 1; exec "$0" render "$1" --format json --effect slide -o "$2"'
    (tmp_path / "x.json").write_text("old")
    outcome = subprocess.run(
        ["bash", "-c", script, BINARY, "x" * 200, tmp_path / "x.json"], capture_output=True, timeout=PATIENCE
    )
    fails(outcome, INPUT_OUTPUT, "x.json")
    assert os.listdir(tmp_path) == ["x.json"] and (tmp_path / "x.json").read_text() == "old"


@pytest.mark.parametrize("target", ["missing/x.svg", ".", "x.svg/y.svg", "x" * 255 + "/x.svg", "y" * 253 + ".svg"])
def test_a_place_that_cannot_be_written_is_an_error(tmp_path, target):
    (tmp_path / "x.svg").write_text("old")
    fails(render("Hi", "--format", "svg", "-o", tmp_path / target), CANNOT_CREATE, "-o: cannot create")
    assert os.listdir(tmp_path) == ["x.svg"] and (tmp_path / "x.svg").read_text() == "old"


def test_the_longest_name_of_a_file_is_no_hindrance(tmp_path):
    assert render("Hi", "-o", tmp_path / ("x" * 251 + ".svg")).returncode == 0


def test_what_is_no_regular_file_is_written_where_it_stands(server, tmp_path):
    expected = server.render("svg", text="Hi").body
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert render("Hi", "-o", tmp_path / "pipe").returncode == 0
    assert os.read(reader, 65536) == expected
    os.close(reader)
    (tmp_path / "full.svg").symlink_to("/dev/full")
    fails(render("Hi", "-o", tmp_path / "full.svg"), INPUT_OUTPUT, "-o: cannot write to", "No space left")
    assert (tmp_path / "full.svg").is_symlink()
    (tmp_path / "target").write_text("old")
    (tmp_path / "link.svg").symlink_to("target")
    assert render("Hi", "-o", tmp_path / "link.svg").returncode == 0
    assert (tmp_path / "link.svg").is_symlink() and (tmp_path / "target").read_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["full.svg", "link.svg", "pipe", "target"]


def test_a_link_stays_and_its_target_is_replaced_in_its_own_folder(server, tmp_path):
    """Whether there is a file or not, and however many links lead there."""
    expected = server.render("svg", text="Hi").body
    (tmp_path / "links").mkdir()
    (tmp_path / "files").mkdir()
    (tmp_path / "way").symlink_to("files")
    (tmp_path / "links/old.svg").symlink_to("../files/old")
    (tmp_path / "files/old").write_text("old")
    (tmp_path / "links/new.svg").symlink_to(tmp_path / "links/next")
    (tmp_path / "links/next").symlink_to("../way/new")
    for name in ("old", "new"):
        assert render("Hi", "-o", tmp_path / f"links/{name}.svg").returncode == 0
        assert (tmp_path / f"links/{name}.svg").is_symlink() and (tmp_path / f"files/{name}").read_bytes() == expected
    assert sorted(os.listdir(tmp_path / "links")) == ["new.svg", "next", "old.svg"]
    assert sorted(os.listdir(tmp_path / "files")) == ["new", "old"]


def test_a_file_that_is_being_made_lies_beside_the_target_of_a_link(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "x.gif").symlink_to("files/x")
    process = subprocess.Popen([BINARY, "render", "A long way to go", "--effect", "wave", "--interval", "5", "-o", tmp_path / "x.gif"])
    [name] = until(lambda: os.listdir(tmp_path / "files"), "the file that is being made")
    process.kill()
    process.wait()
    assert name.startswith(".titlecard-") and sorted(os.listdir(tmp_path)) == ["files", "x.gif"]


def test_links_that_lead_nowhere_are_an_error(tmp_path):
    (tmp_path / "x.svg").symlink_to("y.svg")
    (tmp_path / "y.svg").symlink_to("x.svg")
    (tmp_path / "z.svg").symlink_to("missing/z.svg")
    for name in ("x", "z"):
        fails(render("Hi", "-o", tmp_path / f"{name}.svg"), CANNOT_CREATE, "-o: cannot create")
    assert sorted(os.listdir(tmp_path)) == ["x.svg", "y.svg", "z.svg"]


def test_standard_output_by_its_name(server):
    assert render("Hi", "-o", "/dev/stdout").stdout == server.render("svg", text="Hi").body


def test_the_rights_of_a_file_stay(tmp_path):
    (tmp_path / "x.svg").touch(mode=0o600)
    assert render("Hi", "-o", tmp_path / "x.svg").returncode == 0
    assert (tmp_path / "x.svg").stat().st_mode & 0o777 == 0o600
    subprocess.run(["sh", "-c", 'umask 027; "$0" render Hi -o y.svg', BINARY], cwd=tmp_path, check=True)
    assert (tmp_path / "y.svg").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_no_half_file(tmp_path, number):
    options = ["--effect", "wave", "--interval", "5", "--scale", "3", "--size", "60", "--fps", "30"]
    process = subprocess.Popen(
        [BINARY, "render", "A long way to go", *options, "-o", tmp_path / "x.gif"],
        # Under nohup tests ignore SIGHUP, and so would the process.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    until(lambda: os.listdir(tmp_path), "the file that is being made")
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == -number
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("delay", [0, 0.01, 0.02, 0.03, 0.05])
def test_a_signal_ends_it_at_any_time(tmp_path, delay):
    process = subprocess.Popen([BINARY, "render", "x" * 50, "--effect", "wave", "-o", tmp_path / "x.gif"])
    time.sleep(delay)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) in (0, -signal.SIGTERM)
    assert os.listdir(tmp_path) == ([] if process.returncode else ["x.gif"])


def test_a_signal_that_is_ignored_stays_so(tmp_path):
    process = subprocess.Popen(
        ["nohup", BINARY, "render", "A long way to go", "--effect", "wave", "--interval", "5", "-o", tmp_path / "x.gif"],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    until(lambda: os.listdir(tmp_path), "the file that is being made")
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=PATIENCE) == 0 and os.listdir(tmp_path) == ["x.gif"]


def test_while_input_is_awaited_a_signal_ends_it():
    process = subprocess.Popen([BINARY, "render", "-"], stdin=subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == -signal.SIGINT


@pytest.mark.parametrize(
    "arguments", [["render", "Hi"], ["render", "Hi", "-o", "-"], ["render", "--help"], ["sign", "/render?text=x"]], ids=str
)
def test_an_output_that_is_full_or_closed_is_an_error(arguments):
    def outcome(**streams):
        environment = {**os.environ, "TITLECARD_SIGNING_KEY": "a key of the tests"}
        return subprocess.run(
            [BINARY, *arguments], stderr=subprocess.PIPE, env=environment, timeout=PATIENCE, **streams
        )

    with open("/dev/full", "wb") as full:
        fails(outcome(stdout=full), INPUT_OUTPUT, "No space left")
    fails(outcome(preexec_fn=lambda: os.close(1)), INPUT_OUTPUT, "Bad file descriptor")


def test_closed_streams_do_not_end_up_in_the_file(server, tmp_path):
    subprocess.run(
        [BINARY, "render", "x\U0010fffd", "--font", "Comic Mono", "-o", tmp_path / "x.svg"],
        preexec_fn=lambda: os.closerange(0, 3),
        check=True,
        timeout=PATIENCE,
    )
    assert (tmp_path / "x.svg").read_bytes() == server.render("svg", text="x\U0010fffd", font="Comic Mono").body
