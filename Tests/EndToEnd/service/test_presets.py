"""Presets: what they mean, an operator's own (`--presets`), and a server that takes nothing else (`--only-presets`)."""

import json
import subprocess
import urllib.parse

import pytest

from service import BINARY, PATIENCE, REVISION, messages, query

KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
FORMATS = ["svg", "json", "gif", "apng", "webp", "png", "lot"]
# sysexits.h
DATA_ERROR, NO_INPUT = 65, 66
OWN = {
    "presets": [
        {"name": "brand", "title": "Our brand", "parameters": {"color": "#c0ffee", "size": 50, "effect": "pop"}},
        {"name": "slow", "parameters": {"speed": 0.5, "interval": 0.2}},
    ]
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("presets") / "presets.json"
    path.write_text(json.dumps(OWN))
    return path


@pytest.fixture(scope="module")
def presets(server):
    return server.get("/presets").json["presets"]


@pytest.fixture(scope="module", params=["no key", "a key"])
def restricted(start, file, request):
    """A server that takes presets alone."""
    return start("--only-presets", "--presets", file, environment=KEY if request.param == "a key" else {})


def signed(target):
    outcome = subprocess.run([BINARY, "sign", target], env=KEY, capture_output=True, timeout=PATIENCE, check=True)
    return outcome.stdout.decode().strip()


# What presets mean


def test_the_catalogue_has_colours_and_shapes(presets):
    names = [preset["name"] for preset in presets]
    assert len(set(names)) == len(names)
    assert {"og", "banner", "badge", "caption", "rotating-lines", "film-title", "terminal", "neon"} <= set(names)
    colors = [preset for preset in presets if preset["group"] == "colors"]
    assert len(colors) >= 12
    for preset in colors:
        assert preset["source"].startswith("https://")
        assert {"color", "darkColor", "background", "darkBackground"} <= set(preset["parameters"])
    for preset in presets:
        assert not {"text", "blocks", "preset", "format"} & set(preset["parameters"])


def test_a_preset_is_its_parameters_and_a_permalink_holds_them(server, presets):
    effects = {effect["name"]: effect["parameters"] for effect in server.get("/effects").json["effects"]}
    of_effects = {parameter["name"] for parameters in effects.values() for parameter in parameters}
    for preset in presets:
        given = preset["parameters"]
        own = {parameter["name"] for parameter in effects[given.get("effect", "typewriter")]}
        # What the request's effect does not have drops out.
        meant = {name: value for name, value in given.items() if name not in of_effects - own}
        # Those of words that are said need words with times, and those of pages captions.
        of_words = ("spoken", "upcoming", "past", "page")
        meant = {name: value for name, value in meant.items() if not name.startswith(of_words)}
        short = server.get("/render.svg?" + query({"text": "Hi 👋", "preset": preset["name"]}))
        long = server.get("/render.svg?" + query({"text": "Hi 👋", **meant}))
        assert short.status == long.status == 200, (preset["name"], short.text)
        assert short.body == long.body and short.headers["ETag"] == long.headers["ETag"], preset["name"]
        location = short.headers["Content-Location"]
        assert location == long.headers["Content-Location"] and "preset" not in location
        assert server.get(location).body == short.body


def test_an_og_card_has_its_size(server):
    answer = server.render("png", text="Hello", preset="og")
    assert int.from_bytes(answer.body[16:20]) == 1200 and int.from_bytes(answer.body[20:24]) == 630


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_and_way_takes_presets(server, format):
    request = {"text": "Hello", "preset": "card,nord", "size": 20}
    posted = server.render(format, **request)
    target = f"/render.{format}?" + query(request)
    assert server.get(target).body == posted.body
    form = server.post(f"/render.{format}", query(request), "application/x-www-form-urlencoded")
    assert form.body == posted.body
    split = server.post(f"/render.{format}?preset=card,nord", {"text": "Hello", "size": 20})
    assert split.body == posted.body


@pytest.mark.parametrize(
    "request_, parameter",
    [
        ({"preset": "nrod"}, "preset"),
        ({"preset": "nord,,og"}, "preset"),
        ({"preset": ""}, "preset"),
        ({"preset": 3}, "preset"),
        ({"preset": ["nord"]}, "preset"),
        ({"preset": "x" * 300}, "preset"),
        ({"preset": "nord", "size": 1}, "size"),
        ({"preset": "gradient", "effect": "highlight", "highlightColor": "#f008"}, "color"),
        ({"blocks": [{"text": "a", "preset": "nord"}]}, "blocks[0].preset"),
    ],
)
def test_what_is_wrong_is_named(server, request_, parameter):
    request_ = request_ if "blocks" in request_ else {"text": "a", **request_}
    answer = server.post("/render", request_)
    assert (answer.status, answer.faults) == (400, [parameter]), answer.text


# An operator's own


def test_own_presets_are_listed_and_rendered(start, file, tmp_path):
    service = start("--presets", file)
    own = [preset for preset in service.get("/presets").json["presets"] if preset["group"] == "own"]
    assert own == [
        {"name": "brand", "title": "Our brand", "group": "own", "parameters": OWN["presets"][0]["parameters"]},
        {"name": "slow", "title": "slow", "group": "own", "parameters": OWN["presets"][1]["parameters"]},
    ]
    merged = {"color": "#c0ffee", "size": 50, "effect": "pop", "interval": 0.2}
    expected = service.render("svg", text="Hi", **merged)
    # The request's cycle takes the place of the preset's speed.
    assert service.render("svg", text="Hi", preset="brand,slow", speed=1).body == expected.body
    cycle = service.render("svg", text="Hi", preset="brand,slow", cycle=3)
    assert cycle.body == service.render("svg", text="Hi", **merged, cycle=3).body
    output = tmp_path / "own.svg"
    command = [BINARY, "render", "Hi", "--presets", file, "--preset", "brand,slow", "--speed", "1", "-o", output]
    subprocess.run(command, check=True, timeout=PATIENCE)
    assert output.read_bytes() == expected.body


@pytest.mark.parametrize(
    "content, message, status",
    [
        (None, "presets: cannot read", NO_INPUT),
        ("{", "is not valid JSON", DATA_ERROR),
        ('{"presets":[]}', "presets must be an array of 1 to 256 objects; got an array", DATA_ERROR),
        (
            '{"presets":[{"name":"nord","parameters":{}}]}',
            'presets[0].name must not be one of Titlecard\'s own; got "nord"',
            DATA_ERROR,
        ),
        (
            '{"presets":[{"name":"a","parameters":{"size":"big","text":"b"}}]}',
            "presets[0].parameters.size must be from 4 to 400 px",
            DATA_ERROR,
        ),
    ],
)
def test_a_wrong_file_ends_the_start(tmp_path, content, message, status):
    path = tmp_path / "presets.json"
    if content is not None:
        path.write_text(content)
    for command in (["serve", "--port", "0"], ["render", "a"]):
        outcome = subprocess.run([BINARY, *command, "--presets", path], capture_output=True, timeout=PATIENCE)
        assert (outcome.returncode, outcome.stdout) == (status, b""), outcome.stderr
        assert any(message in said for said in messages(outcome.stderr.decode())), outcome.stderr


# Nothing but presets


def test_text_preset_and_format_are_taken(restricted, server):
    for format in FORMATS:
        answer = restricted.get(f"/render.{format}?text=Hello&text=World&preset=card,nord")
        assert answer.status == 200
        assert answer.body == server.get(f"/render.{format}?text=Hello&text=World&preset=card,nord").body
        assert answer.headers["Content-Location"] is None
        again = restricted.get(
            f"/render.{format}?text=Hello&text=World&preset=card,nord", {"If-None-Match": answer.headers["ETag"]}
        )
        assert again.status == 304 and again.headers["Content-Location"] is None
        head = restricted.request("HEAD", f"/render.{format}?text=Hello&text=World&preset=card,nord")
        assert head.status == 200 and head.headers["Content-Location"] is None
    assert restricted.get("/render?text=Hello&preset=brand&format=gif").body[:3] == b"GIF"
    assert restricted.get("/render?text=Hello", {"Accept": "application/json"}).json


def test_no_other_parameter_is_taken(restricted, server):
    """Every other name, with a value that is right."""
    of_effects = [one["name"] for effect in server.get("/effects").json["effects"] for one in effect["parameters"]]
    names = [name for name in {**server.parameters, **dict.fromkeys(of_effects)}
             if name not in ("text", "preset", "format", "boxes")]
    assert len(names) > 60
    plain = restricted.get("/render.svg?text=Hello").body
    for name in names + ["unknown"]:
        for target in (f"/render.svg?text=Hello&{name}=1", f"/render?{name}=1&text=Hello&preset=nord"):
            answer = restricted.get(target)
            assert (answer.status, answer.faults) == (400, [name]), (target, answer.text)
        # Spelt so that a filter on the query's letters would miss it.
        escaped = "".join(f"%{byte:02x}" for byte in name.encode())
        assert restricted.get(f"/render.svg?text=Hello&{escaped}=1").status == 400
        assert restricted.get("/render.svg?text=Hello", {"X-" + name: "1", name: "1"}).body == plain


BODIES = [
    ("application/json", '{"text":"Hello"}'),
    ("application/json", '{"text":"Hello","size":99}'),
    ("application/json", '{"blocks":[{"text":"Hello","size":99}]}'),
    ("application/x-www-form-urlencoded", "text=Hello&preset=nord"),
    ("text/plain", "Hello"),
    ("application/x-asciicast", '{"version":2,"width":80}\n[0,"o","Hello"]'),
]
METHODS = ["PUT", "PATCH", "DELETE", "TRACE", "QUERY"]


@pytest.mark.parametrize("path", ["/render", "/render.svg", "/render.json?text=Hello&preset=nord"])
def test_no_body_is_taken_unsigned(restricted, path):
    for kind, body in BODIES:
        answer = restricted.post(path, body, kind)
        assert (answer.status, answer.faults) == (403, ["signature"]), answer.text
        for header in ("X-HTTP-Method-Override", "X-Method-Override"):
            answer = restricted.post(path, body, kind, {header: "GET"})
            assert answer.status == 403
    for method in METHODS:
        answer = restricted.request(method, path, b'{"text":"Hello","size":99}', {"Content-Type": "application/json"})
        assert answer.status in (405, 501), (method, answer.status)
    answer = restricted.request("GET", "/render.svg?text=a", b'{"size":99}', {"Content-Type": "application/json"})
    assert answer.status != 200 or answer.body == restricted.get("/render.svg?text=a").body


def test_no_permalink_is_taken_unsigned(restricted, server):
    for request in ({"text": "Hello"}, {"text": "Hello", "size": 99}, {"text": "Hello", "preset": "nord"}):
        location = server.render("svg", **request).headers["Content-Location"]
        others = [f"/r/{revision}{location.rpartition('/')[2]}" for revision in ("", "1/", f"{REVISION + 1}/")]
        for target in (location, *others, location + "?", location + "?signature=", location + "?signature=AAAA"):
            for method in ("GET", "HEAD"):
                answer = restricted.request(method, target)
                assert answer.status == 403, target
        answer = restricted.get(location, {"If-None-Match": "*"})
        assert answer.status == 403


def test_signed_requests_render_what_was_signed(start, file, server):
    restricted = start("--only-presets", "--presets", file, environment=KEY)
    location = server.render("svg", text="Hello", size=99).headers["Content-Location"]
    answer = restricted.get(signed(location))
    assert answer.status == 200 and answer.body == server.get(location).body
    assert answer.headers["Content-Location"] == signed(location)
    target = "/render.svg?text=Hello&preset=nord"
    answer = restricted.get(signed(target))
    assert answer.status == 200
    assert restricted.get(answer.headers["Content-Location"]).body == answer.body
    posted = restricted.request(
        "POST", signed("/render.svg"), b'{"text":"Hello","preset":"nord"}', {"Content-Type": "application/json"}
    )
    assert (posted.status, posted.body) == (200, answer.body)
    # A signature lets in no other names, wherever they stand.
    assert restricted.get(signed(target + "&size=99")).status == 400
    for kind, body in BODIES[1:3]:
        answer = restricted.request("POST", signed("/render.svg"), body.encode(), {"Content-Type": kind})
        assert answer.status == 400, answer.text
    # A signature of one address is none of another.
    code = signed(target).rsplit("signature=", 1)[1]
    for other in (target + "x", "/render.gif?text=Hello&preset=nord", "/r/" + location[3:]):
        join = "&" if "?" in other else "?"
        assert restricted.get(f"{other}{join}signature={code}").status == 403
    assert restricted.get(f"/render.svg?signature={code}&text=Hello&preset=nord").status == 403


def test_the_catalogues_of_a_restricted_server_list_what_it_takes(restricted):
    document = restricted.get("/openapi.json").json
    parameters = document["components"]["parameters"]
    for path in ("/render", "/render.svg"):
        references = [one["$ref"] for one in document["paths"][path]["get"]["parameters"]]
        names = {parameters[reference.split("/")[-1]]["name"] for reference in references}
        assert names == {"text", "preset", "for", "format", "expires", "signature"}
    assert set(restricted.parameters) == {"text", "preset", "for", "format"}
    assert set(document["components"]["schemas"]["Request"]["properties"]) == {"text", "preset", "for", "format"}
    assert "brand" in [preset["name"] for preset in restricted.get("/presets").json["presets"]]


def test_the_environment_restricts_too(start):
    service = start(environment={"TITLECARD_ONLY_PRESETS": "true"})
    assert service.get("/render?text=a&size=50").status == 400
    assert service.get("/render?" + urllib.parse.urlencode({"text": "a", "preset": "og"})).status == 200
