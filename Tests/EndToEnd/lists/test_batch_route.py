"""`POST /batch`: a list of files in, a ZIP archive out, in bounded memory and by the guards of each rendering."""

import concurrent.futures
import io
import json
import os
import pathlib
import signal
import socket
import subprocess
import zipfile

import pytest

from catalogue import catalogue_under_test
from service import BINARY, PATIENCE, query, until

FORMATS = {name: format["extension"] for name, format in catalogue_under_test().formats.items()}
JSONL = "application/jsonl"
ERRORS = "errors.jsonl"


def line(output, **request):
    return json.dumps(dict(output=output, **request), ensure_ascii=False)


def listed(*lines):
    return "".join(f"{line}\n" for line in lines)


def batch(server, *lines, target="/batch"):
    """The files of an archive by name, and its errors."""
    answer = server.post(target, listed(*lines), JSONL)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/zip"), answer.text
    return contents(answer.body)


def contents(body):
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[-1] == ERRORS and len(set(names)) == len(names)
        files = {name: archive.read(name) for name in names}
    return files, [json.loads(line) for line in files.pop(ERRORS).splitlines()]


def signed(target):
    return subprocess.run(
        [BINARY, "sign", target],
        env={**os.environ, "TITLECARD_SIGNING_KEY": "a key of the tests"}, capture_output=True, text=True, check=True,
    ).stdout.strip()


def counted(server, status):
    """How many lines had a status so far."""
    samples = server.get("/metrics").text.splitlines()
    return sum(float(each.split()[1]) for each in samples
               if each.startswith(f'titlecard_requests_total{{route="batch_line",status="{status}"'))


def open_batch(server, body, client="192.0.2.1"):
    """A connection on which a list was sent, and nothing is read; of a client, where proxies are trusted."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.connect((server.host, server.port))
    fields = {"Host": "x", "Content-Type": JSONL, "Content-Length": len(body), "X-Forwarded-For": client}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    connection.sendall(f"POST /batch HTTP/1.1\r\n{head}\r\n".encode() + body)
    return connection


def steady(server):
    """How many lines were rendered once no more are."""
    last = -1
    same = 0

    def is_steady():
        nonlocal last, same
        now = counted(server, 200)
        same = same + 1 if now == last and now > 0 else 0
        last = now
        return same >= 30

    until(is_steady, "the end of the work")
    return last


def dechunked(data):
    body = bytearray()
    while True:
        size, _, data = data.partition(b"\r\n")
        if not int(size, 16):
            return bytes(body)
        body += data[: int(size, 16)]
        data = data[int(size, 16) + 2 :]


# The archive.


def test_files_have_the_bytes_of_the_server_in_every_format(server):
    request = dict(text="Who you gonna call? 👻", effect="fade", background="#fff")
    # A sticker of Telegram has no pictures.
    requests = {name: request | ({"text": "Who you gonna call?"} if name == "tgs" else {}) for name in FORMATS}
    lines = [line(f"ünï/{name}.{ending}", **requests[name]) for name, ending in FORMATS.items()]
    lines += [f"query.svg?{query(request)}", "typing.svg https://readme-typing-svg.demolab.com?lines=Hello;World"]
    files, errors = batch(server, *lines)
    assert errors == []
    expected = {f"ünï/{name}.{ending}": server.render(ending, **requests[name]).body for name, ending in FORMATS.items()}
    expected["query.svg"] = server.render("svg", **request).body
    expected["typing.svg"] = server.get("/typing?lines=Hello;World").body
    assert files == expected and list(files) == list(expected)


def test_long_files_are_whole(server):
    """What is sent in pieces elsewhere: a picture of many frames, and a text of more than a mebibyte."""
    request = dict(text="A long way to go, and farther still", effect="wave", scale=2, background="#fff")
    text = dict(text="\n".join(["x" * 60] * 30), size=12, effect="scramble")
    files, errors = batch(server, line("a.gif", **request), line("b.apng", **request), line("c.json", **text))
    assert errors == []
    assert files["a.gif"] == server.render("gif", **request).body
    assert files["b.apng"] == server.render("apng", **request).body
    assert files["c.json"] == server.render("json", **text).body and len(files["c.json"]) > 1 << 20


def test_an_archive_is_the_same_each_time_and_another_reader_can_read_it(server, tmp_path):
    body = listed(*(line(f"{number}/{number}.svg", text=f"Number {number}") for number in range(40)), "x")
    first, second = (server.post("/batch", body, JSONL).body for _ in range(2))
    assert first == second
    (tmp_path / "a.zip").write_bytes(first)
    subprocess.run(["unzip", "-tq", tmp_path / "a.zip"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["unzip", "-q", tmp_path / "a.zip", "-d", tmp_path / "out"], check=True)
    assert (tmp_path / "out/3/3.svg").read_bytes() == server.render("svg", text="Number 3").body
    assert (tmp_path / "out/3/3.svg").stat().st_mode & 0o777 == 0o644
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        kinds = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert kinds["3/3.svg"] == zipfile.ZIP_DEFLATED and kinds[ERRORS] == zipfile.ZIP_STORED


def test_a_chunked_list_without_a_last_line_break(server):
    parts = [b'{"output": "a.svg", ', b'"text": "Hi"}\n\n# x\nb.svg?te', b"xt=Hi"]
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    head = f"POST /batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: {JSONL}\r\n"
    answer = server.raw(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + body)
    files, errors = contents(dechunked(answer.partition(b"\r\n\r\n")[2]))
    assert sorted(files) == ["a.svg", "b.svg"] and errors == []


def test_one_list_may_follow_another_at_once(server):
    for number in range(100):
        assert server.post("/batch", f"a.svg?text=Number+{number}\n", JSONL).status == 200


def test_a_byte_order_mark_before_the_first_line_is_left_out(server):
    files, errors = batch(server, "\ufeff" + line("a.svg", text="Hi"), "b.svg?text=Hi")
    assert sorted(files) == ["a.svg", "b.svg"] and errors == []


def test_an_empty_list_is_an_archive_of_no_files(server):
    assert batch(server) == ({}, [])


def test_each_fault_is_in_the_last_file_by_its_line(server):
    files, errors = batch(
        server,
        line("a.svg", text="Hi"),
        "x",
        line("b.svg", text="Hi", size="huge", effect="fad"),
        line("../c.svg", text="Hi"),
        line("a.svg", text="Ho"),
        line("d.svg", text="x" * 2001),
        line(ERRORS, text="Hi", format="json"),
        "# " + "x" * 70_000,
        "e.svg?text=Hi",
    )
    assert sorted(files) == ["a.svg", "e.svg"]
    assert files["a.svg"] == server.render("svg", text="Hi").body
    assert [(error["line"], error["output"], error["status"]) for error in errors] == [
        (2, None, 400), (3, "b.svg", 400), (4, None, 400), (5, "a.svg", 400), (6, "d.svg", 422), (7, ERRORS, 400),
        (8, None, 400),
    ]
    said = server.post("/render", {"text": "Hi", "size": "huge", "effect": "fad"}).json
    assert {name: errors[1][name] for name in ["title", "status", "errors"]} == {
        name: said[name] for name in ["title", "status", "errors"]
    }
    assert errors[3]["errors"] == [
        {
            "parameter": "output",
            "message": 'must differ from that of line 1 in more than case and Unicode normalization; got "a.svg"',
        }
    ]


def test_an_archive_has_only_files_that_every_system_can_unpack(server, tmp_path):
    good = ["a/b.svg", "A/c.svg", "Ordner/größe.svg", "コン.svg"]
    bad = [
        "a/b.svg/c.svg", "a", "A/B.SVG", "ordner/gro\u0308\u00dfe.svg", "errors.jsonl/x.svg", "ERRORS.JSONL", "con/x.svg",
        "NUL.svg", "gpj\u202e.svg", ".x.svg", "x /y.svg", "y.svg.", "C:x.svg", "\\\\host\\x.svg", "../x.svg",
    ]
    answer = server.post("/batch", listed(*(line(path, text="Hi", format="svg") for path in [*good, *bad])), JSONL)
    files, errors = contents(answer.body)
    assert list(files) == good
    assert [error["line"] for error in errors] == [*range(len(good) + 1, len(good) + len(bad) + 1)]
    assert {error["errors"][0]["parameter"] for error in errors} == {"output"}
    (tmp_path / "a.zip").write_bytes(answer.body)
    subprocess.run(["unzip", "-q", "-d", tmp_path / "out", tmp_path / "a.zip"], check=True, timeout=PATIENCE)
    found = [path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert sorted(found) == sorted([*good, ERRORS])


def test_a_value_adds_no_line_to_the_faults(server):
    values = ["a\nb", "\u2028{", "\u2029", "\x85", "\x1b[31m", "\x9b31m", "\u202e\u2066"]
    paths = [line(f"{value}.svg", text="Hi") for value in values]
    sizes = [line(f"{number}.svg", text="Hi", size=value) for number, value in enumerate(values)]
    answer = server.post("/batch", listed(*paths, *sizes), JSONL)
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        lines = archive.read(ERRORS).decode().splitlines()
    assert [json.loads(line)["line"] for line in lines] == [*range(1, 2 * len(values) + 1)]
    assert all(line.isprintable() for line in lines)
    assert [json.loads(line)["errors"][0]["message"].partition("got ")[2] for line in lines[len(values):]] == [
        f'"{value}"' for value in values
    ]


def test_the_later_of_two_lines_is_at_fault_whichever_is_done_first(server):
    slow = line("a.gif", text="A long way to go", effect="wave", scale=2, seed=1)
    for number in range(8):
        files, errors = batch(server, slow, line("a.gif", text=f"{number}"))
        assert [error["line"] for error in errors] == [2] and list(files) == ["a.gif"]


# What is refused.


def test_a_list_is_sent_as_one(server):
    assert server.get("/batch").status == 405
    assert server.request("POST", "/batch", headers={"Content-Type": JSONL}).status == 411
    for kind in ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]:
        assert server.post("/batch", "a.svg?text=Hi\n", kind).status == 415
    assert server.post("/batch", b"x", JSONL, {"Content-Encoding": "gzip"}).status == 415
    assert server.post("/batch", "a.svg?text=Hi\n", "text/plain; charset=latin1").status == 415
    for kind in ["application/x-ndjson", "text/plain; charset=utf-8", "Application/JSONL"]:
        assert server.post("/batch", "a.svg?text=Hi\n", kind).status == 200
    answer = server.post("/batch?text=Hi&size=3", "a.svg?text=Hi\n", JSONL)
    assert (answer.status, answer.faults) == (400, ["size", "text"])


def test_lines_and_bytes_have_limits(start):
    server = start("--max-batch-lines", "3", "--max-batch-body", "100000", "--max-body", "1000")
    assert batch(server, "a.svg?text=Hi", "", "b.svg?text=Hi")[1] == []
    answer = server.post("/batch", "\n" * 4, JSONL)
    assert (answer.status, answer.faults) == (413, ["body"]) and "has 4 lines; the limit is 3" in answer.text
    files, errors = batch(server, "#" * 90_000, "a.svg?text=Hi")
    assert list(files) == ["a.svg"] and errors[0]["errors"][0]["message"] == "has more than 1000 bytes"
    assert server.post("/batch", "#" * 100_001, JSONL).status == 413
    # The limit of other paths is their own.
    assert server.post("/render", "x" * 1001, "text/plain").status == 413


@pytest.mark.parametrize("option", [("--max-batch-lines", "0"), ("--allow-post", "false")])
def test_lists_can_be_switched_off(start, option):
    server = start(*option, "--max-body", "1000")
    assert server.post("/batch", "a.svg?text=Hi\n", JSONL).status == 404
    assert server.post("/batch", "#" * 1001, JSONL).status == 413


def test_lines_are_restricted_as_requests_are(start):
    server = start("--only-presets", environment={"TITLECARD_SIGNING_KEY": "a key of the tests"})
    body = listed(line("a.svg", text="Hi", preset="card"), line("b.svg", text="Hi", size=30), "c.svg /render?text=Hi")
    assert server.post("/batch", body, JSONL).status == 403
    files, errors = batch(server, *body.splitlines(), target=signed("/batch"))
    assert sorted(files) == ["a.svg", "c.svg"]
    assert [(error["line"], error["errors"][0]["parameter"]) for error in errors] == [(2, "size")]


def test_a_url_in_a_line_needs_its_signature(start):
    server = start("--allow-post", "true", environment={"TITLECARD_SIGNING_KEY": "a key of the tests"})
    files, errors = batch(server, "a.svg?text=Hi", "b.svg https://here.example/render?text=Hi")
    assert list(files) == ["a.svg"] and [(error["line"], error["status"]) for error in errors] == [(2, 403)]


def test_a_signed_url_in_a_line_keeps_its_signature(start):
    """The path's extension decides on the format of typed lines, whose query is signed without one."""
    server = start("--allow-post", "true", environment={"TITLECARD_SIGNING_KEY": "a key of the tests"})
    url = signed("/typing?lines=Hi")
    files, errors = batch(server, f"a.svg {url}", f"b.png {url}")
    assert errors == [] and files["a.svg"] == server.get(url).body
    assert files["b.png"] == server.get(signed("/typing?lines=Hi&format=png")).body


def test_each_line_counts_against_the_limit_of_its_address(start):
    server = start("--rate-limit", "20", "--rate-burst", "2")
    # More than there may be at once: they wait for their turn.
    files, errors = batch(server, *(line(f"{number}.svg", text=f"Number {number}") for number in range(8)))
    assert len(files) == 8 and errors == []
    slow = start("--rate-limit", "0.005", "--rate-burst", "2")
    files, errors = batch(slow, *(line(f"{number}.svg", text=f"Number {number}") for number in range(3)))
    assert len(files) == 1 and [error["status"] for error in errors] == [429, 429]


def test_a_line_has_a_deadline_and_a_price_of_its_own(start):
    server = start("--render-deadline", "2", "--max-work", "1000000", "--max-frames", "10000")
    heavy = dict(
        text="Long and heavy " * 7, size=60, width=900, effect="wave", loop="infinite", hold=0, fps=50, speed=0.1, scale=2
    )
    files, errors = batch(
        server, "a.svg?text=Hi", line("b.gif", **heavy), line("c.png", text="Hi", width=4000, height=4000, scale=2),
        "d.svg?text=Ho",
    )
    assert sorted(files) == ["a.svg", "d.svg"]
    assert [(error["line"], error["status"]) for error in errors] == [(2, 503), (3, 422)]


def test_lines_are_counted_and_logged(start, tmp_path):
    server = start()
    batch(server, "a.svg?text=Hi", "b.svg?text=Hi", "c.svg?text=Hi&size=x", "d.png?text=Hi")
    assert (counted(server, 200), counted(server, 400)) == (3, 1)
    text = server.get("/metrics").text
    assert 'titlecard_requests_total{route="batch",status="200"} 1' in text
    assert 'titlecard_request_seconds_count{route="batch_line",format="png",cache="miss"} 1' in text
    assert server.metric("titlecard_render_seconds_count") == 2


def test_a_line_whose_output_an_earlier_line_has_is_not_rendered(start):
    server = start()
    batch(server, "a.svg?text=Hi", "a.svg?text=Ho")
    assert (counted(server, 200), counted(server, 400)) == (1, 1)
    assert server.metric("titlecard_render_seconds_count") == 1


# Long lists.

# Some 30 kB each, which no buffers of the system hold for long.
LARGE = [line(f"{number}.png", text=f"Number {number} " + "and more " * 12, seed=number) for number in range(900)]


@pytest.mark.slow
def test_nothing_is_rendered_for_a_client_that_does_not_read(start):
    server = start("--max-batch-lines", "10000", "--write-timeout", "3600")
    connection = open_batch(server, listed(*LARGE).encode())
    assert steady(server) < len(LARGE) / 2
    # Another list of the same client has to wait.
    answer = server.post("/batch", "a.svg?text=Hi\n", JSONL)
    assert answer.status == 503 and answer.headers["Retry-After"]
    assert server.get("/render?text=Hi").status == 200
    with connection, connection.makefile("rb") as stream:
        data = bytearray()
        while not data.endswith(b"\r\n0\r\n\r\n"):
            data += stream.read1()
    files, errors = contents(dechunked(bytes(data).partition(b"\r\n\r\n")[2]))
    assert len(files) == len(LARGE) and errors == []


def test_clients_that_do_not_read_keep_no_list_from_others(start):
    server = start("--trusted-proxies", "127.0.0.1", "--write-timeout", "3600")
    connections = [open_batch(server, listed(*LARGE).encode(), f"192.0.2.{client}") for client in range(12)]
    steady(server)
    assert server.post("/batch", "a.svg?text=Hi\n", JSONL, {"X-Forwarded-For": "198.51.100.1"}).status == 200
    for connection in connections:
        connection.close()


@pytest.mark.slow
def test_few_large_files_wait_for_a_client_that_does_not_read(start):
    server = start("--workers", "8", "--write-timeout", "3600")
    large = {"text": "A large file by itself", "effect": "zoom", "size": 400, "maxWidth": "none", "fps": 50,
             "background": "linear-gradient(90deg, red, blue)"}
    size = len(server.post("/render", {**large, "format": "webp"}).body)
    assert size > 4 << 20, size
    connection = open_batch(server, listed(*(line(f"{number}.webp", **large) for number in range(30))).encode())
    finished = steady(server)
    connection.close()
    # Two more are on their way, in the system's buffers.
    assert 3 <= finished <= (16 << 20) // size + 3, (finished, size)


def test_a_client_that_goes_ends_the_work_and_leaves_its_place(start):
    server = start("--max-batch-lines", "10000")
    connection = open_batch(server, listed(*LARGE).encode())
    until(lambda: counted(server, 200) > 0, "the first line")
    connection.close()
    assert steady(server) < len(LARGE)
    until(lambda: server.post("/batch", "a.svg?text=Hi\n", JSONL).status == 200, "a place")


def test_a_shutdown_ends_an_archive_with_what_is_left_among_the_errors(start):
    server = start("--max-batch-lines", "10000", "--write-timeout", "3600")
    connection = open_batch(server, listed(*LARGE).encode())
    steady(server)
    server.process.send_signal(signal.SIGTERM)
    with connection, connection.makefile("rb") as stream:
        data = stream.read()
    files, errors = contents(dechunked(data.partition(b"\r\n\r\n")[2]))
    assert 0 < len(files) < len(LARGE) and len(files) + len(errors) == len(LARGE)
    assert {error["status"] for error in errors} == {503}


@pytest.mark.alone
def test_files_that_are_made_in_pieces_wait_for_memory_and_give_it_back(start):
    """Several clients read the same renderings, which are not kept, at once."""
    server = start("--no-supervisor", "--memory", "150", "--cache-size", "0", "--trusted-proxies", "127.0.0.1")
    request = dict(text="A long way to go " * 3, size=60, effect="wave", scale=2, format="apng")

    def archive(client):
        body = listed(*(line(f"{number}.apng", **request, seed=number) for number in range(3)))
        return server.post("/batch", body, JSONL, {"X-Forwarded-For": f"192.0.2.{client}"})

    with concurrent.futures.ThreadPoolExecutor() as clients:
        for answer in clients.map(archive, range(4)):
            files, errors = contents(answer.body)
            assert len(files) == 3 and errors == [] and min(map(len, files.values())) > 400_000
    until(lambda: server.metric('titlecard_memory_bytes{share="renderings"}') == 0, "memory given back")


@pytest.mark.alone
def test_an_archive_of_ten_thousand_files_takes_no_more_memory_than_one(start):
    server = start(
        "--no-supervisor", "--max-batch-lines", "10000", "--max-batch-body", "4000000", "--cache-size", "0"
    )

    def peak():
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024

    batch(server, *(line(f"{number}.svg", text=f"Number {number}") for number in range(200)))
    before = peak()
    files, errors = batch(server, *(line(f"{number}.svg", text=f"Number {number}") for number in range(10_000)))
    assert len(files) == 10_000 and errors == []
    # The list itself, and the directory of the archive.
    assert peak() - before < 16_000_000
