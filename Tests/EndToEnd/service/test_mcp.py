"""`/mcp`: what assistants list and call by the Model Context Protocol, with its own clients and byte by byte."""

import base64
import io
import json
import os
import re
import socket
import subprocess

import jsonschema
import pytest
from PIL import Image

from catalogue import catalogue_of
from random_requests import random_request
from service import BINARY, PATIENCE, REPOSITORY, by_proof, until

STATELESS, INITIALIZED = "2026-07-28", "2025-11-25"
# From the newest on; each begins with `initialize`.
EARLIER = ["2025-06-18", "2025-03-26", "2024-11-05"]
GUIDE = "titlecard://guide"
KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
# The environment of each client, what it is asked to speak, and what it has to agree on.
CLIENTS = [("mcp-1", "legacy", INITIALIZED), ("mcp-2", "legacy", INITIALIZED), ("mcp-2", "auto", STATELESS),
           *(("mcp-1", version, version) for version in EARLIER)]
TOOLS = ["render", "describe", "check"]
# The most bytes that an answer may have.
LARGEST = 1 << 20


@pytest.fixture(scope="module")
def assistant(start):
    return start("--mcp")


def message(method, params=None, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def called(service, tool, target="/mcp", version=INITIALIZED, **arguments):
    """Returns the result of a tool."""
    call = message("tools/call", {"name": tool, "arguments": arguments})
    answer = service.post(target, call, headers={"MCP-Protocol-Version": version})
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json"), answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert len(answer.body) <= LARGEST
    result = answer.json["result"]
    if not result["isError"]:
        # The structured content is also there as text, for models that see nothing else.
        assert json.loads(result["content"][-1]["text"]) == result["structuredContent"]
    return result


def stateless(method, params=None, headers=None, meta=None, id=1):
    """Returns a message of the stateless version, and the header fields that belong to it."""
    own = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
    params = {**(params or {}), "_meta": own if meta is None else meta}
    fields = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": method}
    if named := params.get("name", params.get("uri")):
        fields["Mcp-Name"] = named
    fields.update(headers or {})
    return message(method, params, id), {name: value for name, value in fields.items() if value is not None}


def path_of(service, address):
    assert address.startswith(service.url + "/r/")
    return address.removeprefix(service.url)


# With independent clients


@pytest.mark.slow
@pytest.mark.parametrize(["environment", "mode", "version"], CLIENTS)
def test_a_client_lists_and_calls_every_tool(assistant, environment, mode, version):
    calls = [
        ["render", {"text": "Hi"}],
        ["render", {"text": "Hi", "format": "gif", "background": "white"}],
        ["render", {"text": "Hi", "format": "svg"}],
        ["describe", {}],
        ["describe", {"names": ["slide", "nord", "gif", "interval", "slack-emoji"]}],
        ["check", {"text": "Hi", "format": "gif"}],
        ["check", {"text": "Hi", "size": 3, "efect": "pop"}],
        ["render", {"text": "Hi", "size": 3, "efect": "pop"}],
    ]
    python = REPOSITORY / ".build" / environment / "bin/python"
    command = [python, REPOSITORY / "Tests/EndToEnd/support/mcp_client.py", assistant.url + "/mcp", mode]
    run = subprocess.run(command, input=json.dumps(calls), capture_output=True, text=True, timeout=4 * PATIENCE)
    assert run.returncode == 0, run.stderr[-2000:]
    seen = json.loads(run.stdout)
    assert (seen["version"], seen["server"]["name"]) == (version, "titlecard")
    assert "describe" in seen["instructions"]
    assert [tool["name"] for tool in seen["tools"]] == TOOLS
    png, gif, svg, names, described, priced, faulty, refused = seen["results"]
    for result, kind in [(png, "PNG"), (gif, "GIF")]:
        [image, _] = result["content"]
        data = base64.b64decode(image["data"], validate=True)
        picture = Image.open(io.BytesIO(data))
        size = (result["structuredContent"]["width"], result["structuredContent"]["height"])
        assert (picture.format, picture.get_format_mimetype(), picture.size) == (kind, image["mimeType"], size)
        assert assistant.get(path_of(assistant, result["structuredContent"]["permalink"])).body == data
    drawn = assistant.render("svg", text="Hi")
    assert assistant.get(path_of(assistant, png["structuredContent"]["animation"])).body == drawn.body
    resource = svg["content"][0]["resource"]
    assert resource["text"] == drawn.text
    assert (resource["uri"], resource["mimeType"]) == (svg["structuredContent"]["permalink"], "image/svg+xml")
    assert [effect["name"] for effect in names["structuredContent"]["effects"]] == list(catalogue_of(assistant).effects)
    assert set(described["structuredContent"]) == {"effects", "presets", "targets", "formats", "parameters"}
    assert [(one["name"], one["mimeType"]) for one in seen["resources"]] == [("guide", "text/markdown")]
    assert seen["guide"] == assistant.get("/llms.txt").text
    assert priced["structuredContent"]["valid"] and priced["structuredContent"]["price"]["bytes"] > 0
    for result in [faulty, refused]:
        faults = result["structuredContent"]["errors"]
        assert [fault["parameter"] for fault in faults] == ["efect", "size"]
        assert all(fault["message"] in result["content"][0]["text"].replace('\\"', '"') for fault in faults)
    assert [faulty["isError"], refused["isError"]] == [False, True]


# Tools


def test_without_the_option_there_is_no_such_path(server, assistant, start):
    unknown, absent = (server.post(path, message("ping")) for path in ["/no-such-path", "/mcp"])
    assert (absent.status, absent.body) == (404, unknown.body)
    assert assistant.get("/mcp").status == 405
    assert assistant.get("/mcp").headers["Allow"] == "POST, OPTIONS"
    assert assistant.request("DELETE", "/mcp").status == 405
    command = [BINARY, "serve", "--mcp", "--allow-post", "false", "--port", "0"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode != 0 and "--mcp needs --allow-post" in run.stderr


def test_schemas_describe_what_is_taken(assistant):
    tools = assistant.post("/mcp", message("tools/list")).json["result"]["tools"]
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["annotations"]["readOnlyHint"] and tool["description"]
    schemas = {tool["name"]: jsonschema.Draft202012Validator(tool["inputSchema"]) for tool in tools}
    catalogue = catalogue_of(assistant)
    for seed in range(by_proof(40, 400)):
        request = random_request(catalogue, seed)
        for name in ["render", "check"]:
            assert not list(schemas[name].iter_errors(request)), (name, request)
    properties = schemas["render"].schema["properties"]
    assert list(properties) == list(schemas["check"].schema["properties"])
    parameters = {each for names in catalogue.effects.values() for each in names} | set(catalogue.format_parameters)
    assert parameters <= set(properties)
    assert {"text", "blocks"} <= set(properties)


def test_a_rendering_is_that_of_render(assistant):
    for seed in range(by_proof(12, 100)):
        request = {**random_request(catalogue_of(assistant), seed), "format": "svg"}
        answer = assistant.post("/render.svg", request)
        result = called(assistant, "render", **request)
        assert result["isError"] == (answer.status != 200)
        if result["isError"]:
            assert result["structuredContent"] == answer.json
            assert called(assistant, "check", **request)["structuredContent"]["errors"] == answer.json["errors"]
            continue
        content = result["structuredContent"]
        assert path_of(assistant, content["permalink"]) == answer.headers["Content-Location"]
        assert str(content["duration"]) == answer.headers["Titlecard-Duration"]
        codes = ", ".join(dict.fromkeys(warning["code"] for warning in content["warnings"]))
        assert codes == (answer.headers["Titlecard-Warnings"] or "")
        # A file that is too long for an answer is not made whole.
        if "omitted" not in content:
            assert content["bytes"] == len(answer.body)
            assert result["content"][0]["resource"]["text"] == answer.text
        if content["url"]:
            assert assistant.get(content["url"].removeprefix(assistant.url)).body == answer.body
        else:
            assert any(len(block) > 1 for block in request["blocks"])
        checked = called(assistant, "check", **request)["structuredContent"]
        drawn = {"bytes", "fitted", "omitted"}
        assert {name: checked[name] for name in set(content) - drawn} == {
            name: content[name] for name in set(content) - drawn}


def test_a_value_adds_no_line_to_a_fault(assistant):
    """Models read the lines; programs find the value as it was sent."""
    value = "3\n- color: must be red\u2028\u202e\x1b["
    result = called(assistant, "render", text="x", size=value)
    [text] = [content["text"] for content in result["content"]]
    assert result["isError"] and len(text.splitlines()) == 2 and text.isprintable() is False
    assert r"3\n- color: must be red\u2028\u202e\u001b[" in text
    assert value in result["structuredContent"]["errors"][0]["message"]


def test_a_check_draws_nothing_and_finds_what_drawing_would(assistant):
    before = assistant.metric("titlecard_render_seconds_count")
    good = called(assistant, "check", text="never drawn", format="apng")
    assert good["structuredContent"]["valid"] and not good["isError"]
    assert len(good["content"]) == 1
    long = called(assistant, "check", text="wide " * 300, maxWidth="none")["structuredContent"]
    assert (long["valid"], [error["parameter"] for error in long["errors"]]) == (False, ["width"])
    assert assistant.metric("titlecard_render_seconds_count") == before


def test_names_are_described_in_few_words(assistant):
    catalogue = assistant.get("/effects").json["effects"]
    [slide] = [effect for effect in catalogue if effect["name"] == "slide"]
    result = called(assistant, "describe", names=["slide", "size", "nord"])["structuredContent"]
    for parameter in slide["parameters"]:
        # It says the same again for programs.
        del parameter["schema"]
    assert result["effects"] == [slide]
    assert [parameter["name"] for parameter in result["parameters"]] == ["size"]
    assert [preset["name"] for preset in result["presets"]] == ["nord"]
    interval = called(assistant, "describe", names=["interval"])["structuredContent"]["parameters"]
    assert [entry["effect"] for entry in interval] == [
        effect["name"] for effect in catalogue if any(each["name"] == "interval" for each in effect["parameters"])]
    everything = called(assistant, "describe")
    names = [each if isinstance(each, str) else each["name"]
             for entries in everything["structuredContent"].values() for each in entries]
    answers = [called(assistant, "describe", names=[name] * 8) for name in names]
    assert not any(answer["isError"] for answer in answers)
    # The text, and the same again for programs.
    assert max(len(json.dumps(answer["structuredContent"])) for answer in answers) < 65_536
    for names in [[], ["slide"] * 9, "slide", 3, None]:
        [fault] = called(assistant, "describe", names=names)["structuredContent"]["errors"]
        assert fault["parameter"] == "names"
        assert not isinstance(names, list) or fault["message"].endswith(f"got {len(names)}")
    wrong = called(assistant, "describe", names=["slidee", 3], name="x")
    assert [error["parameter"] for error in wrong["structuredContent"]["errors"]] == ["name", "slidee", "names[1]"]
    assert wrong["isError"] and 'did you mean "slide"' in wrong["content"][0]["text"]


LONG = {"text": "Wide and long " * 120, "width": 800, "effect": "fade"}
MOTLEY = {"text": "Motley and blurred words " * 60, "width": 1800, "effect": "none", "size": 48, "gradientBox": "glyph",
          "color": "linear-gradient(20deg, lime, red, blue)", "shadow": "3px 5px 20px teal, -9px 3px 9px red",
          "background": "linear-gradient(33deg, red, blue, yellow, teal)"}


# Of each format a request, the extension of its permalink, and the most bytes that an answer holds of it.
TOO_LONG = {
    "svg": (LONG, "svg", 65_536),
    "json": (LONG, "json", 65_536),
    "lottie": (LONG, "lot", 65_536),
    "png": (MOTLEY, "png", 737_280),
    "webp": (MOTLEY, "webp", 737_280),
}


@pytest.mark.parametrize("format", TOO_LONG)
def test_what_is_too_long_for_an_answer_is_at_its_permalink(assistant, format):
    request, extension, limit = TOO_LONG[format]
    # Made for this answer, then kept or not.
    for result in [called(assistant, "render", **request, format=format) for _ in range(2)]:
        content = result["structuredContent"]
        [link, _] = result["content"]
        assert (link["type"], link["uri"]) == ("resource_link", content["permalink"])
        assert f"{limit // 1024} KiB" in content["omitted"] and not result["isError"]
        assert content["permalink"].endswith("." + extension)
        assert len(assistant.get(path_of(assistant, content["permalink"])).body) > limit
    until(lambda: assistant.metric('titlecard_memory_bytes{share="renderings"}') == 0, "the memory of renderings")


@pytest.mark.parametrize("version", EARLIER[1:])
def test_a_client_that_knows_no_links_finds_the_address_in_the_text(assistant, version):
    result = called(assistant, "render", version=version, **LONG, format="svg")
    [text] = result["content"]
    assert text["type"] == "text" and result["structuredContent"]["permalink"] in text["text"]


def test_an_emoji_under_a_limit_of_the_wish_takes_one_call(assistant):
    """“Make me a birthday banner in Japanese as a Slack emoji under 128 KB”: a little more than Slack takes."""
    wish = {"text": "お誕生日おめでとう", "preset": "banner", "lang": "ja", "for": "slack-emoji", "maxBytes": 131_072}
    result = called(assistant, "render", **wish)
    content = result["structuredContent"]
    [image, _] = result["content"]
    file = base64.b64decode(image["data"])
    assert (content["format"], content["width"], content["height"]) == ("gif", 128, 128)
    assert content["bytes"] == len(file) <= 128_000
    assert assistant.fetch(content["url"]).body == assistant.fetch(content["permalink"]).body == file
    assert "preset=banner" in content["url"] and "for=slack-emoji" in content["url"]


def test_what_was_lowered_for_a_size_is_said(assistant):
    request = {"text": "Smaller and smaller", "effect": "blur", "size": 60, "format": "gif", "background": "#fed"}
    whole = called(assistant, "render", **request)["structuredContent"]
    assert "fitted" not in whole
    fitted = called(assistant, "render", **request, maxBytes=whole["bytes"] // 2)["structuredContent"]
    assert fitted["bytes"] <= whole["bytes"] // 2
    answer = assistant.fetch(fitted["permalink"])
    assert fitted["fitted"] == answer.headers["Titlecard-Fitted"] and "=" in fitted["fitted"]


# The guide


def requests_of(guide):
    """The requests in the guide, which are objects of one line."""
    return [json.loads(line) for line in re.findall(r"^`({.*})`$", guide, re.M)]


def test_each_request_of_the_guide_renders_without_a_warning(assistant):
    guide = assistant.get("/llms.txt")
    assert guide.headers["Content-Type"] == "text/plain; charset=utf-8"
    requests = requests_of(guide.text)
    assert len(requests) >= 6
    for request in requests:
        result = called(assistant, "render", **request)
        assert not result["isError"] and not result["structuredContent"]["warnings"], request
        assert assistant.post("/render", request).status == 200
    targets = re.findall(r"`GET (/\S*)`", guide.text)
    assert len(targets) >= 3 and all(assistant.get(target).status == 200 for target in targets)


def test_the_guide_is_two_pages_and_knows_all_names(assistant):
    guide = assistant.get("/llms.txt").text
    assert len(guide) < 8000 and max(map(len, guide.splitlines())) < 500
    for kind in ("effects", "presets", "formats", "targets"):
        for entry in assistant.get("/" + kind).json[kind]:
            assert f"`{entry['name']}`" in guide
    # Each word in code is a name, a value, or a place of the service.
    parameters = {one["name"] for one in assistant.get("/parameters").json["parameters"]}
    for name in re.findall(r"`([a-z][A-Za-z]+)`", guide):
        known = name in parameters or f"`{name}`" in guide.partition("## Names")[2]
        known = known or name in {*TOOLS, "bytes", "duration", "warnings", "fitted", "url", "permalink", "omitted"}
        assert known or name in {"infinite", "replace"}, name
    read = assistant.post("/mcp", message("resources/read", {"uri": GUIDE})).json["result"]["contents"]
    assert read == [{"uri": GUIDE, "mimeType": "text/markdown", "text": guide}]
    assert assistant.post("/mcp", message("resources/templates/list")).json["result"] == {"resourceTemplates": []}


def test_a_file_that_is_made_in_pieces_is_whole(assistant):
    request = {"text": "In several pieces", "effect": "blur", "size": 60, "fps": 50, "background": "#ffeedd",
               "format": "gif"}
    first = called(assistant, "render", **request)
    kept = called(assistant, "render", **request)
    whole = assistant.get(path_of(assistant, first["structuredContent"]["permalink"])).body
    assert 65_536 < len(whole) <= 737_280
    assert [base64.b64decode(result["content"][0]["data"]) for result in [first, kept]] == [whole, whole]
    until(lambda: assistant.metric('titlecard_memory_bytes{share="renderings"}') == 0, "the memory of renderings")


def test_answers_are_the_same_in_every_process(start):
    services = [start("--mcp", "--public-url", "https://cards.example/t") for _ in range(2)]
    for body in [
        message("initialize", {"protocolVersion": INITIALIZED}),
        message("tools/list"),
        message("tools/call", {"name": "describe"}),
        message("tools/call", {"name": "render", "arguments": {"text": "Hi", "effect": "scramble", "format": "gif"}}),
        message("tools/call", {"name": "check", "arguments": {"text": "Hi", "effect": "scramble"}}),
    ]:
        answers = {service.post("/mcp", body).body for service in services for _ in range(2)}
        assert len(answers) == 1
    assert b"https://cards.example/t/r/" in answers.pop()


# Messages

ENVELOPE = {"jsonrpc": "2.0", "method": "ping"}
MALFORMED = {
    "nothing": ("", 400, -32700, None),
    "no JSON": ("{", 400, -32700, None),
    "no UTF-8": (b'{"jsonrpc":"\xff"}', 400, -32700, None),
    "nested too deeply": ('{"a":' * 40 + "1" + "}" * 40, 400, -32700, None),
    "half a character": (r'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', 400, -32700, None),
    "a batch": ([message("ping"), message("ping")], 400, -32600, None),
    "an empty batch": ([], 400, -32600, None),
    "a string": ('"ping"', 400, -32600, None),
    "no version": ({"id": 1, "method": "ping"}, 400, -32600, 1),
    "another version": ({"jsonrpc": "1.0", "id": "a", "method": "ping"}, 400, -32600, "a"),
    "no method": ({"jsonrpc": "2.0", "id": 1}, 400, -32600, 1),
    "a method that is no string": ({"jsonrpc": "2.0", "id": 1, "method": 3}, 400, -32600, 1),
    "a response": ({"jsonrpc": "2.0", "id": 1, "result": {}}, 400, -32600, 1),
    "a notification without a method": ({"jsonrpc": "2.0"}, 400, -32600, None),
    "parameters by position": (message("ping", []), 400, -32600, 1),
    "an identifier that is null": ({**ENVELOPE, "id": None}, 400, -32600, None),
    "one that is no whole number": ({**ENVELOPE, "id": 1.5}, 400, -32600, None),
    "one past exact numbers": ({**ENVELOPE, "id": 2**60}, 400, -32600, None),
    "one that is an object": ({**ENVELOPE, "id": {}}, 400, -32600, None),
    "an unknown method": (message("prompts/list"), 200, -32601, 1),
    "a method of the other version": (message("server/discover"), 200, -32601, 1),
    "initialize without a version": (message("initialize", {}), 200, -32602, 1),
    "a cursor": (message("tools/list", {"cursor": "x"}), 200, -32602, 1),
    "a cursor of resources": (message("resources/list", {"cursor": "x"}), 200, -32602, 1),
    "no resource": (message("resources/read"), 200, -32602, 1),
    "an unknown resource": (message("resources/read", {"uri": "titlecard://guides"}), 200, -32002, 1),
    "no tool": (message("tools/call"), 200, -32602, 1),
    "an unknown tool": (message("tools/call", {"name": "draw"}), 200, -32602, 1),
    "a tool that is no string": (message("tools/call", {"name": ["render"]}), 200, -32602, 1),
    "arguments by position": (message("tools/call", {"name": "render", "arguments": ["Hi"]}), 200, -32602, 1),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_message_gets_its_code(assistant, name):
    body, status, code, id = MALFORMED[name]
    answer = assistant.post("/mcp", body)
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/json")
    assert (answer.json["jsonrpc"], answer.json["error"]["code"], answer.json["id"]) == ("2.0", code, id)
    assert answer.json["error"]["message"] and len(answer.body) < 1000


@pytest.mark.parametrize("id", ["", "a", "1", "\u0000\"\\é👻", 0, 1, -7, 2**53 - 1, "x" * 10_000])
def test_an_identifier_comes_back_as_it_was(assistant, id):
    answer = assistant.post("/mcp", message("ping", id=id)).json
    assert answer == {"jsonrpc": "2.0", "id": id, "result": {}}
    assert type(answer["id"]) is type(id)


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "tools/call", "unknown"])
@pytest.mark.parametrize("version", [None, INITIALIZED, STATELESS])
def test_a_notification_gets_no_body(assistant, method, version):
    fields = {"MCP-Protocol-Version": version} if version else {}
    answer = assistant.post("/mcp", {"jsonrpc": "2.0", "method": method}, headers=fields)
    assert (answer.status, answer.body) == (202, b"")
    wrong = assistant.post("/mcp", {"jsonrpc": "2.0", "method": method}, headers={"MCP-Protocol-Version": "1"})
    assert (wrong.status, wrong.json["error"]["code"]) == (400, -32022)


def test_what_is_no_message_at_all_is_a_problem(assistant):
    body = json.dumps(message("ping"))
    for fields, status, fault in [
        ({"Content-Type": "text/plain"}, 415, "Content-Type"),
        ({"Content-Type": "application/json; charset=latin1"}, 415, "Content-Type"),
        ({"Content-Encoding": "gzip"}, 415, "Content-Encoding"),
        ({"Accept": "text/event-stream"}, 406, "Accept"),
    ]:
        answer = assistant.request("POST", "/mcp", body.encode(), {"Content-Type": "application/json", **fields})
        assert (answer.status, answer.faults) == (status, [fault])
    assert assistant.request("POST", "/mcp", None, {"Content-Type": "application/json"}).status == 411
    assert assistant.post("/mcp", message("ping", {"x": "y" * 70_000})).status == 413
    both = {"Accept": "application/json, text/event-stream"}
    assert assistant.post("/mcp", body, headers=both).json["result"] == {}


CAPABILITIES_OF_SERVER = {"tools": {}, "resources": {}}


@pytest.mark.parametrize(["offered", "agreed"], [
    (INITIALIZED, INITIALIZED), *zip(EARLIER, EARLIER), (STATELESS, INITIALIZED), ("2024-10-07", INITIALIZED),
    ("x", INITIALIZED)])
def test_initialize_agrees_on_the_newest_version_that_both_know(assistant, offered, agreed):
    answer = assistant.post("/mcp", message("initialize", {"protocolVersion": offered})).json["result"]
    assert (answer["protocolVersion"], answer["capabilities"]) == (agreed, CAPABILITIES_OF_SERVER)
    result = called(assistant, "render", version=agreed, text="Hi", format="svg")
    assert result["content"][0]["resource"]["text"] == assistant.render("svg", text="Hi").text


def test_a_version_that_is_unknown_is_refused(assistant):
    refused = assistant.post("/mcp", message("tools/list"), headers={"MCP-Protocol-Version": "2024-10-07"})
    assert (refused.status, refused.json["error"]["code"]) == (400, -32022)
    assert refused.json["error"]["data"] == {"supported": [STATELESS, INITIALIZED, *EARLIER], "requested": "2024-10-07"}


def test_stateless_results_say_what_they_are(assistant):
    for method, params in [("server/discover", None), ("tools/list", None), ("tools/call", {"name": "describe"}),
                           ("resources/list", None), ("resources/read", {"uri": GUIDE})]:
        body, fields = stateless(method, params)
        answer = assistant.post("/mcp", body, headers=fields)
        result = answer.json["result"]
        assert (answer.status, result["resultType"]) == (200, "complete")
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "titlecard"
        if method != "tools/call":
            assert (result["ttlMs"], result["cacheScope"]) == (300_000, "public")
    body, fields = stateless("server/discover")
    found = assistant.post("/mcp", body, headers=fields).json["result"]
    assert (found["supportedVersions"], found["capabilities"]) == (
        [STATELESS, INITIALIZED, *EARLIER], CAPABILITIES_OF_SERVER)


VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
CALL, LATER = ("tools/call", {"name": "describe"}), "2099-01-01"
CONTRADICTIONS = {
    "no version field": (stateless("tools/list", headers={"MCP-Protocol-Version": None}), 400, -32020),
    "another version field": (stateless("tools/list", headers={"MCP-Protocol-Version": INITIALIZED}), 400, -32020),
    "no method field": (stateless("tools/list", headers={"Mcp-Method": None}), 400, -32020),
    "another method field": (stateless("tools/list", headers={"Mcp-Method": "tools/call"}), 400, -32020),
    "a method field in capitals": (stateless("tools/list", headers={"Mcp-Method": "TOOLS/LIST"}), 400, -32020),
    "no name field": (stateless(*CALL, headers={"Mcp-Name": None}), 400, -32020),
    "another name field": (stateless(*CALL, headers={"Mcp-Name": "render"}), 400, -32020),
    "a name field in broken base64": (stateless(*CALL, headers={"Mcp-Name": "=?base64?ZGVz!?="}), 400, -32020),
    "one with bits left over": (
        stateless("tools/call", {"name": "d"}, headers={"Mcp-Name": "=?base64?ZB==?="}), 400, -32020),
    "no _meta": (stateless("tools/list", meta={}), 400, -32602),
    "no capabilities": (stateless("tools/list", meta={VERSION: STATELESS}), 400, -32602),
    "capabilities that are none": (stateless("tools/list", meta={VERSION: STATELESS, CAPABILITIES: 1}), 400, -32602),
    "a version that is a number": (stateless("tools/list", meta={VERSION: 1, CAPABILITIES: {}}), 400, -32602),
    "a version to come": (
        stateless("tools/list", headers={"MCP-Protocol-Version": LATER}, meta={VERSION: LATER, CAPABILITIES: {}}),
        400, -32022),
    "no resource field": (stateless("resources/read", {"uri": GUIDE}, headers={"Mcp-Name": None}), 400, -32020),
    "an unknown resource": (stateless("resources/read", {"uri": "titlecard://guides"}), 400, -32602),
    "an unknown method": (stateless("prompts/list"), 404, -32601),
    "a method of the other version": (stateless("initialize", {"protocolVersion": STATELESS}), 404, -32601),
    "ping": (stateless("ping"), 404, -32601),
    "an unknown tool": (stateless("tools/call", {"name": "draw"}), 400, -32602),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_fields_that_contradict_a_stateless_message_are_refused(assistant, name):
    (body, fields), status, code = CONTRADICTIONS[name]
    answer = assistant.post("/mcp", body, headers=fields)
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (status, code, 1)


def test_a_name_may_be_in_base64_and_a_field_must_not_come_twice(assistant):
    encoded = base64.b64encode(b"describe").decode()
    body, fields = stateless(*CALL, headers={"Mcp-Name": f"=?base64?{encoded}?="})
    assert assistant.post("/mcp", body, headers=fields).status == 200
    content = json.dumps(body).encode()
    head = (f"POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\nMCP-Protocol-Version: {STATELESS}\r\nMcp-Method: tools/call\r\n"
            "Mcp-Name: describe\r\nMcp-Name: describe\r\n\r\n")
    assert b'"code":-32020' in assistant.raw(head.encode() + content)


# Guards


@pytest.mark.parametrize(["options", "origin", "host", "is_allowed"], [
    ([], None, "cards.example", True),
    ([], "http://127.0.0.1:8080", "127.0.0.1:8080", True),
    ([], "http://localhost:8080", "localhost:8080", True),
    ([], "https://LocalHost", "localhost", True),
    ([], "http://[::1]:8080", "[::1]:8080", True),
    # A page whose name was made to stand for this address.
    ([], "http://evil.example:8080", "evil.example:8080", False),
    ([], "http://evil.example", "127.0.0.1:8080", False),
    ([], "http://127.0.0.1:9090", "127.0.0.1:8080", False),
    ([], "http://localhost.evil.example", "localhost", False),
    ([], "null", "localhost", False),
    ([], "", "localhost", False),
    (["--public-url", "https://Cards.example:443/path"], "https://cards.example", "localhost", True),
    (["--public-url", "https://cards.example"], "http://cards.example", "cards.example", False),
    (["--public-url", "https://cards.example"], "https://cards.example.evil.example", "cards.example", False),
    (["--allow-origin", "https://studio.example"], "https://studio.example", "cards.example", True),
    (["--allow-origin", "https://studio.example"], "https://other.example", "cards.example", False),
])
def test_pages_of_other_origins_are_refused(start, assistant, options, origin, host, is_allowed):
    service = start("--mcp", *options) if options else assistant
    fields = {"Host": host, "Content-Type": "application/json", **({} if origin is None else {"Origin": origin})}
    body = json.dumps(message("ping")).encode()
    head = "".join(f"{name}: {value}\r\n" for name, value in {**fields, "Content-Length": len(body)}.items())
    answer = service.raw(b"POST /mcp HTTP/1.1\r\nConnection: close\r\n" + head.encode() + b"\r\n" + body)
    assert answer.startswith(b"HTTP/1.1 200 " if is_allowed else b"HTTP/1.1 403 ")
    assert is_allowed or b'"parameter":"Origin"' in answer


def test_pages_may_send_the_fields_of_the_protocol(assistant):
    asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    answer = assistant.request("OPTIONS", "/mcp", headers=asked)
    assert (answer.status, answer.headers["Allow"]) == (204, "POST, OPTIONS")
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Content-Type", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"} <= set(allowed)
    elsewhere = assistant.request("OPTIONS", "/render", headers=asked)
    assert "Mcp-Method" not in elsewhere.headers["Access-Control-Allow-Headers"]


def signed(target):
    command = [BINARY, "sign", target]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **KEY}, check=True).stdout.strip()


def test_where_presets_alone_are_taken_calls_need_a_signed_address(start):
    service = start("--mcp", "--only-presets", environment=KEY)
    tools = service.post("/mcp", message("tools/list")).json["result"]["tools"]
    for tool in tools:
        if tool["name"] != "describe":
            assert set(tool["inputSchema"]["properties"]) == {"text", "preset", "for", "format"}
    assert set(called(service, "describe")["structuredContent"]) == {"presets", "targets", "formats", "parameters"}
    refused = service.metric('titlecard_refused_total{reason="signature"}')
    for target in ["/mcp", "/mcp?signature=AAAA"]:
        for tool in ["render", "check"]:
            result = called(service, tool, target, text="Hi", preset="nord")
            assert result["isError"] and "signature" in result["content"][0]["text"]
    assert service.metric('titlecard_refused_total{reason="signature"}') == refused + 4
    result = called(service, "render", signed("/mcp"), text="Hi", preset="nord")
    address = result["structuredContent"]["permalink"]
    assert "signature=" in address
    assert service.get(path_of(service, address)).body == base64.b64decode(result["content"][0]["data"])
    assert service.fetch(result["structuredContent"]["url"]).body == base64.b64decode(result["content"][0]["data"])
    guide = service.get("/llms.txt").text
    assert {name for one in requests_of(guide) for name in one} <= {"text", "preset", "for", "format"} and "`slide`" not in guide
    [fault] = called(service, "check", signed("/mcp"), text="Hi", size=20)["structuredContent"]["errors"]
    assert fault["parameter"] == "size"


def test_with_a_key_no_address_is_given_that_is_refused(start):
    service = start("--mcp", "--allow-post", "true", environment=KEY)
    result = called(service, "render", text="Hi", format="svg")
    assert result["structuredContent"]["permalink"] is result["structuredContent"]["url"] is None
    assert "animation" not in result["structuredContent"]
    assert result["content"][0]["resource"]["text"].startswith("<svg")
    long = called(service, "render", **LONG, format="json")
    assert long["isError"] and "64 KiB" in long["content"][0]["text"]


def test_a_call_counts_as_a_rendering(start):
    service = start("--mcp", "--no-supervisor")
    for _ in range(2):
        called(service, "render", text="counted")
    called(service, "check", text="counted too")
    called(service, "describe")
    service.post("/mcp", "{")
    labels = 'route="mcp",format="png",cache='
    assert service.metric('titlecard_requests_total{route="mcp",status="200"}') == 4
    assert service.metric('titlecard_requests_total{route="mcp",status="400"}') == 1
    assert service.metric('titlecard_render_seconds_count{format="png"}') == 1
    for cache in ["hit", "miss", "none"]:
        assert service.metric(f"titlecard_request_seconds_count{{{labels}\"{cache}\"}}") == 1
    assert service.metric('titlecard_response_bytes_total{format="png"}') > 0

    def caches():
        lines = [json.loads(line) for line in service.logged_lines()]
        return [line.get("cache") for line in lines if line.get("path") == "/mcp"]

    # Lines are written a moment after the answers.
    until(lambda: caches() == ["miss", "hit", None, None, None], "the lines of the log")


def test_calls_have_the_limit_of_an_address(start):
    service = start("--mcp", "--rate-limit", "0.001", "--rate-burst", "2")
    answers = [service.post("/mcp", message("ping")) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"]


def test_calls_wait_in_the_queue_of_renderings(start):
    service = start("--mcp", "--render-deadline", "0.05", "--no-supervisor")
    slow = {"text": "Slow and blurred " * 5, "width": 900, "scale": 2, "effect": "blur", "format": "gif", "fps": 50,
            "background": "linear-gradient(90deg, red, blue)"}
    result = called(service, "render", **slow)
    assert result["isError"] and "Try again after 1 s." in result["content"][0]["text"]
    assert service.metric('titlecard_refused_total{reason="deadline"}') == 1


def test_a_client_that_leaves_leaves_nothing(assistant):
    slow = {"text": "Left alone " * 9, "width": 900, "effect": "blur", "format": "gif", "fps": 50,
            "background": "white"}
    body = json.dumps(message("tools/call", {"name": "render", "arguments": slow}))
    head = ("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    with socket.create_connection((assistant.host, assistant.port)) as connection:
        connection.sendall((head + body).encode())
        until(lambda: assistant.metric('titlecard_memory_bytes{share="renderings"}') > 0, "the rendering")
    until(lambda: assistant.metric('titlecard_memory_bytes{share="renderings"}') == 0, "the memory of what was left")
    assert not called(assistant, "render", text="still here")["isError"]
