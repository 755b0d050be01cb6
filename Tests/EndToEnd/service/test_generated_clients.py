"""Clients that three generators make from the OpenAPI document: each renders with every kind of parameter."""

import base64
import importlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from PIL import Image

from service import REPOSITORY

# Of the environment in which the tests run.
SCRIPTS = pathlib.Path(sys.executable).parent


def picture():
    file = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


KINDS = {
    "a text": {"text": "Grüße, 世界 👻\n“zwei”"},
    "numbers": {"text": "Hi", "effect": "scramble", "size": 33.5, "padding": 0, "seed": 7},
    "a number or a word": {"text": "Hi", "effect": "slide", "loop": 3, "interval": 0.2, "cursorBlink": 0},
    "a word or a number": {"text": "Hi", "effect": "slide", "loop": "infinite", "interval": "auto", "cursorBlink": 0.5},
    "booleans": {"text": "<b>Hi</b>", "markup": True, "animate": False},
    "choices": {"text": "Hi", "effect": "slide", "direction": "left", "align": "center", "exit": "fade"},
    "lists": {"text": "Hi", "font": "Nowhere, Inter, serif", "fontFeatures": "liga=0, ss01"},
    "presets and a target": {"text": "Hi", "preset": "card, nord", "for": "github-readme"},
    "an object": {"text": 'Hi <picture name="dot"/>', "markup": True, "pictures": {"dot": picture()}},
    "colours": {"text": "Hi", "color": "linear-gradient(90deg, red, oklch(62% 0.2 29))", "darkColor": "#fff",
                "background": "rgb(1 2 3 / 50%)", "shadow": "0 1px 2px #0008"},
    "curves": {"text": "Hi", "effect": "fade", "path": "arc(90deg)", "easing": "cubic-bezier(0, 0, 1, 1)"},
    "blocks": {"blocks": [{"text": "One", "effect": "pop"}, {"text": "Two", "color": "#f00"}], "effect": "rise",
               "sequence": "replace"},
    "keyframes": {"text": "Hi", "effect": "custom", "keyframes": [
        {"opacity": 0, "x": "50%", "y": -1, "color": "#f00", "easing": "ease-out"}, {"offset": 0.5, "scale": 1.2}, {}]},
}
# Of a query, with a text that repeats.
QUERY = dict(text=["One", "Two 👻"], effect="slide", direction="left", size=33.5, markup=True, loop=3,
             color="linear-gradient(red, blue)", levels="auto")
QUERY_TEXT = ("text=One&text=Two%20%F0%9F%91%BB&effect=slide&direction=left&size=33.5&markup=true&loop=3"
              "&color=linear-gradient(red,%20blue)&levels=auto")


@pytest.fixture(scope="module")
def document(server, tmp_path_factory):
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    path.write_bytes(server.get("/openapi.json").body)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder from which what is generated can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def generate(*command):
    """Runs a generator, and returns what it says."""
    # Where the formatter of one of them is.
    environment = {**os.environ, "PATH": f"{SCRIPTS}:{os.environ['PATH']}"}
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, (run.stdout + run.stderr)[-4000:]
    return run.stdout + run.stderr


def renders_every_kind(server, draw):
    for kind, request in KINDS.items():
        expected = server.post("/render.svg", request)
        assert expected.status == 200, (kind, expected.text)
        assert draw(request) == expected.body, kind


def snake(name):
    return re.sub("(?<=[a-z])(?=[A-Z0-9])", "_", name).lower()


def test_openapi_python_client(server, document, folder):
    """With the settings of the documentation it warns of nothing, and has every operation."""
    [settings] = re.findall(r"```yaml\n(# client.yaml\n.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
    (folder / "client.yaml").write_text(settings)
    said = generate(sys.executable, "-m", "openapi_python_client", "generate", "--path", document, "--output-path",
                    folder / "attrs_client", "--meta", "none", "--config", folder / "client.yaml")
    assert "arning" not in said, said[-4000:]

    def module(name):
        return importlib.import_module(f"attrs_client.{name}" if name else "attrs_client")

    content = json.loads(document.read_text())
    for operation in [one for path in content["paths"].values() for one in path.values()]:
        assert module(f"api.{operation['tags'][0]}.{snake(operation['operationId'])}").sync_detailed
    models, client = module("models"), module("").Client(base_url=server.url)

    def call(name, **arguments):
        return module(f"api.{name}").sync(client=client, **arguments)

    def draw(request):
        kind = "sequence" if "blocks" in request else "preset" if "preset" in request else request.get("effect", "typewriter")
        body = getattr(models, f"{kind.capitalize()}Request").from_dict(json.loads(json.dumps(request)))
        return call("renderings.post_svg", body=body).payload.read()

    renders_every_kind(server, draw)
    chosen = QUERY | {"effect": models.Effect("slide"), "direction": models.DirectionOfSlide("left")}
    assert call("renderings.get_svg", **chosen).payload.read() == server.get("/render.svg?" + QUERY_TEXT).body
    assert call("renderings.get_png", text=["Hi"]).payload.read() == server.get("/render.png?text=Hi").body
    form = models.Form(text=["One", "Two"], effect=models.Effect("pop"))
    assert call("renderings.post_png", body=form).payload.read() == server.get("/render.png?text=One&text=Two&effect=pop").body
    rendering = call("renderings.post_json", body=models.PopRequest(text="Hi", effect="pop"))
    assert [block.effect for block in rendering.blocks] == ["pop"]
    assert call("renderings.post_lot", body=models.PopRequest(text="Hi", effect="pop")).additional_properties["layers"]
    problem = call("renderings.post_svg", body=models.SlideRequest(text="x", effect="slide", size=1e9))
    assert problem.status == 400 and problem.errors[0].parameter == "size"
    assert b"<svg" in call("renderings.get_typing", lines="").payload.read()
    effects = call("service.list_effects")
    assert "slide" in [effect.name for effect in effects.effects]


def test_openapi_generator(server, document, folder):
    said = generate(SCRIPTS / "openapi-generator-cli", "generate", "-i", document, "-g", "python", "-o", folder / "made")
    assert "discriminator" not in said
    (folder / "made/openapi_client").rename(folder / "openapi_client")
    made = importlib.import_module("openapi_client")
    api = made.RenderingsApi(made.ApiClient(made.Configuration(host=server.url)))

    def draw(request):
        return api.post_svg(request=made.Request.from_dict(request))

    renders_every_kind(server, draw)
    assert api.get_svg(**QUERY) == server.get("/render.svg?" + QUERY_TEXT).body
    assert api.get_png(text=["Hi"]) == server.get("/render.png?text=Hi").body
    assert api.get_json(text=["Hi"]).glyphs[0].text == "H"
    with pytest.raises(made.exceptions.BadRequestException) as refused:
        api.get_svg(text=["Hi"], effect="slide", direction="start")
    assert refused.value.data.errors[0].parameter == "direction"


def test_datamodel_code_generator(server, document, folder):
    """Its Pydantic models take each request as it is, and write it as it was."""
    generate(SCRIPTS / "datamodel-codegen", "--input", document, "--input-file-type", "openapi",
             "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin", "--output", folder / "pydantic_models.py")
    models = importlib.import_module("pydantic_models")

    def draw(request):
        model = models.Request.model_validate(request)
        return server.post("/render.svg", model.model_dump_json(by_alias=True, exclude_unset=True)).body

    renders_every_kind(server, draw)
    models.PresetRequest(text="Hi", preset="card,nord")
    for wrong in ({"text": "Hi", "size": 1e9}, {"text": "Hi", "effect": "slid"}, {"text": "Hi", "siz": 3}, {"effect": "pop"}):
        with pytest.raises(ValueError):
            models.Request.model_validate(wrong)
