"""Source code: its tokens beside those of Pygments, its colours, and the numbers of its lines."""

import collections
import functools
import itertools
import os
import pathlib
import subprocess
import sysconfig

import pygments.lexers
import pytest
from browsers import ANIMATIONS
from picture import mean_difference, pixels, screenshot, worst_block
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String
from service import REPOSITORY, query

CHECKOUTS = REPOSITORY / ".build/checkouts"
PACKAGES = pathlib.Path(sysconfig.get_path("purelib"))
SAMPLES = REPOSITORY / "Tests/EndToEnd/text/code"
STDLIB = pathlib.Path(sysconfig.get_path("stdlib"))
FILES = 20
SHARE = 0.95

# For each language where its files are: a folder, patterns, and the largest file in bytes.
PLACES = {
    "swift": (CHECKOUTS / "swift-argument-parser/Sources/ArgumentParser", ["[PU]*/*.swift"], 40_000),
    "c": (pathlib.Path("/usr/include"), ["*.h"], 20_000),
    "cpp": (PACKAGES / "greenlet", ["*.cpp", "*.hpp", "*/*.cpp"], 80_000),
    "rust": (SAMPLES / "rust", ["*.rs"], 80_000),
    "go": (SAMPLES / "go", ["*.go"], 80_000),
    "python": (STDLIB, ["*.py"], 40_000),
    "javascript": (REPOSITORY / "Public", ["*.js", "modules/*.js"], 80_000),
    "typescript": (pathlib.Path("/usr/share/nodejs/typescript/lib"), ["*.d.ts"], 60_000),
    "java": (SAMPLES / "java", ["*.java"], 80_000),
    "sql": (SAMPLES / "sql", ["*.sql"], 80_000),
    "html": (REPOSITORY / "Public", ["*.html", "docs/*.html", "docs/*/*.html"], 60_000),
    "json": (PACKAGES / "kubernetes_validate/kubernetes-json-schema/v1.37.0-local", ["*.json"], 20_000),
    # Those of gzip and xz, which Debian always has, then those of Git.
    "shell": (pathlib.Path("/usr"), ["bin/z*", "bin/xz*", "lib/git-core/*"], 40_000),
}
# Pygments' names of languages that have others.
LEXERS = {"shell": "bash"}

# What Pygments may call a token of ours. It says `Name` where it does not know whether a name is a function or a type,
# `Keyword` for built-in types and constants, and `String.Doc` for comments and strings that document. Our operators and
# punctuation are one class, because languages draw the line between them elsewhere.
CLASSES = {
    "plain": {"text", "name"},
    "comment": {"comment", "documentation"},
    "keyword": {"keyword"},
    "type": {"keyword", "name"},
    "constant": {"keyword", "name"},
    "number": {"number"},
    "string": {"string", "documentation"},
    "escape": {"string"},
    "interpolation": {"string", "keyword"},
    "function": {"name"},
    "variable": {"name"},
    "attribute": {"name", "directive", "keyword"},
    "tag": {"name"},
    "directive": {"directive"},
    "operator": {"sign"},
    "punctuation": {"sign"},
}
# Of a token type of Pygments the first that holds it counts.
PYGMENTS = [
    (Comment.Preproc, "directive"),
    (Comment.PreprocFile, "directive"),
    (Comment, "comment"),
    (Operator.Word, "keyword"),
    (Keyword, "keyword"),
    (Name, "name"),
    (String.Doc, "documentation"),
    (String, "string"),
    (Number, "number"),
    (Operator, "sign"),
    (Punctuation, "sign"),
]


@functools.cache
def class_of(token):
    return next((name for kind, name in PYGMENTS if token in kind), "text")


def is_shell(path):
    return path.suffix == ".sh" or path.read_bytes().startswith((b"#!/bin/sh", b"#!/bin/bash", b"#!/usr/bin/env bash"))


def files(language):
    """Twenty real files of a language."""
    folder, patterns, most = PLACES[language]
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern)) if path.is_file()]
    found = [path for path in found if not path.is_symlink() and 700 <= path.stat().st_size <= most]
    if language == "shell":
        found = [path for path in found if is_shell(path)]
    # Pygments makes one line break of two.
    found = [path for path in found if b"\r" not in path.read_bytes()][:FILES]
    assert len(found) == FILES, f"{len(found)} files of {language} in {folder}"
    return found


@pytest.fixture(scope="session")
def code_tokens():
    """Returns the program that prints the tokens of files: TEST_CODE_TOKENS, or that of a new build."""
    if binary := os.environ.get("TEST_CODE_TOKENS"):
        return pathlib.Path(binary).absolute()
    subprocess.run(
        ["swift", "build", "--product", "code-tokens"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    return REPOSITORY / ".build/debug/code-tokens"


def kinds(line):
    """Returns the kind of each byte of a file."""
    tokens = (token.split() for token in line.split(",") if token)
    return list(itertools.chain.from_iterable([kind] * int(length) for length, kind in tokens))


@pytest.mark.parametrize("language", PLACES)
def test_tokens_are_those_of_pygments(code_tokens, language):
    paths = files(language)
    printed = subprocess.run([code_tokens, language, *paths], capture_output=True, text=True, check=True).stdout
    lexer = pygments.lexers.get_lexer_by_name(LEXERS.get(language, language), stripnl=False, ensurenl=False)
    for path, line in zip(paths, printed.split("\n"), strict=False):
        source = path.read_bytes()
        ours = kinds(line)
        assert len(ours) == len(source), path
        offset = 0
        counts = collections.Counter()
        differences = collections.Counter()
        for token, text in lexer.get_tokens(source.decode()):
            for character in text:
                if not character.isspace():
                    agrees = class_of(token) in CLASSES[ours[offset]]
                    counts[agrees] += 1
                    if not agrees:
                        differences[ours[offset], str(token), text[:20]] += 1
                offset += len(character.encode())
        assert offset == len(source), path
        share = counts[True] / counts.total()
        assert share >= SHARE, f"{path}: {share:.3f}, {differences.most_common(5)}"


CODE = "let a = 1 // x\n\n  f(\"s\")"


def colors(scene, member="color"):
    return {glyph["text"]: glyph.get(member) for glyph in scene["glyphs"] if glyph["role"] == "glyph"}


def test_colours_are_those_of_the_theme(server):
    light = colors(server.render("json", text=CODE, codeLanguage="swift").json)
    assert (light["l"], light["1"], light["x"], light["s"]) == ("#cf222e", "#0550ae", "#59636e", "#0a3069")
    assert light["="] == light["a"] == "#24292f", "signs and names have the colour of the text, which the theme decides"
    dark = colors(server.render("json", text=CODE, codeLanguage="swift", codeTheme="dark").json)
    assert (dark["l"], dark["="]) == ("#ff7b72", "#f0f6fc")


def test_dark_colours_are_for_a_dark_scheme(server):
    request = {"text": CODE, "codeLanguage": "swift", "darkColor": "#f0f6fc", "darkCodeTheme": "dark"}
    scene = server.render("json", **request).json
    assert colors(scene, "darkColor")["l"] == "#ff7b72"
    assert colors(scene, "darkColor")["="] == "#f0f6fc"
    svg = server.render("svg", **request).text
    assert "fill:#ff7b72" in svg.split("prefers-color-scheme:dark", 1)[1]
    alone = server.render("svg", scheme="dark", **request).text
    assert "prefers-color-scheme" not in alone and "#ff7b72" in alone and "#cf222e" not in alone


def test_code_and_markup_exclude_each_other(server):
    answer = server.post("/render", {"text": "<b>a</b>", "markup": True, "codeLanguage": "html"})
    assert (answer.status, answer.faults) == (400, ["codeLanguage"])
    assert "markup" in answer.json["errors"][0]["message"]


def test_other_languages_are_errors(server):
    answer = server.post("/render", {"text": "a", "codeLanguage": "cobol"})
    assert (answer.status, answer.faults) == (400, ["codeLanguage"])


def numbers(scene, block=0):
    """The digits beside each line of a text, from left to right."""
    lines = collections.defaultdict(list)
    for glyph in scene["glyphs"]:
        if glyph["role"] == "line-number" and glyph["block"] == block:
            lines[glyph["line"]].append(glyph)
    return {line: sorted(digits, key=lambda digit: digit["rect"]["x"]) for line, digits in lines.items()}


def test_numbers_stand_beside_lines(server):
    text = "\n".join(f"a{number}" for number in range(12)) + "\n" + "word " * 12
    scene = server.render("json", text=text, lineNumbers=True, width=200, size=32, font="DejaVu Sans").json
    found = numbers(scene)
    texts = {line: "".join(digit["text"] for digit in digits) for line, digits in found.items()}
    assert texts == {line: str(line + 1) for line in range(13)}, "a line that is wrapped has one number"
    assert len(scene["blocks"][0]["lines"]) > 13
    right = {round(digits[-1]["rect"]["x"] + digits[-1]["rect"]["width"], 2) for digits in found.values()}
    assert len(right) == 1, "aligned at the right"
    left = min(glyph["rect"]["x"] for glyph in scene["glyphs"] if glyph["role"] == "glyph")
    assert left > max(right)
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    assert "".join(glyph["text"] for glyph in glyphs) == text.replace("\n", "")


def counted(scene):
    """The numbers beside the lines of each text."""
    return [[int("".join(digit["text"] for digit in digits)) for digits in numbers(scene, block).values()]
            for block in range(len(scene["blocks"]))]  # fmt: skip


TWO, THREE = dict(text="a\nb"), dict(text="c\n\nd")


@pytest.mark.parametrize("request_, expected", [
    (dict(blocks=[TWO, THREE], preset="editor"), [[1, 2], [3, 4, 5]]),
    (dict(blocks=[TWO, THREE], lineNumbers=True, sequence="together"), [[1, 2], [3, 4, 5]]),
    (dict(blocks=[TWO, dict(THREE, lineNumbers=False), TWO], lineNumbers=True), [[1, 2], [], [3, 4]]),
    (dict(blocks=[TWO, dict(THREE, firstLine=20), TWO], lineNumbers=True), [[1, 2], [20, 21, 22], [23, 24]]),
    (dict(blocks=[TWO, THREE], lineNumbers=True, firstLine=7), [[7, 8], [7, 8, 9]]),
    (dict(blocks=[TWO, dict(THREE, firstLine="auto")], lineNumbers=True, firstLine=0), [[0, 1], [2, 3, 4]]),
    (dict(blocks=[TWO, THREE], preset="editor", sequence="replace"), [[1, 2], [1, 2, 3]]),
    (dict(blocks=[TWO, THREE], lineNumbers=True, sequence="replace", firstLine=7), [[7, 8], [7, 8, 9]]),
    (dict(blocks=[TWO, THREE], lineNumbers=True, animate=False), [[1, 2], [3, 4, 5]]),
    (dict(blocks=[TWO, THREE], preset="editor", defaults="0.3"), [[1, 2], [1, 2, 3]]),
], ids=str)  # fmt: skip
def test_texts_that_stand_below_each_other_number_on(server, request_, expected):
    assert counted(server.render("json", **request_).json) == expected


def test_lines_of_all_texts_begin_beside_the_widest_number(server):
    blocks = [dict(text="first\n" * 9), dict(text="second")]
    scene = server.render("json", blocks=blocks, preset="editor").json
    assert counted(scene)[1] == [11]
    one, other = ({line["rect"]["x"] for line in block["lines"]} for block in scene["blocks"])
    assert one == other


@pytest.mark.parametrize("first", [-1, 1_000_000, 1.5, "last"])
def test_a_wrong_first_number_is_an_error(server, first):
    answer = server.post("/render", dict(text="a", lineNumbers=True, firstLine=first))
    assert (answer.status, answer.faults) == (400, ["firstLine"])


def test_numbers_show_with_their_lines(server):
    scene = server.render("json", text="ab\n\ncd", lineNumbers=True, effect="typewriter").json
    first = {glyph["text"]: glyph["opacity"] for glyph in scene["glyphs"] if glyph["role"] == "glyph"}
    [one], [two], [three] = numbers(scene).values()
    assert one["opacity"] == first["a"]
    assert two["opacity"] == three["opacity"] == first["c"], "an empty line's number shows with the next line"


def test_numbers_are_no_part_of_the_text(server):
    with_numbers = server.render("json", text="ab\ncd", lineNumbers=True).json
    without = server.render("json", text="ab\ncd").json
    assert with_numbers["title"] == without["title"] == "ab\ncd"
    assert with_numbers["duration"] == without["duration"]


def test_indentation_takes_no_time(server):
    def times(**request):
        scene = server.render("json", text="a\n    b", interval=0.1, cursor="none", **request).json
        return {glyph["range"]["start"]: glyph["opacity"][-1]["time"] for glyph in scene["glyphs"]}

    typed, instant = times(), times(indentation="instant")
    assert (typed[0], typed[2], typed[6]) == (0.1, 0.2, 0.6)
    assert (instant[0], instant[2], instant[5], instant[6]) == (0.1, 0.1, 0.1, 0.2)


def test_a_title_bar_has_dots_and_a_title(server):
    scene = server.render("json", text="a\nb", titleBar=True, windowTitle="main.c", width=400).json
    bar = [glyph for glyph in scene["glyphs"] if glyph["role"] == "title-bar"]
    assert [glyph["color"] for glyph in bar[:3]] == ["#ff5f57", "#febc2e", "#28c840"]
    assert "".join(glyph["text"] for glyph in bar) == "main.c"
    left, right = bar[3]["rect"]["x"], bar[-1]["rect"]["x"] + bar[-1]["rect"]["width"]
    assert abs((left + right) / 2 - 200) < 0.1, "centred"
    assert all(glyph["rect"]["y"] >= 40 for glyph in scene["glyphs"] if glyph["role"] == "glyph")
    plain = server.render("json", text="a\nb", width=400).json
    assert scene["height"] == plain["height"] + 40
    assert scene["title"] == plain["title"] and scene["duration"] == plain["duration"]


def test_a_title_that_does_not_fit_is_left_out(server):
    scene = server.render("json", text="a", titleBar=True, windowTitle="word " * 20, width=200).json
    ends = [each["rect"]["x"] + each["rect"]["width"] for each in scene["glyphs"] if each["role"] == "title-bar"]
    assert max(ends) <= 200
    answer = server.post("/render", {"text": "a", "titleBar": True, "windowTitle": " "})
    assert (answer.status, answer.faults) == (400, ["windowTitle"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chromium_shows_what_the_png_has(server, chromium, scheme):
    request = {
        "text": 'func f() -> Int {\n    // One.\n    return g("a", 1)\n}',
        "codeLanguage": "swift",
        "preset": "editor",
        "windowTitle": "f.swift",
        "size": 48,
        "cornerRadius": 0,
        "borderWidth": 0,
    }
    context = chromium.new_context(device_scale_factor=1, color_scheme=scheme)
    context.add_init_script(ANIMATIONS + "addEventListener('DOMContentLoaded', pause)")
    page = context.new_page()
    scene = server.render("json", **request).json
    page.set_viewport_size({"width": scene["width"], "height": scene["height"]})
    page.goto(f"{server.url}/render.svg?{query(request)}")
    ground = (255, 255, 255) if scheme == "light" else (13, 17, 23)
    times = [scene["blocks"][0]["enterEnd"] * share for share in (0.21, 0.52, 0.83)]
    for time in [round(time, 2) + 0.005 for time in times]:
        page.evaluate("time => seek(time)", time)
        shown = pixels(screenshot(page))
        painted = pixels(server.render("png", **request, scheme=scheme, time=time).body)
        assert painted.shape == shown.shape
        assert mean_difference(painted, shown, ground) < 12, time
        assert worst_block(painted, shown) <= 28, time
    context.close()
