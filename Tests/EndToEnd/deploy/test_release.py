"""What makes a release on GitHub: the workflows as they stand, and what their scripts ask docker, gh, and git for."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import helm_python as helm
import pytest
import yaml

from service import BINARY, REPOSITORY

RELEASE = REPOSITORY / "deploy/release"
WORKFLOWS = sorted((REPOSITORY / ".github/workflows").glob("*.yml"))
EXAMPLE = REPOSITORY / "deploy/action/example-workflow.yml"
VERSION = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.strip()
DIGEST = "sha256:" + "d" * 64
COMMIT = "c" * 40


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def tool(name, *arguments):
    """A program of the tests' environment finds nothing."""
    outcome = run(os.path.join(os.path.dirname(sys.executable), name), *arguments)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


class Fork:
    """A repository of somebody else, with what a release is made of; programs are stand-ins that note how they are called."""

    def __init__(self, folder):
        self.folder, self.programs = folder / "fork", folder / "programs"
        for name in ["deploy/release", "deploy/action", "deploy/helm", "deploy/kubernetes", "deploy/nginx", "deploy/prometheus"]:
            shutil.copytree(REPOSITORY / name, self.folder / name)
        for name in ["CHANGELOG.md", "Dockerfile", "docker-compose.yml", "Sources/Service/Settings/ServiceSettings.swift",
                     "docs/operations.md",
                     ".github/workflows/ci.yml"]:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, self.folder / name)
        self.programs.mkdir()
        for command in ["init --quiet", "add -A", "-c user.name=a -c user.email=a@b commit --quiet -m a", f"tag v{VERSION}"]:
            assert run("git", "-C", self.folder, *command.split()).returncode == 0
        self.commit = run("git", "-C", self.folder, "rev-parse", "HEAD").stdout.strip()

    def program(self, name, script):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\nprintf '%s\\t' \"$@\" >>{path}.calls; echo >>{path}.calls\n{script}\n")
        path.chmod(0o755)

    def calls(self, name):
        return [line.split("\t")[:-1] for line in (self.programs / f"{name}.calls").read_text().splitlines()]

    def run(self, script, *arguments):
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"}
        return run(self.folder / "deploy/release" / script, *arguments, env=environment, cwd="/")


@pytest.fixture
def fork(tmp_path):
    return Fork(tmp_path)


# MARK: The workflows


def test_the_scripts_are_clean():
    assert (outcome := run("shellcheck", *RELEASE.iterdir())).returncode == 0, outcome.stdout


def test_actionlint_and_zizmor_find_nothing(tmp_path):
    tool("actionlint", *WORKFLOWS, EXAMPLE)
    # The form that it wants is newer than the runners that forks may have.
    (tmp_path / "zizmor.yml").write_text(json.dumps({"rules": {"self-repository": {"disable": True}}}))
    tool("zizmor", "--offline", "--quiet", "--config", tmp_path / "zizmor.yml", *WORKFLOWS, REPOSITORY / "action.yml")


def test_dependabot_fits_its_schema():
    tool("check-jsonschema", "--builtin-schema", "vendor.dependabot", REPOSITORY / ".github/dependabot.yml")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_jobs_have_few_rights_and_end(workflow):
    text = yaml.safe_load(workflow.read_text())
    assert text["permissions"] in ({}, {"contents": "read"})
    for name, job in text["jobs"].items():
        assert "uses" in job or job["timeout-minutes"] <= 120, name
        assert text["permissions"] or "permissions" in job, name


def test_actions_are_named_by_commits():
    for file in [*WORKFLOWS, EXAMPLE]:
        named = re.findall(r"uses: (\S+)(.*)", file.read_text())
        assert named
        for action, comment in named:
            if not action.startswith(("./", "your-name/")):
                assert re.search(r"@[0-9a-f]{40}$", action) and re.fullmatch(r" # v[\d.]+", comment), action


def test_continuous_integration_builds_with_the_swift_of_the_image():
    [swift] = re.findall(r"^FROM (swift:\S+) AS", (REPOSITORY / "Dockerfile").read_text(), re.M)
    for file in WORKFLOWS:
        for image in re.findall(r"image: (swift\S+)", file.read_text()):
            assert image == swift


def test_nobody_is_named_as_the_owner():
    tracked = run("git", "-C", REPOSITORY, "ls-files", "--", ".", ":!Tests").stdout.split("\n")[:-1]
    for name in tracked:
        path = REPOSITORY / name
        if path.suffix in {".md", ".yml", ".yaml", ".toml"} and path.exists():
            assert not re.search(r"\bOWNER/titlecard|registry\.example", path.read_text()), name


def test_the_start_of_the_readme_names_this_version():
    start = (REPOSITORY / "README.md").read_text().partition("## Start")[2].partition("\n## ")[0]
    assert set(re.findall(r"titlecard[-:](\d+\.\d+\.\d+)", start)) == {VERSION}


def test_manifests_name_this_version():
    for file in (REPOSITORY / "deploy/kubernetes").rglob("kustomization.yaml"):
        for image in yaml.safe_load(file.read_text()).get("images", []):
            assert image["newTag"] == VERSION, file


# MARK: The scripts


def test_a_tag_is_the_version_of_the_program_and_of_the_changelog(fork):
    assert (outcome := fork.run("check", f"v{VERSION}")).stdout == f"{VERSION}\n", outcome.stderr
    for tag in ["v9.9.9", VERSION, f"v{VERSION}-1"]:
        assert fork.run("check", tag).returncode == 1
    changelog = fork.folder / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace(f"## {VERSION}", "## Another"))
    assert "CHANGELOG.md says nothing" in fork.run("check", f"v{VERSION}").stderr


def test_the_notes_are_the_section_of_the_changelog_with_links_to_the_files(fork):
    (fork.folder / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n- c\n\n## 1.2.3\n\n- [a](docs/api.md#x) [b](https://b.example/)\n\n## 1.2.2\n\n- d\n")
    assert fork.run("notes", "1.2.3").stdout == "- [a](docs/api.md#x) [b](https://b.example/)\n"
    linked = fork.run("notes", "1.2.3", "https://github.com/a/b/blob/v1.2.3").stdout
    assert linked == "- [a](https://github.com/a/b/blob/v1.2.3/docs/api.md#x) [b](https://b.example/)\n"
    assert fork.run("notes", "1.2").stdout == ""


def test_three_images_are_built_for_this_processor_and_labelled(fork):
    fork.program("docker", "")
    fork.program("uname", "echo aarch64")
    assert (outcome := fork.run("images", "Some-One/Title.Card", "1.2.3")).returncode == 0, outcome.stderr
    calls = fork.calls("docker")
    assert [call[call.index("--tag") + 1] for call in calls] == [
        f"ghcr.io/some-one/title.card:1.2.3{suffix}-arm64" for suffix in ["", "-slim", "-video"]]
    dockerfile = (REPOSITORY / "Dockerfile").read_text()
    for call, arguments in zip(calls, [[], ["FONTS=fonts-slim"], ["VIDEO=ffmpeg"]], strict=True):
        assert call[:3] == ["buildx", "build", "--push"] and call[-1] == str(fork.folder)
        assert [after for word, after in zip(call, call[1:]) if word == "--build-arg"] == arguments
        assert all(f"ARG {argument.split('=')[0]}=" in dockerfile for argument in arguments)
        labels = dict(after.split("=", 1) for word, after in zip(call, call[1:]) if word == "--label")
        created = labels.pop("org.opencontainers.image.created")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", created)
        assert labels == {
            "org.opencontainers.image.version": "1.2.3", "org.opencontainers.image.revision": fork.commit,
            "org.opencontainers.image.source": "https://github.com/Some-One/Title.Card",
        }


@pytest.mark.parametrize("version, tags", [("1.2.3", ["1.2.3", "1.2"]), ("1.2.3-rc1", ["1.2.3-rc1"])])
def test_images_of_all_processors_are_joined(fork, version, tags):
    fork.program("docker", f"[ \"$3\" = create ] || echo {DIGEST}")
    outcome = fork.run("manifests", "Some-One/Titlecard", version, "amd64", "arm64")
    assert outcome.stdout == f"default={DIGEST}\nslim={DIGEST}\nvideo={DIGEST}\n"
    name = "ghcr.io/some-one/titlecard"
    for suffix, call in zip(["", "-slim", "-video"], fork.calls("docker")[::2], strict=True):
        named = [word for tag in tags for word in ["--tag", f"{name}:{tag}{suffix}"]]
        parts = [f"{name}:{version}{suffix}-{processor}" for processor in ["amd64", "arm64"]]
        assert call == ["buildx", "imagetools", "create", *named, *parts]


def test_a_release_has_sums_and_a_workflow_and_chart_with_the_repositorys_name(fork, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.deb").write_text("a")
    for _ in range(2):
        assert (outcome := fork.run("assets", "Some-One/Titlecard", VERSION, files)).returncode == 0, outcome.stderr
    assert sorted(path.name for path in files.iterdir()) == ["SHA256SUMS", "a.deb", "pictures.yml", f"titlecard-chart-{VERSION}.tgz"]
    for line in (files / "SHA256SUMS").read_text().splitlines():
        sum, name = line.split("  ")
        assert hashlib.sha256((files / name).read_bytes()).hexdigest() == sum
    text = (files / "pictures.yml").read_text()
    assert f"uses: Some-One/Titlecard@v{VERSION}\n" in text and "your-name" not in text
    with helm.Chart.load(str(files / f"titlecard-chart-{VERSION}.tgz")) as chart:
        manifests = chart.render({}, name="titlecard", namespace="titlecard")
    assert f'image: "ghcr.io/some-one/titlecard:{VERSION}"' in manifests["titlecard/templates/deployment.yaml"]
    assert yaml.safe_load(text)["jobs"].keys() == yaml.safe_load(EXAMPLE.read_text())["jobs"].keys()


def test_a_release_is_made_of_all_files(fork, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    for name in ["a.deb", "b.tar.gz"]:
        (files / name).write_text(name)
    fork.program("gh", "")
    assert (outcome := fork.run("publish", "Some-One/Titlecard", VERSION, files)).returncode == 0, outcome.stderr
    [release] = fork.calls("gh")
    assert release[:3] == ["release", "create", f"v{VERSION}"] and release[-2:] == [str(files / "a.deb"), str(files / "b.tar.gz")]
    assert {"--verify-tag", "--latest"} <= set(release) and release[release.index("--repo") + 1] == "Some-One/Titlecard"


@pytest.mark.parametrize("is_there", [True, False])
def test_the_tag_of_the_major_version_moves_or_is_made(fork, is_there):
    fork.program("gh", "true" if is_there else '[ "$2" = --silent ] && [ "$3" = --method ]')
    assert (outcome := fork.run("move-major", "Some-One/Titlecard", VERSION)).returncode == 0, outcome.stderr
    asked, changed = fork.calls("gh")
    major = f"v{VERSION.split('.')[0]}"
    assert asked[-1] == f"repos/Some-One/Titlecard/git/ref/tags/{major}" and f"sha={fork.commit}" in changed
    assert (f"repos/Some-One/Titlecard/git/refs/tags/{major}" in changed) == is_there
    assert (f"ref=refs/tags/{major}" in changed) != is_there


def test_a_tag_that_cannot_be_moved_is_an_error(fork):
    fork.program("gh", '[ "$3" != --method ]')
    assert fork.run("move-major", "a/b", VERSION).returncode != 0
    assert [call[3] for call in fork.calls("gh")[1:]] == ["PATCH"]


def test_a_prerelease_moves_no_tag(fork, tmp_path):
    (tmp_path / "a").write_text("")
    fork.program("gh", "")
    assert fork.run("publish", "a/b", f"{VERSION}-rc1", tmp_path).returncode == 0
    assert fork.run("move-major", "a/b", f"{VERSION}-rc1").returncode == 0
    [call] = fork.calls("gh")
    assert "--prerelease" in call and "--latest" not in call


def test_a_chart_of_another_version_is_no_asset(fork, tmp_path):
    outcome = fork.run("assets", "a/b", f"{VERSION}-rc1", tmp_path)
    assert outcome.returncode != 0 and "make-chart" in outcome.stderr


def test_the_chart_has_the_number_of_a_prerelease(fork):
    settings = fork.folder / "Sources/Service/Settings/ServiceSettings.swift"
    settings.write_text(settings.read_text().replace(f'"{VERSION}"', f'"{VERSION}-rc1"'))
    assert run(fork.folder / "deploy/helm/make-chart").returncode == 0
    assert f"version: {VERSION}-rc1\n" in (fork.folder / "deploy/helm/titlecard/Chart.yaml").read_text()


# MARK: Digests


@pytest.fixture
def pinned(fork):
    """A fork whose registries and tags have digests."""
    git = shutil.which("git")
    fork.program("docker", f"echo {DIGEST}")
    fork.program("git", f'[ "$1" = ls-remote ] || exec {git} "$@"\nprintf "{"a" * 40}\\t$3\\n{COMMIT}\\t$4\\n"')
    workflow = fork.folder / ".github/workflows/ci.yml"
    workflow.write_text(re.sub(r"@[0-9a-f]{40} # ", "@", workflow.read_text()))
    return fork


def test_pin_writes_digests_once(pinned):
    missing = pinned.run("pin", "--check")
    assert missing.returncode == 1 and "Dockerfile: debian 12.12-slim has no digest" in missing.stderr
    # The workflow that users copy has another commit, and an owner that they put in.
    example = pinned.folder / "deploy/action/example-workflow.yml"
    example.write_text(re.sub(r"[0-9a-f]{40}", COMMIT, example.read_text()))
    assert (outcome := pinned.run("pin")).returncode == 0, outcome.stderr
    dockerfile = (pinned.folder / "Dockerfile").read_text()
    assert f"FROM debian:12.12-slim@{DIGEST}\n" in dockerfile and re.search(rf"^FROM swift:\S+@{DIGEST} AS builder$", dockerfile, re.M)
    assert f"image: nginxinc/nginx-unprivileged:1.28-alpine@{DIGEST}\n" in (pinned.folder / "docker-compose.yml").read_text()
    workflow = (pinned.folder / ".github/workflows/ci.yml").read_text()
    assert f"uses: actions/checkout@{COMMIT} # v4.2.2\n" in workflow
    yaml.safe_load(workflow)
    assert pinned.run("pin", "--check").returncode == 0
    before = run("git", "-C", pinned.folder, "diff").stdout
    assert pinned.run("pin").returncode == 0 and run("git", "-C", pinned.folder, "diff").stdout == before


def test_pin_says_which_tags_have_moved_or_are_none(pinned):
    assert f"actions/checkout v4.2.2 is now {COMMIT}" in pinned.run("pin").stderr
    pinned.program("docker", "")
    dockerfile = pinned.folder / "Dockerfile"
    dockerfile.write_text("FROM debian:99\n")
    assert "Dockerfile: debian has no 99" in pinned.run("pin").stderr
