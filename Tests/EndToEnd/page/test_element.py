"""A `<title-card>` with its picture, from POST /element and titlecard render --element, as HTML parsers read it."""

import html.parser
import json
import re
import subprocess

import pytest
from service import BINARY, query


class Reader(html.parser.HTMLParser):
    """The tags, attributes, and text of markup."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.depth, self.texts = [], None, "", 0, []
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "title-card":
            self.attributes = dict(attributes)
        elif tag == "template":
            self.depth += 1
        elif tag == "br" and not self.depth:
            self.text += "\n"
        elif tag == "p" and not self.depth:
            self.text = ""

    def handle_endtag(self, tag):
        if tag == "template":
            self.depth -= 1
        elif tag == "p" and not self.depth or tag == "title-card" and not self.texts:
            self.texts.append(self.text)

    def handle_data(self, data):
        if not self.depth:
            self.text += data


def element(server, **request):
    answer = server.request("POST", "/element", json.dumps(request).encode(), {"Content-Type": "application/json"})
    assert answer.status == 200, answer.text
    return answer


def picture(markup):
    return re.search('<template shadowrootmode="open">(.*)</template>', markup, re.S)[1]


@pytest.mark.parametrize("request_", [
    dict(text="Hello there", effect="slide", letterSpacing=2, italic=True),
    dict(text="two\nlines & <tags>", color="linear-gradient(red, blue)", title="Say \"this\""),
    dict(text="👻 שלום", effect="blur", loop="infinite", exit="auto", shadow="2px 2px 4px #0008"),
    dict(text="Moves", effect="custom", keyframes=[{"opacity": 0, "color": "#f00"}, {}], preset="nord"),
], ids=["plain", "lines", "emoji", "keyframes"])
def test_the_picture_is_that_of_the_request(server, request_):
    answer = element(server, **request_)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    drawn = server.render("svg", **request_, boxes=True)
    duration = drawn.headers["Titlecard-Duration"]
    assert picture(answer.text) == drawn.text.replace("<svg ", f'<svg data-duration="{duration}" ', 1)
    read = Reader(answer.text)
    assert read.texts == [request_["text"]]
    # The attributes and the text are the request again.
    given = {"".join(part.title() if index else part for index, part in enumerate(name.split("-"))): value
             for name, value in read.attributes.items()}
    assert server.get("/render.svg?" + query({"text": read.texts[0], "boxes": "true", **given})).text == drawn.text


def test_several_texts_are_paragraphs(server):
    markup = server.get("/element?text=One&text=T%3Cwo&sequence=replace").text
    assert Reader(markup).texts == ["One", "T<wo"]
    assert picture(markup).count("data-duration") == 1


@pytest.mark.parametrize("text", ["a  b", " a", "a\n", "a \nb"])
def test_white_space_that_content_loses_is_in_an_attribute(server, text):
    read = Reader(element(server, text=text).text)
    assert read.attributes["text"] == text


def test_markup_is_in_an_attribute_and_never_in_the_page(server):
    text = "<b>Bold</b> <![CDATA[><script>alert(1)</script>]]>"
    read = Reader(element(server, text=text, markup=True).text)
    assert read.attributes["text"] == text
    assert read.texts == ["Bold ><script>alert(1)</script>"]
    assert "script" not in read.tags and "b" not in read.tags


@pytest.mark.parametrize("text", ["</template></title-card><script>alert(1)</script>", "\"><script>x</script>", "&lt;&amp;"])
def test_what_looks_like_markup_is_text(server, text):
    read = Reader(element(server, text=text, title=text, font=text.replace(",", "")).text)
    assert read.texts == [text] and read.attributes["title"] == text
    assert "script" not in read.tags


def test_the_colour_of_the_page(server):
    answer = element(server, text="#010203 stays", color="linear-gradient(currentColor, CURRENTCOLOR 40%, red)",
                     shadow="0 0 4px currentcolor", effect="highlight", highlightColor="#fff",
                     description="#010203 too")
    read = Reader(answer.text)
    assert read.attributes["color"] == "linear-gradient(currentColor, CURRENTCOLOR 40%, red)"
    svg = picture(answer.text)
    assert "<title>#010203 stays</title><desc>#010203 too</desc>" in svg and "currentColor" in svg
    assert "#010203" not in svg.split("</desc>", 1)[1]
    svg = picture(element(server, text="#010203 stays", color="currentColor").text)
    assert "<title>#010203 stays</title>" in svg and "currentColor" in svg
    # The text is also beside the boxes of its words.
    assert svg.count("#010203") == 2 and "{&quot;text&quot;:&quot;#010203 stays&quot;" in svg


@pytest.mark.parametrize("name, request_", [
    ("blocks", dict(blocks=[dict(text="x")])), ("format", dict(text="x", format="gif")),
    ("size", dict(text="x", size=1)), ("nonsense", dict(text="x", nonsense=1)), ("text", {}),
    ("markup", dict(text=["a", "b"], markup=True)),
])
def test_what_no_element_can_have_is_an_error(server, name, request_):
    if isinstance(request_.get("text"), list):
        answer = server.get("/element?text=a&text=b&markup=true")
    else:
        answer = server.request(
            "POST", "/element", json.dumps(request_).encode(), {"Content-Type": "application/json"})
    assert answer.status == 400 and answer.faults == [name], answer.text


def test_the_command_line_writes_the_same(server, tmp_path):
    file = tmp_path / "card.html"
    command = [BINARY, "render", "Hello", "--effect", "rise", "--color", "currentColor", "--element", "-o", str(file)]
    subprocess.run(command, check=True)
    assert file.read_text() == server.get("/element?" + query(dict(text="Hello", effect="rise", color="currentColor"))).text
    refused = subprocess.run([*command[:-2], "--batch", "x", "--out", "y"], capture_output=True, text=True)
    assert refused.returncode == 64


def test_it_can_be_kept(server):
    answer = server.get("/element?text=Kept")
    again = server.get("/element?text=Kept", {"If-None-Match": answer.headers["ETag"]})
    assert again.status == 304 and again.headers["Cache-Control"] == answer.headers["Cache-Control"]
