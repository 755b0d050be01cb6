"""action.yml: a list becomes files and their markup on a runner of GitHub, and nothing in it is a command."""

import csv
import html
import io
import json
import os
import platform
import re
import subprocess
import sys

import pytest
import yaml

import debian_machine
import debian_package
from github_action import ACTION, EXPRESSION, Runner
from service import BINARY, IS_PROOF, PATIENCE, REPOSITORY, until

FOLDER = REPOSITORY / "deploy/action"
WORKFLOW_FILE = FOLDER / "example-workflow.yml"
WORKFLOW = yaml.safe_load(WORKFLOW_FILE.read_text())
# Debian's, which `make test-deps` unpacks.
DOCKER = REPOSITORY / ".build/docker"
DATA_ERROR = 65

LIST = [
    "# titles",
    "hello.svg?text=Hello&color=navy&darkColor=skyblue&effect=fade",
    "",
    json.dumps(dict(output="cards/a b.gif", text="Hi", color="navy", darkColor="skyblue", background="white")),
    "typing.svg https://readme-typing-svg.demolab.com?lines=Hello;scheme=World&width=300",
    "url.svg https://your.host/render.svg?text=Hi&amp;scheme=auto&amp;darkColor=skyblue",
    "plain.png https://your.host/render.png?text=Plain&format=png",
    "keys.json?text=Hi&darkColor=skyblue",
]
# The files of that list, each as a line of its own.
FILES = [
    "hello.svg?text=Hello&color=navy&darkColor=skyblue&effect=fade",
    "hello-light.svg?text=Hello&color=navy&effect=fade",
    "hello-dark.svg?text=Hello&color=skyblue&effect=fade",
    "cards/a%20b.gif?text=Hi&color=navy&background=white",
    "cards/a%20b-dark.gif?text=Hi&color=skyblue&background=white",
    "typing.svg /typing?lines=Hello;scheme=World&width=300",
    "url.svg?text=Hi&darkColor=skyblue",
    "url-light.svg?text=Hi",
    "url-dark.svg?text=Hi&color=skyblue",
    "plain.png?text=Plain",
    "keys.json?text=Hi&darkColor=skyblue",
]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A system with what the programs need and what a runner has besides a shell; as a proof only."""
    if not IS_PROOF:
        return None
    assert os.geteuid() == 0, "a system of its own needs root"
    folder = tmp_path_factory.mktemp("runner")
    package = debian_package.build(folder)
    depends = debian_package.names(debian_package.field(package, "Depends"))
    packages = ",".join(["jq", "git", *sorted(depends)])
    debian_machine.run(
        "mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}",
        platform.freedesktop_os_release()["VERSION_CODENAME"], str(folder / "root"),
    )  # fmt: skip
    for name in ("titlecard", "titlecard-worker"):
        debian_machine.run("cp", str(BINARY.with_name(name)), str(folder / "root/usr/local/bin"))
    return folder / "root"


@pytest.fixture
def runner(root, tmp_path):
    folder = tmp_path
    if root:
        folder = root / "home" / tmp_path.name
        folder.mkdir()
    return Runner(folder, root)


@pytest.fixture
def uses(runner):
    """uses(**inputs): the outcome of the action on the runner; the list is pictures.txt where none is given."""

    def uses(**inputs):
        return runner.uses(**{"manifest": "pictures.txt", "output": "pictures", "binary": runner.binary, **inputs})

    return uses


# The files.


@pytest.mark.parametrize(
    "schema, file", [("actions", REPOSITORY / "action.yml"), ("workflows", WORKFLOW_FILE)], ids=["action", "workflow"]
)
def test_it_fits_the_schema(schema, file):
    check = os.path.join(os.path.dirname(sys.executable), "check-jsonschema")
    command = [check, "--builtin-schema", f"vendor.github-{schema}", file]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def scripts():
    return [step["run"] for step in [*ACTION["runs"]["steps"], *WORKFLOW["jobs"]["render"]["steps"]] if "run" in step]


def test_shellcheck_finds_nothing():
    subprocess.run(["shellcheck", FOLDER / "render"], check=True)
    for script in scripts():
        subprocess.run(["shellcheck", "--shell=bash", "-"], input=script, text=True, check=True)


def test_no_expression_stands_in_a_script():
    assert len(scripts()) == 2 and not any(EXPRESSION.search(script) for script in scripts())


def test_the_workflow_has_the_inputs_and_outputs_of_the_action():
    [step] = [step for step in WORKFLOW["jobs"]["render"]["steps"] if step.get("id") == "titlecard"]
    assert set(step["with"]) <= set(ACTION["inputs"])
    required = {name for name, input in ACTION["inputs"].items() if input["required"]}
    assert required <= set(step["with"])
    outputs = re.findall(r"steps\.titlecard\.outputs\.(\w+)", WORKFLOW_FILE.read_text())
    assert outputs and set(outputs) <= set(ACTION["outputs"])


def test_the_workflow_may_write_contents_alone_and_names_versions():
    assert WORKFLOW["permissions"] == {"contents": "write"} and WORKFLOW["concurrency"]
    versions = re.findall(r"uses: (.*)", WORKFLOW_FILE.read_text())
    assert all(re.search(r"@([0-9a-f]{40} # )?v\d+\.\d+\.\d+$", version) for version in versions)


def test_the_workflow_and_the_guide_name_this_version():
    outcome = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True)
    for file in (WORKFLOW_FILE, REPOSITORY / "docs/guide/readme.md"):
        assert re.findall(r"your-name/titlecard@v([\d.]+)", file.read_text()) == [outcome.stdout.strip()], file


# A list.


@pytest.mark.slow
def test_a_list_becomes_files_in_light_and_dark(runner, uses):
    runner.write(*LIST)
    outcome = uses()
    assert outcome.status == 0, outcome.log
    expected = {name.replace("%20", " "): content for name, content in runner.draws(*FILES).items()}
    assert runner.files() == expected
    assert outcome.outputs["changed"] == str(len(FILES))
    assert outcome.outputs["files"].split("\n") == sorted(f"pictures/{name}" for name in expected)
    assert all(html.escape(name, quote=False) in outcome.summary for name in expected)


@pytest.mark.slow
def test_the_second_time_nothing_changes(runner, uses):
    runner.write(*LIST)
    first = uses()
    before = runner.versions()
    second = uses()
    assert (second.status, second.outputs["changed"], second.outputs["files"]) == (0, "0", "")
    assert runner.versions() == before
    assert second.outputs["markup"] == first.outputs["markup"] != ""


@pytest.mark.slow
def test_what_changes_is_said_alone(runner, uses):
    runner.write(*LIST)
    uses()
    (runner.workspace / "pictures/hello-dark.svg").write_text("old")
    outcome = uses()
    assert (outcome.outputs["changed"], outcome.outputs["files"]) == ("1", "pictures/hello-dark.svg")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_markup_shows_the_pictures_of_the_scheme(runner, uses, chromium, scheme):
    runner.write(*LIST)
    readme = runner.workspace / "README.html"
    readme.write_text("<!doctype html>\n" + uses().outputs["markup"])
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(readme.as_uri())
    shown = page.evaluate(
        """async () => {
          await Promise.all([...document.images].map((image) => image.decode()));
          return [...document.images].map((image) => [
            decodeURI(image.currentSrc).split("/pictures/")[1], image.alt,
            image.naturalWidth == image.getAttribute("width"), image.naturalHeight == image.getAttribute("height"),
          ]);
        }"""
    )
    context.close()
    gif = "cards/a b-dark.gif" if scheme == "dark" else "cards/a b.gif"
    assert shown == [
        [f"hello-{scheme}.svg", "Hello", True, True],
        [gif, "Hi", True, True],
        ["typing.svg", "Hello scheme=World", True, True],
        [f"url-{scheme}.svg", "Hi", True, True],
        ["plain.png", "Plain", True, True],
    ]


@pytest.mark.parametrize("shadow", ["shadow=none&darkShadow", "darkShadow=none&shadow"])
def test_pictures_of_two_sizes_have_no_size_in_the_markup(runner, uses, shadow):
    runner.write(f"a.svg?text=Hi&darkColor=white&{shadow}=90px+90px+9px+red")
    markup = uses().outputs["markup"]
    assert "<source" in markup and '<img src="pictures/a-light.svg" alt="Hi">' in markup


def test_a_line_for_the_dark_is_taken_instead(runner, uses):
    lines = ["a.svg?text=Hi&darkColor=white", "./a-dark.svg?text=Night&color=gold"]
    runner.write(*lines)
    outcome = uses()
    assert outcome.status == 0 and outcome.outputs["changed"] == "3"
    assert runner.files() == runner.draws(*lines, "a-light.svg?text=Hi")
    assert 'srcset="pictures/a-dark.svg"' in outcome.outputs["markup"]


def test_a_bad_line_is_shown_in_its_place_and_the_others_are_rendered(runner, uses):
    bad = ["bad.svg?text=Hi&darkColor=white&size=huge", "../x.svg?text=Hi"]
    runner.write("good.svg?text=Hi&darkColor=white", "", *bad)
    outcome = uses()
    assert outcome.status == DATA_ERROR
    assert [(name, at) for name, at, _ in outcome.commands] == [
        ("error", {"file": "pictures.txt", "line": line}) for line in ("3", "4")
    ]
    assert [message.split(": ")[0] for _, _, message in outcome.commands] == ["size", "output"]
    assert "error: pictures.txt:3: size: must be" in outcome.log
    assert sorted(runner.files()) == ["good-dark.svg", "good-light.svg", "good.svg"]
    assert outcome.outputs["changed"] == "3"
    assert outcome.outputs["markup"].count("<img") == 1 and "good" in outcome.outputs["markup"]


def test_a_warning_is_shown_in_its_place(runner, uses):
    runner.write("a.gif?text=Hi&effect=fade&darkColor=white")
    outcome = uses()
    assert outcome.status == 0
    [(name, at, message)] = outcome.commands
    assert (name, at) == ("warning", {"file": "pictures.txt", "line": "1"}) and message.startswith("halftone: ")


@pytest.mark.slow
def test_a_check_writes_nothing_and_fails_where_files_would_change(runner, uses):
    runner.write(*LIST)
    outcome = uses(check="true")
    assert outcome.status == 1 and [name for name, _, _ in outcome.commands] == ["error"]
    assert outcome.outputs["changed"] == str(len(FILES))
    assert os.listdir(runner.workspace) == ["pictures.txt"]
    assert uses().status == 0
    before = runner.versions()
    outcome = uses(check="true")
    assert (outcome.status, outcome.outputs["changed"], outcome.commands) == (0, "0", [])
    assert runner.versions() == before


@pytest.mark.slow
def test_shards_make_the_files_of_the_whole(runner, uses):
    runner.write(*LIST)
    parts = [uses(output="parts", shard=f"{index}/3") for index in range(3)]
    whole = uses()
    assert runner.files("parts") == runner.files("pictures")
    assert sum(int(part.outputs["changed"]) for part in parts) == int(whole.outputs["changed"])
    markup = "\n".join(part.outputs["markup"] for part in parts).replace("parts/", "pictures/")
    assert sorted(markup.split("\n")) == sorted(whole.outputs["markup"].split("\n"))


# Inputs and lines are no commands.

HOSTILE = [
    "a b", "a'b", 'a"b', "$(touch owned)", "`touch owned`", "; touch owned;", "a\nb", "-n", "--help", "*", "::error::a",
    "${{ github.token }}", "a,b", "a=b", "%0Aa", "ä👻", "a&b",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_only_a_name(runner, uses, name):
    runner.write("a.svg?text=Hi&darkColor=white", "b.svg?text=", name=name)
    outcome = uses(manifest=name, output=f"{name} out")
    assert outcome.status == DATA_ERROR and outcome.outputs["changed"] == "3", outcome.log
    assert [(kind, at) for kind, at, _ in outcome.commands] == [("error", {"file": name, "line": "2"})]
    assert sorted(os.listdir(runner.workspace)) == sorted([name, f"{name} out"])
    assert sorted(runner.files(f"{name} out")) == ["a-dark.svg", "a-light.svg", "a.svg"]


def test_a_text_is_only_text(runner, uses):
    texts = [*HOSTILE, "</title><img src=x onerror=alert(1)>", "\n::error::a\nEOF\n", "##[error]a", "a<<EOF\na\nEOF",
             "a\nerror: -:1: size: must be less"]
    lines = [json.dumps(dict(output=f"{number}.svg", text=text)) for number, text in enumerate(texts)]
    faults = [json.dumps(dict(output=f"x{number}.svg", text="Hi", size=text)) for number, text in enumerate(texts)]
    runner.write(*lines, *faults)
    outcome = uses()
    assert outcome.status == DATA_ERROR
    # Fonts may lack a character, which is a warning.
    errors = [int(at["line"]) for name, at, _ in outcome.commands if name == "error"]
    assert errors == list(range(len(texts) + 1, 2 * len(texts) + 1))
    assert {name for name, _, _ in outcome.commands} <= {"error", "warning"}
    assert set(outcome.outputs) == set(ACTION["outputs"])
    found = re.findall(r'^<img src="[^"]*" alt="([^"]*)"', outcome.outputs["markup"], re.M)
    assert [html.unescape(alt).strip() for alt in found] == [" ".join(text.split()) for text in texts]
    assert len(outcome.outputs["markup"].split("\n")) == len(texts)
    assert re.sub("</?pre>", "", outcome.summary).count("<") == 0
    assert sorted(os.listdir(runner.workspace)) == ["pictures", "pictures.txt"]


@pytest.mark.slow
def test_nobody_can_guess_where_an_output_ends(runner, uses):
    runner.write("a.svg?text=Hi")
    ends = [set(re.findall(r"<<(.*)", uses().written)) for _ in range(2)]
    assert ends[0].isdisjoint(ends[1]) and all(re.fullmatch("[0-9a-f]{32}", end) for each in ends for end in each)


@pytest.mark.parametrize(
    "inputs, message",
    [
        (dict(manifest=""), "manifest: is required"),
        (dict(output=""), "output: is required"),
        (dict(manifest="missing.txt"), 'manifest: cannot read "missing.txt"'),
        (dict(manifest="."), 'manifest: cannot read "."'),
        (dict(manifest="/etc/passwd"), "manifest: must not lead out"),
        (dict(manifest="../temp/github_output"), "manifest: must not lead out"),
        (dict(manifest="link/passwd"), "manifest: must not lead out"),
        (dict(output="/tmp"), "output: must not lead out"),
        (dict(output="a/../../b"), "output: must not lead out"),
        (dict(output="link"), "output: must not lead out"),
        (dict(check="maybe\n::error::a"), 'check: must be true or false; got "maybe\n::error::a"'),
        (dict(binary="$(touch owned)"), 'binary: "$(touch owned)" is not a program'),
    ],
    ids=str,
)
def test_a_wrong_input_is_named(runner, uses, inputs, message):
    runner.write("a.svg?text=Hi")
    (runner.workspace / "link").symlink_to("/etc")
    outcome = uses(**inputs)
    assert outcome.status == 1
    [(name, at, said)] = outcome.commands
    assert (name, at) == ("error", {}) and said.startswith(message)
    assert sorted(os.listdir(runner.workspace)) == ["link", "pictures.txt"]


@pytest.mark.parametrize("shard", ["1/4 --check", "3/3", "-1/3"])
def test_a_wrong_shard_is_an_error(runner, uses, shard):
    runner.write("a.svg?text=Hi")
    outcome = uses(shard=shard)
    assert outcome.status == 64 and "error: shard: must be" in outcome.log
    assert runner.files() == {}


# What an image sees.

# A program in the place of docker: it writes what it is asked for to a file, and runs the image, which is a program.
STAND_IN = """#!/usr/bin/python3
import json, os, sys
words = sys.argv[1:]
end = words.index("--")
with open(os.path.dirname(__file__) + "/asked", "a") as file:
    print(json.dumps([words[:end], words[end + 2:]]), file=file)
os.chdir(words[words.index("--workdir") + 1])
os.execv(words[end + 1], words[end + 1:])
"""


class Engine:
    """A runner whose docker is a stand-in."""

    def __init__(self, folder):
        (folder / "runner").mkdir()
        self.runner = Runner(folder / "runner")
        self.workspace = self.runner.workspace
        self.folder = folder / "docker"
        self.program("docker", STAND_IN)

    def program(self, name, text):
        self.folder.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)
        return str(self.folder / name)

    def uses(self, **inputs):
        (self.folder / "asked").write_text("")
        given = {"manifest": "pictures.txt", "output": "pictures", "image": str(BINARY), **inputs}
        return self.runner.uses(variables={"PATH": f"{self.folder}:/usr/bin:/bin"}, **given)

    def mounts(self):
        """Yields the fields of each mount that docker was asked for, and whether it was for a check."""
        for line in (self.folder / "asked").read_text().splitlines():
            options, arguments = json.loads(line)
            assert not {"-v", "--volume"} & set(options) and options.count("--mount") <= 1
            for option, value in zip(options, options[1:]):
                if option == "--mount":
                    [fields] = csv.reader(io.StringIO(value, newline=""))
                    yield fields, "--check" in arguments


@pytest.fixture
def engine(tmp_path):
    return Engine(tmp_path)


def test_without_a_name_it_is_the_image_of_the_actions_own_release(engine):
    engine.runner.write("a.svg?text=Hi")
    engine.program("docker", '#!/bin/sh\necho "error: $*" >&2\nexit 125\n')
    outcome = engine.uses(image="")
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert outcome.status == 125 and f" -- ghcr.io/someone/titlecard:{version} render " in outcome.log


@pytest.mark.parametrize("name", HOSTILE)
def test_an_image_sees_the_directory_of_the_files_alone(engine, name):
    engine.runner.write("a.svg?text=Hi&darkColor=white")
    outcome = engine.uses(output=f"{name} out")
    assert outcome.status == 0 and outcome.outputs["changed"] == "3", outcome.log
    path = engine.workspace / f"{name} out"
    seen = set()
    for (kind, source, target, *access), is_check in engine.mounts():
        assert kind == "type=bind" and source.removeprefix("source=") == target.removeprefix("target=")
        source = source.removeprefix("source=")
        if source == str(path):
            assert access == (["readonly"] if is_check else [])
        else:
            # The directories of samples, in one that is gone.
            assert re.fullmatch(re.escape(str(engine.runner.temporary)) + "/titlecard[.]\\w+/(auto|light|dark)", source)
        seen.add(source)
    assert str(path) in seen and len(seen) == 4


def test_an_image_that_checks_may_only_read(engine):
    engine.runner.write("a.svg?text=Hi&darkColor=white")
    assert engine.uses(check="true").outputs["changed"] == "3"
    assert os.listdir(engine.workspace) == ["pictures.txt"]
    assert not any("pictures" in source for (_, source, *_), _ in engine.mounts())
    assert engine.uses().status == 0
    assert engine.uses(check="true").status == 0
    accesses = {tuple(access) for (_, source, _, *access), _ in engine.mounts() if source.endswith("/pictures")}
    assert accesses == {("readonly",)}


@pytest.mark.parametrize(
    "output, message",
    [
        (".git", "must not be in .git"),
        (".git/hooks", "must not be in .git"),
        ("sub/../.git/new", "must not be in .git"),
        ("link", "must not be in .git"),
        ("module/.git/x", "must not be in .git"),
        (".", "must be a directory without .git"),
        ("module", "must be a directory without .git"),
        ("deep", "must be a directory without .git"),
    ],
)
def test_an_image_never_sees_a_repository(engine, output, message):
    engine.runner.write("a.svg?text=Hi")
    for folder in [".git/hooks", "module", "deep/er/.git"]:
        (engine.workspace / folder).mkdir(parents=True)
    (engine.workspace / "module/.git").write_text("gitdir: ../.git/modules/module")
    (engine.workspace / "link").symlink_to(".git")
    before = sorted(engine.workspace.rglob("*"))
    outcome = engine.uses(output=output)
    assert outcome.status == 1 and list(engine.mounts()) == []
    [(name, _, said)] = outcome.commands
    assert name == "error" and said.startswith(f"output: {message}") and said.endswith(f'got "{output}"')
    assert sorted(engine.workspace.rglob("*")) == before


def test_a_program_may_write_beside_a_repository(runner, uses):
    runner.write("a.svg?text=Hi")
    (runner.workspace / ".git").mkdir()
    assert uses(output=".").status == 0
    assert (runner.workspace / "a.svg").exists()


def test_a_repository_that_an_image_writes_is_an_error(engine):
    """Its configuration could name commands, which git runs."""
    engine.runner.write("a.svg?text=Hi")
    image = engine.program("image", f'#!/bin/sh\nmkdir -p pictures/deep/.git\nexec {BINARY} "$@"\n')
    outcome = engine.uses(image=image)
    assert outcome.status == 1 and outcome.outputs["changed"] == ""
    [(name, _, said)] = outcome.commands
    assert name == "error" and said.startswith("output: the image has written .git")


def test_an_image_cannot_have_another_file_read(engine):
    """The list may lie where the image writes, and the samples of pictures do."""
    (engine.workspace / "secret").write_text("secret.svg?text=secret\n<title>secret</title>")
    (engine.workspace / "pictures").mkdir()
    engine.runner.write("a.svg?text=Hi&darkColor=white", name="pictures/list.txt")
    secret = engine.workspace / "secret"
    lines = ["#!/bin/sh", f'{BINARY} "$@"', "status=$?", f"ln -sf {secret} pictures/list.txt",
             f'case $5 in */auto) ln -sf {secret} "$5/1.svg" ;; esac', "exit $status"]  # fmt: skip
    image = engine.program("image", "\n".join(lines))
    outcome = engine.uses(manifest="pictures/list.txt", image=image)
    assert outcome.status == 0
    assert "secret" not in outcome.log + outcome.written + outcome.summary
    assert not (engine.workspace / "pictures/secret.svg").exists()


# The workflow.


@pytest.mark.slow
def test_the_workflow_commits_where_bytes_differ(runner, uses):
    [commit] = [step["run"] for step in WORKFLOW["jobs"]["render"]["steps"] if "run" in step]
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]

    def git(*words):
        outcome = runner.execute("git", *words)
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout.splitlines()

    git("init", "--quiet", "--bare", runner.path(runner.folder / "origin"))
    git("init", "--quiet", "--initial-branch=main")
    git(*identity, "commit", "--quiet", "--allow-empty", "--message=first")
    git("remote", "add", "origin", runner.path(runner.folder / "origin"))
    git("push", "--quiet", "--set-upstream", "origin", "main")
    runner.write(*LIST)

    def run():
        assert uses().status == 0
        outcome = runner.step(commit, {}, {})
        assert outcome.status == 0, outcome.log
        return git("log", "--format=%an: %s", "origin/main")

    committed = ["github-actions[bot]: Pictures: render the list again", "a: first"]
    assert run() == committed and run() == committed
    names = {name for name in git("ls-tree", "-r", "-z", "--name-only", "origin/main")[0].split("\0") if name}
    assert names == {f"pictures/{name}" for name in runner.files()}
    (runner.workspace / "pictures/hello.svg").write_text("old")
    assert run() == committed
    runner.write(*LIST, "new.svg?text=Hi")
    assert run() == [committed[0], *committed]


# The image.


@pytest.fixture(scope="module")
def docker(root, tmp_path_factory):
    """The variables of a runner with Docker, whose image "titlecard" is the clean system."""
    folder = tmp_path_factory.mktemp("docker")
    programs = f"{DOCKER}/usr/bin:{DOCKER}/usr/sbin"
    variables = {"PATH": f"{programs}:{os.environ['PATH']}", "DOCKER_HOST": f"unix://{folder}/socket"}
    # It keeps a key in /etc/docker, whatever its options.
    script = 'mkdir -p /etc/docker && mount -t tmpfs tmpfs /etc/docker && exec dockerd "$@"'
    options = [f"--host={variables['DOCKER_HOST']}", f"--pidfile={folder}/pid", "--iptables=false", "--bridge=none"]
    options += [f"--data-root={folder}/data", f"--exec-root={folder}/exec"]
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", script, "dockerd", *options],
            env={**os.environ, **variables}, stdout=log, stderr=log,
        )  # fmt: skip

    def has_started():
        assert process.poll() is None, (folder / "log").read_text()[-2000:]
        return (folder / "socket").exists()

    try:
        until(has_started, "the start of dockerd")
        changes = re.findall(r"^(?:USER|ENTRYPOINT) .*$", (REPOSITORY / "Dockerfile").read_text(), re.M)
        options = " ".join(f"--change '{change}'" for change in changes)
        subprocess.run(
            ["sh", "-c", f'tar -C "$0" --exclude=./home/* -c . | docker import {options} - titlecard', root],
            env={**os.environ, **variables}, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        yield variables
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(not IS_PROOF, reason="runs as a proof: TEST_PROOF=1")
def test_an_image_makes_the_same_files(uses, runner, docker, tmp_path):
    """In a container, which has the fonts of the clean system and writes as the runner's user."""
    runner.write(*LIST, "bad.svg?text=")
    uses()
    folder = tmp_path / "with docker"
    folder.mkdir()
    engine = Runner(folder)
    engine.write(*LIST, "bad.svg?text=")
    inputs = dict(variables=docker, manifest="pictures.txt", output="pictures", image="titlecard")
    outcome = engine.uses(**inputs)
    assert outcome.status == DATA_ERROR and outcome.outputs["changed"] == str(len(FILES)), outcome.log
    assert engine.files() == runner.files()
    assert {path.stat().st_uid for path in folder.rglob("*")} == {os.geteuid()}
    before = engine.versions()
    assert engine.uses(**inputs).outputs["changed"] == "0" and engine.versions() == before
    outcome = engine.uses(**{**inputs, "image": "--privileged"})
    assert outcome.status == 125 and "invalid reference format" in outcome.log


# Writes down what it finds, and writes where it can.
SPY = """
find . >&2
find / -xdev -name .git >&2
touch new "$5/new" 2>/dev/null
case $* in *--check*) exit 1 ;; esac
"""


@pytest.mark.skipif(not IS_PROOF, reason="runs as a proof: TEST_PROOF=1")
def test_an_image_finds_no_other_file_of_the_workspace(docker, tmp_path):
    def run(*words):
        return subprocess.run(["docker", *words], env=docker, capture_output=True, text=True, check=True).stdout.strip()

    container = run("create", "--network", "none", "titlecard")
    run("commit", "--change", f"ENTRYPOINT {json.dumps(['sh', '-c', SPY, 'spy'])}", container, "spy")
    runner = Runner(tmp_path)
    runner.write("a.svg?text=Hi")
    (runner.workspace / ".git").mkdir()
    inputs = dict(variables=docker, manifest="pictures.txt", image="spy")
    outputs = ["pictures", 'a, "b":c', "a\nb"]
    for output in outputs:
        assert runner.uses(**inputs, output=output, check="true").status == 1
        assert not (runner.workspace / output).exists()
        outcome = runner.uses(**inputs, output=output)
        assert outcome.status == 0 and list(runner.files(output)) == ["new"], outcome.log
        found = {line for line in outcome.log.splitlines() if not line.startswith("::")}
        assert found == set(f".\n./{output}\n./{output}/new".split("\n"))
        (runner.workspace / output / "new").unlink()
        runner.uses(**inputs, output=output, check="true")
        assert runner.files(output) == {}
    assert sorted(os.listdir(runner.workspace)) == sorted([".git", "pictures.txt", *outputs])
