"""Terminal sessions, differences, texts in a row, and texts of which the first stays: as browsers and pictures show them."""

from urllib.parse import urlencode

import pytest

from picture import ink, pixels

SESSION = "$ make test  # all\n\x1b[32m12 passed\x1b[0m in \x1b[1;3m3 s\x1b[0m\n$ ls"
TERMINAL = dict(codeLanguage="console", prompt="$", font="DejaVu Sans Mono", background="white")


def glyphs(answer, block=0):
    return [one for one in answer["glyphs"] if one["role"] == "glyph" and one["block"] == block]


def seen(glyph):
    """The first instant at which a glyph shows."""
    return next(key["time"] for key in glyph["opacity"] if key["value"] == 1) if "opacity" in glyph else 0


def test_commands_are_typed_and_their_output_appears_line_by_line(server):
    answer = server.render("json", text=SESSION, interval=0.2, pauseAfterCommand=1, **TERMINAL).json
    lines = [[seen(one) for one in glyphs(answer) if one["line"] == line] for line in range(3)]
    # The prompt stands at the start, with the space behind it; each letter of the command has its own turn.
    assert lines[0][:2] == [0, 0]
    assert lines[0][2:] == [pytest.approx(0.2 * (n + 1)) for n in range(len(lines[0]) - 2)]
    typed = lines[0][-1]
    assert lines[1] == [pytest.approx(typed + 1.2)] * len(lines[1])
    assert lines[2] == [pytest.approx(typed + 1.2 + 0.2 * turn) for turn in (1, 1, 2, 3)]


def test_sequences_colour_letters_and_are_no_part_of_the_text(server):
    answer = server.render("json", text=SESSION, color="#010203", **TERMINAL).json
    assert answer["blocks"][0]["text"] == answer["title"] == "$ make test  # all\n12 passed in 3 s\n$ ls"
    runs = [run for line in answer["blocks"][0]["lines"] for run in line["runs"]]
    look = {"".join(answer["glyphs"][g]["text"] for g in run["glyphs"]): run for run in runs}
    assert look["12 passed"]["color"] == "#1a7f37" and look["12 passed"]["weight"] == 400
    assert look["3 s"]["weight"] == 700 and look["3 s"]["style"] == "italic" and look["3 s"]["color"] == "#010203"
    assert look["# all"]["color"] == "#59636e"
    dark = server.render("svg", text=SESSION, darkCodeTheme="dark", darkColor="white", **TERMINAL).text
    assert "#1a7f37" in dark and "#3fb950" in dark


@pytest.mark.parametrize("text", ["\x1b[2Jx", "a\x1b", "x\x08", "\x1b]0;title\x07x"])
def test_other_sequences_are_faults(server, text):
    answer = server.get("/render?" + urlencode(dict(text=text, codeLanguage="console")))
    assert answer.status == 400 and answer.json["errors"][0]["parameter"] == "text"


def test_without_a_console_no_sequence_is_followed(server):
    assert server.get("/render?" + urlencode(dict(text=SESSION))).status == 400
    assert server.get("/render?" + urlencode(dict(text=SESSION, codeLanguage="shell"))).status == 400


def test_a_session_has_a_readable_address_and_a_permalink(server):
    text = urlencode({"text": SESSION, **TERMINAL})
    picture = server.get("/render.svg?" + text).body
    answer = server.get("/embed?" + text).json
    assert [server.fetch(answer[name]).body for name in ("url", "permalink")] == [picture] * 2


@pytest.mark.parametrize("prompt", ["❯", "user@host:~ %"])
def test_any_prompt_is_followed_and_coloured(server, prompt):
    text = f"{prompt} a\nb"
    answer = server.render("json", text=text, **{**TERMINAL, "prompt": prompt}).json
    own = glyphs(answer)
    assert seen(own[0]) == 0 and own[0]["color"] == "#59636e"
    assert seen(own[-2]) < seen(own[-1])


def test_a_prompt_needs_letters_in_their_order(server):
    answer = server.get("/render?" + urlencode(dict(text="$ a", prompt="$", by="word")))
    assert answer.status == 400 and answer.json["errors"][0]["parameter"] == "prompt"


def test_a_difference_is_edited_out_of_the_text_before_it(server):
    texts = [("text", " let a = 1\n let b = 2"), ("text", " let a = 1\n-let b = 2\n+let b = 3")]
    answer = server.get("/render.json?" + urlencode(texts + [("preset", "diff")])).json
    colors = {one["line"]: one["color"] for one in glyphs(answer, 1) if one["text"] in "+-"}
    assert colors == {1: "#cf222e", 2: "#116329"}
    # The first line stays where it is.
    assert all("offsetX" not in one for one in glyphs(answer, 1) if one["line"] == 0)


def test_a_row_of_texts_is_one_line_for_the_eye(server):
    both = server.get("/render.png?text=ab&text=cd&flow=row&spacing=40&effect=none&background=white").body
    columns = ink(pixels(both), (255, 255, 255)).any(axis=0).nonzero()[0]
    assert max(columns[1:] - columns[:-1]) > 40
    assert len(pixels(both)) == len(pixels(server.get("/render.png?text=ab&effect=none&background=white").body))


def test_the_first_text_of_a_rotation_stays_and_the_last_finishes(server):
    texts = [("text", "Ada"), ("text", "one"), ("text", "two"), ("sequence", "rotate"), ("effect", "fade")]
    answer = server.get("/render.json?" + urlencode(texts)).json
    first, second, third = (glyphs(answer, block) for block in range(3))
    assert all(one["opacity"][-1]["value"] == 1 for one in first + third)
    assert all(one["opacity"][-1]["value"] == 0 for one in second)
    # All of the second text stand where the third does.
    assert second[0]["rect"]["x"] == third[0]["rect"]["x"] and second[0]["rect"]["y"] == third[0]["rect"]["y"]
    still = server.get("/render.json?" + urlencode(texts + [("animate", "false")])).json
    assert [one["opacity"][0]["value"] for one in still["glyphs"]] == [1] * 3 + [0] * 3 + [1] * 3


def test_a_release_is_a_pill_a_title_and_a_date(server):
    texts = [("text", "v2.0"), ("text", "Ship it"), ("text", "Today"), ("preset", "release")]
    answer = server.get("/render.json?" + urlencode(texts)).json
    sizes = [block["lines"][0]["runs"][0]["size"] for block in answer["blocks"]]
    assert sizes == [20, 52, 20]
    pills = [one for one in answer["glyphs"] if one["role"] == "mark"]
    assert [one["block"] for one in pills] == [0]
    assert pills[0]["color"] == "#0969da" and glyphs(answer)[0]["color"] == "#ffffff"


def test_another_effect_of_the_request_drops_what_the_look_says_of_its_own(server):
    texts = [("text", "Ada"), ("text", "Writer"), ("preset", "profile"), ("effect", "flip")]
    answer = server.get("/render.json?" + urlencode(texts))
    assert answer.status == 200, answer.text
    assert [block["effect"] for block in answer.json["blocks"]] == ["flip", "flip"]
