"""A site that uses <title-card> under a strict policy: pages of its own, and all else from the service."""

import collections
import html
import http.server
import json
import re
import threading
import time
import urllib.parse

from service import Client, free_port, until

POLICY = "default-src 'self'; style-src 'self'"
HEAD = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Cards</title>
<meta name="viewport" content="width=device-width"><script src="/record.js"></script>"""
MODULE = '<script type="module" src="/titlecard.js"></script>'
STYLED = '<link rel="stylesheet" href="/page.css">' + MODULE
FRAME = "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));"
CARD = "const card = document.querySelector('title-card'); const svg = card?.shadowRoot?.querySelector('svg');"

# Keeps what happens from the first moment: events of all cards in their order, and what the policy forbids.
RECORD = """
window.events = [];
window.violations = [];
addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
for (const type of ['ready', 'play', 'pause', 'finish', 'cycle', 'error']) {
  addEventListener(type, (event) => {
    if (event.target.localName === 'title-card') events.push([event.target.id, type, event.message ?? null]);
  }, true);
}
"""

# The module comes after the page was drawn.
LATE = """
requestAnimationFrame(() => requestAnimationFrame(() => {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = '/titlecard.js';
  document.head.append(script);
}));
"""
# The layout shift so far (CLS).
SHIFT = """() => new Promise(resolve => {
  let sum = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
})"""


class Site:
    """Serves pages that tests add, forwards other requests to a service, and counts those for renderings."""

    def __init__(self, service, policy=POLICY):
        self.service, self.policy = service, policy
        self.pages = {"/record.js": (RECORD, "text/javascript")}
        self.renderings = collections.Counter()
        # Renderings wait while it is not set: those that have this in their address.
        self.open = threading.Event()
        self.open.set()
        self.slow = ""
        # The seconds that each of them takes.
        self.delay = 0
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.answer(self, None)

            def do_POST(self):
                site.answer(self, self.rfile.read(int(self.headers["Content-Length"])))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        until(lambda: Client(self.server.server_port).get("/record.js").status == 200, "the site")

    def add(self, path, body, kind="text/html"):
        """Adds a page, or the bytes of a recording; returns its address."""
        self.pages[path] = (body, kind)
        return self.url + path

    def page(self, body, head=MODULE):
        """Adds a page with a body of its own; returns its address."""
        return self.add(f"/page-{len(self.pages)}", HEAD + head + "<body>" + body)

    def answer(self, handler, body):
        path = urllib.parse.urlsplit(handler.path).path
        if path in self.pages:
            text, kind = self.pages[path]
            if isinstance(text, bytes):
                return self.send_range(handler, text, kind)
            return self.send(handler, 200, {
                "Content-Type": kind + "; charset=utf-8", "Content-Security-Policy": self.policy,
                "Cache-Control": "no-store",
            }, text.encode())
        if path.startswith("/render") or path.startswith("/r/"):
            self.renderings[handler.path] += 1
            if self.slow in handler.path:
                self.open.wait(30)
            time.sleep(self.delay)
        headers = {"Content-Type": handler.headers["Content-Type"]} if body is not None else {}
        answer = self.service.request(handler.command, handler.path, body, headers)
        kept = {name: answer.headers[name] for name in ("Content-Type", "Titlecard-Duration") if answer.headers[name]}
        # What browsers keep would not be counted.
        self.send(handler, answer.status, {**kept, "Cache-Control": "no-store"}, answer.body)

    def send_range(self, handler, contents, kind):
        """Sends what browsers ask for of a recording: they seek only in what is served in ranges."""
        start, end = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers["Range"] or "bytes=0-").groups()
        part = contents[int(start) : int(end) + 1 if end else None]
        self.send(handler, 206 if handler.headers["Range"] else 200, {
            "Content-Type": kind, "Accept-Ranges": "bytes",
            "Content-Range": f"bytes {start}-{int(start) + len(part) - 1}/{len(contents)}",
        }, part)  # fmt: skip

    @staticmethod
    def send(handler, status, headers, body):
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
        except ConnectionError:
            pass  # The browser no longer wants it.

    def close(self):
        self.open.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def attributes(**values):
    """The attributes of a card, with the names of a request's parameters."""

    def text(value):
        if isinstance(value, bool):
            return str(value).lower()
        return json.dumps(value) if isinstance(value, list) else str(value)

    return " ".join(f'{name.replace("_", "-")}="{html.escape(text(value))}"' for name, value in values.items())


def card(text="Hello", **values):
    return f"<title-card {attributes(**values)}>{text}</title-card>"


def visit(browser, site, body, head=STYLED):
    site.renderings.clear()
    browser.visit(site.page(body, head))


def value(browser, expression):
    return browser.evaluate(CARD + f"return {expression};")


def holds(browser, expression):
    """Waits until an expression holds in the page; returns its value."""
    return until(lambda: value(browser, expression), expression)


def waits(page, expression):
    """Waits in a page of Playwright's; its own way is what policies forbid."""
    until(lambda: page.evaluate(expression), expression)


def events(browser, id=""):
    return [kind for name, kind, _ in browser.evaluate("return events") if name == id]


def heard(browser, *kinds, id=""):
    """Waits until a card has had events, and no other ones before the last of them."""
    until(lambda: len(events(browser, id)) >= len(kinds), f"the events {kinds}")
    assert events(browser, id) == list(kinds)
