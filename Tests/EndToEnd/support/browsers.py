"""Chromium, Firefox and WebKit with one interface: pages from HTML, scripts, screenshots.

Chromium is driven by Playwright, Firefox by Marionette, WebKitGTK by webkit_window.py.
"""

import base64
import itertools
import json
import pathlib
import socket
import subprocess
import tempfile

from picture import screenshot
from service import until

CHROMIUM = "/usr/bin/chromium"
# Layers of paused animations keep stale pixels under threaded animation.
ARGUMENTS = ["--no-sandbox", "--disable-threaded-animation", "--force-color-profile=srgb"]
FOLDER = pathlib.Path(__file__).parent

# Browsers forget animations that are done, and some are while the rest of a picture is still read: all begin anew.
ANIMATIONS = """
window.withoutAnimations = action => {
    const still = document.createElementNS(document.documentElement.namespaceURI, 'style');
    still.textContent = '*{animation:none!important}';
    (document.head ?? document.documentElement).append(still);
    document.getAnimations();
    const result = action();
    still.remove();
    return result;
};
window.pause = () => {
    withoutAnimations(() => {});
    window.animations = document.getAnimations();
    for (const animation of animations) animation.pause();
};
window.seek = time => { for (const animation of animations) animation.currentTime = time * 1000 };
"""


class Chromium:
    name = "Chromium"

    def __init__(self, browser):
        """Opens pages of a browser of Playwright's."""
        self.context = browser.new_context(device_scale_factor=1)
        self.page = self.context.new_page()
        self.version = browser.version
        self.preferences = {}

    def prefer(self, dark=False, still=False):
        self.preferences = dict(
            color_scheme="dark" if dark else "light", reduced_motion="reduce" if still else "no-preference"
        )
        self.page.emulate_media(**self.preferences)

    def open(self, html, width, height):
        if self.page.url != "about:blank":
            # A page that was visited keeps its policy whatever its content.
            self.page.close()
            self.page = self.context.new_page()
            self.page.emulate_media(**self.preferences)
        self.page.set_viewport_size(dict(width=width, height=height))
        self.page.set_content(html, wait_until="load")

    def visit(self, url, width=800, height=600):
        self.page.set_viewport_size(dict(width=width, height=height))
        self.page.goto(url, wait_until="load")

    def evaluate(self, script):
        """Runs the body of an async function; returns what it returns."""
        return self.page.evaluate("async () => {" + script + "}")

    def screenshot(self):
        return screenshot(self.page)

    def close(self):
        self.context.close()


class Firefox:
    """A headless Firefox, driven by Marionette: lists of JSON, each with its length before it."""

    name = "Firefox"
    PREFERENCES = {
        "marionette.port": 0,
        "layout.css.devPixelsPerPx": "1.0",
        "gfx.color_management.mode": 0,
        "datareporting.policy.dataSubmissionEnabled": False,
        "browser.shell.checkDefaultBrowser": False,
        "app.update.enabled": False,
    }

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.profile.name)
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in self.PREFERENCES.items())
        (folder / "user.js").write_text("".join(lines))
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--remote-allow-system-access"]
        command += ["--profile", folder]
        # Its own home, where it would leave files.
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"HOME": self.profile.name, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )  # fmt: skip
        port = folder / "MarionetteActivePort"
        until(lambda: port.exists() and port.read_text().strip(), "Firefox listens")
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self.stream = self.socket.makefile("rb")
        self.numbers = itertools.count()
        self.receive()
        session = self.command("WebDriver:NewSession", {"acceptInsecureCerts": False})
        self.version = session["capabilities"]["browserVersion"]

    def receive(self):
        length = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox has ended"
            length += byte
        return json.loads(self.stream.read(int(length)))

    def command(self, name, arguments=None):
        message = json.dumps([0, next(self.numbers), name, arguments or {}]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        assert error is None, error
        return result

    def prefer(self, dark=False, still=False):
        self.command("Marionette:SetContext", {"value": "chrome"})
        script = "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0]);"
        script += "Services.prefs.setIntPref('ui.prefersReducedMotion', arguments[1]);"
        self.command("WebDriver:ExecuteScript", {"script": script, "args": [0 if dark else 1, int(still)]})
        self.command("Marionette:SetContext", {"value": "content"})

    def open(self, html, width, height):
        self.command("WebDriver:SetWindowRect", {"width": width + 100, "height": height + 200})
        url = "data:text/html;charset=utf-8;base64," + base64.b64encode(html.encode()).decode()
        self.command("WebDriver:Navigate", {"url": url})

    def visit(self, url, width=800, height=600):
        self.command("WebDriver:SetWindowRect", {"width": width + 100, "height": height + 200})
        self.command("WebDriver:Navigate", {"url": url})

    def evaluate(self, script):
        script = "const done = arguments[0]; (async () => {" + script + "})().then(value => done(value ?? null));"
        return self.command("WebDriver:ExecuteAsyncScript", {"script": script, "args": []})["value"]

    def screenshot(self):
        return base64.b64decode(self.command("WebDriver:TakeScreenshot", {"full": False, "hash": False})["value"])

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()


class WebKit:
    """WebKitGTK in a window of an X server without a screen."""

    name = "WebKit"

    def __init__(self):
        command = ["xvfb-run", "-a", "/usr/bin/python3", FOLDER / "webkit_window.py"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.version = self.command("version")

    def command(self, name, *arguments):
        print(json.dumps([name, arguments]), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def prefer(self, dark=False, still=False):
        self.command("prefer", dark, still)

    def open(self, html, width, height):
        self.command("open", html, "http://127.0.0.1/", width, height)

    def visit(self, url, width=800, height=600):
        self.command("visit", url, width, height)

    def evaluate(self, script):
        return self.command("evaluate", script)

    def screenshot(self):
        return base64.b64decode(self.command("screenshot"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
