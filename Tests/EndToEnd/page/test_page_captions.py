"""The page's editor of captions: pages with times, corrected, divided, joined, and moved beside a recording."""

import io
import json
import math
import mimetypes
import struct
import wave

import pytest
import srt
import webvtt
from axe_playwright_python.sync_playwright import Axe

from preview_page import WIDTHS, focus, pick_look, says_faults_only
from service import until

TALK = """WEBVTT

00:00:00.500 --> 00:00:02.000
<00:00:00.500>Hello <00:00:01.000>there, <00:00:01.500>friend.

00:00:02.400 --> 00:00:04.000 line:0
<00:00:02.400>This <00:00:03.000>is <00:00:03.500>more.

00:00:06.000 --> 00:00:07.000
<00:00:06.000>The <00:00:06.400>end.
"""
HELLO = [("Hello", 0.5, 1), ("there,", 1, 1.5), ("friend.", 1.5, 2)]
MORE = [("This", 2.4, 3), ("is", 3, 3.5), ("more.", 3.5, 4)]
END = [("The", 6, 6.4), ("end.", 6.4, 7)]
PAGES = [("Hello there, friend.", 0.5, 2.4, HELLO), ("This is more.", 2.4, 4, MORE), ("The end.", 6, 7, END)]


def loaded(visit, captions=TALK, name="talk.vtt", **options):
    """Opens the page with a file of captions, and waits for its pages."""
    tab = visit({"text": "Before"}, **options)
    take(tab, "A file of captions", name, captions.encode())
    editor(tab).locator(".caption-page").first.wait_for()
    return tab


def take(tab, label, name, contents):
    """Chooses a file in the dialog of the field that has the label."""
    tab.locator(f"input[type=file][aria-label='{label}']").set_input_files(
        {"name": name, "mimeType": mimetypes.guess_type(name)[0] or "text/plain", "buffer": contents})


def editor(tab):
    return tab.locator(".caption-editor")


def field(tab, page, name="text"):
    return editor(tab).get_by_label(f"Page {page}, {name}", exact=True)


def button(tab, name):
    return editor(tab).get_by_role("button", name=name, exact=True)


def word(tab, text, name):
    return editor(tab).get_by_label(f"Word “{text}”, {name}", exact=True)


def caret(tab, page, place):
    """Takes the caret to a place in a page's text, by keys."""
    field(tab, page).focus()
    tab.page.keyboard.press("Control+Home")
    for _ in range(place):
        tab.page.keyboard.press("ArrowRight")


def saved(tab, title):
    """Saves a file by a key; returns its name and its text. The focus comes back."""
    before = tab.page.evaluate_handle("document.activeElement")
    button(tab, f"Save as {title}").focus()
    with tab.page.expect_download() as download:
        tab.page.keyboard.press("Enter")
    before.evaluate("(one) => one.focus()")
    return download.value.suggested_filename, download.value.path().read_text()


def pages(tab):
    """Returns the pages as the JSON that is saved has them, without their places."""
    return [(page["text"], page["at"], page["until"], [(one["text"], one["at"], one["until"]) for one in page["times"]])
            for page in json.loads(saved(tab, "JSON")[1])]


def says(tab, words):
    editor(tab).locator("[role=status]", has_text=words).wait_for(state="attached")


def tone(seconds):
    """Returns the bytes of a recording."""
    file = io.BytesIO()
    with wave.open(file, "wb") as recording:
        recording.setparams((1, 2, 8000, 0, "NONE", ""))
        recording.writeframes(b"".join(
            struct.pack("<h", int(9000 * math.sin(440 * math.tau * index / 8000))) for index in range(int(8000 * seconds))))
    return file.getvalue()


# The list

def test_a_file_has_its_pages_beside_the_picture(visit):
    tab = loaded(visit)
    assert pages(tab) == PAGES
    assert [field(tab, 1, name).input_value() for name in ("start", "end", "text")] == ["0:00.5", "0:02.4", PAGES[0][0]]
    tab.shows("\n".join(text for text, *_ in PAGES))
    # Another look makes other pages of the file, as long as none has been edited.
    tab.locator("details:not([open]) > summary", has_text="Captions").evaluate_all("(all) => all.forEach((one) => one.click())")
    tab.control("pageWords").fill("2")
    until(lambda: editor(tab).locator(".caption-page").count() > 3, "shorter pages")
    tab.is_quiet()


def test_the_editor_is_loaded_with_the_first_file(visit):
    tab = visit({"text": "Later"})
    tab.shows("Later")
    names = "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /caption/.test(name))"
    assert tab.page.evaluate(names) == []
    assert editor(tab).count() == 0


def test_without_the_editor_there_are_captions(visit):
    tab = visit()
    tab.page.route("**/captions.js", lambda route: route.abort())
    tab.page.goto("about:blank")
    tab.open({"text": "Alone"})
    take(tab, "A file of captions", "talk.vtt", TALK.encode())
    tab.locator(".captions-file", has_text="talk.vtt: 3 pages.").wait_for()
    assert editor(tab).count() == 0


# Changes, by keys

def test_by_keys_alone_everything_is_reached(visit):
    tab = loaded(visit)
    press = tab.page.keyboard.press

    def tab_to(name):
        for _ in range(40):
            if focus(tab) == name:
                return
            press("Tab")
        raise AssertionError(f"{name} is not reached")
    tab.page.get_by_role("button", name="Another file", exact=True).focus()
    tab_to("Page 1, start")
    tab_to("Page 1, text")
    press("Control+End")
    tab_to("Word “friend.”, start")
    tab_to("Word “friend.”, end")
    for name in ["Divide the page at the caret", "Join with the next page", "The page comes earlier", "The page comes later"]:
        tab_to(name)
    press("Enter")
    tab_to("Page 2, start")
    press("Alt+ArrowDown")
    assert focus(tab) == "Page 3, start"
    tab_to("Page 3, text")
    press("Alt+ArrowUp")
    assert focus(tab) == "Page 2, text"
    for title in ["WebVTT", "SubRip", "JSON"]:
        tab_to(f"Save as {title}")
    tab_to("Keys")
    press("Enter")
    assert editor(tab).get_by_text("Alt+Shift+← →").is_visible()
    assert [page[1:3] for page in pages(tab)] == [(0.55, 2.4), (2.4, 4), (6, 7)]
    tab.is_quiet()


def test_words_are_corrected_and_keep_their_times(visit):
    tab = loaded(visit)
    type_, press = tab.page.keyboard.type, tab.page.keyboard.press
    caret(tab, 1, 4)
    press("Delete")
    type_("a")
    assert pages(tab)[0] == ("Hella there, friend.", 0.5, 2.4, [("Hella", 0.5, 1), *HELLO[1:]])
    # A space divides a word's time by its graphemes; without it, the words are one.
    caret(tab, 1, 8)
    type_(" ")
    assert pages(tab)[0][3] == [("Hella", 0.5, 1), ("th", 1, 1.167), ("ere,", 1.167, 1.5), HELLO[2]]
    press("Backspace")
    assert pages(tab)[0][3] == [("Hella", 0.5, 1), *HELLO[1:]]
    caret(tab, 1, 5)
    press("Delete")
    assert pages(tab)[0][3] == [("Hellathere,", 0.5, 1.5), HELLO[2]]
    press("Space")
    # A new word in a pause has that; however many keys it takes, it is one change.
    caret(tab, 3, 8)
    type_(" Of it all")
    assert [one[0] for one in pages(tab)[2][3]] == ["The", "end.", "Of", "it", "all"]
    says_faults_only(tab)
    tab.shows("Hella there, friend.\nThis is more.\nThe end. Of it all")


def test_pages_are_divided_and_joined(visit):
    tab = loaded(visit)
    press = tab.page.keyboard.press
    caret(tab, 1, 12)
    press("Enter")
    assert focus(tab) == "Page 2, text"
    halves = [("Hello there,", 0.5, 1.5, HELLO[:2]), ("friend.", 1.5, 2.4, HELLO[2:])]
    assert pages(tab) == [*halves, *PAGES[1:]]
    tab.shows("Hello there,\nfriend.\nThis is more.\nThe end.")
    # The caret is at the start of the second half.
    press("Backspace")
    assert pages(tab) == PAGES and focus(tab) == "Page 1, text"
    press("Enter")
    assert pages(tab) == [*halves, *PAGES[1:]]
    # Within a word, its time is divided.
    caret(tab, 2, 3)
    press("Enter")
    assert pages(tab)[1:3] == [("fri", 1.5, 1.714, [("fri", 1.5, 1.714)]), ("end.", 1.714, 2.4, [("end.", 1.714, 2)])]
    caret(tab, 3, 4)
    press("Delete")
    assert pages(tab)[2] == ("end. This is more.", 1.714, 4, [("end.", 1.714, 2), *MORE])
    caret(tab, 1, 0)
    press("Enter")
    says(tab, "There is nothing to divide at the caret.")
    press("Backspace")
    says(tab, "There is no page to join with.")
    caret(tab, 1, 5)
    press("Shift+Enter")
    assert pages(tab)[0][0] == "Hello\n there,"
    says_faults_only(tab)


def test_words_and_pages_are_moved(visit):
    tab = loaded(visit)
    press = tab.page.keyboard.press
    # The words beside it give way.
    caret(tab, 1, 8)
    press("Alt+ArrowRight")
    assert pages(tab)[0][3] == [("Hello", 0.5, 1.05), ("there,", 1.05, 1.55), ("friend.", 1.55, 2)]
    press("Alt+ArrowLeft")
    assert pages(tab) == PAGES
    caret(tab, 2, 0)
    press("Alt+Shift+ArrowRight")
    # A page that stays until the next one comes still does.
    assert [page[1:3] for page in pages(tab)] == [(0.5, 2.45), (2.45, 4.05), (6, 7)]
    assert pages(tab)[1][3][0] == ("This", 2.45, 3.05)
    editor(tab).get_by_label("and all after it").check()
    field(tab, 2).focus()
    press("Alt+Shift+ArrowLeft")
    assert [page[1:3] for page in pages(tab)] == [(0.5, 2.4), (2.4, 4), (5.95, 6.95)]
    for _ in range(12):
        field(tab, 1).press("Alt+Shift+ArrowLeft")
    says(tab, "There is no room for the page.")
    assert pages(tab)[0][1] == 0


def test_times_are_written_and_wrong_ones_are_kept_beside_what_is_wrong(visit):
    tab = loaded(visit)
    start = field(tab, 2, "start")
    start.fill("2,8")
    start.press("Enter")
    # Words keep their share.
    assert pages(tab)[1] == ("This is more.", 2.8, 4, [("This", 2.8, 3.25), ("is", 3.25, 3.625), ("more.", 3.625, 4)])
    start.press("ArrowDown")
    assert start.input_value() == "0:02.75"
    now = pages(tab)
    for text, fault in [("soon", "must be a time, such as 1:02.5"), ("", "must be a time"), ("0:00.1", "must not be before 0:00.5"),
                        ("9:00", "must not be after 0:03.98, just before the end")]:
        start.fill(text)
        start.press("Tab")
        assert start.get_attribute("aria-invalid") == "true" and start.input_value() == text
        problem = tab.locator(f"#{start.get_attribute('aria-describedby')}")
        assert fault in problem.inner_text() and f"got “{text}”" in problem.inner_text()
        assert pages(tab) == now
    # What else is done leaves it alone.
    caret(tab, 1, 20)
    tab.page.keyboard.type("!")
    assert start.input_value() == "9:00"
    start.focus()
    start.press("Escape")
    assert start.input_value() == "0:02.75" and start.get_attribute("aria-invalid") is None
    caret(tab, 2, 6)
    end = word(tab, "is", "end")
    end.fill("3.3")
    end.press("Enter")
    assert pages(tab)[1][3][1][2] == 3.3
    end.fill("1")
    end.press("Enter")
    assert end.get_attribute("aria-invalid") == "true" and pages(tab)[1][3][1][2] == 3.3
    assert pages(tab)[2] == PAGES[2]


def test_a_page_without_a_text_goes_and_one_has_to_stay(visit):
    tab = loaded(visit)
    field(tab, 2).fill("")
    assert [page[0] for page in pages(tab)] == ["Hello there, friend.", "The end."]
    field(tab, 1).focus()
    until(lambda: editor(tab).locator(".caption-page").count() == 2, "no empty page")
    field(tab, 2).fill("")
    field(tab, 1).focus()
    until(lambda: editor(tab).locator(".caption-page").count() == 1, "one page")
    field(tab, 1).fill("")
    says(tab, "The last page needs a text.")
    button(tab, "Save as JSON").focus()
    until(lambda: field(tab, 1).input_value() == "Hello there, friend.", "the text that it had")
    says_faults_only(tab)


def test_every_change_is_undone_and_done_again(visit):
    tab = loaded(visit)
    press = tab.page.keyboard.press
    states = [pages(tab)]

    def did():
        states.append(pages(tab))
        assert states[-1] != states[-2]
    caret(tab, 1, 12)
    press("Enter")
    did()
    press("Alt+Shift+ArrowRight")
    did()
    press("Alt+ArrowRight")
    did()
    press("Backspace")
    did()
    press("Delete")
    did()
    caret(tab, 2, 2)
    press("Enter")
    did()
    for state in reversed(states[:-1]):
        press("Control+z")
        assert pages(tab) == state
        assert tab.page.evaluate("document.activeElement.closest('.caption-editor') !== null")
    for state in states[1:]:
        press("Control+Shift+z")
        assert pages(tab) == state
    for _ in states:
        press("Control+z")
    # Before the file there was a text.
    assert editor(tab).is_hidden() and tab.control("text").input_value() == "Before"
    tab.shows("Before")
    says_faults_only(tab)


def test_pages_of_other_scripts(visit):
    tab = loaded(visit, "1\n00:00:00,000 --> 00:00:02,000\nمرحبا بالعالم\n\n2\n00:00:04,000 --> 00:00:06,000\n今日は良い天気\n\n"
                 "3\n00:00:07,000 --> 00:00:08,000\n良い日\n", "talk.srt")
    direction = "(one) => getComputedStyle(one).direction"
    assert [field(tab, page).evaluate(direction) for page in (1, 2)] == ["rtl", "ltr"]
    now = pages(tab)
    assert [one[0] for one in now[0][3]] == ["مرحبا", "بالعالم"] and len(now[1][3]) > 2
    # No space comes between what has none.
    caret(tab, 2, 3)
    tab.page.keyboard.press("Enter")
    assert [page[0] for page in pages(tab)][1:3] == ["今日は", "良い天気"]
    tab.page.keyboard.press("Backspace")
    assert pages(tab) == now
    field(tab, 1).focus()
    tab.page.keyboard.press("Control+Home")
    for _ in range(5):
        tab.page.keyboard.press("ArrowLeft")
    tab.page.keyboard.press("Enter")
    assert [page[0] for page in pages(tab)][:2] == ["مرحبا", "بالعالم"]
    says_faults_only(tab)


# Files out

def test_saved_files_are_what_other_readers_read(visit, server):
    tab = loaded(visit)
    caret(tab, 3, 8)
    tab.page.keyboard.type(" <i> R&D 3-->2")
    caret(tab, 1, 12)
    tab.page.keyboard.press("Shift+Enter")
    now = pages(tab)
    assert now[2][0] == "The end. <i> R&D 3-->2"
    name, text = saved(tab, "WebVTT")
    assert name == "talk.vtt"
    cues = list(webvtt.from_string(text))
    assert [(cue.start, cue.end) for cue in cues] == [
        ("00:00:00.500", "00:00:02.400"), ("00:00:02.400", "00:00:04.000"), ("00:00:06.000", "00:00:07.000")]
    assert [cue.text for cue in cues][1] == "This is more." and cues[0].text == "Hello there,\nfriend."
    name, text = saved(tab, "SubRip")
    subtitles = list(srt.parse(text))
    assert name == "talk.srt" and [one.content for one in subtitles] == [
        "Hello there,\nfriend.", "{\\an8}This is more.", "The end. <i> R&D 3-->2"]
    assert [(one.start.total_seconds(), one.end.total_seconds()) for one in subtitles] == [page[1:3] for page in now]
    # The service reads the same from all of them.
    for title, format in [("WebVTT", "vtt"), ("JSON", "captions")]:
        answer = server.post("/render.json", {
            "captions": saved(tab, title)[1], "captionFormat": format, "preset": "captions", "width": 1280, "height": 720,
            "pageBreak": "cue"})
        blocks = answer.json["blocks"]
        assert [[one["at"] for one in block["times"]] for block in blocks] == [[one[1] for one in page[3]] for page in now]
        assert [block["text"].replace("\n ", "\n") for block in blocks] == [page[0].replace("\n ", "\n") for page in now]
        # The second stands at the top, as in the file.
        assert [block["rect"]["y"] < 200 for block in blocks] == [False, True, False]


def test_saved_pages_are_read_again_as_they_are(visit):
    tab = loaded(visit)
    caret(tab, 1, 12)
    tab.page.keyboard.press("Enter")
    now, (_, text) = pages(tab), saved(tab, "JSON")
    take(tab, "A file of captions", "again.json", text.encode())
    tab.locator(".captions-file", has_text="again.json").wait_for()
    assert pages(tab) == now and saved(tab, "SubRip")[0] == "again.srt"


def test_edited_captions_are_what_the_other_formats_show(visit):
    tab = loaded(visit)
    field(tab, 1).fill("Goodbye there, friend.")
    tab.shows("Goodbye there, friend.\nThis is more.\nThe end.")
    name, file = tab.download()
    assert name.endswith(".svg") and b"Goodbye there, friend." in file
    assert tab.request()["pageBreak"] == "cue"


def test_a_fault_leads_to_its_page(visit):
    tab = loaded(visit)
    field(tab, 2).fill("long " + "x" * 300)
    link = tab.locator(".captions .problem").get_by_role("link", name="Page 2")
    link.wait_for()
    link.click()
    assert focus(tab) == "Page 2, text"
    tab.page.keyboard.press("Control+z")
    tab.shows("Hello there, friend.\nThis is more.\nThe end.")
    says_faults_only(tab)


@pytest.mark.parametrize("keys,is_saved,questions", [
    (["End"], False, []), (["!"], False, ["beforeunload"]), (["!"], True, []), (["!", "Control+z"], False, []),
    (["!", "Control+z", "Control+Shift+z"], False, ["beforeunload"])])
def test_what_is_not_saved_is_not_left_without_a_question(visit, keys, is_saved, questions):
    tab = loaded(visit)
    asked = []

    def answer(dialog):
        asked.append(dialog.type)
        dialog.accept()
    tab.on("dialog", answer)
    for key in keys:
        field(tab, 1).press(key)
    if is_saved:
        saved(tab, "WebVTT")
    tab.page.goto("about:blank")
    assert asked == questions


def test_what_is_wrong_with_a_file_stands_beside_it(visit):
    tab = loaded(visit)
    problem = tab.locator(".captions .problem")
    take(tab, "A file of captions", "notes.txt", b"Just words")
    problem.get_by_text("notes.txt has no times of SubRip").wait_for()
    assert problem.evaluate("(one) => one.getBoundingClientRect().bottom < innerHeight")
    # Undo brings the file back, with its name.
    tab.page.keyboard.press("Control+z")
    tab.locator(".captions-file", has_text="talk.vtt: 3 pages.").wait_for()
    assert problem.is_hidden() and saved(tab, "JSON")[0] == "talk.json"
    # An empty file takes nothing away.
    take(tab, "A file of captions", "empty.srt", b" \n")
    problem.get_by_text("empty.srt is empty.").wait_for()
    assert pages(tab) == PAGES
    says_faults_only(tab)


def test_back_and_forth_keep_the_captions(visit):
    tab = loaded(visit)
    field(tab, 1).press("!")
    for look in ("Boxed captions", "Popping captions"):
        pick_look(tab, look)
    texts = [field(tab, number).input_value() for number in (1, 2, 3)]
    for _ in range(2):
        tab.page.go_back()
        assert [field(tab, number).input_value() for number in (1, 2, 3)] == texts
    # The address has none; after a reload the page says so.
    tab.page.go_forward()
    tab.on("dialog", lambda dialog: dialog.accept())
    tab.page.reload()
    tab.locator(".captions .problem", has_text="choose it again").wait_for()
    says_faults_only(tab)


def test_a_change_that_is_undone_has_the_caret(visit):
    tab = loaded(visit)
    caret(tab, 1, 12)
    tab.page.keyboard.press("Enter")
    says(tab, "Page 1 is divided.")
    tab.page.keyboard.press("Control+z")
    assert focus(tab) == "Page 1, text"
    assert field(tab, 1).evaluate("(one) => one.selectionStart") == 12
    assert editor(tab).get_by_text("Page 1 is divided.").count() == 0


def test_a_transcript_may_have_as_many_bytes_as_a_file(visit):
    words = [dict(word=f" word{number}", start=number / 4, end=number / 4 + 0.2, probability=0.123456789) for number in range(200)]
    text = "".join(word["word"] for word in words)
    transcript = json.dumps(dict(text=text, segments=[dict(start=0, end=50, text=text, words=words)]), indent=12)
    assert 65_536 // 2 < len(transcript) < 262_144
    transcript += " " * 70_000
    tab = loaded(visit, transcript, "talk.json")
    assert editor(tab).locator(".caption-page").count() > 3
    tab.is_quiet()


def test_captions_of_thousands_of_animations_are_one_layer(visit):
    cues = "".join(f"{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\nLine number {number} of words\n\n" for number in range(1, 40))
    tab = loaded(visit, cues, "long.srt")
    style = """[...document.querySelectorAll('.stage object')].map(
      ({ contentDocument }) => contentDocument.defaultView.getComputedStyle(contentDocument.documentElement).willChange)"""
    until(lambda: set(tab.page.evaluate(style)) == {"contents"}, "one layer")
    tab.page.keyboard.press("Control+z")
    until(lambda: "contents" not in tab.page.evaluate(style), "a layer for each")


def test_whatever_is_done_the_pages_can_be_read(visit, server):
    tab = visit()
    captions = tab.page.evaluate("""async ([talk, texts]) => {
        const model = await import('/modules/caption-pages.js');
        let seed = 1;
        const random = (most) => (seed = seed * 48271 % 2147483647) % most;
        const isRight = (pages) => pages.every(({ at, until, text, words }) => at < until && at >= 0
            && (words.length === 0) === !/\\S/.test(text) && words.every((word, one) => word.at < word.until
                && word.until <= until && word.at >= (words[one - 1]?.at ?? at) && word.start >= (words[one - 1]?.end ?? 0)
                && word.end > word.start && word.end <= text.length && !/^\\s|\\s$/.test(text.slice(word.start, word.end))));
        let pages = model.readPages(talk);
        const done = [];
        for (let step = 0; step < 4000; step += 1) {
            const index = random(pages.length);
            const page = pages[index];
            const places = [...new Intl.Segmenter().segment(page.text)].map((one) => one.index).concat(page.text.length);
            const number = random(places.length);
            const place = places[number];
            const seconds = (random(41) - 20) / 20;
            const before = pages;
            const kind = random(8);
            if (kind < 3) {
                const typing = new model.Typing(page);
                const end = places[Math.min(number + (random(3) === 0 ? random(6) : 0), places.length - 1)];
                typing.type(page.text.slice(0, place) + texts[random(texts.length)] + page.text.slice(end));
                if (model.hasText(typing.page)) pages = model.replaced(pages, index, [typing.page]);
            } else if (kind === 3) {
                const halves = model.split(page, place);
                if (halves) pages = model.replaced(pages, index, halves);
            } else if (kind === 4 && pages[index + 1] && page.text.length < 100) {
                pages = model.replaced(pages, index, [model.joined(page, pages[index + 1])], 2);
            } else if (kind === 5) {
                pages = model.shifted(pages, index, seconds, random(2) === 1) ?? pages;
            } else if (kind === 6 && page.words.length > 0) {
                pages = model.withWordMoved(pages, index, random(page.words.length), seconds) ?? pages;
            } else if (kind === 7) {
                const name = ['at', 'until'][random(2)];
                const time = Math.round((page[name] + seconds) * 1000) / 1000;
                if (!model.faultOfPage(pages, index, name, time)) pages = model.withTime(pages, index, name, time);
            }
            if (!isRight(pages)) return { step, kind, index, place, seconds, before, pages };
            if (step % 200 === 0) done.push(model.captionsOf(pages));
            if (pages.length > 12 || pages.some(({ text }) => text.length > 200)) pages = model.readPages(talk);
        }
        return done;
    }""", [json.dumps([{"text": text, "at": at, "until": end, "times": [dict(zip(("text", "at", "until"), one)) for one in words]}
                       for text, at, end, words in PAGES]),
           [" ", "x", " so", "è", "e\u0301", "👩‍👧", "今日は", " and then", "\n", "مرحبا ", ""]])
    assert isinstance(captions, list), captions
    for pages_ in captions:
        answer = server.post("/render.json", {"captions": pages_, "pageBreak": "cue", "width": 1920, "height": 1080, "size": 20})
        assert answer.status == 200, (answer.text, pages_)


# The recording

def test_a_recording_is_played_and_never_sent(visit):
    tab = visit({"text": "Before"})
    sent = []
    tab.on("request", lambda request: sent.append((request.url, request.post_data_buffer or b"")))
    recording = tone(4)
    tab.page.evaluate("""([captions, recording]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(recording)], 'talk.wav', { type: 'audio/wav' }));
        transfer.items.add(new File([captions], 'talk.vtt'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    }""", [TALK, list(recording)])
    field(tab, 1).wait_for()
    tab.holds("document.querySelector('.recording audio')?.duration > 3.9", "the recording")
    field(tab, 2).focus()
    tab.page.keyboard.press("Alt+Enter")
    tab.holds("document.querySelector('.caption-page:nth-child(2)').matches('.said')", "the page that is said")
    # It ends with its page.
    tab.holds("document.querySelector('.recording audio').paused", "the end of the page")
    assert 3.9 <= tab.page.evaluate("document.querySelector('.recording audio').currentTime") <= 4.1
    field(tab, 2).press("End")
    tab.page.keyboard.type("!")
    tab.shows("Hello there, friend.\nThis is more.!\nThe end.")
    button(tab, "Remove the recording").click()
    assert tab.locator(".recording audio").count() == 0 and button(tab, "Play the page").is_hidden()
    assert tab.page.evaluate("document.activeElement.textContent") == "Play a recording beside it"
    assert len(sent) > 3
    assert [url for url, body in sent if recording[44:144] in body or b"RIFF" in body] == []
    assert max(len(body) for _, body in sent) < 20_000
    tab.is_quiet()


def test_a_file_that_is_no_recording_says_so(visit):
    tab = loaded(visit)
    take(tab, "A recording", "broken.mp3", b"no sound")
    editor(tab).locator(".recording").get_by_text("broken.mp3 cannot be played here.").wait_for()
    says(tab, "broken.mp3 cannot be played here.")
    assert pages(tab) == PAGES


# Everyone

@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(visit, scheme, width):
    tab = loaded(visit, viewport={"width": width, "height": 740}, color_scheme=scheme)
    take(tab, "A recording", "talk.wav", tone(1))
    field(tab, 1, "end").fill("soon")
    field(tab, 1).focus()
    editor(tab).locator("summary").click()
    tab.shows("\n".join(text for text, *_ in PAGES))
    violations = Axe().run(tab.page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


@pytest.mark.slow
def test_no_width_makes_the_editor_scroll_sideways_and_what_is_pointed_at_can_be_hit(visit):
    tab = loaded(visit)
    field(tab, 2).focus()
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert editor(tab).locator(".caption-pages").evaluate("(list) => list.scrollWidth <= list.clientWidth")
        assert tab.smaller(".caption-editor :is(button, textarea, input[type=text])", 24, 24) == [], width


def test_every_control_has_a_name_of_its_own(visit):
    tab = loaded(visit)
    field(tab, 2).focus()
    names = editor(tab).evaluate("""(root) => [...root.querySelectorAll('button, input, textarea')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.ariaLabel || one.labels?.[0]?.textContent.trim() || one.textContent.trim())""")
    assert "" not in names and len(names) == len(set(names)) > 15
