"""The nginx of docs/operations.md, as it stands there, before the service."""

import re

import pytest

from nginx import PlainNginx
from service import REPOSITORY, free_port

DOCUMENT = REPOSITORY / "docs/operations.md"


@pytest.fixture(scope="module")
def proxied(server, tmp_path_factory):
    """Returns a function that requests a target through nginx."""
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    example = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
    for written, meant in [
        ("/var/cache/nginx/titlecard", str(folder / "cache")),
        ("/var/log/nginx", str(folder)),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("http://127.0.0.1:8080", f"http://127.0.0.1:{server.port}"),
    ]:
        assert written in example
        example = example.replace(written, meant)
    nginx = PlainNginx(folder, port, example)
    assert nginx.get("/health").status == 200
    yield nginx.get
    nginx.stop()


@pytest.mark.parametrize("length", [10, 1200, 1900])
def test_permalinks_of_any_length_pass(server, proxied, length):
    text = "".join(chr(0x4E00 + (n * 7919) % 20000) for n in range(length))
    answer = server.post("/render.svg", {"text": text, "width": 4000, "size": 4, "animate": False})
    assert answer.status == 200
    location = answer.headers["Content-Location"]
    if location is None:
        pytest.skip("the permalink is longer than the server reads")
    through = proxied(location)
    assert (through.status, through.body) == (200, server.get(location).body)


def test_metrics_stay_inside(proxied):
    assert proxied("/metrics").status == 404


def answered(server):
    return server.metric('titlecard_requests_total{route="render",status="200"}')


@pytest.mark.parametrize("format", ["svg", "gif"])
def test_a_picture_is_kept_by_its_address(server, proxied, format):
    """Whatever clients write into Accept, and in two variants at most."""
    target, before = f"/render.{format}?text=kept+by+its+address", answered(server)
    for accept in ["image/svg+xml", "application/json", "text/html", "*/*"]:
        for encoding, compressed in [("gzip, br", True), ("gzip", True), ("identity", False), ("gzip;q=0", False)]:
            answer = proxied(target, {"Accept": accept, "Accept-Encoding": encoding})
            assert (answer.status, answer.headers["Content-Type"].split("/")[0]) == (200, "image")
            assert answer.headers["Content-Encoding"] == ("gzip" if compressed and format == "svg" else None)
    assert answered(server) - before == 2


def test_without_an_extension_accept_decides_and_nothing_is_kept(server, proxied):
    before = answered(server)
    for accept in ["image/svg+xml", "application/json", "image/png"] * 2:
        assert proxied("/render?text=negotiated+here", {"Accept": accept}).headers["Content-Type"] == accept
    assert answered(server) - before == 6


def test_addresses_have_the_port(proxied):
    answer = proxied("/embed?text=x", {"Accept": "*/*"})
    assert answer.json["url"].startswith("http://127.0.0.1:") and answer.json["url"].split("/")[2] != "127.0.0.1:80"
