"""Mistakes that people make: each is named in words that show the way, or simply taken where it can mean one thing only."""

import json

import pytest

TYPED, SLIDE = "text=a", "text=a&effect=slide"
# What the fault of a query says after the name of its parameter.
QUERIES = {
    "no text": ("", "text: is required"),
    "an empty text": ("text=", "text: must have a character that is neither white space nor invisible"),
    "another spelling": ("text=a&colour=red", 'colour: unknown; did you mean "color"?'),
    "the name in CSS": ("text=a&font-family=Inter", 'font-family: unknown; did you mean "font"?'),
    "the name in CSS for scripts": ("text=a&fontSize=30", 'fontSize: unknown; did you mean "size"?'),
    "low lines": ("text=a&letter_spacing=3", 'letter_spacing: unknown; did you mean "letterSpacing"?'),
    "hyphens": ("text=a&letter-spacing=3", 'letter-spacing: unknown; did you mean "letterSpacing"?'),
    "capitals": ("text=a&Size=30", 'Size: unknown; did you mean "size"?'),
    "the name in another service": ("text=a&lines=b", 'lines: unknown; did you mean "text"?'),
    "a palette": ("text=a&palette=dracula", 'palette: unknown; did you mean "preset"?'),
    "a unit": ("text=a&unit=word", 'unit: unknown; did you mean "by"?'),
    "a parameter of an effect, misspelt": (f"{SLIDE}&spead=3", 'spead: unknown; did you mean "speed"?'),
    "a parameter of nothing": (f"{SLIDE}&blinkRate=3", 'blinkRate: unknown; the effect "slide" takes by, order, interval,'),
    "a parameter of nothing, no effect": ("text=a&blinkRate=3", "blinkRate: unknown"),
    "a parameter of another effect": (f"{TYPED}&easing=ease", 'it is a parameter of rewrite, fade, slide,'),
    "a parameter of another effect than the usual": (f"{TYPED}&easing=ease", '"typewriter" takes by, order, interval, jitter,'),
    "a misspelt effect": ("text=a&effect=typewritter", 'got "typewritter"; did you mean "typewriter"?'),
    "an effect with a suffix": ("text=a&effect=fade-in", 'got "fade-in"; did you mean "fade"?'),
    "an effect in another case": ("text=a&effect=Fade", 'got "Fade"; did you mean "fade"?'),
    "another name of an effect": ("text=a&effect=typing", 'did you mean "typewriter"?'),
    "another name of an effect, again": ("text=a&effect=matrix", 'did you mean "scramble"?'),
    "an effect that there is not": ("text=a&effect=quux", 'got "quux"'),
    "a misspelt colour": ("text=a&color=bleu", 'got "bleu"; did you mean "blue"?'),
    "a misspelt ground": ("text=a&background=whit", 'got "whit"; did you mean "white"?'),
    "a colour with #": ("text=a&color=", "color: must not be empty; in an address, write # as %23, or leave it out"),
    "a ground with #": ("text=a&background=", "background: must not be empty; in an address, write # as %23, or leave it out"),
    "a gradient with #": ("text=a&background=linear-gradient(90deg,", "in an address, write # as %23, or leave it out"),
    "a shadow with #": ("text=a&shadow=2px+2px+x+", "in an address, write # as %23, or leave it out"),
    "the name in CSS of a weight": ("text=a&bold=true", 'bold: unknown; did you mean "weight"?'),
    "the scheme": ("text=a&dark=true", 'dark: unknown; did you mean "scheme"?'),
    "another border": ("text=a&border=1", 'border: unknown; did you mean "borderWidth"?'),
    "the name of a language": ("text=a&codeLanguage=c%2B%2B", 'did you mean "cpp"?'),
    "the ending of a language": ("text=a&codeLanguage=js", 'did you mean "javascript"?'),
    "a place by its kind": ("text=a&for=emoji", 'did you mean "slack-emoji" or "discord-emoji" or "telegram-emoji"?'),
    "a misspelt weight": ("text=a&weight=bld", 'got "bld"; did you mean "bold"?'),
    "a sign in an address": ("text=a&size=+20", "a number without a sign + or spaces"),
    "nothing, where # has no sense": ("text=a&size=", "size: must not be empty"),
    "a misspelt gradient": ("text=a&color=linear-gradiant(red,blue)", 'did you mean "linear-gradient"?'),
    "an easing of another library": (f"{SLIDE}&easing=easeOutBounce", 'got "easeOutBounce"'),
    "a misspelt easing": (f"{SLIDE}&easing=eese", 'got "eese"; did you mean "ease"?'),
    "an easing with too few numbers": (f"{SLIDE}&easing=cubic-bezier(0,0,1)", "cubic-bezier(x1,y1,x2,y2)"),
    "a weight past all": ("text=a&weight=10000", "weight: must be a whole number from 100 to 1000, a name such as bold"),
    "a place by its beginning": ("text=a&for=slack", 'got "slack"; did you mean "slack-emoji"?'),
    "a place that has several": ("text=a&for=discord", 'did you mean "discord-emoji" or "discord-sticker"?'),
    "a place that there is not": ("text=a&for=fax", 'got "fax"'),
    "a misspelt preset": ("text=a&preset=neom", 'got "neom"; did you mean "neon"?'),
    "British spelling": ("text=a&align=centre", 'got "centre"; did you mean "center"?'),
    "the middle across": ("text=a&align=middle", 'got "middle"; did you mean "center"?'),
    "the centre upright": ("text=a&valign=center", 'got "center"; did you mean "middle"?'),
    "a misspelt direction": (f"{SLIDE}&direction=lefft", 'got "lefft"; did you mean "left"?'),
    "a loop that is true": ("text=a&loop=true", 'got "true"; did you mean "infinite"?'),
    "a loop forever": ("text=a&loop=forever", 'got "forever"; did you mean "infinite"?'),
    "no loop": ("text=a&loop=0", 'a whole number from 1 to 1000 or "infinite"; got "0"'),
    "pixels": ("text=a&size=48px", 'px, a number without a unit; got "48px"'),
    "per cent": ("text=a&width=100%25", "a number without a unit"),
    "seconds": (f"{SLIDE}&duration=2s", "seconds, a number without a unit"),
    "milliseconds": (f"{SLIDE}&duration=500", 'must be from 0 to 10 seconds; got "500"'),
    "a comma in a number": ("text=a&size=12,5", 'from 4 to 400 px; got "12,5"'),
    "no number": ("text=a&size=NaN", 'got "NaN"'),
    "a number past a double": ("text=a&size=1e999", 'got "1e999"'),
    "perhaps": ("text=a&italic=maybe", 'italic: must be true or false; got "maybe"'),
    "characters": ("text=a&by=chars", 'got "chars"; did you mean "glyph"?'),
    "letters": ("text=a&by=letters", 'did you mean "glyph"?'),
    "words": ("text=a&by=words", 'did you mean "word"?'),
    "a pipe": ("text=a&cursor=pipe", 'got "pipe"; did you mean "bar"?'),
    "a value twice": ("text=a&size=30&size=40", "size: is given more than once"),
    "a format in the query": ("text=a&format=jpeg", 'got "jpeg"; did you mean "png"?'),
}  # fmt: skip
JSON = "application/json"
# A body, its type, and what the fault says after the name of its parameter.
BODIES = {
    "a trailing comma": ('{"text":"a",}', JSON, "body: is not valid JSON: the comma before } is one too many, at column 12"),
    "a trailing comma in lines": (
        '{\n  "text": "é",\n  "size": 30,\n}', JSON, "the comma before } is one too many, at line 3, column 13",
    ),
    "a trailing comma in an array": ('{"blocks": [{"text": "a"},]}', JSON, "the comma before ] is one too many, at column 26"),
    "nothing": ("", JSON, 'body: is empty; send a JSON object such as {"text": "Hello"}'),
    "nothing but space": (" \r\n", JSON, "body: is empty"),
    "single quotes": ("{'text':'a'}", JSON, "strings and names stand in double quotes, at column 2"),
    "single quotes around a value": ("{\"text\":'a'}", JSON, "strings and names stand in double quotes, at column 9"),
    "no quotes": ("{text:'a'}", JSON, "expected a name in double quotes, at column 2"),
    "a comment": ('{"text":"a" /* c */}', JSON, "comments are not allowed, at column 13"),
    "a comment of a line": ('// c\n{"text":"a"}', JSON, "comments are not allowed, at line 1, column 1"),
    "a form": ("text=a&size=30", JSON, "looks like a form but its Content-Type says JSON; send Content-Type: application/x-www-form-urlencoded"),
    "JSON as a form": ('{"text":"a"}', "application/x-www-form-urlencoded", "looks like JSON but its Content-Type says form"),
    "half of it": ('{"text":"a"', JSON, "expected , or }, at column 12"),
    "the end of a line": ('{"text":\n', JSON, "a value is missing, at line 2, column 1"),
    "not a number": ('{"text":"a","size":NaN}', JSON, "expected a value, at column 20"),
    "two values": ('{"text":"a"} {}', JSON, "something follows the value, at column 14"),
    "an array": ('["a"]', JSON, "body: must be a JSON object; got an array"),
    "another coding": ('{"text":"a"}'.encode("utf-16"), JSON, "body: is not UTF-8"),
    "XML": ("<a/>", "application/xml", "Content-Type: Content-Type application/xml is not read; send application/json"),
    "a number in quotes": ('{"text":"a","size":"30"}', JSON, "a number, not a string"),
    "true in quotes": ('{"text":"a","italic":"true"}', JSON, 'italic: must be true or false; got "true"'),
    "a number for a text": ('{"text":5}', JSON, "text: must be a string; got 5"),
    "objects for texts": ('{"text":[{"text":"a"}]}', JSON, "text: must be a string; got an object; blocks takes objects"),
    "no texts": ('{"text":[]}', JSON, "text: is required"),
    "strings for blocks": ('{"blocks":["a"]}', JSON, 'blocks[0]: must be an object; got "a"'),
    "texts beside blocks": ('{"text":["a"],"blocks":[{"text":"b"}]}', JSON, "blocks: must not be given together with text"),
    "an unknown name in a block": ('{"blocks":[{"text":"b","sise":3}]}', JSON, 'blocks[0].sise: unknown; did you mean "size"?'),
    "another effect's parameter in a block": (
        '{"blocks":[{"text":"b","effect":"slide","jitter":1}]}', JSON,
        'blocks[0].jitter: is not a parameter of the effect "slide", which takes by, order,',
    ),
    "a misspelt property": (
        '{"text":"a","effect":"custom","duration":1,"keyframes":[{"opacityy":0},{}]}', JSON,
        'keyframes[0].opacityy: unknown; did you mean "opacity"?',
    ),
}  # fmt: skip
# Queries and bodies that mean the same.
TAKEN = {
    "no #": ("text=a&color=ff0000", "text=a&color=%23ff0000"),
    "no # in JSON": ({"text": "a", "color": "ff0000"}, "text=a&color=%23ff0000"),
    "the name of a weight": ("text=a&weight=bold", "text=a&weight=700"),
    "the name of a weight in CSS": ("text=a&weight=Semi-Bold", "text=a&weight=600"),
    "the name of a weight in JSON": ({"text": "a", "weight": "extraBold"}, "text=a&weight=800"),
    "a weight in quotes": ({"text": "a", "weight": "700"}, "text=a&weight=700"),
    "an easing of scripts": (f"{SLIDE}&easing=easeInOut", f"{SLIDE}&easing=ease-in-out"),
    "an easing in capitals": (f"{SLIDE}&easing=Ease_Out", f"{SLIDE}&easing=ease-out"),
    "yes": ("text=a&italic=yes", "text=a&italic=true"),
    "1": ("text=a&italic=1", "text=a&italic=true"),
    "off": ("text=a&loop=2&italic=Off", "text=a&loop=2&italic=false"),
    "an array of texts": ({"text": ["a", "b"]}, "text=a&text=b"),
    "an array of one text": ({"text": ["a"]}, "text=a"),
    "a byte order mark": (b'\xef\xbb\xbf{"text":"a"}', "text=a"),
}
EXTENSIONS = {"GIF": "gif", "jpg": "png", "jpeg": "png", "gfi": "gif", "svgz": "svg", "wepb": "webp", "txt": None}


def said(reply):
    return [f"{fault['parameter']}: {fault['message']}" for fault in reply.json["errors"]]


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_shows_the_way(server, name):
    query, words = QUERIES[name]
    reply = server.get(f"/render.svg?{query}", {"Accept": JSON})
    assert reply.status == 400 and any(words in fault for fault in said(reply)), said(reply)


@pytest.mark.parametrize("name", BODIES)
def test_a_body_shows_the_way(server, name):
    body, kind, words = BODIES[name]
    reply = server.post("/render", body, kind)
    assert reply.status in (400, 415) and any(words in fault for fault in said(reply)), said(reply)


@pytest.mark.parametrize("name", TAKEN)
def test_what_can_mean_one_thing_only_is_taken(server, name):
    sent, meant = TAKEN[name]
    if isinstance(sent, str):
        reply = server.get(f"/render.svg?{sent}")
    else:
        reply = server.post("/render.svg", sent if isinstance(sent, bytes) else json.dumps(sent), JSON)
    assert reply.status == 200, reply.body
    expected = server.get(f"/render.svg?{meant}")
    assert (reply.body, reply.headers["Content-Location"]) == (expected.body, expected.headers["Content-Location"])


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_unknown_extension_names_one_that_is_known(server, extension):
    [fault] = said(server.get(f"/render.{extension}?text=a", {"Accept": JSON}))
    meant = EXTENSIONS[extension]
    assert fault.endswith(f'got ".{extension}"' + (f'; did you mean "{meant}"?' if meant else "")), fault


def test_a_refused_accept_field_names_the_paths_that_would_do(server):
    reply = server.get("/render?text=a", {"Accept": "image/jpeg"})
    assert reply.status == 406
    paths = said(reply)[0].partition("whatever Accept says: ")[2].split(", ")
    assert {"/render.svg", "/render.png", "/render.webp"} <= set(paths)
    assert all(server.get(path + "?text=a", {"Accept": "image/jpeg"}).status == 200 for path in paths)


def test_what_takes_any_video_takes_mp4(server):
    assert server.get("/render?text=a", {"Accept": "video/*"}).headers["Content-Type"] == "video/mp4"
    assert server.get("/render?text=a", {"Accept": "video/webm, video/*"}).headers["Content-Type"] == "video/webm"
    assert server.get("/render?text=a", {"Accept": "video/lottie+json"}).headers["Content-Type"] == "video/lottie+json"


def test_without_ffmpeg_no_format_is_any_video(start):
    service = start(environment={"PATH": ""})
    answer = service.get("/render?text=a", {"Accept": "video/*"})
    assert answer.status == 406 and "video/" not in said(answer)[0].replace("video/lottie+json", "")
