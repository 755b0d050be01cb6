"""Small requests for large answers are refused before the work, with the parameter that makes them large."""

import base64
import gzip
import http.client
import json
import os
import re
import socket

import pytest

from draws import png_file

MEBIBYTE = 1 << 20
TEXT_LIMIT = 16 * MEBIBYTE
# Seconds of CPU that a refusal may take, and KiB that the process may grow by; the answers took many times as much.
WORK = 3
ROOM = 400 * 1024

LETTERS = ("abcdefgh " * 223)[:2000]
HAN = "".join(chr(0x4E00 + 7 * number) for number in range(256))
SHADOWS = ", ".join(f"{number}px {number}px red" for number in range(1, 5))
UNDERLAY = dict(outlineWidth=1, shadow=SHADOWS, darkShadow=SHADOWS)
SCALES = [dict(scale=1.5 + number % 3) if number % 2 else dict(scaleX=0.5 + number % 4) for number in range(15)]
CUSTOM = dict(text=LETTERS, effect="custom", keyframes=[*SCALES, dict(scale=1, scaleX=1)], interval=0.005, width=2000)
SCRAMBLE = dict(text=LETTERS, effect="scramble", charset=HAN, lead=2, interval=0.01, width=3000)
FAMILY = "\U0001f468\u200d" * 1500 + "\U0001f469"

# Curves whose speed is nothing in their middle, a flat picture, and one of noise that repeats.
CUSPS = "M0 0" + "c9 9 0 9 9 0" * 330
FLAT = png_file(1024, 1024, [bytes(4096)] * 1024)
NOISE = png_file(512, 512, [os.urandom(2048) for _ in range(11)] * 46 + [bytes(2048)] * 6)


def pictures(file, sizes):
    """A text that shows a picture of its own in each size, in CSS pixels."""
    shown = "".join(f"<span size='{size}px'><picture name='a'/></span>" for size in sizes)
    return dict(text=shown, markup=True, pictures=dict(a=base64.b64encode(file).decode()), effect="none", width=4000)


def along(path, count, **more):
    """A text that goes to and fro along a path."""
    keyframes = [dict(pathOffset=5 if number % 2 else -5) for number in range(count)]
    return dict(text="W" * 24, size=8, path=path, effect="custom", duration=10, keyframes=[*keyframes, {}], **more)


# The format, and a request that once cost hundreds of times what was announced.
ANNOUNCED = {
    "cusps": ("svg", along(CUSPS, 15)),
    "a flat picture in many sizes": ("svg", pictures(FLAT, range(4, 67))),
    "a picture of noise in many sizes": ("json", pictures(NOISE, range(100, 163))),
}
# Times that a request may cost what was announced, on a busy machine; amplification.py judges closely.
FACTOR = 10

# The format, the request, and the parameters one of which is named.
HOSTILE = {
    "scales that alternate": ("lottie", {**CUSTOM, **UNDERLAY, "exit": "auto"}, {"keyframes"}),
    "ideographs with shadows": ("svg", {**SCRAMBLE, **UNDERLAY}, {"shadow", "charset"}),
    "ideographs": ("json", SCRAMBLE, {"charset"}),
    "layers of ideographs": ("lottie", {**SCRAMBLE, **UNDERLAY}, {"shadow", "charset"}),
    "film of ideographs": ("gif", {**SCRAMBLE, **UNDERLAY}, {"shadow", "charset"}),
    "film of letters": ("apng", dict(SCRAMBLE, cursor="bar"), {"charset", "fps", "text"}),
    "film of scales": ("webp", {**CUSTOM, **UNDERLAY}, {"keyframes"}),
    "wheels that turn": (
        "svg",
        dict(
            text=LETTERS, color="conic-gradient(red, lime, blue, red, lime, blue, red)", gradientBox="glyph", paintMotion="spin",
            width=3000, effect="none",
        ),
        {"paintMotion"},
    ),
    "film of paint that moves": (
        "apng",
        dict(
            text=LETTERS, color="linear-gradient(red, lime)", paintMotion="pan", paintDuration=60, size=48, width=4000, effect="none",
            fps=50,
        ),
        {"paintMotion", "fps"},
    ),
    "large film": ("gif", dict(text=LETTERS[:300], size=100, effect="wave", width=3000, scale=2, fps=50), {"scale"}),
}


def cpu(process):
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process, name):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name))


@pytest.fixture(scope="module")
def service(start):
    # The process that is looked at is the one that works.
    return start("--no-supervisor", "--workers", "1", "--mcp")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_large_answer_is_refused_before_the_work(service, name):
    format, request, parameters = HOSTILE[name]
    before, base = cpu(service.process), memory(service.process, "VmRSS")
    with open(f"/proc/{service.process.pid}/clear_refs", "w") as file:
        file.write("5")
    answer = service.post("/render", dict(request, format=format))
    assert answer.status == 422, answer.text[:200]
    assert set(answer.faults) <= parameters
    assert "the limit is" in answer.json["errors"][0]["message"]
    assert cpu(service.process) - before < WORK
    assert memory(service.process, "VmHWM") - base < ROOM


def announced(service, request):
    """Returns the seconds that the tool `check` announces for a request: a millisecond for each megapixel."""
    call = dict(jsonrpc="2.0", id=1, method="tools/call", params=dict(name="check", arguments=request))
    fields = {"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json"}
    answer = service.post("/mcp", call, headers=fields)
    return answer.json["result"]["structuredContent"]["price"]["megapixels"] / 1000


@pytest.mark.parametrize("name", ANNOUNCED)
def test_what_a_request_costs_is_announced(service, name):
    format, request = ANNOUNCED[name]
    request = dict(request, format=format)
    before = cpu(service.process)
    price = announced(service, request)
    assert service.post("/render", request).status == 200
    assert cpu(service.process) - before < FACTOR * price + 0.2


def test_pictures_that_are_much_work_to_scale_are_refused_before(start):
    service = start("--max-work", "100", "--mcp")
    request = pictures(FLAT, range(60, 123))
    for format in ("svg", "gif", "json"):
        answer = service.post("/render", dict(request, format=format))
        assert (answer.status, answer.faults) == (422, ["text"])
        assert "the limit is 100" in answer.json["errors"][0]["message"]


def test_ways_with_too_many_keyframes_are_refused_before_all_are_found(service):
    easing = f"linear({','.join(['0', '1'] * 32)})"
    answer = service.post("/render.svg", along(CUSPS, 15, easing=easing))
    assert (answer.status, answer.faults) == (422, ["text"])
    # All would be millions.
    count = int(re.search(r"would have (\d+) keyframes", answer.json["errors"][0]["message"])[1])
    assert 200_000 < count < 400_000


def test_a_head_takes_none_of_the_memory_of_a_stream(start):
    """Its price is known before anything of the file is begun."""
    service = start("--stream-memory", "4")
    target = "/render.apng?effect=wave&loop=infinite&fps=50&size=200&width=3000&height=2000&wrap=normal&text="
    connection = http.client.HTTPConnection(service.host, service.port)
    connection.sock = socket.socket()
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sock.connect((service.host, service.port))
    # The first stream has all the memory: nobody reads it, and it is longer than what the kernel takes.
    connection.request("GET", target + 8 * "Held+still+")
    assert connection.getresponse().status == 200
    assert service.get(target + "Ghosts").status == 503
    assert service.request("HEAD", target + "Ghosts").status == 200
    connection.close()


def test_emoji_that_are_joined_to_one_are_counted_each(service):
    """One letter of 1,501 pictures is as much work as it is pictures."""
    request = dict(text=FAMILY, width=100, height=100, size=40, effect="wave", loop="infinite", scale=4, fps=50)
    before = cpu(service.process)
    answer = service.post("/render.gif", request)
    assert answer.status == 422 or cpu(service.process) - before < 2 * WORK


def test_a_text_is_refused_at_its_limit(start):
    service = start("--max-output", "20000")
    assert service.post("/render.svg", dict(text="Ghosts")).status == 200
    answer = service.post("/render.json", dict(text=LETTERS, effect="none", width=2000))
    assert (answer.status, answer.faults) == (422, ["text"])
    assert "the limit is 20000" in answer.json["errors"][0]["message"]
    # Pictures have other limits.
    assert service.post("/render.png", dict(text=LETTERS, effect="none", width=2000)).status == 200


def test_a_long_text_is_sent_in_pieces(service):
    """Beyond a mebibyte neither compressed nor with a length; the same bytes whether or not it was kept."""
    request = json.dumps(dict(text=LETTERS, effect="secret", exit="auto", width=2000, chance=0.02, maxTicks=100))
    answers = []
    for _ in range(2):
        connection = http.client.HTTPConnection(service.host, service.port)
        fields = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
        connection.request("POST", "/render.json", request, fields)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        assert answer.status == 200
        answers.append((answer.headers, body))
    (first, plain), (_, later) = answers
    assert len(plain) > MEBIBYTE
    assert first["Content-Length"] is None and first["Content-Encoding"] is None
    assert json.loads(plain)["version"] == 1
    assert plain == (later if later[:2] != b"\x1f\x8b" else gzip.decompress(later))


@pytest.mark.slow
def test_long_texts_that_are_not_read_are_counted(start):
    """What waits for clients that read nothing stays within --stream-memory."""
    service = start("--no-supervisor", "--workers", "1", "--stream-memory", "48", "--cache-size", "0")
    connections = []
    statuses = []
    for seed in range(40):
        request = dict(SCRAMBLE, lead=0.8, seed=seed, format="svg")
        connection = http.client.HTTPConnection(service.host, service.port, timeout=60)
        connection.request("POST", "/render", json.dumps(request), {"Content-Type": "application/json"})
        statuses.append(connection.getresponse().status)
        connections.append(connection)
    assert set(statuses) == {200, 503}
    assert memory(service.process, "VmRSS") < ROOM
    for connection in connections:
        connection.close()
    assert service.get("/health").status == 200
