"""`titlecard render --batch`: the files of a list, whole or not at all, on any number of machines."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import threading

import pytest

from catalogue import catalogue_under_test
from service import BINARY, PATIENCE, REPOSITORY, query, until

CHANGES, USAGE, DATA_ERROR, NO_INPUT, CANNOT_CREATE, INPUT_OUTPUT = 1, 64, 65, 66, 73, 74
FORMATS = {name: format["extension"] for name, format in catalogue_under_test().formats.items()}
# Nothing that a test writes into a picture costs time.
QUICK = dict(effect="fade", size=24, background="#fff")


def line(output, **request):
    return json.dumps(dict(output=output, **request), ensure_ascii=False)


class Folder:
    """A list, and the directory of its files."""

    def __init__(self, path):
        self.path = path
        self.list = path / "list.jsonl"
        self.out = path / "out"

    def write(self, *lines):
        self.list.write_text("".join(f"{line}\n" for line in lines))

    def command(self, *options):
        return [BINARY, "render", "--batch", "list.jsonl", "--out", "out", *map(str, options)]

    def run(self, *options, prefix=(), **details):
        return subprocess.run(
            [*prefix, *self.command(*options)], cwd=self.path, capture_output=True, timeout=PATIENCE, **details
        )

    def files(self):
        """The bytes of all files by path; hidden ones too."""
        found = {}
        for path in self.out.rglob("*") if self.out.exists() else []:
            # One that is being made may have another name by now.
            with contextlib.suppress(FileNotFoundError):
                if not path.is_dir():
                    found[str(path.relative_to(self.out))] = path.read_bytes()
        return found

    def versions(self):
        return {name: (self.out / name).stat()[1:] for name in self.files()}


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)


def succeeds(outcome):
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, b"", b"")


def messages(outcome):
    """The numbers of the lines that a command found fault with, in their order, and all messages."""
    found = re.findall(r"^error: list\.jsonl:(\d+): (.*)$", outcome.stderr.decode(), re.M)
    return sorted(int(number) for number, _ in found), outcome.stderr.decode()


# The list.


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_has_the_bytes_of_the_server(server, folder, format):
    ending = FORMATS[format]
    # Stickers of Telegram have no pictures.
    request = dict(text="Who you gonna call?" if format in ("tgs", "ass") else "Who you gonna call? 👻", **QUICK)
    folder.write(
        line(f"json.{ending}", **request),
        line("by-format", format=format, **request),
        f"query.{ending}?{query(request)}",
        f"url.{ending} https://titlecard.example/render.{ending}?{query(request)}",
        f"path.{ending}\t/render?{query(request)}",
    )
    succeeds(folder.run())
    expected = server.render(ending, **request).body
    names = [f"json.{ending}", "by-format", f"query.{ending}", f"url.{ending}", f"path.{ending}"]
    assert folder.files() == {name: expected for name in names}


def test_a_permalink_is_a_url(server, folder):
    answer = server.render("svg", text="Hi", effect="wave")
    folder.write(f"a.svg https://titlecard.example{answer.headers['Content-Location']}")
    succeeds(folder.run())
    assert folder.files() == {"a.svg": answer.body}


@pytest.mark.parametrize("host", ["https://readme-typing-svg.demolab.com", "https://readme-typing-svg.herokuapp.com/"])
@pytest.mark.parametrize("separator", ["&", "&amp;"])
def test_a_url_of_readme_typing_svg_is_drawn_as_typing(server, folder, host, separator):
    typing = ["lines=Hello;W%C3%B6rld", "font=Fira+Code", "center=true"]
    folder.write(*(f"a.{ending} {host}?{separator.join(typing)}" for ending in ["svg", "gif"]), "b.svg /typing?lines=ö")
    outcome = folder.run()
    assert outcome.returncode == 0, outcome.stderr
    assert folder.files() == {
        "a.svg": server.get(f"/typing?{'&'.join(typing)}").body,
        "a.gif": server.get(f"/typing?{'&'.join(typing)}&format=gif").body,
        "b.svg": server.get("/typing?lines=%C3%B6").body,
    }


def test_blank_lines_and_comments_are_passed_over(folder):
    folder.list.write_bytes(b"\n  \n# a comment\r\n\t{\"output\": \"a.svg\", \"text\": \"Hi\"} \r\nb.svg?text=Hi")
    succeeds(folder.run())
    assert sorted(folder.files()) == ["a.svg", "b.svg"]


def test_standard_input_is_a_list(folder):
    command = [BINARY, "render", "--batch", "-", "--out", folder.out]
    outcome = subprocess.run(command, input=b"a/b/c.svg?text=Hi\nx\n", capture_output=True, timeout=PATIENCE)
    assert outcome.returncode == DATA_ERROR and outcome.stderr.startswith(b"error: -:2: line: must be a JSON object")
    assert sorted(folder.files()) == ["a/b/c.svg"]


def test_an_operators_own_presets_are_known(folder):
    (folder.path / "presets.json").write_text('{"presets": [{"name": "loud", "parameters": {"size": 90}}]}')
    folder.write(line("a.svg", text="Hi", preset="loud"), line("b.svg", text="Hi", size=90))
    outcome = folder.run("--presets", "presets.json")
    assert outcome.returncode == 0, outcome.stderr
    files = folder.files()
    assert files["a.svg"] == files["b.svg"]


FAULTS = {
    "x": "line: must be a JSON object, a path with a query, or a path and a URL",
    '{"output": "x.svg", "text": "Hi"': "line: is not valid JSON",
    '{"text": "Hi"}': "output: is required",
    '{"output": 3, "text": "Hi"}': "output: must be a string; got 3",
    '{"output": "x.svg"}': "text: ",
    line("x", text="Hi"): "output: must end in one of .svg",
    line("x.bmp", text="Hi"): "output: must end in one of .svg",
    line("x.svg", text="Hi", format="gif"): "format: must match the file's name",
    line("x.svg", text="Hi", size="huge"): "size: ",
    line("x.svg", text="x" * 2001): "text: ",
    "x.svg?text=Hi&sise=3": "sise: unknown",
    "x.svg?text=%": "text: has a %",
    "x.svg https://titlecard.example/render.gif?text=Hi": "format: must match the file's name",
    "x.svg https://titlecard.example/logo.svg": "url: is not the address of a picture",
    "x.svg https://titlecard.example/render.svg?text=Hi there": "url: must begin with",
    "x.svg gopher://titlecard.example/": "url: must begin with",
    "x.svg https://readme-typing-svg.demolab.com/?lines=": "lines: must be set",
    # Names that leave the directory.
    "../x.svg?text=Hi": "output: must not lead out of the directory",
    "a/../../x.svg?text=Hi": "output: must not lead out of the directory",
    "a/../x.svg?text=Hi": "output: must not lead out of the directory",
    "/tmp/x.svg?text=Hi": "output: must not be absolute",
    line("..", text="Hi", format="svg"): "output: must not lead out of the directory",
    line("a/", text="Hi", format="svg"): "output: must name a file",
    line("", text="Hi", format="svg"): "output: must name a file",
    line(".", text="Hi", format="svg"): "output: must name a file",
    line("a\\..\\x.svg", text="Hi"): "output: must not hold control characters",
    line("x\0.svg", text="Hi"): "output: must not hold control characters",
    line("x" * 300 + ".svg", text="Hi"): "output: must have names of at most 255 bytes",
    line("x/" * 600 + "x.svg", text="Hi"): "output: must have at most 1024 bytes",
    # A link, what is no file, and what is no directory.
    "outside/x.svg?text=Hi": "output: outside/x.svg leads through outside, which is a link",
    "link.svg?text=Hi": "output: link.svg is not a regular file",
    "dangling.svg?text=Hi": "output: dangling.svg is not a regular file",
    "directory.svg?text=Hi": "output: directory.svg is not a regular file",
    "pipe.svg?text=Hi": "output: pipe.svg is not a regular file",
    "file/x.svg?text=Hi": "output: file/x.svg leads through file, which is a link, or not a directory",
    "good.svg/x.svg?text=Hi": "output: must not lead through the file of line 1",
    "GOOD.svg?text=Other": "output: must differ from that of line 1 in more than case and Unicode normalization",
    # Names that other systems do not take.
    line("con.svg", text="Hi"): "output: must not have the name of a Windows device",
    line("a /x.svg", text="Hi"): "output: must have names that neither begin nor end with a space or a dot",
    line("gpj\u202ex.svg", text="Hi"): "output: must not hold control characters, marks of direction",
    "good.svg?text=Other": "output: must differ from that of line 1",
    "./good.svg?text=Other": "output: must differ from that of line 1",
}


def test_a_bad_line_is_reported_and_the_others_are_rendered(server, folder):
    folder.out.mkdir()
    elsewhere = folder.path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file.svg").write_text("old")
    (folder.out / "outside").symlink_to(elsewhere)
    (folder.out / "link.svg").symlink_to(elsewhere / "file.svg")
    (folder.out / "dangling.svg").symlink_to(elsewhere / "new.svg")
    (folder.out / "directory.svg").mkdir()
    os.mkfifo(folder.out / "pipe.svg")
    (folder.out / "good.svg").write_text("old")
    (folder.out / "file").write_text("old")
    # Outputs of their own.
    faults = [
        [text.replace("x.svg", f"x{number}.svg") for text in fault] for number, fault in enumerate(FAULTS.items(), 2)
    ]
    folder.write("good.svg?text=Hi", *(line for line, _ in faults), "last.svg?text=Hi")
    outcome = folder.run()
    numbers, said = messages(outcome)
    assert outcome.returncode == DATA_ERROR and outcome.stdout == b""
    assert sorted(set(numbers)) == list(range(2, len(faults) + 2))
    for number, (line, fault) in enumerate(faults, 2):
        assert f"error: list.jsonl:{number}: {fault}" in said, line
    expected = server.render("svg", text="Hi").body
    assert (folder.out / "good.svg").read_bytes() == (folder.out / "last.svg").read_bytes() == expected
    assert os.listdir(elsewhere) == ["file.svg"] and (elsewhere / "file.svg").read_text() == "old"
    assert sorted(os.listdir(folder.out)) == [
        "dangling.svg", "directory.svg", "file", "good.svg", "last.svg", "link.svg", "outside", "pipe.svg"
    ]
    assert sorted(os.listdir(folder.path)) == ["elsewhere", "list.jsonl", "out"]


def test_a_path_that_is_a_file_and_a_directory_is_a_fault_whichever_comes_first(folder):
    folder.write("a.svg/b.svg?text=1", "a.svg?text=2", "b.svg?text=1", "b.svg/b.svg?text=2", "last.svg?text=Hi")
    outcome = folder.run("--workers", "4")
    assert outcome.returncode == DATA_ERROR and messages(outcome)[0] == [2, 4]
    assert sorted(folder.files()) == ["a.svg/b.svg", "b.svg", "last.svg"]


def test_a_value_makes_no_other_line_look_faulty(folder):
    """Every message is one line, whatever it quotes, and holds nothing that a terminal obeys."""
    value = "\nerror: list.jsonl:1: size: must be\r\x1b[2K\x9b31m\x85\u2028\u202e"
    places = [
        line("a.svg", text="Hi", size=value), line(f"{value}.svg", text="Hi"), line("c.svg", text=value),
        line("d.svg", text="Hi", **{value: 1}), line("e.svg", text=f"<{value}>", markup=True),
        line("f.svg", text="Hi", font=value), line("g.svg", blocks=[dict(text="Hi", color=value)]),
        "h.svg http://x/\x9b\u202e", '{"output": "i.svg" \x9b',
        line("j.svg", text=f'<span font="{value}">x</span>', markup=True), "k.svg?text=Hi&\x9b\u202e=1",
    ]
    folder.write("good.svg?text=Hi", *places)
    outcome = folder.run()
    assert outcome.returncode == DATA_ERROR and list(folder.files()) == ["good.svg"]
    said = outcome.stderr.decode().splitlines()
    assert {int(re.match(r"error: list\.jsonl:(\d+): ", each)[1]) for each in said} == {*range(2, len(places) + 2)}
    assert all(each.isprintable() for each in said)


def test_what_is_not_utf_8_is_a_fault_of_its_line(folder):
    folder.list.write_bytes(b"a.svg?text=\xff\nb.svg?text=Hi\n")
    outcome = folder.run()
    assert outcome.returncode == DATA_ERROR and messages(outcome)[0] == [1]
    assert sorted(folder.files()) == ["b.svg"]


@pytest.mark.alone
def test_memory_does_not_grow_with_the_list_nor_with_a_line(folder):
    def peak(chunks):
        command = [BINARY, "render", "--batch", "-", "--out", folder.out, "--workers", "1"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        said = []
        reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
        reader.start()
        for chunk in chunks:
            process.stdin.write(chunk)
        process.stdin.close()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, said[0], usage.ru_maxrss * 1024

    usual = peak([b"a.svg?text=Hi\n"])
    assert usual[:2] == (0, b"")
    long = peak([b"x" * 1_000_000] * 300 + [b"\nb.svg?text=Hi\n"])
    assert long[:2] == (DATA_ERROR, b"error: -:1: line: has more than 1048576 bytes\n")
    many = peak([b"# a comment that is passed over\n" * 10_000] * 90)
    assert many[:2] == (0, b"")
    assert max(long[2], many[2]) < usual[2] + 16_000_000
    endless = peak([b"\n" * 1_000_001])
    assert endless[0] == DATA_ERROR and b"batch: the list has more than 1000000 lines" in endless[1]


@pytest.mark.parametrize(
    "options, status, word",
    [
        (["--batch", "list.jsonl"], USAGE, "out: is required"),
        (["--out", "out"], USAGE, "batch: is required"),
        (["Hi", "--check"], USAGE, "batch: is required"),
        (["Hi", "--batch", "list.jsonl", "--out", "out"], USAGE, "batch: takes texts"),
        (["--batch", "list.jsonl", "--out", "out", "-o", "x.svg"], USAGE, "batch: takes texts"),
        (["--batch", "list.jsonl", "--out", "out", "--size", "3"], USAGE, "batch: takes texts"),
        (["--batch", "list.jsonl", "--out", "out", "--check=maybe"], USAGE, "check: must be true or false"),
        (["--batch", "list.jsonl", "--out", "out", "--workers", "0"], USAGE, "workers: must be a number"),
        (["--batch", "list.jsonl", "--out", "out", "--watch", "--check"], USAGE, "watch: needs a list in a file"),
        (["--batch", "-", "--out", "out", "--watch"], USAGE, "watch: needs a list in a file"),
        (["Hi", "--watch"], USAGE, "watch: needs a file to write"),
        (["-", "--watch", "-o", "x.svg"], USAGE, "watch: needs a file to write"),
        (["--batch", "missing.jsonl", "--out", "out"], NO_INPUT, "batch: cannot read missing.jsonl"),
        (["--batch", ".", "--out", "out"], INPUT_OUTPUT, "batch: cannot read ."),
        (["--batch", "list.jsonl", "--out", "missing/out"], CANNOT_CREATE, "out: cannot open the directory missing"),
        (["--batch", "list.jsonl", "--out", "list.jsonl"], CANNOT_CREATE, "out: cannot open the directory list.jsonl"),
        *(
            (["--batch", "list.jsonl", "--out", "out", "--shard", shard], USAGE, "shard: must be INDEX/COUNT")
            for shard in ["3", "3/3", "-1/3", "1/0", "a/b", "1/2/3", "/", "0/99999999999999999999"]
        ),
    ],
    ids=str,
)
def test_wrong_usage_is_an_error_and_writes_nothing(folder, options, status, word):
    folder.write("a.svg?text=Hi")
    outcome = subprocess.run(
        [BINARY, "render", *options], cwd=folder.path, input=b"", capture_output=True, timeout=PATIENCE
    )
    assert outcome.returncode == status and f"error: {word}" in outcome.stderr.decode(), outcome.stderr
    assert folder.files() == {}


def test_warnings_name_their_line(folder):
    folder.write("a.svg?text=Hi", "b.gif?text=Hi&effect=fade")
    outcome = folder.run()
    assert outcome.returncode == 0 and outcome.stderr.startswith(b"warning: list.jsonl:2: halftone: ")


# What is written.


def test_files_are_written_where_their_bytes_change(server, folder):
    folder.write("a.svg?text=Hi", "b/c.png?text=Hi", "b/d.gif?text=Hi&background=white")
    succeeds(folder.run())
    before = folder.versions()
    succeeds(folder.run())
    assert folder.versions() == before
    # Shorter, longer, and of the same length.
    for name, change in {
        "a.svg": lambda old: old[:-1],
        "b/c.png": lambda old: old + b"x",
        "b/d.gif": lambda old: old[:-1] + b"x",
    }.items():
        files = folder.files()
        (folder.out / name).write_bytes(change(files[name]))
        before = folder.versions()
        succeeds(folder.run())
        assert folder.files() == files
        assert {each for each, version in folder.versions().items() if version != before[each]} == {name}


def test_the_rights_of_a_file_stay_and_new_ones_have_the_usual(folder):
    folder.out.mkdir()
    (folder.out / "a.svg").touch(mode=0o640)
    folder.write("a.svg?text=Hi", "b.svg?text=Hi")
    subprocess.run(["sh", "-c", 'umask 027; exec "$@"', "sh", *folder.command()], cwd=folder.path, check=True)
    assert [(folder.out / name).stat().st_mode & 0o777 for name in ["a.svg", "b.svg"]] == [0o640, 0o640]


def test_a_check_lists_what_would_change_and_writes_nothing(folder):
    folder.write("a.svg?text=Hi", "b/c.svg?text=Hi", "d.gif?text=Hi&background=white&effect=fade")
    outcome = folder.run("--check")
    assert (outcome.returncode, outcome.stderr) == (CHANGES, b"")
    assert sorted(outcome.stdout.split()) == [b"a.svg", b"b/c.svg", b"d.gif"]
    assert not folder.out.exists()
    succeeds(folder.run())
    succeeds(folder.run("--check"))
    (folder.out / "d.gif").write_bytes(b"old")
    before = folder.versions()
    outcome = folder.run("--check")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (CHANGES, b"d.gif\n", b"")
    assert folder.versions() == before
    folder.write("a.svg?text=Hi&size=x", "d.gif?text=Hi")
    assert folder.run("--check").returncode == DATA_ERROR


@pytest.mark.slow
def test_sixteen_shards_together_make_the_files_of_the_whole(folder):
    lines = [f"{number % 3}/{number}.svg?text=Number+{number}" for number in range(1, 41)]
    # Faults are those of one shard alone: a bad line, and an output of a line in another shard.
    folder.write(*lines, "bad.svg", "1/1.svg?text=Again")
    outcome = folder.run()
    assert outcome.returncode == DATA_ERROR and messages(outcome)[0] == [41, 42]
    whole = folder.files()
    assert len(whole) == 40
    folder.out = folder.path / "shards"
    command = [BINARY, "render", "--batch", "list.jsonl", "--out", "shards", "--workers", "1"]
    faulty = {}
    for index in range(16):
        before = set(folder.files())
        outcome = subprocess.run(
            [*command, "--shard", f"{index}/16"], cwd=folder.path, capture_output=True, timeout=PATIENCE
        )
        if outcome.returncode:
            faulty[index] = (outcome.returncode, messages(outcome)[0])
        new = {int(name.split("/")[1].removesuffix(".svg")) for name in set(folder.files()) - before}
        assert new == {number for number in range(1, 41) if number % 16 == index}
    assert folder.files() == whole
    assert faulty == {41 % 16: (DATA_ERROR, [41]), 42 % 16: (DATA_ERROR, [42])}


# Ends before the end.


def slow_lines(count):
    """Lines whose files take a while, each of its own bytes."""
    request = dict(effect="wave", interval=0.3, scale=2, size=60, fps=30, background="#fff")
    return [line(f"{number}.gif", text=f"A long way to go {number}", **request) for number in range(count)]


@pytest.mark.slow
def test_a_run_that_was_killed_is_completed_by_the_next(folder):
    folder.write(*slow_lines(24))
    for _ in range(4):
        process = subprocess.Popen(folder.command(), cwd=folder.path)
        done = len(folder.files())
        until(lambda: len(folder.files()) > done or process.poll() is not None, "the next file")
        process.kill()
        process.wait()
    partly = {name: bytes for name, bytes in folder.files().items() if not name.startswith(".")}
    succeeds(folder.run())
    whole = folder.files()
    assert sorted(whole) == sorted(f"{number}.gif" for number in range(24))
    # Whatever had its name was whole.
    assert partly.items() <= whole.items()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_no_half_file(folder, number):
    folder.write(*slow_lines(50))
    process = subprocess.Popen(
        folder.command(), cwd=folder.path, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
    )
    until(lambda: any(name.startswith(".") for name in folder.files()), "a file that is being made")
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == -number
    assert not [name for name in folder.files() if name.startswith(".")]


def mounted(folder, options, *more):
    """The outcome of a run with another file system at the directory of the files, and what is in it afterwards."""
    folder.out.mkdir(exist_ok=True)
    script = f'mount -t tmpfs -o {options} none out && cp -a before/. out/ && {" ".join(more) or "true"} && "$@"; ' \
        'status=$?; cp -a out/. after/; exit $status'
    for name in ["before", "after"]:
        (folder.path / name).mkdir(exist_ok=True)
    outcome = folder.run(prefix=["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
    return outcome, {path.name: path.read_bytes() for path in (folder.path / "after").iterdir()}


def test_a_full_disk_ends_it_with_the_file_and_leaves_no_half_one(folder):
    lines = [line(f"{number}.json", text=f"{number} " + "x" * 200, effect="slide") for number in range(40)]
    folder.write(*lines)
    succeeds(folder.run())
    whole = folder.files()
    (folder.path / "before").mkdir()
    (folder.path / "before/0.json").write_text("old")
    outcome, files = mounted(folder, "size=512k")
    assert outcome.returncode == INPUT_OUTPUT
    message = rb"error: list\.jsonl:\d+: output: cannot write \d+\.json: No space left on device"
    assert re.search(message, outcome.stderr)
    # No more is tried than what was begun.
    assert len(outcome.stderr.splitlines()) <= os.cpu_count()
    assert len(files) < len(whole)
    assert all(bytes == whole[name] or (name, bytes) == ("0.json", b"old") for name, bytes in files.items())


def test_a_directory_that_cannot_be_written_to_ends_it(folder):
    folder.write("a.svg?text=Hi", "b/c.svg?text=Hi")
    outcome, files = mounted(folder, "size=512k", "mount -o remount,ro out")
    assert outcome.returncode == INPUT_OUTPUT and files == {}
    assert b"output: cannot" in outcome.stderr and b"Read-only file system" in outcome.stderr
    # What need not be written is no fault.
    folder.write("a.svg?text=Hi")
    subprocess.run([BINARY, "render", "Hi", "-o", folder.path / "before/a.svg"], check=True)
    outcome, files = mounted(folder, "size=512k", "mount -o remount,ro out")
    succeeds(outcome)


def test_a_size_that_no_file_may_have_ends_it(folder):
    folder.write(line("a.json", text="x" * 200, effect="slide"))
    outcome = folder.run(prefix=["bash", "-c", 'ulimit -f 1; exec "$@"', "bash"])
    assert outcome.returncode == INPUT_OUTPUT and b"1: output: cannot write a.json: File too large" in outcome.stderr
    assert folder.files() == {}


def test_a_closed_output_ends_a_check(folder):
    folder.write("a.svg?text=Hi")
    with open("/dev/full", "wb") as full:
        outcome = subprocess.run(folder.command("--check"), cwd=folder.path, stdout=full, stderr=subprocess.PIPE)
    assert outcome.returncode == INPUT_OUTPUT and b"check: cannot write to standard output" in outcome.stderr


# While it runs.


def test_a_terminal_has_a_bar_and_nothing_else_has(folder):
    controller, terminal = pty.openpty()
    command = [BINARY, "render", "--batch", "-", "--out", folder.out]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    shown = bytearray()
    number = 0

    def has_bar():
        nonlocal number
        number += 1
        process.stdin.write(f"{number}.svg?text=Hi\n".encode())
        process.stdin.flush()
        if select.select([controller], [], [], 0)[0]:
            shown.extend(os.read(controller, 65536))
        return b"line " in shown

    until(has_bar, "the bar")
    process.stdin.close()
    assert process.wait(timeout=PATIENCE) == 0
    while select.select([controller], [], [], 0)[0]:
        try:
            shown.extend(os.read(controller, 65536))
        except OSError:
            break
    os.close(controller)
    # It is removed in the end.
    assert shown.endswith(b"\r\x1b[K")


class Watching:
    """A command that goes on; what it says is read to its end."""

    def __init__(self, *command, cwd):
        self.process = subprocess.Popen([BINARY, "render", *command, "--watch"], cwd=cwd, stderr=subprocess.PIPE)
        self.said = bytearray()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while part := self.process.stderr.read1():
            self.said.extend(part)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=PATIENCE) == -signal.SIGINT
        self.reader.join()


@pytest.mark.slow
def test_what_changes_in_a_list_is_rendered_again(server, folder):
    expected = {text: server.render("svg", text=text).body for text in ["one", "two", "three"]}
    folder.write("a.svg?text=one", "b.svg?text=two")
    with Watching("--batch", "list.jsonl", "--out", "out", cwd=folder.path) as watching:
        until(lambda: folder.files() == {"a.svg": expected["one"], "b.svg": expected["two"]}, "the files")
        # A line that stays the same is not carried out again, even though its file is gone.
        (folder.out / "b.svg").unlink()
        folder.write("a.svg?text=three", "b.svg?text=two")
        until(lambda: folder.files() == {"a.svg": expected["three"]}, "the changed file")
        folder.write("a.svg?text=one&size=x", "b.svg?text=three")
        until(lambda: folder.files().get("b.svg") == expected["three"], "the other file")
        until(lambda: b"error: list.jsonl:1: size: " in watching.said, "the fault")
        folder.write("a.svg?text=one", "b.svg?text=three")
        until(lambda: folder.files() == {"a.svg": expected["one"], "b.svg": expected["three"]}, "the mended file")
        folder.list.unlink()
        until(lambda: b"batch: cannot read list.jsonl" in watching.said, "the missing list")
        folder.write("a.svg?text=two")
        until(lambda: folder.files().get("a.svg") == expected["two"], "the file of the new list")


def test_what_changes_in_presets_and_keyframes_is_rendered_again(server, folder):
    def presets(size):
        text = json.dumps({"presets": [{"name": "own", "parameters": {"size": size}}]})
        (folder.path / "presets.json").write_text(text)

    presets(20)
    folder.write("a.svg?text=Hi&preset=own")
    with Watching("--batch", "list.jsonl", "--out", "out", "--presets", "presets.json", cwd=folder.path):
        until(lambda: folder.files() == {"a.svg": server.render("svg", text="Hi", size=20).body}, "the file")
        presets(90)
        until(lambda: folder.files() == {"a.svg": server.render("svg", text="Hi", size=90).body}, "the changed file")

    frames, file = folder.path / "frames.json", folder.path / "b.svg"
    frames.write_text('[{"opacity": 0}]')
    with Watching("Hi", "--effect", "custom", "--keyframes", "@frames.json", "-o", "b.svg", cwd=folder.path):
        for changed in [[{"opacity": 0}], [{"y": 2}]]:
            frames.write_text(json.dumps(changed))
            expected = server.render("svg", text="Hi", effect="custom", keyframes=changed).body
            until(lambda: file.exists() and file.read_bytes() == expected, "the picture")


# Machines.


def spread(folder, command, indexes, **environment):
    """Carries out a list by a command, once for each index, with titlecard on the path."""
    folder.write(*(f"{number}.svg?text=Number+{number}" for number in range(1, 41)))
    succeeds(folder.run())
    whole = folder.files()
    folder.out = folder.path / "pictures"
    folder.list.rename(folder.path / "requests.jsonl")
    path = f"{BINARY.parent}:{os.environ['PATH']}"
    for index in indexes:
        own = {name: str(value(index)) for name, value in environment.items()}
        subprocess.run(command, cwd=folder.path, env={**os.environ, "PATH": path, **own}, check=True, timeout=PATIENCE)
    assert folder.files() == whole


@pytest.mark.slow
def test_the_script_for_slurm(folder):
    script = REPOSITORY / "deploy/slurm/titlecard.sbatch"
    subprocess.run(["shellcheck", script], check=True)
    first, last = re.search(r"^#SBATCH --array=(\d+)-(\d+)$", script.read_text(), re.M).groups()
    (parts,) = re.findall(r"^parts=(\d+)$", script.read_text(), re.M)
    assert (int(first), int(last)) == (0, int(parts) - 1)
    spread(
        folder, [script], range(int(last) + 1),
        SLURM_ARRAY_TASK_ID=lambda index: index,
        SLURM_CPUS_PER_TASK=lambda _: 1,
    )


@pytest.mark.slow
def test_the_line_for_gnu_parallel(folder):
    (command,) = re.findall(r"^seq .*\| parallel (?:.*\\\n)*.*$", (REPOSITORY / "docs/operations.md").read_text(), re.M)
    spread(folder, ["sh", "-c", command], [0])
