"""The preview page's files, and nothing beside them."""

import os

import pytest

from service import PUBLIC

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".ts": "text/plain; charset=utf-8",
}
FILES = sorted(path for path in PUBLIC.rglob("*") if path.is_file())
SECRET = "Package.swift"  # beside Public/


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PUBLIC)))
def test_every_file_is_served(server, path):
    answer = server.get("/" + path.relative_to(PUBLIC).as_posix())
    assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, path.read_bytes(), TYPES[path.suffix])
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert (
        server.get("/" + path.relative_to(PUBLIC).as_posix(), {"If-None-Match": answer.headers["ETag"]}).status == 304
    )


def test_the_page_stands_at_the_root(server):
    root, page = server.get("/"), server.get("/index.html")
    assert (root.status, root.body, root.headers["ETag"]) == (200, page.body, page.headers["ETag"])
    assert server.get("/?text=shared&effect=fade").body == page.body


def test_a_folder_is_found_without_its_slash(server):
    answer = server.get("/docs")
    assert (answer.status, answer.headers["Location"]) == (308, "/docs/")
    assert server.get("/docs/").body == server.get("/docs/index.html").body
    assert server.post("/docs", {}).status == 404


def test_a_percent_encoded_name_is_the_same_file(server):
    assert server.get("/%69ndex%2ehtml").body == server.get("/index.html").body


@pytest.mark.parametrize(
    "path",
    [
        f"/../{SECRET}",
        f"/%2e%2e/{SECRET}",
        f"/..%2f{SECRET}",
        f"/%2e%2e%2f{SECRET}",
        f"/modules/../../{SECRET}",
        f"/modules/%2e%2e/%2e%2e/{SECRET}",
        f"/..%5c{SECRET}",
        f"/....//{SECRET}",
        f"//{SECRET}",
        f"/%252e%252e/{SECRET}",
        f"/..%c0%af{SECRET}",
        f"/.%00./{SECRET}",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/index.html%00.png",
        "/index.html/",
        "/modules",
        "/modules/",
        "/./index.html/..",
        "/.git/config",
        "/.",
        "/..",
        "/%",
        "/%zz",
        "/INDEX.HTML",
        "/index.html/../../" + SECRET,
    ],
)
def test_nothing_else_is(server, path):
    answer = server.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.split(b" ", 2)[1] in (b"404", b"400"), answer[:200]
    assert b"swift-tools-version" not in answer and b"root:" not in answer


def test_hidden_files_and_links_out_are_not_served(start, tmp_path):
    (tmp_path / "index.html").write_text("<p>own page")
    (tmp_path / ".hidden.txt").write_text("hidden")
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "ü.txt").write_text("unicode")
    service = start("--public", str(tmp_path))
    assert service.get("/").text == "<p>own page"
    assert service.get("/.hidden.txt").status == 404
    assert service.get("/a%20b/%C3%BC.txt").text == "unicode"
    assert service.get("/a+b/%C3%BC.txt").status == 404


def test_a_directory_that_is_not_there_is_an_error(tmp_path):
    from subprocess import run
    from service import BINARY

    outcome = run(
        [BINARY, "serve", "--port", "0", "--public", tmp_path / "missing"],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=30,
    )
    assert outcome.returncode != 0 and "missing" in outcome.stderr
