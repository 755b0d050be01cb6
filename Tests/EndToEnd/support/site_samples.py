"""The code samples of the documentation's guide and recipes, and what runs them.

A comment before a sample says what is special about it:

    <!-- not run: REASON -->   it cannot run here; its syntax, its options, and the names in it are checked
    <!-- serves -->            it starts a service
    <!-- files: NAME … -->     it needs these files, which are films
"""

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.parse
from dataclasses import dataclass

import yaml
from markdown_it import MarkdownIt

from github_action import Runner
from service import BINARY, PATIENCE, REPOSITORY, Client, free_port, until

DOCS = REPOSITORY / "docs"
FILES = [DOCS / "README.md", *sorted((DOCS / "guide").glob("*.md")), DOCS / "recipes.md"]
SAMPLE = re.compile(r"(?:<!-- ([^>]*) -->\n)?^```(\w*)([^\n]*)\n(.*?)^```$", re.S | re.M)
OWN_HOST = re.compile(r"https?://(?:your\.host|localhost:8080)|localhost:8080|your\.host")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


@dataclass
class Sample:
    note: str
    language: str
    words: str
    code: str


def samples(file):
    return [Sample(note or "", *rest) for note, *rest in SAMPLE.findall(file.read_text())]


def target(url):
    """The path and query of a URL, encoded as browsers do it."""
    return urllib.parse.quote(OWN_HOST.sub("", url), safe="/?&=+,.;:!'()*-_~$@%")


def is_part(expected, actual):
    """Whether a JSON value has all that another one has."""
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(is_part(expected[name], actual.get(name)) for name in expected)
    if isinstance(expected, list):
        return isinstance(actual, list) and all(any(is_part(one, other) for other in actual) for one in expected)
    return expected == actual


class Reader:
    """Someone who tries the samples of one page, in their order, in a folder of their own."""

    def __init__(self, server, browser, folder):
        self.server, self.browser, self.folder = server, browser, folder
        self.output = ""
        self.environment = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}

    def tries(self, sample):
        if sample.note.startswith("not run: "):
            self.reads(sample.code)
        elif sample.note == "serves":
            self.serves(sample.code)
        else:
            for name in sample.note.removeprefix("files: ").split():
                self.makes_film(name)
            getattr(self, f"tries_{sample.language}")(sample)

    def here(self, code):
        """The code with the address of the server under test."""
        return OWN_HOST.sub(lambda match: ("http://" if "//" in match[0] else "") + self.server.url[7:], code)

    def fetches(self, url):
        answer = self.server.get(target(url), {"Accept": "image/*"})
        assert answer.status == 200, (url, answer.text[:300])
        assert "Titlecard-Warnings" not in answer.headers, (url, answer.headers["Titlecard-Warnings"])
        return answer

    def tries_sh(self, sample):
        # A pipe fails with each of its parts.
        command = ["bash", "-e", "-u", "-o", "pipefail", "-c", self.here(sample.code)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=10 * PATIENCE
        )
        assert done.returncode == 0, (sample.code, done.stderr[-600:])
        self.output = done.stdout
        # A variable of the shell stands for any part of a name.
        for name in re.findall(r"-o ([\w.$-]+)", sample.code):
            files = list(self.folder.glob(re.sub(r"\$\w+", "*", name)))
            assert files and all(file.stat().st_size > 300 or b" --> " in file.read_bytes() for file in files), name

    def tries_python(self, sample):
        command = [sys.executable, "-c", self.here(sample.code)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0 and done.stdout, (sample.code, done.stderr[-600:])
        for url in re.findall(r"https?://\S+", done.stdout):
            self.fetches(url.replace(self.server.url, ""))

    def tries_url(self, sample):
        (url,) = sample.code.split()
        self.fetches(url)

    def tries_json(self, sample):
        """A request, which is drawn, or else a part of what the command before it has answered."""
        value = json.loads(sample.code)
        if sample.words:
            answer = self.server.post("/render", value)
            assert answer.status == 200 and "Titlecard-Warnings" not in answer.headers, answer.text[:300]
        else:
            assert is_part(value, json.loads(self.output)), (value, self.output)

    def tries_markdown(self, sample):
        images = re.findall(r'<img src="([^"]*)" alt="([^"]+)"', MarkdownIt().render(sample.code))
        assert images, sample.code
        for source, _ in images:
            if OWN_HOST.match(source):
                self.fetches(source.replace("&amp;", "&"))
            else:
                assert (self.folder / source).exists(), source

    def tries_yaml(self, sample):
        """A step of a workflow that uses the action, with the program instead of an image."""
        [step] = yaml.safe_load(sample.code)
        folder = self.folder.parent / f"{self.folder.name}-runner"
        folder.mkdir()
        runner = Runner(folder, workspace=self.folder)
        outcome = runner.uses(**{**step["with"], "image": "", "binary": runner.binary})
        assert outcome.status == 0 and not outcome.commands, outcome.log
        self.output = outcome.outputs["markup"]

    def tries_html(self, sample):
        """In a browser: all that it loads arrives, and no script fails."""
        for url in re.findall(r"""https://your\.host[^"')\s]*""", sample.code):
            self.fetches(url.replace("&amp;", "&"))
        context = self.browser.new_context()
        page = context.new_page()
        faults, loaded = [], {}
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("response", lambda answer: loaded.update({answer.url: answer.status}))
        address = self.server.url + "/sample.html"
        body = "<!doctype html><link rel=icon href=data:,>" + self.here(sample.code)
        page.route(address, lambda route: route.fulfill(body=body, content_type="text/html; charset=utf-8"))
        page.goto(address, wait_until="networkidle")
        shown = page.locator("img, svg, span, canvas, .hero, meta").count()
        broken = page.evaluate("[...document.images].filter((one) => !one.naturalWidth).map((one) => one.src)")
        context.close()
        assert not faults and not broken and shown, (sample.code, faults, broken)
        del loaded[address]
        assert set(loaded.values()) == {200} or "<meta" in sample.code, loaded

    def serves(self, code):
        """The service starts with these options and is well."""
        port = free_port()
        command = f"exec env {code.strip()} --host 127.0.0.1 --port {port}"
        process = subprocess.Popen(["bash", "-c", command], env=self.environment, stderr=subprocess.DEVNULL)
        client = Client(port)

        def is_well():
            assert process.poll() is None, code
            try:
                return client.get("/health").status == 200
            except ConnectionError:
                return False

        try:
            until(is_well, code)
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0

    def reads(self, code):
        """What cannot run here is right as far as it can be read: syntax, targets of make, names, and options."""
        subprocess.run(["bash", "-n", "-c", code], check=True)
        compose = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())["services"]
        archive = None
        for line in code.replace("\\\n", " ").splitlines():
            words = shlex.split(line)
            if words[0] == "make":
                subprocess.run(["make", "-n", *words[1:]], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
                continue
            if words[0] == "tar":
                archive = words[2].removesuffix(".tar.gz")
                continue
            if words == [f"{archive}/titlecard", "serve"]:
                continue
            # Programs of others.
            if words[0] in {"ffmpeg", "whisper-cli"}:
                continue
            if words[0] == "titlecard":
                self.knows_options(words[1:])
                continue
            assert words[0] == "docker", line
            for service in re.findall(r"--scale (\w+)=", line):
                assert service in compose
            for profile in re.findall(r"--profile (\w+)", line):
                assert any(profile in service.get("profiles", []) for service in compose.values())
            # The entry point of the image is the program itself.
            if words[1] == "run":
                self.knows_options(words[words.index("titlecard") + 1 :])

    def knows_options(self, command):
        """Every option of a command of the program is in its help."""
        help = subprocess.run([BINARY, command[0], "--help"], capture_output=True, text=True, check=True).stdout
        assert set(OPTION.findall(shlex.join(command))) <= set(OPTION.findall(help)), command

    def makes_film(self, name):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=5", name],
            cwd=self.folder, check=True,
        )  # fmt: skip
