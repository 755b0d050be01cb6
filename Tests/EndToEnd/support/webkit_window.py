"""A window of WebKitGTK, for browsers.py: reads commands as lines of JSON, and answers each with one.

It needs Debian's gir1.2-webkit2-4.1 and python3-gi-cairo, so it is run by the system's Python, under xvfb-run.
"""

import base64
import io
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

FAILURES = (GLib.Error, RuntimeError)


class Window:
    """A page whose viewport is as large as a picture."""

    def __init__(self):
        self.window = Gtk.OffscreenWindow()
        self.view = WebKit2.WebView.new_with_context(WebKit2.WebContext.new_ephemeral())
        self.view.get_settings().set_enable_write_console_messages_to_stdout(False)
        self.window.add(self.view)
        self.window.show_all()

    def wait(self, begin):
        """Runs the main loop until `begin`'s callback was called; returns its arguments."""
        loop, results = GLib.MainLoop(), []

        def done(*arguments):
            results.append(arguments)
            loop.quit()

        begin(done)
        while not results:
            loop.run()
        return results[0]

    def prefer(self, dark, still):
        settings = Gtk.Settings.get_default()
        settings.props.gtk_application_prefer_dark_theme = dark
        settings.props.gtk_enable_animations = not still

    def open(self, html, base, width, height):
        self.load(lambda: self.view.load_html(html, base), width, height)

    def visit(self, url, width, height):
        self.load(lambda: self.view.load_uri(url), width, height)

    def load(self, start, width, height):
        self.window.set_default_size(width, height)
        self.view.set_size_request(width, height)
        self.window.resize(width, height)
        handlers = []

        def begin(done):
            def changed(view, event):
                if event == WebKit2.LoadEvent.FINISHED:
                    done()

            handlers.append(self.view.connect("load-changed", changed))
            start()

        self.wait(begin)
        self.view.disconnect(handlers[0])

    def evaluate(self, script):
        """Runs the body of an async function; returns what it returns."""
        view, outcome = self.wait(
            lambda done: self.view.call_async_javascript_function(
                "return JSON.stringify(await (async () => {" + script + "})() ?? null)", -1, None, None, None, None, done
            )
        )[:2]
        return json.loads(view.call_async_javascript_function_finish(outcome).to_string())

    def screenshot(self):
        view, outcome = self.wait(
            lambda done: self.view.get_snapshot(
                WebKit2.SnapshotRegion.VISIBLE, WebKit2.SnapshotOptions.NONE, None, done
            )
        )[:2]
        png = io.BytesIO()
        view.get_snapshot_finish(outcome).write_to_png(png)
        return base64.b64encode(png.getvalue()).decode()

    def version(self):
        return ".".join(
            str(part())
            for part in (WebKit2.get_major_version, WebKit2.get_minor_version, WebKit2.get_micro_version)
        )


def main():
    window = Window()
    for line in sys.stdin:
        name, arguments = json.loads(line)
        try:
            answer = {"result": getattr(window, name)(*arguments)}
        except FAILURES as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
