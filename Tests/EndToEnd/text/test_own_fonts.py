"""An operator's own fonts (`--fonts DIR`): `serve`, `render`, SIGHUP."""

import json
import os
import time

import pytest

from commands import DATA_ERROR, NO_INPUT, USAGE, messages_of, run
from fonts import color_font, families, hang_up
from verdicts import identity

BOX = "Box"


def boxes(file, family=BOX, width=1000, **more):
    file.parent.mkdir(parents=True, exist_ok=True)
    color_font(file, family=family, width=width, **more)
    return file


def advance(service, **request):
    return service.render("json", text="BB", size=32, animate=False, **request).json["blocks"][0]["rect"]["width"]


def test_own_fonts_are_found_in_all_folders_below(start, tmp_path):
    boxes(tmp_path / "one" / "deep" / "er" / "a.ttf", "Deep")
    boxes(tmp_path / "one" / "b.OTF", "Upper")
    boxes(tmp_path / "two" / "c.ttf", "Second")
    boxes(tmp_path / "three" / "d.ttf", "Linked")
    (tmp_path / "two" / "to").symlink_to("../three")
    (tmp_path / "two" / "loop").symlink_to("..")
    (tmp_path / "one" / "LICENSE.txt").write_text("no font")
    (tmp_path / "one" / ".hidden.ttf").write_text("no font")
    service = start("--fonts", tmp_path / "one", "--fonts", tmp_path / "two")
    assert {"Deep", "Upper", "Second", "Linked"} <= set(families(service))
    listed = {font["family"]: font for font in service.get("/fonts").json["fonts"]}["Deep"]
    assert listed == {"family": "Deep", "monospace": True, "weights": [400], "latin": False, "axes": [], "features": []}
    assert advance(service, font="Deep") == 64
    assert service.render("json", text="BB", font="Deep").json["warnings"] == []
    by_variable = start(environment={"TITLECARD_FONTS": f"{tmp_path}/one:{tmp_path}/two"})
    assert families(by_variable) == families(service)
    assert identity(by_variable.render("svg", text="B", font="Deep")) == identity(service.render("svg", text="B", font="Deep"))


def test_render_has_them_too(tmp_path):
    boxes(tmp_path / "a.ttf")
    request = ["render", "BB", "--font", BOX, "--size", "32", "--format", "json", "--animate", "false"]
    for outcome in [run(*request, "--fonts", tmp_path), run(*request, TITLECARD_FONTS=str(tmp_path))]:
        assert (outcome.returncode, outcome.stderr) == (0, b"")
        assert json.loads(outcome.stdout)["blocks"][0]["rect"]["width"] == 64
    (warning,) = json.loads(run(*request).stdout)["warnings"]
    assert warning["code"] == "missing-font"
    assert b"--fonts DIR" in run("render", "--help").stdout


def test_a_family_of_the_operator_hides_the_installed_one(start, server, tmp_path):
    boxes(tmp_path / "a.ttf", "Inter")
    service = start("--fonts", tmp_path)
    listed = {font["family"]: font for font in service.get("/fonts").json["fonts"]}["Inter"]
    assert (listed["weights"], listed["axes"]) == ([400], [])
    for weight in (100, 400, 900):
        assert advance(service, font="Inter", weight=weight) == 64
    assert advance(service, font="Lato") == advance(server, font="Lato")


def test_entity_tags_follow_the_content(start, tmp_path):
    """A font with the same names and version, whose letters are wider."""
    found = []
    for width in (1000, 1000, 1200):
        boxes(tmp_path / "a.ttf", width=width)
        service = start("--fonts", tmp_path)
        found.append([service.render("svg", text="B", font=font).headers["ETag"] for font in (BOX, "Lato")])
    assert found[0] == found[1] and not set(found[1]) & set(found[2])


# Fonts that are none


def spoilt(kind, file):
    boxes(file)
    whole = file.read_bytes()
    if kind == "nonsense":
        file.write_bytes(b"<html>404 Not Found</html>" * 40)
    if kind == "empty":
        file.write_bytes(b"")
    if kind == "cut short":
        file.write_bytes(whole[:-40])
    if kind == "cut in its head":
        file.write_bytes(whole[:20])
    if kind == "scrambled":
        tables = int.from_bytes(whole[4:6], "big") * 16 + 12
        file.write_bytes(whole[:tables] + bytes(len(whole) - tables))
    if kind in ("a folder", "a pipe", "a dangling link"):
        file.unlink()
    if kind == "a folder":
        file.mkdir()
    if kind == "a pipe":
        os.mkfifo(file)
    if kind == "a dangling link":
        file.symlink_to("nowhere.ttf")


BROKEN = {
    "nonsense": (DATA_ERROR, "is not a TrueType or OpenType font"),
    "empty": (DATA_ERROR, "is empty"),
    "cut short": (DATA_ERROR, "is cut short: its table "),
    "cut in its head": (DATA_ERROR, "is not a TrueType or OpenType font"),
    "scrambled": (DATA_ERROR, "is not a usable font"),
    "a folder": (NO_INPUT, "is not a regular file"),
    "a pipe": (NO_INPUT, "is not a regular file"),
    "a dangling link": (NO_INPUT, "cannot be read: No such file or directory"),
}


@pytest.mark.parametrize("extension", ["ttf", "otf", "ttc", "OTC"])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_font_ends_the_start_with_its_name(tmp_path, kind, extension):
    status, reason = BROKEN[kind]
    boxes(tmp_path / "good.ttf")
    file = tmp_path / "sub" / f"bad.{extension}"
    file.parent.mkdir()
    spoilt(kind, file)
    for command in [["serve", "--port", 0], ["render", "a"]]:
        (message,) = messages_of(run(*command, "--fonts", tmp_path), status)
        assert message.startswith(f"fonts: {file} {reason}")


def test_all_broken_fonts_are_told(tmp_path):
    for name in ("b", "a", "c"):
        (tmp_path / f"{name}.ttf").write_bytes(b"")
    assert messages_of(run("serve", "--fonts", tmp_path), DATA_ERROR) == [f"fonts: {tmp_path}/{name}.ttf is empty" for name in "abc"]


def test_a_directory_that_cannot_be_read_ends_the_start(tmp_path):
    file = boxes(tmp_path / "a.ttf")
    for folder, reason in [(tmp_path / "none", "No such file or directory"), (file, "Not a directory")]:
        (message,) = messages_of(run("serve", "--fonts", folder), NO_INPUT)
        assert message == f"fonts: cannot read the directory {folder}: {reason}"
    (message,) = messages_of(run("render", "a", "--fonts", ""), USAGE)
    assert message == "fonts: must not be empty"
    assert b"TITLECARD_FONTS has an empty path" in run("serve", TITLECARD_FONTS=f"{tmp_path}:").stderr


def test_a_font_of_40_megabytes_works(start, tmp_path):
    """The letters' outlines are followed by bytes of which no glyph knows."""
    boxes(tmp_path / "large.ttf", padding=40 << 20)
    assert (tmp_path / "large.ttf").stat().st_size > 40 << 20
    begin = time.monotonic()
    service = start("--fonts", tmp_path)
    assert time.monotonic() - begin < 5
    assert advance(service, font=BOX) == 64


# SIGHUP


def test_sighup_reads_them_anew_and_a_broken_one_leaves_the_old(start, tmp_path):
    boxes(tmp_path / "a.ttf")
    service = start("--fonts", tmp_path)
    before = identity(service.render("svg", text="B", font=BOX))
    boxes(tmp_path / "b.ttf", "Second")
    hang_up(service)
    assert {BOX, "Second"} <= set(families(service))
    (tmp_path / "c.ttf").write_bytes(b"")
    (said, *_) = hang_up(service)
    assert said["level"] == "error" and f"{tmp_path}/c.ttf is empty" in said["message"]
    assert {BOX, "Second"} <= set(families(service)) and service.get("/health").status == 200
    (tmp_path / "c.ttf").unlink()
    (tmp_path / "b.ttf").unlink()
    hang_up(service)
    assert BOX in families(service) and "Second" not in families(service)
    assert identity(service.render("svg", text="B", font=BOX)) == before


def test_sighup_leaves_no_file_open(start, tmp_path):
    boxes(tmp_path / "a.ttf")
    service = start("--fonts", tmp_path)
    (tmp_path / "b.ttf").write_bytes(b"no font")

    def descriptors():
        return len(os.listdir(f"/proc/{service.worker}/fd"))

    hang_up(service)
    before = descriptors()
    for _ in range(5):
        hang_up(service)
    assert descriptors() <= before
