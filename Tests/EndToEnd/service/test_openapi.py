"""The OpenAPI document: clients are made from it, its examples run, and random requests that it allows are taken."""

import base64
import importlib
import json
import random
import re
import subprocess
import sys
from datetime import datetime

import draws
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate
from random_requests import EFFECTS, NUMBERS
from service import IS_PROOF, REPOSITORY, query

# What the schema cannot say, for it concerns several parameters, or the size of what is drawn.
ACROSS_PARAMETERS = re.compile(
    "limit|must not be (less|shorter) than|must not be given together|makes the cycle|needs more than"
    "|must not be \"(fill|draw)\" without"
    "|takes longer than|at most (maxCycle|.* px)|at least minCycle|a multiple of cycleStep|that minCycle and cycleStep"
    "|cannot be drawn|longer than|needs a speed of|must leave at least"
    "|belongs to no effect of this request|is not a parameter of the effect|must not be (below|above)"
    "|^text markup: |needs by|must not be given for an element|in an element; got|must not be given at the end"
    # The last keyframe is another than those before it.
    "|at the end, where the text is as typeset"
    # The bounds of percentages, which are strings.
    "|must be a number of"
    # Few fonts have an axis.
    "|has no axis"
    # Masks, pictures, and three seconds.
    "|Telegram stickers"
    # What a place takes.
    "|for the target \"|which takes [a-z0-9]+, with the format"
    # A preset may choose an effect that needs them.
    "|^keyframes is required")


@pytest.fixture(scope="module")
def document(server):
    return server.get("/openapi.json").json


def operations(document):
    return [operation for path in document["paths"].values() for operation in path.values()]


@pytest.mark.slow
def test_every_operation_has_a_name_of_its_own_and_an_answer(document):
    validate(document)
    names = [operation["operationId"] for operation in operations(document)]
    assert len(names) == len(set(names))
    assert all(operation["responses"]["200"]["description"] for operation in operations(document))


def test_titles_are_unique(document):
    titles = [schema.get("title", name) for name, schema in document["components"]["schemas"].items()]
    assert len(titles) == len(set(titles))


def examples(document, path, method):
    """Yields the query, media type and body of an operation's examples."""
    operation = document["paths"][path][method]
    parameters = [document["components"]["parameters"][one["$ref"].split("/")[-1]] if "$ref" in one else one
                  for one in operation.get("parameters", [])]
    places = {"path": {}, "query": {}}
    for parameter in parameters:
        if parameter.get("required"):
            places[parameter["in"]][parameter["name"]] = parameter["example"]
    contents = operation.get("requestBody", {}).get("content", {None: None})
    for media, content in contents.items():
        yield path.format(**places["path"]), places["query"], media, content and content["example"]


def test_the_example_of_every_operation_is_answered(server, document):
    count = 0
    for path, methods in document["paths"].items():
        for method in methods:
            for target, values, media, body in examples(document, path, method):
                if media and media.endswith("json"):
                    body = json.dumps(body)
                elif media and media.endswith("urlencoded"):
                    body = query(body)
                headers = {"Content-Type": media} if media else {}
                target += "?" + query(values) if values else ""
                answer = server.request(method.upper(), target, body and body.encode(), headers)
                assert answer.status == 200, (method, target, answer.text)
                expected = document["paths"][path][method]["responses"]["200"].get("content", {})
                assert not expected or answer.headers["Content-Type"].split(";")[0] in [
                    media.split(";")[0] for media in expected], target
                count += 1
    assert count > 40


def resolved(document, name):
    return {"$ref": f"#/components/schemas/{name}", "components": document["components"]}


def test_answers_are_as_their_schemas_say(server, document):
    for path in ("/parameters", "/effects", "/formats", "/presets", "/fonts"):
        jsonschema.validate(server.get(path).json, resolved(document, path[1:].capitalize()))
    jsonschema.validate(server.get("/embed?text=x").json, resolved(document, "Embedding"))
    jsonschema.validate(server.get("/canonical?text=x").json, resolved(document, "Canonical"))
    jsonschema.validate(server.get("/health").json, resolved(document, "Health"))
    jsonschema.validate(server.get("/render?size=x").json, resolved(document, "Problem"))


@pytest.mark.parametrize("effect", EFFECTS)
def test_renderings_are_as_their_schema_says(server, document, effect):
    request = dict(text="Hi\nthere", effect=effect, exit="auto", cursor="bar", shadow="2px 2px 4px #0008",
                   outlineWidth=2, color="linear-gradient(red, blue)", cornerRadius=4, borderWidth=2)
    if effect == "custom":
        request["keyframes"] = [{"opacity": 0, "x": "50%", "color": "#f00"}, {}]
    request |= dict(text="Hi 👻\n<u>there</u> <mark>you</mark>", markup=True, outlines=True, lang="de", darkColor="#fff",
                    darkBackground="#000", mark="box", darkMarkColor="#f00",
                    darkShadow="0 0 2px #fff", darkOutlineColor="#f00", darkBorderColor="#111")
    request |= NUMBERS.get(effect, {})
    rendering = server.render("json", **request).json
    schema = strict(resolved(document, "Rendering"))
    jsonschema.validate(rendering, schema)


def test_a_rendering_along_a_path_is_as_its_schema_says(server, document):
    rendering = server.render("json", text="Hi", path="arc(90deg)", color="linear-gradient(red, blue)").json
    jsonschema.validate(rendering, strict(resolved(document, "Rendering")))
    assert all("turn" in glyph for glyph in rendering["glyphs"])


def strict(schema):
    """The schema, with no members but those that it lists."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {"additionalProperties": False} if "properties" in schema and schema.get("type") == "object" else {}
    return {**{name: strict(one) for name, one in schema.items()}, **closed}


@pytest.mark.slow
def test_types_of_typescript(server, tmp_path):
    """Those that are right compile, in the documentation too, and each of the others is an error."""
    for name in ("titlecard.d.ts", "component.d.ts"):
        (tmp_path / name).write_text(server.get("/" + name).text)
    [sample] = re.findall(r"```ts\n(import type { Rendering.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
    right = sample + """
    const several: Request = { blocks: [{ text: 'One', effect: 'pop' }, { text: 'Two' }], sequence: 'replace' };
    const card: TitleCard | undefined = undefined;
    const first: number = rendering.glyphs[0].rect.x + (rendering.glyphs[0].opacity[0].value);
    export { several, card, first };
    """.replace("several: Request", "several: import('./titlecard').Request").replace(
        "card: TitleCard", "card: import('./titlecard').TitleCard")
    wrong = [
        "export const a: import('./titlecard').SlideRequest = { text: 'x', effect: 'pop' };",
        "export const a: import('./titlecard').SlideRequest = { effect: 'slide' };",
        "export const a: import('./titlecard').SlideRequest = { text: 'x', effect: 'slide', direction: 'inwards' };",
        "export const a: import('./titlecard').SlideRequest = { text: 'x', effect: 'slide', size: '32' };",
    ]

    files = {"right.ts": right, **{f"wrong{number}.ts": text for number, text in enumerate(wrong)}}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    run = subprocess.run(["tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "es2022", *files],
                         cwd=tmp_path, capture_output=True, text=True)
    assert set(re.findall(r"^(.*?)\(\d+,\d+\): error", run.stdout, re.M)) == set(files) - {"right.ts"}, run.stdout


# A client


@pytest.fixture(scope="module")
def client(server, document, tmp_path_factory):
    """The modules of a client that openapi-python-client makes."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(document))
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", folder / "openapi.json", "--output-path",
         folder / "titlecard_client", "--meta", "none"], capture_output=True, text=True)
    assert made.returncode == 0 and "will not be generated" not in made.stdout + made.stderr, made.stdout[-4000:]
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"titlecard_client.{name}" if name else "titlecard_client")
    sys.path.remove(str(folder))


def snake(name):
    return re.sub("(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()


@pytest.mark.slow
def test_a_generated_client_has_every_operation_and_renders(server, document, client):
    for operation in operations(document):
        assert client(f"api.{operation['tags'][0]}.{snake(operation['operationId'])}").sync_detailed
    models, api = client("models"), client("").Client(base_url=server.url)
    post_svg = client("api.renderings.post_svg").sync_detailed
    request = models.SlideRequest(text="Made by a client", effect="slide", size=40.0,
                                  direction=models.DirectionOfSlide("left"))
    answer = post_svg(client=api, body=request)
    expected = server.render("svg", text="Made by a client", effect="slide", size=40, direction="left")
    assert (answer.status_code, answer.content) == (200, expected.body)
    several = models.SequenceRequest(
        blocks=[models.PopBlock(text="One", effect="pop"), models.PlainBlock(text="Two")], effect=models.Effect("rise"))
    rendering = client("api.renderings.post_json").sync(client=api, body=several)
    assert [block.effect for block in rendering.blocks] == ["pop", "rise"]
    assert "".join(glyph.text for glyph in rendering.glyphs) == "OneTwo"
    picture = client("api.renderings.get_png").sync_detailed(client=api, text="Hello", preset="nord")
    assert picture.content == server.get("/render.png?text=Hello&preset=nord").body
    problem = post_svg(client=api, body=models.SlideRequest(text="x", effect="slide", size=1e9))
    assert problem.status_code == 400 and problem.parsed.errors[0].parameter == "size"
    effects = client("api.service.list_effects").sync(client=api)
    assert "slide" in [effect.name for effect in effects.effects]


# Random requests


def drawn(kind):
    return st.integers(0, 2**32).map(lambda seed: getattr(draws, kind)(random.Random(seed).random))


def recording(text):
    """Returns a recording of a terminal that shows a text."""
    return '{"version": 2, "width": 80, "height": 24}\n' + json.dumps([0, "o", "x" + text])


def register_formats():
    for kind in ("easing", "paint", "shadows", "features", "variations", "path"):
        schemathesis.openapi.format(kind, drawn(kind))
    schemathesis.openapi.format("color", st.sampled_from(["#fff", "navy", "rgb(1 2 3 / 50%)", "oklch(62% 0.2 29)"]))
    schemathesis.openapi.format("families", st.sampled_from(["Inter", "Nowhere, serif", "'Fira Code',monospace"]))
    schemathesis.openapi.format("keyframes", drawn("keyframes").map(json.dumps))
    schemathesis.openapi.format("pictures", drawn("pictures").map(json.dumps))
    schemathesis.openapi.format("picture", st.just("none"))
    schemathesis.openapi.format("image", drawn("png").map(lambda file: base64.b64encode(file).decode()))
    schemathesis.openapi.format("asciicast", st.text("ab \u6f22\u0301").map(recording))
    schemathesis.openapi.format("date-time-local", st.datetimes(datetime(1970, 1, 1)).map("{:%Y-%m-%dT%H:%M:%S}".format))
    schemathesis.openapi.format("time-zone", st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]))
    schemathesis.openapi.format("frame-rate", st.sampled_from(["24000/1001", "30000/1001", "25/2", "1/1"]))
    schemathesis.openapi.format("presets", st.sampled_from(["nord", "card", "nord, neon"]))
    schemathesis.openapi.format("language", st.sampled_from(["ja", "de-CH", "zh-Hant"]))
    schemathesis.openapi.format("timecode", st.sampled_from(["00:00:00:00", "23:59:59:00"]))
    schemathesis.openapi.format("identifier", st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{0,31}\Z"))


@pytest.mark.slow
def test_requests_that_the_schema_allows_are_taken(server):
    """Random bodies of every operation, and random queries of those without parameters of effects."""
    register_formats()
    schema = schemathesis.openapi.from_url(server.url + "/openapi.json")
    cases = 5000 if IS_PROOF else 150
    # A preset, or the request around a block, may choose an effect with another range than the one that is drawn.
    differing = {name[0].lower() + name[1:].split("Of")[0]
                 for name in server.get("/openapi.json").json["components"]["schemas"] if "Of" in name}
    all_operations = [one.ok() for one in schema.get_all_operations()]
    refused = []
    for operation in all_operations:
        @settings(max_examples=-(-cases // len(all_operations)), deadline=None, database=None,
                  derandomize=not IS_PROOF, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy())
        def check(case):
            # Of a query, the parameters of other effects than the request's are errors; so is what the body has too.
            if case.method == "POST":
                case.query = {}
            elif case.query and "text" in case.query:
                taken = {*server.parameters, "to", "zone", "after"}
                case.query = {name: value for name, value in case.query.items() if name in taken}
            answer = case.call()
            assert answer.status_code < 500 or answer.status_code == 503, (operation.label, answer.text[:500])
            # A token is what the service itself writes.
            if "{token}" not in operation.label and answer.status_code in (400, 413, 422) and "json" in answer.headers["content-type"][0]:
                faults = answer.json()["errors"]
                refused.extend(
                    fault for fault in faults
                    if not ACROSS_PARAMETERS.search(f"{fault['parameter'].split('.')[-1]} {fault['message']}")
                    and fault["parameter"].split(".")[-1] not in differing)

        check()
    assert not refused, "\n".join(sorted({f"{fault['parameter']} {fault['message'][:80]}" for fault in refused}))
