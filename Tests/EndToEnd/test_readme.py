"""Every command of the README's examples works as it stands."""

import json
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def commands(word):
    """The commands of the shell examples that begin with a word, lines joined."""
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(), re.S)
    for block in blocks:
        block = re.sub(r"\\\n\s*", "", block)
        yield from re.findall(rf"^{re.escape(word)} .*?(?=\n\n|\n#|\n\.build|\Z)", block, re.S | re.M)


@pytest.mark.parametrize("command", commands("curl"))
def test_a_curl_example_writes_its_file(server, tmp_path, command):
    command = command.replace("localhost:8080", server.url.removeprefix("http://"))
    command = command.replace("curl", "curl --fail -sS", 1)
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    (written,) = tmp_path.iterdir()
    assert written.stat().st_size > 300


def test_there_are_five_curl_examples_and_more():
    assert len(list(commands("curl"))) >= 5
    assert len(list(commands(".build/release/titlecard"))) == 3


def test_the_parameter_tables_hold_every_parameter(server):
    readme = README.read_text()
    effects = json.load(urllib.request.urlopen(server.url + "/effects"))["effects"]
    for effect in effects:
        row = next(line for line in readme.splitlines() if line.startswith(f"| `{effect['name']}` |"))
        assert [p["name"] for p in effect["parameters"]] == re.findall(r"\w+", row.split("|")[2])
