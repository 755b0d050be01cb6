"""`titlecard completion`: names and values, completed by real shells."""

import os
import subprocess

import pytest

from commands import run
from service import BINARY, PATIENCE, REPOSITORY
from terminals import Shell

SHELLS = ["bash", "zsh", "fish"]
# What is typed before a tab, and what stands there after it.
LINES = [
    ("titlecard rend", "titlecard render "),
    ("titlecard help effect typew", "titlecard help effect typewriter "),
    ("titlecard list pal", "titlecard list palettes "),
    ("titlecard completion fi", "titlecard completion fish "),
    ("titlecard serve --render-q", "titlecard serve --render-queue "),
    ("titlecard health --po", "titlecard health --port "),
    ("titlecard render --letter-sp", "titlecard render --letter-spacing "),
    ("titlecard render --effect typew", "titlecard render --effect typewriter "),
    ("titlecard render Hi --effect=typew", "titlecard render Hi --effect=typewriter "),
    ("titlecard render Hi --preset terminal,drac", "titlecard render Hi --preset terminal,dracula "),
    ("titlecard render Hi --for slack-e", "titlecard render Hi --for slack-emoji "),
    ("titlecard render Hi --scheme da", "titlecard render Hi --scheme dark "),
    ("titlecard render Hi --loop inf", "titlecard render Hi --loop infinite "),
    ("titlecard render Hi --effect draw --stroke-w", "titlecard render Hi --effect draw --stroke-width "),
    ("titlecard render Hi -o pict", "titlecard render Hi -o pictures/"),
    ("titlecard render Hi --out pict", "titlecard render Hi --out pictures/"),
    ("titlecard render Hi --pictures=pict", "titlecard render Hi --pictures=pictures/"),
    ("titlecard serve --public pict", "titlecard serve --public pictures/"),
    ("titlecard help effect --effects pict", "titlecard help effect --effects pictures/"),
]
FONT = ("titlecard render --font Liberation\\ Mon", "titlecard render --font Liberation\\ Mono ")
SETUP = {
    "bash": """
        PS1='READY> '
        bind 'set enable-bracketed-paste off'
        bind -x '"\\C-x\\C-p": printf "%s\\n" "$READLINE_LINE" > "$LINE"'
        source <(titlecard completion bash)
    """,
    "zsh": """
        PROMPT='READY> '
        autoload -U compinit
        compinit -u -D
        show() { print -r -- "$BUFFER" > "$LINE" }
        zle -N show
        bindkey -e
        bindkey '^X^P' show
        bindkey '^U' kill-whole-line
        source <(titlecard completion zsh)
    """,
}


def candidates(*words):
    """The words that the program names, each with its description."""
    outcome = run("complete", "--", *words)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    return dict((line.split("\t") + [""])[:2] for line in outcome.stdout.decode().splitlines())


@pytest.fixture(scope="module")
def path():
    """The search path with the program in front."""
    return f"{BINARY.parent}:{os.environ['PATH']}"


@pytest.fixture(scope="module", params=SETUP)
def shell(request, path, tmp_path_factory):
    """An interactive shell that has read the script."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "pictures").mkdir()
    home = tmp_path_factory.mktemp("home")
    (home / ".zshrc").write_text(SETUP[request.param])
    command = {
        "bash": ["bash", "--noprofile", "--rcfile", home / ".zshrc", "-i"],
        "zsh": ["zsh", "--no-global-rcs", "-i"],
    }[request.param]
    shell = Shell(command, folder, PATH=path, ZDOTDIR=str(home), HOME=str(home))
    yield shell
    shell.close()


@pytest.mark.parametrize("typed, completed", [*LINES, FONT])
def test_a_tab_completes_a_line(shell, typed, completed):
    assert shell.completed(typed) == completed


@pytest.mark.parametrize("typed, completed", LINES)
def test_fish_completes_a_line(path, tmp_path, typed, completed):
    (tmp_path / "pictures").mkdir()
    script = f"titlecard completion fish | source; complete --do-complete '{typed}'"
    outcome = subprocess.run(
        ["fish", "--no-config", "--command", script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert (outcome.returncode, outcome.stderr) == (0, "")
    words = [line.split("\t")[0] for line in outcome.stdout.splitlines()]
    assert words == [completed.removesuffix(" ").split(" ")[-1]]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_help_names_the_script_of_a_shell(shell):
    assert f"titlecard completion {shell}" in run("--help").stdout.decode()
    assert run("completion", shell).stdout


def test_every_parameter_is_offered_with_its_summary(server):
    effects = {effect["name"]: effect["parameters"] for effect in server.get("/effects").json["effects"]}
    own = {parameter["name"] for parameters in effects.values() for parameter in parameters}
    general = set(server.parameters) - own - {"text", "blocks", "captions"}
    for effect, parameters in effects.items():
        offered = candidates("render", "Hi", "--effect", effect, "--")
        names = {kebab(name) for name in general | {parameter["name"] for parameter in parameters}}
        assert names <= set(offered), effect
        assert all(offered[name] for name in names)


def kebab(name):
    return "--" + "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)


def test_the_values_of_choices_are_offered(server):
    for path, option in [("effects", "effect"), ("presets", "preset"), ("formats", "format"), ("targets", "for")]:
        names = [entry["name"] for entry in server.get(f"/{path}").json[path]]
        offered = candidates("render", f"--{option}", "")
        assert list(offered) == names and all(offered.values())
        assert list(candidates("render", f"--{option}=")) == [f"--{option}={name}" for name in names]
    families = [font["family"] for font in server.get("/fonts").json["fonts"]]
    assert list(candidates("render", "--font", "")) == families
    assert list(candidates("render", "--italic=")) == ["--italic=true", "--italic=false"]


def test_an_operators_own_effects_and_presets_are_offered(tmp_path):
    effects, presets = tmp_path / "effects", tmp_path / "presets.json"
    effects.mkdir()
    (effects / "stamp.json").write_text((REPOSITORY / "examples/effects/stamp.json").read_text())
    presets.write_text('{"presets": [{"name": "corporate", "title": "Corporate", "parameters": {"size": 20}}]}')
    assert candidates("render", "--effects", effects, "--effect", "stam") == {"stamp": "Stamp"}
    assert "corporate" in candidates("render", f"--presets={presets}", "--preset", "corp")
    assert "corporate" in str(run("complete", "--", "render", "--preset", "corp", TITLECARD_PRESETS=str(presets)).stdout)


@pytest.mark.parametrize(
    "words",
    [["render", "x"], ["render", "--size", ""], ["render", "--", "--"], ["nothing", ""], ["render", "--italic", ""], []],
    ids=str,
)
def test_where_anything_may_stand_nothing_is_offered(words):
    assert candidates(*words) == {}


def test_an_option_is_offered_for_every_command():
    for command in ["serve", "list", "help", "completion", "health", "sign", "import", "canonical", "cache-metrics"]:
        offered = candidates(command, "--")
        help = run(command, "--help").stdout.decode()
        assert "--help" in offered
        for name, summary in offered.items():
            assert f"{name}" in help and summary, (command, name)
