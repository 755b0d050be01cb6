"""What holds of everything in the catalogues, of the server and of its preview page.

Functions are named as the tests that call them, of the server and of the extended one.
"""

from catalogue import catalogue_of
from preview_page import RENDER, SHOWN, TIMES, pick_effect, pick_format, refuse, some_effects
from service import sample, until


def every_wrong_value_of_a_parameter_is_refused_by_its_name(server):
    catalogue = catalogue_of(server)
    parameters = [(effect, each) for effect, names in catalogue.effects.items() for each in names.values()]
    for effect, parameter in [*parameters, *(("none", each) for each in catalogue.format_parameters.values())]:
        for value in parameter.wrong:
            needed = {each.name: [{}] for each in catalogue.effects[effect].values() if each.is_required}
            answer = server.post("/render.json", {"text": "x", "effect": effect, **needed, parameter.name: value})
            assert (answer.status, answer.faults) == (400, [parameter.name]), (effect, parameter, value)


def as_shown(default):
    if isinstance(default, bool):
        return default
    return "" if default is None else f"{default:g}" if isinstance(default, (int, float)) else default


def the_parameters_are_those_of_the_chosen_effect(visit, server):
    tab = visit({"text": "Effects"})
    for effect in some_effects(server):
        pick_effect(tab, effect["name"])
        shown = tab.page.evaluate("""[...document.querySelectorAll('.effect-fields .field')].map((field) => {
            const named = field.querySelector(`[name=${field.dataset.parameter}]`);
            const control = named.value.endsWith('()') ? field.querySelector('.easing-own') : named;
            return [field.dataset.parameter, control.type === 'checkbox' ? control.checked : control.value];
        })""")
        # Keyframes have no default and begin with an example.
        shown = [[name, "" if name == "keyframes" else value] for name, value in shown]
        assert shown == [[parameter["name"], as_shown(parameter["default"])] for parameter in effect["parameters"]]
        until(lambda: tab.request().get("effect", "typewriter") == effect["name"], "the address")
        # Fall and scroll are seen as the text leaves; the exit goes again with the effect.
        required = {"custom": {"keyframes"}, "fall": {"exit"}, "scroll": {"exit"}}.get(effect["name"], set())
        assert tab.request().keys() - {"text", "effect"} == required
    tab.shows("Effects")
    tab.is_quiet()


def every_parameter_that_leaves_a_choice_has_a_control(visit, server):
    tab = visit({"text": "All"})
    for name, entry in server.parameters.items():
        fixed = len(entry.get("values", "..")) < 2 or (
            "anyOf" not in entry["schema"] and entry.get("minimum", 0) == entry.get("maximum", 1))
        if name not in {"blocks", "format", "captions", "at", "until", "times"}:
            assert tab.field(name).locator(f"[name={name}], .{name}").count() >= 1 - fixed, name
            assert tab.field(name).count() == (0 if fixed else 1), name


def every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server):
    effects = server.get("/effects").json["effects"]
    slide = [parameter["name"] for effect in effects if effect["name"] == "slide" for parameter in effect["parameters"]]
    faults = [{"parameter": name, "message": f"is wrong with {name}."} for name in [
        *sample(list(server.parameters), 16), *slide, "body", "request", "Accept", "signature",
        "keyframes[1].blur", "size[0].x"]]
    for request in [{"text": "All"}, {"1.text": "One", "2.text": "Two"}]:
        several = [{"parameter": f"blocks[1].{name}", "message": f"is wrong with the second's {name}."}
                   for name in ["text", "markup", "effect", "size", "distance", "cursor", "nonsense"]]
        several += [{"parameter": "blocks[1]", "message": "is wrong with the second."}]
        tab = visit({**request, "effect": "slide", "format": "gif"})
        refuse(tab, RENDER, errors=faults + (several if "2.text" in request else []))
        tab.control("seed").fill("7")
        tab.locator(".status", has_text="Invalid parameters").wait_for()
        for fault in faults + (several if "2.text" in request else []):
            words = fault["message"]
            visible = tab.locator(".problem:visible, .problems li:visible", has_text=words)
            assert visible.count() >= 1, fault
            link = tab.locator(".problems li", has_text=words).get_by_role("link")
            if link.count():
                link.click()
                focused = tab.page.evaluate("document.activeElement.closest('.field').dataset.parameter")
                name = fault["parameter"].rpartition(".")[2] if "." in fault["parameter"] else fault["parameter"]
                if fault["parameter"] in ("size[0].x", "blocks", "blocks[1]"):
                    name = {"size[0].x": "size"}.get(fault["parameter"], "text")
                assert focused == name, fault
                if name == fault["parameter"] and name not in ("blocks", "text"):
                    tab.reads(words)


def every_format_shows_its_own_file(visit, server, formats):
    tab = visit({"text": "Hello, world", "effect": "slide"})
    tab.shows("Hello, world")
    assert tab.control("format").evaluate("(menu) => [...menu.options].map((one) => one.value)") == list(formats)
    for format, (extension, kind) in formats.items():
        if format != "svg":
            pick_format(tab, format)
        tab.holds("(end) => document.querySelector('#snippet-permalink').value.endsWith(end)", format, f".{extension}")
        ismade = format in ("webm", "mp4", "mov", "avif")
        if ismade:
            assert tab.fact("Takes").startswith("about ")
            assert tab.page.get_by_text("Rendered in").count() == 0
        answer = server.get(tab.link())
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
        assert tab.download() == (f"hello-world.{extension}", answer.body)
        isimage = kind.startswith("image/")
        isvideo = format in ("webm", "mp4", "mov")
        assert tab.locator("#snippet-markdown").count() == isimage
        assert tab.locator("#snippet-html").count() == (isimage or isvideo)
        assert server.get(tab.locator("#snippet-editable-url").input_value().removeprefix(server.url)).body == answer.body
        assert tab.locator(f"img{SHOWN}").count() == (isimage and format != "svg" and not ismade)
        title = tab.locator(".download span").last.inner_text()
        caption = "" if isimage and not ismade else f"Previewed as SVG; the download is {title}."
        assert tab.locator(".stage-caption").text_content() == caption
        if not isimage:
            tab.shows("Hello, world")
        chosen = {} if format == "svg" else {"format": format}
        assert tab.request() == {"text": "Hello, world", "effect": "slide", **chosen}
        facts = {"Size": f"{len(answer.body) / 1000:.1f} kB" if len(answer.body) >= 1000 else f"{len(answer.body)} B",
                 "Duration": f"{float(answer.headers['Titlecard-Duration']):.2f} s"}
        assert tab.fact("Duration") == facts["Duration"]
        packed = server.get(tab.link(), {"Accept-Encoding": "gzip"})
        if packed.headers["Content-Encoding"] == "gzip" and len(packed.body) < len(answer.body):
            assert tab.fact("Size").startswith(facts["Size"] + ", ") and tab.fact("Size").endswith(" gzipped")
        else:
            assert tab.fact("Size") == facts["Size"]
        assert tab.fact("Rendered in").endswith((" ms", " s"))
    tab.is_quiet()


def formats_reading(server):
    """Returns the parameters that only some formats read, each with the names of those formats."""
    readers = {}
    for format in server.get("/formats").json["formats"]:
        dark = ["darkColor", "darkBackground"] if format["darkColors"] else []
        for name in [*(parameter["name"] for parameter in format["parameters"]), *dark]:
            readers.setdefault(name, []).append(format["name"])
    return readers


def the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats):
    owners = formats_reading(server)
    assert {"fps", "levels", "poster", "matte", "scale", "time", "darkColor"} <= owners.keys()
    tab = visit({"text": "Own", "effect": "none"})
    tab.open_menu()
    for format in formats:
        pick_format(tab, format)
        for name, names in owners.items():
            assert tab.control(name).is_visible() == (format in names), (format, name)
    pick_format(tab, "gif")
    assert "SVG only" in tab.field("darkColor").inner_text()
    assert tab.control("fps").input_value() == "25" and tab.control("poster").input_value() == "auto"
    tab.is_quiet()


def no_format_moves_the_page(visit, formats, width):
    # In a colour that can be read on every page, for words about it would come later.
    request = {"text": "Calm", "effect": "none", "color": "#808080"}
    tab = visit(request, viewport={"width": width, "height": 740})
    tab.shows("Calm")
    positions = set()
    for format, (extension, _) in formats.items():
        pick_format(tab, format)
        tab.holds("(end) => document.querySelector('.download').download.endsWith(end)", format, f".{extension}")
        tab.locator(".masthead").scroll_into_view_if_needed()
        positions.add(str(tab.page.evaluate("""['.stage', '.deck', '.about', '.actions', '.delivery-toggle'].flatMap((one) => {
            const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
            return [x, y, width, height];
        })""")))
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(positions) == 1, positions


def every_effect_plays_and_leaves(visit, server):
    tab = visit({"text": "All of them", "exit": "auto", "loop": "infinite", "cursor": "block", "hold": "0.1"})
    tab.shows("All of them")
    for effect in some_effects(server):
        before = tab.address()
        pick_effect(tab, effect["name"])
        if effect["name"] != "typewriter":
            tab.another_than(before)
        tab.locator(".timeline").fill("0.5")
        assert tab.page.evaluate(TIMES), effect["name"]
    tab.is_quiet()
