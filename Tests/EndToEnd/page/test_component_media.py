"""<title-card video="ID">: captions that follow a recording of the page, in Chromium and Firefox."""

import gzip
import random
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe

from browser_motion import BACKGROUND, differences
from component_pages import CARD, FRAME, STYLED, Site, attributes, events, holds, value, visit, waits
from picture import pixels
from service import PUBLIC, by_proof, until

SCRIPT = PUBLIC / "titlecard-media.js"
LARGEST = 4_000  # bytes, gzipped
CAPTIONS = """1
00:00:00,500 --> 00:00:02,000
Hello, and welcome.

2
00:00:02,400 --> 00:00:05,000
This is Titlecard.
"""
SIZE = dict(width=640, height=360)
REQUEST = dict(captions=CAPTIONS, preset="captions-karaoke", size=32, safeArea=10, **SIZE)
# Without outlines, which browsers smooth in their own way, and with a background that hides the recording.
OPAQUE = dict(captions=CAPTIONS, effect="rise", exit="auto", spoken="sweep", spokenColor="#cf222e", weight=800, size=56,
              background="#%02x%02x%02x" % BACKGROUND, **SIZE)
TRACK = '<track id="en" kind="captions" srclang="en" label="English" src="/talk.vtt">'
# The media's own event, unless it has already come to that.
SOUGHT = """
const media = document.querySelector('video, audio');
const sought = (time) => new Promise((done) => {
  media.addEventListener('seeked', done, { once: true });
  media.currentTime = time;
});
"""
LOADED = "document.querySelector('video, audio').readyState > 2 && card.duration > 0"


@pytest.fixture(scope="module")
def site(server, tmp_path_factory):
    site = Site(server)
    site.add("/page.css", "body { margin: 0; background: #fff4d6 } main { position: relative } video { display: block }"
             "h1 { margin: 0; font: 20px/40px sans-serif } .wide { width: 900px; height: 300px; border: 5px solid }"
             ".cover { width: 300px; height: 300px; object-fit: cover }", "text/css")
    folder = tmp_path_factory.mktemp("media")
    for name, *inputs in [
        ("talk.webm", "-f", "lavfi", "-i", "color=c=0x204060:s=640x360:r=10:d=6", "-f", "lavfi", "-i", "sine=d=6"),
        ("talk.ogg", "-f", "lavfi", "-i", "sine=d=6"),
    ]:
        subprocess.run(["ffmpeg", "-v", "error", *inputs, "-b:v", "100k", folder / name], check=True)
        site.add("/" + name, (folder / name).read_bytes(), "audio/ogg" if name.endswith("ogg") else "video/webm")
    # In WebVTT the numbers are identifiers of the cues.
    site.add("/talk.vtt", "WEBVTT\n\n" + re.sub(r",(\d{3})", r".\1", CAPTIONS), "text/vtt")
    yield site
    site.close()


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def browser(request, opened):
    return opened(request.param)


@pytest.fixture
def page(chromium):
    context = chromium.new_context(device_scale_factor=1)
    yield context.new_page()
    context.close()


def talk(inner="", tag="video", request=REQUEST, **values):
    """A recording, and a card that follows it; both without a control, which screenshots would show."""
    name = "talk.ogg" if tag == "audio" else "talk.webm"
    return (f'<main><h1>A talk</h1><{tag} id="talk" src="/{name}" muted preload="auto">{inner}</{tag}>'
            f'<title-card video="talk" {attributes(**{**request, **values})}></title-card></main>')


def boxes(browser):
    """The boxes of the video and of the card."""
    return value(browser, """[document.querySelector('video'), card].map((one) => {
      const {x, y, width, height} = one.getBoundingClientRect();
      return [x, y, width, height];
    })""")


# MARK: The module


def test_the_module_is_small_and_loaded_by_elements_that_need_it(server, site, browser):
    answer = server.get("/titlecard-media.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert len(gzip.compress(answer.body, 9)) <= LARGEST
    assert not re.search(r"^\s*import\b|\bimport\(|https?://", answer.text, re.M)
    loaded = "performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/titlecard-media.js')).length"
    visit(browser, site, "<title-card effect='none'>Without</title-card>")
    holds(browser, "card.duration >= 0")
    assert value(browser, loaded) == 0
    browser.evaluate(CARD + "card.setAttribute('video', 'none')")
    until(lambda: events(browser)[-1] == "error", "the module")
    assert value(browser, loaded) == 1
    assert browser.evaluate("return events.at(-1)[2]") == 'video: there is no <video> or <audio> with the id "none".'
    # Changes do not say it again.
    browser.evaluate(CARD + "card.setAttribute('size', '20')")
    until(lambda: events(browser)[-1] == "ready", "another picture")
    assert events(browser).count("error") == 1


def test_without_the_module_it_is_an_error(site, browser):
    site.add("/titlecard-media.js", "throw new Error('Not today.');", "text/javascript")
    try:
        visit(browser, site, talk() + "<title-card id='other' effect='none'>Another</title-card>")
        until(lambda: browser.evaluate("return events.find(([id]) => !id)") == ["", "error", "Not today."], "the error")
        browser.evaluate("document.querySelector('#other').scrollIntoView()")  # what is out of sight waits
        until(lambda: "finish" in events(browser, "other"), "another card")
    finally:
        del site.pages["/titlecard-media.js"]


# MARK: Time


def test_it_shows_the_instant_of_the_video(server, site, browser):
    visit(browser, site, talk(request=OPAQUE))
    holds(browser, LOADED)
    (left, top, *_), _ = boxes(browser)
    draws = random.Random(56)
    for time in [round(draws.uniform(0, 6), 3) for _ in range(by_proof(4, 100))]:
        browser.evaluate(SOUGHT + f"await sought({time});" + FRAME)
        reached = value(browser, "[document.querySelector('video').currentTime, card.currentTime, card.duration]")
        assert reached[0] == pytest.approx(time, abs=0.001) and reached[1] == pytest.approx(min(time, reached[2]), abs=0.001)
        painted = pixels(server.render("png", **OPAQUE, time=min(time, reached[2])).body)
        shown = pixels(browser.screenshot())[round(top) :, round(left) :][:360, :640]
        assert not list(differences(painted, shown, BACKGROUND)), time
    assert browser.evaluate("return violations") == []


@pytest.mark.parametrize("tag", ["video", "audio"])
def test_it_plays_and_pauses_at_the_rate_of_the_recording(site, browser, tag):
    visit(browser, site, talk(tag=tag))
    holds(browser, LOADED)
    browser.evaluate("const media = document.querySelector('video, audio'); media.playbackRate = 2; await media.play()")
    holds(browser, "!card.paused && card.playbackRate === 2 && card.currentTime > 0.3")
    # The clock of a page stands still within a frame, and that of a recording does not.
    off = browser.evaluate(CARD + """
      const media = document.querySelector('video, audio');
      let most = 0;
      for (let count = 0; count < 3; count += 1) {
        await new Promise((done) => media.addEventListener('timeupdate', done, { once: true }));
        if (!media.ended) most = Math.max(most, Math.abs(media.currentTime - card.currentTime));
      }
      return most;
    """)
    assert off < 0.2
    browser.evaluate("const media = document.querySelector('video, audio'); media.playbackRate = 0.5;" + FRAME)
    holds(browser, "card.playbackRate === 0.5 && !card.paused")
    browser.evaluate("document.querySelector('video, audio').pause()")
    # Firefox rounds the clocks of animations.
    holds(browser, "card.paused && Math.abs(card.currentTime - document.querySelector('video, audio').currentTime) < 0.002")
    browser.evaluate(SOUGHT + "await sought(4.9); media.playbackRate = 4; await media.play();")
    holds(browser, "document.querySelector('video, audio').ended && card.paused && card.currentTime === card.duration")
    assert value(browser, "getComputedStyle(card).position") == ("absolute" if tag == "video" else "relative")
    assert value(browser, "card.shadowRoot.querySelector('button').hidden")


def test_nothing_but_the_recording_starts_it(site, browser):
    visit(browser, site, talk(start="load", poster="end", controls=""))
    holds(browser, LOADED + " && !svg.hasAttribute('data-still')")
    assert value(browser, "[card.paused, card.currentTime, card.shadowRoot.querySelector('button').hidden]") == [True, 0, True]


def test_what_comes_late_or_changes_joins_in(site, browser):
    visit(browser, site, talk().replace(' video="talk"', ""))
    holds(browser, LOADED)
    browser.evaluate(SOUGHT + "await sought(3);" + CARD + "card.setAttribute('video', 'talk');")
    holds(browser, "card.currentTime === 3 && card.style.position === 'absolute'")
    browser.evaluate(CARD + "card.setAttribute('preset', 'captions');")
    until(lambda: events(browser).count("ready") == 2, "another picture")
    assert value(browser, "card.currentTime") == 3
    browser.evaluate(CARD + "card.removeAttribute('video');")
    holds(browser, "card.style.position === ''")
    browser.evaluate(SOUGHT + "await sought(1);" + FRAME)
    assert value(browser, "card.currentTime") != 1


def test_a_card_that_is_taken_away_follows_no_more(site, browser):
    visit(browser, site, talk(TRACK, track=""))
    browser.evaluate("document.querySelector('video').textTracks[0].mode = 'showing'")
    holds(browser, LOADED + " && !card.hidden")
    assert browser.evaluate(CARD + "window.card = card; return document.adoptedStyleSheets.length") == 1
    browser.evaluate("card.remove();" + FRAME)
    browser.evaluate(SOUGHT + "await sought(2);" + FRAME)
    assert browser.evaluate("return [card.currentTime, document.adoptedStyleSheets.length, card.style.position]") == [0, 0, ""]
    browser.evaluate("document.querySelector('main').append(card)")
    holds(browser, "card.currentTime === 2 && document.adoptedStyleSheets.length === 1")


# MARK: Place


def test_it_lies_over_the_picture_of_the_video(site, browser):
    visit(browser, site, talk())
    holds(browser, LOADED + " && card.style.width")
    video, own = boxes(browser)
    assert own == pytest.approx(video, abs=0.2) and video[1:] == [40, 640, 360]
    # The video's picture leaves room at its sides.
    browser.evaluate("document.querySelector('video').className = 'wide';" + FRAME)
    holds(browser, "Math.abs(parseFloat(card.style.height) - 300) < 0.2")
    assert boxes(browser)[1] == pytest.approx([5 + (900 - 300 * 16 / 9) / 2, 45, 300 * 16 / 9, 300], abs=0.2)
    browser.evaluate("document.querySelector('video').className = 'cover';" + FRAME)
    holds(browser, "Math.abs(parseFloat(card.style.width) - 300) < 0.2")
    # A canvas that is less high stands at the lower edge.
    assert boxes(browser)[1] == pytest.approx([0, 40 + 300 - 300 * 9 / 16, 300, 300 * 9 / 16], abs=0.2)
    # Whatever comes above it, and in a page that is drawn larger.
    browser.evaluate("""
      document.querySelector('main').style.cssText = 'transform: scale(1.5); transform-origin: 0 0';
      document.querySelector('h1').style.height = '100px';
    """)
    until(lambda: boxes(browser)[1] == pytest.approx([0, 1.5 * (100 + 300 - 300 * 9 / 16), 450, 450 * 9 / 16], abs=0.5), "its place")
    assert value(browser, "getComputedStyle(card).pointerEvents") == "none"


def test_captions_stand_at_the_safe_area(site, browser):
    visit(browser, site, talk(valign="bottom", card="fit", background="#00ff00", effect="none", cornerRadius=0))
    holds(browser, LOADED + " && card.style.width")
    browser.evaluate(SOUGHT + "await sought(1);" + FRAME)
    shown = pixels(browser.screenshot())[40:400, :640].astype(int)
    green = ((shown[..., 1] > 240) & (shown[..., 0] < 20)).any(axis=1).nonzero()[0]
    assert green.max() + 1 == pytest.approx(360 * 0.9, abs=1)


# MARK: Tracks


def cues_are_drawn(browser):
    """Whether the browser draws white letters of its own at the lower edge, which the card's safe area leaves free."""
    browser.evaluate(FRAME)
    shown = pixels(browser.screenshot())[40:400, :640]
    return bool((shown[326:] > 200).all(axis=2).any())


def test_it_is_seen_while_captions_are_on(site, browser):
    visit(browser, site, talk(TRACK, track="en", valign="top").replace("<title-card", "<title-card hidden"))
    holds(browser, LOADED)
    assert value(browser, "[card.hidden, document.adoptedStyleSheets.length]") == [True, 0]
    browser.evaluate(SOUGHT + "await sought(3); media.textTracks[0].mode = 'showing';")
    holds(browser, "!card.hidden && card.currentTime === 3 && document.querySelector('video').textTracks[0].cues?.length === 2")
    assert not cues_are_drawn(browser)
    assert value(browser, "card.getBoundingClientRect().width") == pytest.approx(640, abs=0.2)
    for mode in ("hidden", "disabled"):
        browser.evaluate(f"document.querySelector('video').textTracks[0].mode = '{mode}'")
        holds(browser, "card.hidden && document.adoptedStyleSheets.length === 0")
        browser.evaluate("document.querySelector('video').textTracks[0].mode = 'showing'")
        holds(browser, "!card.hidden")
    # Captions of another language are the browser's own.
    browser.evaluate("""
      const media = document.querySelector('video');
      media.textTracks[0].mode = 'disabled';
      const other = media.addTextTrack('subtitles', 'Other', 'de');
      other.addCue(new VTTCue(0, 9, 'ANDERE'));
      other.mode = 'showing';
    """)
    holds(browser, "card.hidden")
    until(lambda: cues_are_drawn(browser), "the other captions")
    # Without a name any of them is the element's.
    browser.evaluate(CARD + "card.setAttribute('track', '')")
    holds(browser, "!card.hidden")
    assert not cues_are_drawn(browser)


def test_the_captions_of_the_browser_stay_where_there_is_no_picture(site, browser):
    visit(browser, site, talk(TRACK.replace("<track", "<track default"), track="en", preset="none-such"))
    until(lambda: events(browser) == ["error"], "the error")
    browser.evaluate(SOUGHT + "await sought(3);")
    holds(browser, "card.hidden")
    until(lambda: cues_are_drawn(browser), "the cues")


def test_a_full_screen_has_the_captions_of_the_browser(site, page):
    page.goto(site.page(talk(TRACK.replace("<track", "<track default"), track="en"), STYLED))
    hidden = "document.querySelector('title-card').hidden"
    waits(page, f"!{hidden}")
    page.evaluate("""
      const video = document.querySelector('video');
      video.addEventListener('click', () => document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen());
    """)
    # The card lets the pointer through.
    page.locator("video").click(position=dict(x=320, y=300))
    waits(page, f"document.fullscreenElement && {hidden}")
    assert page.evaluate("document.adoptedStyleSheets.length") == 0
    page.locator("video").click()
    waits(page, f"!{hidden}")


# MARK: Accessibility


def test_reduced_motion_has_the_captions_of_the_browser(site, browser):
    visit(browser, site, talk(TRACK.replace("<track", "<track default"), track="en"))
    holds(browser, LOADED + " && !card.hidden")
    try:
        browser.prefer(still=True)
        browser.evaluate(SOUGHT + "await sought(3);")
        holds(browser, "card.hidden && document.adoptedStyleSheets.length === 0")
        until(lambda: cues_are_drawn(browser), "the cues")
        # Without a track they are what there is to read.
        browser.evaluate(CARD + "card.removeAttribute('track')")
        holds(browser, "!card.hidden && card.currentTime === 3 && card.style.position === 'absolute' && !svg.hasAttribute('data-still')")
    finally:
        browser.prefer()


def test_the_words_are_read_once_and_axe_finds_no_fault(site, page):
    page.goto(site.page(talk(TRACK.replace("<track", "<track default"), track="en").replace(" muted", " muted controls"), STYLED))
    waits(page, "document.querySelector('title-card').duration > 0 && !document.querySelector('title-card').hidden")
    page.evaluate("async () => {" + SOUGHT + "await sought(1);" + FRAME + "}")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [(node["role"]["value"], node["name"]["value"]) for node in tree
             if not node["ignored"] and re.search("welcome|Titlecard", node.get("name", {}).get("value", ""))]
    assert [(role, name.replace("\n", " ")) for role, name in named] == [("image", "Hello, and welcome. This is Titlecard.")]
    live = "[...card.shadowRoot.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')].length"
    assert page.evaluate("() => {" + CARD + f"return {live} }}") == 0
    violations = Axe().run(page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []
