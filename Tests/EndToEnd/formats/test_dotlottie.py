"""dotLottie: an archive of the Lottie files for light and for dark, with a manifest, for other people's readers."""

import io
import json
import zipfile

import pytest

from random_requests import painted_request, within_limits
from service import by_proof

DARK = dict(text="Hi", effect="highlight", color="#112233", darkColor="#ddeeff", background="#fff", darkBackground="#000")
REQUESTS = {
    "plain": (dict(text="Hi"), False),
    "dark": (DARK, True),
    # Of a cursor either file says the colour in a way of its own.
    "a gradient": (dict(text="Hi", cursor="none", color="#f00", darkColor="linear-gradient(90deg, #f40, #40f)"), True),
    "an outline": (dict(text="Hi", outlineWidth=3, outlineColor="#000", darkOutlineColor="#fff"), True),
    "a shadow": (dict(text="Hi", shadow="2px 2px #0008", darkShadow="2px 2px #fff8"), True),
    "a border": (dict(text="Hi", borderWidth=2, borderColor="#000", darkBorderColor="#fff"), True),
    "a card that moves": (dict(text="Hi", cardEffect="slide", background="#eee", darkBackground="#111"), True),
    "a mark": (dict(text="Hi", mark="underline", markColor="#f00", darkMarkColor="#0ff"), True),
    "code": (dict(text="let a = 1", codeLanguage="swift", darkCodeTheme="dark"), True),
    "a palette": (dict(text="Hi", preset="card,nord"), True),
    "a picture": (dict(text="🎉"), False),
}


def archive(answer):
    assert answer.status == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip+dotlottie"
    file = zipfile.ZipFile(io.BytesIO(answer.body))
    assert file.testzip() is None
    return {name: file.read(name) for name in file.namelist()}


def faults(server, request):
    files = archive(server.post("/render.lottie", request))
    manifest = json.loads(files["manifest.json"])
    assert manifest["version"] == "2" and manifest["initial"] == {"animation": "light"}
    ids = [one["id"] for one in manifest["animations"]]
    assert list(files) == ["manifest.json", *(f"a/{name}.json" for name in ids)]
    if files["a/light.json"] != server.post("/render.lot", request).body:
        yield "light is not the Lottie of the request"
    # The room and the times go by the colours of both schemes.
    alike = not any(name in str(request) for name in ("hadow", "utline", "paintMotion"))
    if "dark" in ids and alike and files["a/dark.json"] != server.post("/render.lot", {**request, "scheme": "dark"}).body:
        yield "dark is not the Lottie of scheme=dark"
    if ids == ["light"]:
        same = [server.post("/render.lot", {**request, "scheme": name}).body for name in ("light", "dark")]
        if same[0] != same[1]:
            yield "dark is missing"


@pytest.mark.parametrize("name", REQUESTS)
def test_each_animation_is_the_lottie_in_its_colours(server, name):
    request, has_dark = REQUESTS[name]
    assert [*faults(server, request)] == []
    assert ("a/dark.json" in archive(server.post("/render.lottie", request))) == has_dark


@pytest.mark.parametrize("seed", range(by_proof(10, 100)))
def test_random_paint(server, seed):
    request = within_limits(server, f"dotlottie {seed}", painted_request)
    request.pop("scheme", None)
    assert [*faults(server, request)] == []


def test_an_archive_is_smaller_than_what_is_in_it(server):
    plain = server.post("/render.lot", dict(text="Hello, dotLottie")).body
    assert len(server.post("/render.lottie", dict(text="Hello, dotLottie")).body) < len(plain) / 3
