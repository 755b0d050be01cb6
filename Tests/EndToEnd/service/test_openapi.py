"""The OpenAPI document: clients are made from it, its examples run, and random requests that it allows are taken."""

import base64
import json
import random
import re
import subprocess
from datetime import datetime
from urllib.parse import urlencode

import draws
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from random_requests import EFFECTS, NUMBERS
from service import IS_PROOF, PATIENCE, REPOSITORY, by_proof, sample

# What the schema cannot say, for it concerns several parameters, or the size of what is drawn.
ACROSS_PARAMETERS = re.compile(
    "limit|must not be (less|shorter) than|must not be given together|makes the cycle|needs more than"
    "|must not be \"(fill|draw)\" without"
    "|takes longer than|at most (maxCycle|.* px)|at least minCycle|a multiple of cycleStep|that minCycle and cycleStep"
    "|cannot be drawn|longer than|needs a speed of|must leave at least"
    "|belongs to no effect of this request|is not a parameter of the effect|must not be (below|above)"
    "|^text markup: |needs by|must not be given for an element|in an element; got|must not be given at the end"
    # Whether a text comes or leaves is the effect's.
    "|^part has no frames"
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
    # Words of which blocks have times, which blocks are timed, and the order of times and words.
    "|needs times|needs sequence \"timed\"|^text must be in the text, behind|^until must be after at|^at must not be before the word"
    # What is in a file of captions, and, in a query, in the JSON of times.
    "|^captions (is empty|is neither UTF-8|has no (times|cues|text))|^times is (not valid JSON|given more than once)"
    # Parts of texts that come together, and texts without a character that is seen.
    "|^part needs texts that stand together|^text must have a character that is neither white space nor invisible"
    # The bounds of numbers in a string.
    "|^safeArea must be from"
    # A countdown is made for mail alone.
    "|must be \"email\" for a countdown"
    # A preset may choose an effect that needs them.
    "|^keyframes is required")


@pytest.fixture(scope="module")
def document(server):
    return server.get("/openapi.json").json


def operations(document):
    return [operation for path in document["paths"].values() for operation in path.values()]


def component(document, node):
    """A part of the document, or the component to which it refers."""
    for name in node.get("$ref", "#").split("/")[1:]:
        document = document[name]
    return document if "$ref" in node else node


@pytest.mark.slow
def test_every_operation_has_a_name_of_its_own_and_an_answer(document):
    validate(document)
    names = [operation["operationId"] for operation in operations(document)]
    assert len(names) == len(set(names))
    assert all(component(document, operation["responses"]["200"])["description"] for operation in operations(document))


def test_titles_are_unique(document):
    titles = [schema.get("title", name) for name, schema in document["components"]["schemas"].items()]
    assert len(titles) == len(set(titles))


def test_nothing_of_a_request_stands_twice(server, document):
    """A body has all parameters, so its query has the signature and the end of the address alone; a union has no alternative that adds nothing."""
    for path, methods in document["paths"].items():
        if "post" in methods:
            assert [one["$ref"].split("/")[-1] for one in methods["post"]["parameters"]] == ["expires", "signature"], path
    for schema in document["components"]["schemas"].values():
        for value in schema.get("properties", {}).values():
            kinds = [document["components"]["schemas"][one["$ref"].split("/")[-1]]
                     for one in value.get("anyOf", []) if "$ref" in one]
            grammars = [json.dumps({name: part for name, part in kind.items()
                                    if name not in ("title", "description", "x-default", "x-unit")}) for kind in kinds]
            assert len(grammars) == len(set(grammars))
    # A megabyte is more than some generators' prompts, editors, and reviewers take.
    assert len(server.get("/openapi.json").body) < 800_000


def test_files_are_bytes(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for media, content in component(document, operation["responses"]["200"]).get("content", {}).items():
                if media.startswith(("image/", "video/", "application/zip", "application/x-")) and not media.endswith("json"):
                    assert content["schema"]["format"] == "binary", (path, method, media)


@pytest.mark.parametrize("accept", ["application/json", "application/problem+json", "image/svg+xml", "*/*", "image/png",
                                    "text/html,*/*;q=0.8", "image/avif,image/webp,*/*", None])
@pytest.mark.parametrize("target", ["/typing?lines=", "/render?size=x", "/canonical?size=x", "/embed?size=x"])
def test_errors_are_of_the_type_that_is_asked_for(server, document, target, accept):
    """`/typing` answers with a picture unless JSON is preferred, others with JSON unless a picture is."""
    answer = server.get(target, {"Accept": accept} if accept else None)
    prefers_json, prefers_svg = accept and "json" in accept, accept == "image/svg+xml"
    is_drawn = not prefers_json if "typing" in target else prefers_svg
    media = "image/svg+xml" if is_drawn else "application/problem+json"
    assert answer.headers["Content-Type"] == media and 400 <= answer.status < 500
    operation = document["paths"][target.split("?")[0]]["get"]
    contents = component(document, operation["responses"]["4XX"])["content"]
    assert media in contents
    # What is accepted without a preference comes first.
    assert accept != "*/*" or list(contents)[0] == media
    if not is_drawn:
        jsonschema.validate(answer.json, resolved(document, "Problem"))


def test_where_presets_alone_are_taken_the_document_is_whole(start):
    service = start("--only-presets", environment={"TITLECARD_SIGNING_KEY": "a key of the tests"})
    document = service.get("/openapi.json").json
    validate(document)
    assert set(document["components"]["schemas"]["Form"]["properties"]) == {"text", "preset", "for", "format"}


def examples(document, path, method):
    """Yields the query, media type and body of an operation's examples."""
    operation = document["paths"][path][method]
    parameters = [component(document, one) for one in operation.get("parameters", [])]
    places = {"path": {}, "query": {}}
    for parameter in parameters:
        if parameter.get("required"):
            places[parameter["in"]][parameter["name"]] = parameter["example"]
    contents = component(document, operation.get("requestBody", {})).get("content", {None: None})
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
                    body = urlencode(body, doseq=True)
                headers = {"Content-Type": media} if media else {}
                target += "?" + urlencode(values, doseq=True) if values else ""
                answer = server.request(method.upper(), target, body and body.encode(), headers)
                assert answer.status == 200, (method, target, answer.text)
                expected = component(document, document["paths"][path][method]["responses"]["200"]).get("content", {})
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


def test_a_rendering_with_shapes_is_as_its_schema_says(server, document):
    rendering = server.render("json", text="مرحبا a", effect="shimmer", color="linear-gradient(red, #00f8)", darkColor="navy",
                              outlineWidth=2, shadow="1px 2px 0 red", darkShadow="0 0 4px #08f", mark="underline", markColor="#c22",
                              darkMarkColor="#2c2", paintMotion="spin", outlines=True).json
    jsonschema.validate(rendering, strict(resolved(document, "Rendering")))
    assert any("join" in glyph for glyph in rendering["glyphs"])
    assert {layer["part"] for layer in rendering["layers"]} == {"fill", "outline", "shadow"}


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


# Random requests


def drawn(kind):
    return st.integers(0, 2**32).map(lambda seed: getattr(draws, kind)(random.Random(seed).random))


def recording(text):
    """Returns a recording of a terminal that shows a text."""
    return '{"version": 2, "width": 80, "height": 24}\n' + json.dumps([0, "o", text])


def register_formats():
    for kind in ("easing", "paint", "shadows", "features", "variations", "path"):
        schemathesis.openapi.format(kind, drawn(kind))
    schemathesis.openapi.format("color", st.sampled_from(["#fff", "navy", "rgb(1 2 3 / 50%)", "oklch(62% 0.2 29)"]))
    schemathesis.openapi.format("families", st.sampled_from(["Inter", "Nowhere, serif", "'Fira Code',monospace"]))
    schemathesis.openapi.format("keyframes", drawn("keyframes").map(json.dumps))
    schemathesis.openapi.format("pictures", drawn("pictures").map(json.dumps))
    schemathesis.openapi.format("picture", st.just("none"))
    schemathesis.openapi.format("image", drawn("png").map(lambda file: base64.b64encode(file).decode()))
    texts = st.text("ab \u6f22\u0301").map("x".__add__)
    schemathesis.openapi.media_type("text/plain", texts.map(str.encode))
    schemathesis.openapi.media_type("application/x-asciicast", texts.map(recording).map(str.encode))
    schemathesis.openapi.format("date-time-local", st.datetimes(datetime(1970, 1, 1)).map("{:%Y-%m-%dT%H:%M:%S}".format))
    schemathesis.openapi.format("time-zone", st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]))
    schemathesis.openapi.format("frame-rate", st.sampled_from(["24000/1001", "30000/1001", "25/2", "1/1"]))
    schemathesis.openapi.format("presets", st.sampled_from(["nord", "card", "nord, neon"]))
    schemathesis.openapi.format("language", st.sampled_from(["ja", "de-CH", "zh-Hant"]))
    schemathesis.openapi.format("timecode", st.sampled_from(["00:00:00:00", "23:59:59:00"]))
    schemathesis.openapi.format("identifier", st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{0,31}\Z"))


@pytest.fixture(scope="module")
def described(server):
    """The operations as Schemathesis reads them: all, for none changes anything on the server."""
    register_formats()
    schema = schemathesis.openapi.from_url(server.url + "/openapi.json")
    return [one.ok() for one in schema.get_all_operations()]


def answer_as_described(case, excluded=None):
    """Returns the answer, whose status, type, fields, and content are as the document says."""
    # Videos of several texts take a busy machine a while.
    answer = case.call(timeout=4 * PATIENCE)
    # Of a newer revision another server may know more.
    if answer.status_code != 503:
        # A query that is too long is refused, too, which Schemathesis does not count.
        excluded = [negative_data_rejection] if answer.status_code == 414 else excluded
        case.validate_response(answer, excluded_checks=excluded)
    return answer


def checked(operation, count, check, mode=GenerationMode.POSITIVE):
    """Calls a function with random cases of an operation."""
    @settings(max_examples=count, deadline=None, database=None, derandomize=not IS_PROOF,
              suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(generation_mode=mode))
    def run(case):
        check(case)

    run()


@pytest.mark.slow
def test_requests_that_the_schema_allows_are_taken(server, described):
    """Random bodies of every operation, and random queries of those without parameters of effects; each answer is as
    the document says."""
    cases = by_proof(150, 5000)
    # A preset, or the request around a block, may choose an effect with another range than the one that is drawn.
    differing = {name[0].lower() + name[1:].split("Of")[0]
                 for name in server.get("/openapi.json").json["components"]["schemas"] if "Of" in name}
    refused = []

    def check(case):
        # Of a query, the parameters of other effects than the request's are errors.
        if case.query and "text" in case.query:
            taken = {*server.parameters, "to", "zone", "after"}
            case.query = {name: value for name, value in case.query.items() if name in taken}
        # What no schema can say is in `ACROSS_PARAMETERS`.
        answer = answer_as_described(case, [positive_data_acceptance])
        # A token is what the service itself writes.
        if "{token}" not in case.operation.label and answer.status_code in (400, 413, 422) and "json" in answer.headers["content-type"][0]:
            refused.extend(
                fault for fault in answer.json()["errors"]
                if not ACROSS_PARAMETERS.search(f"{fault['parameter'].split('.')[-1]} {fault['message']}")
                and fault["parameter"].split(".")[-1] not in differing)

    for operation in described:
        checked(operation, -(-cases // len(described)), check)
    assert not refused, "\n".join(sorted({f"{fault['parameter']} {fault['message'][:80]}" for fault in refused}))


@pytest.mark.slow
def test_requests_that_the_schema_forbids_are_refused(described):
    """Each answer is a problem as the document says; making such a request takes Schemathesis a second."""
    with_parameters = [one for one in described if one.body or one.query or one.path_parameters]
    for operation in sample(with_parameters, 1, "forbidden"):
        checked(operation, by_proof(3, 15), answer_as_described, GenerationMode.NEGATIVE)
