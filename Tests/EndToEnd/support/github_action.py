"""What a runner of GitHub does with action.yml: inputs, environment, steps, and the files that steps write.

https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import yaml

from service import BINARY, PATIENCE, REPOSITORY

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text())
# The runner's user, who is not root.
USER = 1001
# What the runner says of the action.
GITHUB = {"action_repository": "Someone/Titlecard"}
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


@dataclass
class Outcome:
    status: int
    log: str
    outputs: dict
    summary: str
    # What the step wrote to the runner, as it is.
    written: str

    @property
    def commands(self):
        """The commands that the runner takes from the log, as (name, properties, message)."""
        found, end = [], None
        for line in self.log.splitlines():
            match = re.match(r"\s*::([\w-]+)(?: ([^:]*))?::(.*)", line)
            if end:
                end = None if line == f"::{end}::" else end
            elif match and match[1] == "stop-commands":
                end = match[3]
            elif match:
                properties = dict(one.split("=", 1) for one in (match[2] or "").split(",") if one)
                found.append((match[1], {name: plain(value) for name, value in properties.items()}, plain(match[3])))
            else:
                # The older form, which counts anywhere in a line.
                assert "##[" not in line, line
        assert not end
        return found


def plain(value):
    for escape, character in {"%3A": ":", "%2C": ",", "%0D": "\r", "%0A": "\n", "%25": "%"}.items():
        value = value.replace(escape, character)
    return value


def values(text):
    """The values that a file such as GITHUB_OUTPUT sets."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if match := re.fullmatch(r"([^=<]+)<<(.+)", line):
            content = []
            while (line := next(lines)) != match[2]:
                content.append(line)
            found[match[1]] = "\n".join(content)
        elif line:
            name, found[name] = line.split("=", 1)
    return found


class Runner:
    """A runner of its own: its root is the system's, or a directory with a system, which has no network."""

    def __init__(self, folder, root=None, workspace=None):
        self.root, self.folder = root, folder
        self.workspace, self.temporary = workspace or folder / "work", folder / "temp"
        for each in (self.workspace, self.temporary):
            each.mkdir(exist_ok=True)
        if root:
            shutil.copytree(REPOSITORY / "deploy/action", folder / "action/deploy/action")
            settings = "Sources/Service/Settings/ServiceSettings.swift"
            (folder / "action" / settings).parent.mkdir(parents=True)
            shutil.copy(REPOSITORY / settings, folder / "action" / settings)
            for each in (folder, self.workspace, self.temporary):
                os.chown(each, USER, USER)
        self.action = folder / "action" if root else REPOSITORY
        self.binary = "/usr/local/bin/titlecard" if root else str(BINARY)

    def path(self, path):
        """A path as the runner's programs see it."""
        return f"/{path.relative_to(self.root)}" if self.root else str(path)

    def within(self, *command):
        """A command that runs on the runner."""
        if not self.root:
            return command
        return (
            "unshare", "--net", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc",
            "chroot", f"--userspec={USER}:{USER}", str(self.root), *command,
        )  # fmt: skip

    def execute(self, *command, environment=None, **options):
        """Runs a command in the workspace, with nothing in its environment but what a runner sets."""
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.path(self.folder), **(environment or {})}
        settings = [f"{name}={value}" for name, value in variables.items()]
        # env(1) changes the directory within the root.
        command = self.within("env", "-i", f"--chdir={self.path(self.workspace)}", *settings, *command)
        return subprocess.run(command, capture_output=True, text=True, timeout=20 * PATIENCE, **options)

    def uses(self, variables=None, **inputs):
        """Runs the steps of the action with inputs; the variables are further ones of the environment."""
        assert set(inputs) <= set(ACTION["inputs"])
        given = {name: inputs.get(name, input.get("default", "")) for name, input in ACTION["inputs"].items()}
        steps, outcome = {}, None
        for step in ACTION["runs"]["steps"]:
            assert set(step) <= {"id", "shell", "env", "run"} and step["shell"] == "bash"
            outcome = self.step(step["run"], self.environment(step, given), variables or {})
            steps[step["id"]] = outcome.outputs
            if outcome.status:
                break
        outcome.outputs = {
            name: self.evaluate(output["value"], lambda word: steps[word[1]].get(word[3], ""), {"steps": 4})
            for name, output in ACTION["outputs"].items()
        }
        return outcome

    @staticmethod
    def evaluate(text, value, contexts):
        """The text with its expressions replaced, each of as many words as its context has."""

        def replaced(match):
            words = match[1].split(".")
            assert contexts.get(words[0]) == len(words), match[0]
            return value(words)

        return EXPRESSION.sub(replaced, text)

    def environment(self, step, given):
        def value(words):
            return given[words[1]] if words[0] == "inputs" else GITHUB[words[1]]

        return {name: self.evaluate(text, value, {"inputs": 2, "github": 2}) for name, text in step["env"].items()}

    def step(self, script, environment, variables):
        """Runs the script of a step, in which no expression may stand."""
        assert "${{" not in script
        files = {name: self.temporary / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
            os.chown(file, *([USER] * 2 if self.root else [-1, -1]))
        (self.folder / "step.sh").write_text(script)
        result = self.execute(
            "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", self.path(self.folder / "step.sh"),
            environment={
                "GITHUB_ACTION_PATH": self.path(self.action),
                "GITHUB_WORKSPACE": self.path(self.workspace),
                "RUNNER_TEMP": self.path(self.temporary),
                **{name: self.path(file) for name, file in files.items()},
                **variables,
                **environment,
            },
        )  # fmt: skip
        # Nothing is left but the files of the runner.
        assert {path.name for path in self.temporary.iterdir()} == {path.name for path in files.values()}
        written = files["GITHUB_OUTPUT"].read_text()
        summary = files["GITHUB_STEP_SUMMARY"].read_text()
        return Outcome(result.returncode, result.stdout + result.stderr, values(written), summary, written)

    def write(self, *lines, name="pictures.txt"):
        (self.workspace / name).write_text("".join(f"{line}\n" for line in lines))

    def files(self, name="pictures"):
        """The bytes of the files in a directory of the workspace, by path."""
        folder = self.workspace / name
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def versions(self, name="pictures"):
        """What changes when a file is written."""
        folder = self.workspace / name
        return {path: (folder / path).stat()[1:] for path in self.files(name)}

    def draws(self, *lines):
        """The files of a list as the program itself renders them, by path."""
        with_breaks = "".join(f"{line}\n" for line in lines)
        result = self.execute(self.binary, "render", "--batch", "-", "--out", "expected", input=with_breaks)
        assert result.returncode == 0, result.stderr
        files = self.files("expected")
        shutil.rmtree(Path(self.workspace, "expected"))
        return files
