"""The formats on the preview page: what it shows of each, and the parameters that each reads."""
import base64
import io
import random
import re

import pytest
from PIL import Image
from axe_playwright_python.sync_playwright import Axe

import catalogue_checks
from preview_page import FRAMES, NARROW, SHOWN, THREE, TIMES, choose, focus, pick_format
from service import until


@pytest.mark.slow
def test_every_format_shows_its_own_file(visit, server, formats):
    catalogue_checks.every_format_shows_its_own_file(visit, server, formats)


@pytest.mark.slow
def test_an_image_is_the_file_pixel_by_pixel(visit, server):
    tab = visit({"text": "Pixels", "effect": "none", "background": "#ffcc00", "scale": "2", "format": "png"})
    tab.shows_image()
    for format in ["png", "gif", "apng", "webp"]:
        choose(tab, format)
        width, height, drawn = tab.page.evaluate(f"""() => {{
            const image = document.querySelector('{SHOWN}');
            const {{ naturalWidth: width, naturalHeight: height }} = image;
            const paper = Object.assign(document.createElement('canvas'), {{ width: 2 * width, height: 2 * height }});
            paper.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
            return [width, height, paper.toDataURL()];
        }}""")
        file = Image.open(io.BytesIO(server.get(tab.link()).body)).convert("RGBA")
        shown = Image.open(io.BytesIO(base64.b64decode(drawn.partition(",")[2])))
        assert file.size == (2 * width, 2 * height)
        assert file.tobytes() == shown.convert("RGBA").tobytes(), format
        assert f'width="{width}" height="{height}"' in tab.locator("#snippet-html").input_value()
        assert tab.fact("Canvas") == f"{width} × {height} px at 2×"


@pytest.mark.slow
def test_the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats):
    catalogue_checks.the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats)


def test_what_a_format_does_not_take_is_not_asked_for_and_comes_back_with_one_that_does(visit):
    own = {"fps": "10", "levels": "8", "matte": "black", "scale": "2"}
    tab = visit({"text": "Own", "effect": "fade", "format": "gif", **own})
    image = tab.shows_image()
    tab.open_menu()
    for name, value in own.items():
        assert tab.control(name).input_value() == value
    pick_format(tab, "png")
    assert tab.request() == {"text": "Own", "effect": "fade", "format": "png", "scale": "2"}
    pick_format(tab, "svg")
    tab.control("darkColor").fill("#fedcba")
    assert tab.request() == {"text": "Own", "effect": "fade", "darkColor": "#fedcba"}
    tab.shows("Own")
    pick_format(tab, "gif")
    assert tab.request() == {"text": "Own", "effect": "fade", "format": "gif", **own}
    tab.shows_another_image_than(image)
    assert "fps=10" in tab.locator("#snippet-editable-url").input_value()
    assert "dark" not in tab.locator("#snippet-editable-url").input_value()
    tab.is_quiet()


def test_levels_are_left_to_the_format_or_counted(visit, server):
    request = {"text": "Fewer", "effect": "fade", "format": "webp"}
    tab = visit(request)
    image = tab.shows_image()
    tab.open_menu()
    box = tab.field("levels").get_by_role("checkbox")
    assert box.is_checked() and tab.control("levels").input_value() == "auto"
    box.uncheck()
    assert tab.control("levels").input_value() == "32"
    tab.shows_another_image_than(image)
    image = tab.shows_image()
    assert tab.request() == {**request, "levels": "32"}
    assert len(server.get(tab.link()).body) < len(server.render("webp", text="Fewer", effect="fade").body)
    tab.control("levels").press("ArrowDown")
    assert tab.control("levels").input_value() == "31"
    box.check()
    tab.shows_another_image_than(image)
    assert tab.request() == request
    tab.is_quiet()


def test_the_format_and_its_parameters_survive_reloading(visit):
    request = {"text": "Kept", "effect": "fade", "format": "apng", "fps": "12.5", "poster": "end"}
    tab = visit(request)
    tab.shows_image()
    link = tab.link()
    tab.page.reload()
    tab.shows_image()
    assert tab.link() == link and link.endswith(".apng")
    assert tab.request() == request and tab.control("poster").input_value() == "end"


def test_a_poster_needs_no_loop(visit):
    tab = visit({"text": "Poster", "effect": "fade", "format": "gif"})
    image = tab.shows_image()
    tab.open_menu()
    tab.control("poster").select_option("end")
    tab.shows_another_image_than(image)
    assert tab.locator(".problem:visible").count() == 0
    tab.is_quiet()


def test_a_format_that_nobody_knows_is_said_beside_the_menu(visit):
    tab = visit({"text": "Film", "effect": "none", "format": "film"})
    tab.locator(".problems").get_by_role("link", name="Format").click()
    tab.field("format").locator(".problem").wait_for()
    pick_format(tab, "png")
    tab.shows_image()
    assert tab.locator(".problem:visible").count() == 0


def test_a_format_of_which_the_page_has_never_heard(visit, server):
    listed = server.get("/formats").json
    fps = next(parameter for format in listed["formats"] for parameter in format["parameters"]
               if parameter["name"] == "fps")
    listed["formats"].append({"name": "film", "title": "Film", "mediaType": "video/film+json", "extension": "flm",
                              "animated": True, "darkColors": False, "parameters": [fps]})
    general = server.get("/parameters").json
    next(one for one in general["parameters"] if one["name"] == "format")["values"].append("film")
    tab = visit()
    tab.page.goto("about:blank")
    tab.page.route("**/formats", lambda route: route.fulfill(json=listed))
    tab.page.route("**/parameters", lambda route: route.fulfill(json=general))
    tab.page.route("**/render.flm?*", lambda route: route.fulfill(
        body='{"reel":1}', content_type="video/film+json", headers={"Titlecard-Duration": "1.5"}))
    # The page asks for it after a while; this server would answer that it has no such format.
    tab.page.route("**/embed?*", lambda route: None)
    tab.open({"text": "Roll it", "effect": "slide", "format": "film", "fps": "10"})
    tab.shows_image()
    tab.open_menu()
    assert tab.locator(".format-fields .field:visible").count() == 1 and tab.control("fps").is_visible()
    tab.page.keyboard.press("Escape")
    assert tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is Film."
    assert tab.fact("Size") == "10 B" and tab.fact("Duration") == "1.50 s"
    assert tab.locator(".snippet").count() == 1
    assert tab.link() == "/render.flm?text=Roll+it&effect=slide&fps=10"
    assert tab.download() == ("roll-it.flm", b'{"reel":1}')
    tab.is_quiet()


def test_a_video_is_made_when_it_is_asked_for(visit, server):
    asked = []
    tab = visit({"text": "Film", "effect": "slide"})
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.open_menu()
    tab.locator(".places").get_by_text("Video MP4", exact=True).click()
    tab.page.keyboard.press("Escape")
    tab.locator(".facts", has_text="Takes").wait_for()
    tab.shows("Film")
    assert tab.fact("Takes") == "about 1 s" and tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is MP4."
    assert not any("/render.mp4" in url for url in asked)
    name, file = tab.download()
    assert (name, file) == ("film.mp4", server.get("/render.mp4?text=Film&effect=slide").body)
    assert tab.fact("Size") and len([url for url in asked if "/render.mp4" in url]) == 1
    # It is there now.
    assert tab.download() == (name, file) and len([url for url in asked if "/render.mp4" in url]) == 1
    tab.is_quiet()


def test_the_making_of_a_video_can_be_given_up(visit):
    tab = visit({"text": "Film", "effect": "slide", "format": "mp4"})
    tab.locator(".facts", has_text="Takes").wait_for()
    tab.page.route("**/render.mp4?*", lambda route: None)
    with tab.page.expect_request("**/render.mp4?*"):
        tab.locator(".download").click()
    tab.locator(".waiting", has_text="Making the MP4, about 1 s:").wait_for()
    with tab.page.expect_event("requestfailed"):
        tab.locator(".waiting").get_by_role("button", name="Cancel").click()
    tab.locator(".told-note", has_text="The MP4 was not made.").wait_for()
    assert not tab.locator(".waiting").is_visible() and tab.fact("Takes") == "about 1 s"
    # Another picture gives it up too.
    with tab.page.expect_request("**/render.mp4?*"):
        tab.locator(".download").click()
    with tab.page.expect_event("requestfailed"):
        tab.control("text").fill("Another film")
    tab.shows("Another film")


def test_an_svg_stands_in_for_a_picture_that_takes_long(visit):
    tab = visit({"text": "Slow", "effect": "slide"})
    tab.shows("Slow")
    waiting = []
    tab.page.route("**/render.gif?*", lambda route: route.continue_() if route.request.method == "HEAD" else waiting.append(route))
    tab.open_menu()
    pick_format(tab, "gif")
    tab.page.keyboard.press("Escape")
    tab.locator(".stage-caption", has_text="Shown as SVG until the GIF is there.").wait_for()
    tab.shows("Slow")
    waiting[0].continue_()
    tab.shows_image()
    assert tab.locator(".stage-caption").inner_text() == ""


def test_a_film_cannot_be_sought_but_starts_again(visit):
    tab = visit({"text": "Film", "effect": "slide", "duration": "5", "format": "gif"})
    image = tab.shows_image()
    assert tab.locator(".timeline").is_disabled() and tab.locator("[aria-label=Pause]").is_disabled()
    tab.holds("document.querySelector('.timeline').value > 0.01", "that time goes by")
    tab.locator("[aria-label=Restart]").click()
    tab.shows_another_image_than(image)
    assert tab.locator(".phase").count() == 0


def test_a_still_says_which_instant_it_shows(visit, server):
    tab = visit({"text": "Still", "effect": "slide", "format": "png"})
    image = tab.shows_image()
    assert tab.locator(".moment").inner_text() == "One frame: the finished text"
    assert not tab.locator(".timeline").is_visible()
    tab.open_menu()
    tab.field("time").get_by_role("checkbox").uncheck()
    tab.control("time").fill("0.25")
    tab.locator(".moment", has_text="One frame, at 0.25 s").wait_for()
    tab.shows_another_image_than(image)
    assert server.get(tab.link()).body == server.render("png", text="Still", effect="slide", time=.25).body
    choose(tab, "svg")
    tab.locator("[aria-label=Pause]").wait_for()


def test_a_slow_rendering_is_announced_and_given_up_for_a_newer_one(visit):
    # In a colour that can be read on every page, for words about it would come later.
    tab = visit({"text": "Slow", "effect": "none", "color": "#808080"})
    tab.shows("Slow")
    positions = """['.stage', '.deck', '.about', '.embed'].map(
        (one) => document.querySelector(one).getBoundingClientRect().y)"""
    before = tab.page.evaluate(positions)
    held, failed = [], []
    tab.on("requestfailed", lambda request: failed.append(request.url))
    tab.page.route(
        "**/render.gif?text=Slow*", lambda route: route.continue_() if route.request.method == "HEAD" else held.append(route))
    pick_format(tab, "gif")
    waiting = tab.locator(".waiting")
    waiting.wait_for()
    assert tab.locator(".about [role=status]").text_content() == "Rendering the GIF"
    assert waiting.inner_text().startswith("Rendering the GIF ")
    assert not tab.locator(".facts").is_visible()
    assert tab.page.evaluate(positions) == before
    shown = waiting.locator(".waiting-time").inner_text()
    until(lambda: waiting.locator(".waiting-time").inner_text() != shown, "that the time goes on")
    # The picture before still stands, and can be played and taken away.
    tab.shows("Slow")
    assert tab.locator(".download").get_attribute("download") == "slow.svg"

    def given_up():
        """How many; what else the page asks for at first may break off too."""
        return sum("/render.gif?" in url for url in failed)

    assert len(held) == 1 and given_up() == 0
    tab.control("text").fill("Quick")
    tab.shows_image()
    until(lambda: tab.page.evaluate("1") and given_up() == 1, "that the slow one is given up")
    waiting.wait_for(state="hidden")
    assert tab.locator(".download").get_attribute("download") == "quick.gif"
    assert tab.page.evaluate(positions) == before
    tab.is_quiet()


def test_a_file_that_breaks_off_is_not_shown(visit):
    tab = visit({"text": "Whole", "effect": "none"})
    tab.shows("Whole")
    tab.page.evaluate("() => { Response.prototype.blob = () => Promise.reject(new TypeError('cut')); }")
    pick_format(tab, "gif")
    tab.locator(".status", has_text="broke off").wait_for()
    tab.shows("Whole")
    tab.is_quiet()


def test_a_rendering_from_the_browsers_cache_is_not_called_rendered(visit):
    tab = visit({"text": "Once more", "effect": "none", "format": "png"})
    tab.shows_image()
    assert "Rendered in" in tab.locator(".facts").inner_text()
    choose(tab, "gif")
    choose(tab, "png")
    assert "From cache in" in tab.locator(".facts").inner_text()


def test_several_texts_are_posted_for_their_format(visit, server):
    tab = visit({**THREE, "format": "gif", "fps": "10"})
    tab.shows_image()
    request = {"effect": "slide", "fps": 10, "blocks": [
        {"text": "One"}, {"text": "Two", "effect": "fade"}, {"text": "Three", "size": 20}]}
    assert tab.link() == server.post("/render.gif", request).headers["Content-Location"]
    assert tab.download() == ("one-two-three.gif", server.get(tab.link()).body)


@pytest.mark.slow
def test_what_no_address_can_hold_is_shown_and_can_be_taken_away(visit):
    chance = random.Random(7)
    text, title = ("".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(count)) for count in (1500, 1000))
    tab = visit({"text": text, "title": title, "size": "8", "width": "600", "effect": "none"})
    for format in ["svg", "png", "json"]:
        choose(tab, format)
        assert tab.locator(f"img{SHOWN}").is_visible()
        tab.locator(".embed .note", has_text=f"POST it to /render.{format}").wait_for()
        name, file = tab.download()
        assert name.endswith(f".{format}") and len(name) <= 65 and len(file) > 5_000


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.slow
def test_no_format_moves_the_page(visit, formats, width):
    catalogue_checks.no_format_moves_the_page(visit, formats, width)


@pytest.mark.parametrize("viewport, own", [(None, "both"), (NARROW, "dark")])
def test_what_has_no_dark_colours_is_shown_on_light_and_dark(visit, viewport, own):
    tab = visit({"text": "Night", "effect": "none"}, color_scheme="dark", viewport=viewport)
    tab.shows("Night")

    def shown():
        scheme = tab.locator("[name=backdrop]:checked").input_value()
        assert tab.locator(".stage").get_attribute("data-scheme") == scheme
        return scheme
    assert shown() == own
    choose(tab, "gif")
    assert shown() == "both"
    tab.holds(f"document.querySelectorAll('img{FRAMES}').length === 2", "two pictures")
    choose(tab, "svg")
    tab.shows("Night")
    assert shown() == own
    choose(tab, "png")
    tab.locator("[name=backdrop][value=dark]").check()
    choose(tab, "gif")
    assert shown() == "dark"


# Where it goes

def main_button(tab):
    """Returns the words of the button in the accent's colour, if there is just one."""
    accent = tab.page.evaluate("getComputedStyle(document.querySelector('.masthead h1'), '::after').backgroundColor")
    [words] = tab.locator(".actions .button:not(.save):visible").evaluate_all(
        """(all, accent) => all.filter((one) => getComputedStyle(one).backgroundColor === accent)
            .map((one) => one.innerText.replace(/\\s+/g, ' '))""", accent)
    return words


@pytest.mark.slow
def test_where_it_goes_decides_format_and_scale(visit, server):
    tab = visit({"text": "Going places", "effect": "slide"})
    tab.shows("Going places")
    toggle = tab.page.get_by_role("button", name="where does it go?")
    assert (toggle.inner_text(), main_button(tab)) == ("README, web", "Copy Markdown")
    toggle.click()
    menu = tab.page.get_by_role("dialog", name="Where does it go?")
    places = menu.get_by_role("radiogroup", name="Where does it go?")
    assert places.get_by_role("radio", checked=True).count() == 1
    for place, values, format, words in [
        ("Chat", {"scale": "2"}, "gif", "Download GIF"), ("Still, print", {"scale": "4"}, "png", "Download PNG"),
        ("Slack emoji", {"for": "slack-emoji"}, "gif", "Download GIF"), ("App", {}, "lottie", "Download Lottie"),
        ("Your own code", {}, "json", "Copy URL"), ("GitHub README", {"for": "github-readme"}, "svg", "Copy Markdown"),
        ("README, web", {}, "svg", "Copy Markdown"),
    ]:
        menu.locator(".place", has_text=re.compile(f"^{place} ")).click()
        expected = {} if format == "svg" else {"format": format}
        assert tab.request() == {"text": "Going places", "effect": "slide", **expected, **values}
        assert tab.control("format").input_value() == format
        extension = {"lottie": "lot"}.get(format, format)
        tab.holds("(place) => document.querySelector('.place-name').textContent === place", "its picture", place)
        assert main_button(tab) == words
        assert tab.locator(".save").get_attribute("download") == f"going-places.{extension}"
        until(lambda: tab.link().endswith("." + extension), "the link")
        size = len(server.get(tab.link()).body)
        shown = f"{size / 1000:.1f} kB" if size >= 1000 else f"{size} B"
        assert menu.locator(".save").inner_text().splitlines()[1].startswith(shown)
    # Values that suit no place in the list are nobody's.
    tab.open_menu()
    tab.control("format").select_option("apng")
    assert places.get_by_role("radio", checked=True).count() == 0
    tab.holds("document.querySelector('.save').download === 'going-places.apng'", "the other file")
    assert (toggle.inner_text(), main_button(tab)) == ("APNG", "Copy Markdown")
    with tab.page.expect_download() as download:
        menu.locator(".save").click()
    assert download.value.suggested_filename == "going-places.apng"
    tab.page.keyboard.press("Escape")
    assert menu.count() == 0 and toggle.evaluate("(one) => one === document.activeElement")
    tab.is_quiet()


def test_an_address_that_names_a_place_only_has_its_format(visit, server):
    tab = visit({"text": "ok", "for": "slack-emoji"})
    tab.shows_image()
    assert tab.locator(".place-name").inner_text() == "Slack emoji"
    assert tab.download() == ("ok.gif", server.get("/render?text=ok&for=slack-emoji").body)
    tab.is_quiet()


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 360, "height": 640}, {"width": 820, "height": 1180},
                                      {"width": 844, "height": 390}, {"width": 1280, "height": 800}],
                         ids=["390", "360", "820", "landscape", "1280"])
def test_the_list_of_places_covers_no_picture_and_its_download_is_in_view(visit, viewport):
    tab = visit({"text": "Seen", "effect": "slide"}, viewport=viewport)
    tab.shows("Seen")
    tab.locator(".delivery-toggle").click()
    picture, menu, save = (tab.locator(one).bounding_box() for one in (SHOWN, ".delivery", ".save"))
    assert picture["x"] >= menu["x"] + menu["width"] or picture["y"] + picture["height"] <= menu["y"]
    assert menu["y"] <= save["y"] and save["y"] + save["height"] <= viewport["height"]


def test_no_label_of_the_list_is_a_parameters_bare_name(visit, formats):
    tab = visit({"text": "Labels"})
    tab.shows("Labels")
    labels = tab.page.evaluate("""Object.fromEntries([...document.querySelectorAll('.delivery .field')].map(
        (one) => [one.dataset.parameter, one.querySelector('.field-head :is(label, h2)').textContent]))""")
    assert len(labels) > 12
    bare = {name: label for name, label in labels.items()
            if label.lower() == re.sub("([A-Z])", r" \1", name).lower()}
    assert bare == {}


@pytest.mark.parametrize("viewport", [{"width": 360, "height": 740}, {"width": 768, "height": 900},
                                      {"width": 1280, "height": 600}, {"width": 1400, "height": 900}],
                         ids=["360", "768", "1280", "1400"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_menu_is_seen_whole_and_has_no_fault(visit, viewport, scheme):
    tab = visit({"text": "Menu", "effect": "slide", "format": "gif"}, viewport=viewport, color_scheme=scheme)
    tab.shows_image()
    tab.open_menu()
    box = tab.locator(".delivery").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= viewport["width"] and box["y"] + box["height"] <= viewport["height"]
    small = tab.page.evaluate("""[...document.querySelectorAll('.delivery :is(a, button, input, select)')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.closest('label') ?? one).filter((one) => {
            const { width, height } = one.getBoundingClientRect();
            return width < 24 || height < 24;
        }).map((one) => one.outerHTML)""")
    assert small == []
    violations = Axe().run(tab.page, context=".delivery").response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


def test_the_menu_by_keyboard(visit):
    tab = visit({"text": "Keys", "effect": "none"})
    tab.shows("Keys")
    tab.locator(".delivery-toggle").focus()
    press = tab.page.keyboard.press
    press("Enter")
    press("Tab")
    press("ArrowDown")
    assert tab.page.evaluate("document.activeElement.name") == "for"
    assert tab.request() == {"text": "Keys", "effect": "none", "format": "gif", "scale": "2"}
    press("Tab")
    assert focus(tab) == "More formats and settings"
    press("Enter")
    # A value of its own can be given up before its menu.
    press("Tab")
    assert focus(tab) == "File format: back to the default"
    press("Tab")
    assert tab.page.evaluate("document.activeElement.name") == "format"
    press("Escape")
    assert tab.locator(".delivery:popover-open").count() == 0
    tab.is_quiet()


# On a local address

def test_on_a_local_address_the_file_is_offered(visit):
    tab = visit({"text": "A [local] title", "effect": "slide"})
    tab.shows("A [local] title")
    note = tab.locator(".local")
    assert "Others cannot load pictures from 127.0.0.1." in note.inner_text()
    assert tab.locator("#snippet-file").input_value() == r"![A \[local\] title](a-local-title.svg)"
    with tab.page.expect_download() as download:
        note.get_by_role("button", name="Save the file").click()
    assert download.value.suggested_filename == "a-local-title.svg"
    choose(tab, "gif")
    assert tab.locator("#snippet-file").input_value().endswith("(a-local-title.gif)")
    choose(tab, "json")
    assert tab.locator("#snippet-file").count() == 0
    tab.is_quiet()


def test_at_a_public_address_nothing_is_said_of_files(visit, start):
    tab = visit()
    tab.page.goto("about:blank")
    tab.url = start("--public-url", "https://titles.example.com").url + "/"
    tab.open({"text": "Public", "effect": "none"})
    tab.shows("Public")
    tab.locator(".local").wait_for(state="hidden")
    assert "https://titles.example.com" in tab.locator("#snippet-permalink").input_value()


def test_reduced_motion_holds_a_film_back_until_asked(visit):
    tab = visit({"text": "Still", "effect": "slide", "format": "gif"}, reduced_motion="reduce")
    tab.shows("Still")
    assert tab.page.evaluate(TIMES) == [] and tab.locator("img.rendering").count() == 0
    note = tab.locator(".note", has_text="only SVG does so everywhere")
    assert tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is GIF."
    note.get_by_role("button").click()
    tab.shows_image()
    assert tab.locator(".stage-caption").inner_text() == "" and not note.is_visible()
    tab.is_quiet()
