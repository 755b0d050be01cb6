"""The archives that run from any folder: what is in them, and that they draw as the programs they are made of do."""

import contextlib
import os
import re
import shutil
import subprocess
import tarfile

import pytest

from service import BINARY, IS_PROOF, REPOSITORY, Client, Server, Service, by_proof, free_port, query

BUILD = REPOSITORY / "deploy/dist/build"
# What each test sees of this machine's packages and environment is nothing.
PATH = "/usr/bin:/bin"
# glibc's own libraries, which are the system's.
GLIBC = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
FORMATS = ["svg", "json", "gif", "webp", "apng"]
REQUESTS = [
    {"text": "Hello, Ωορλδ", "effect": "wave", "font": "Inter", "weight": 700},
    {"text": "สวัสดีชาวโลก", "effect": "rise", "by": "word"},
    {"text": "Hello 👻", "effect": "blur", "preset": "neon"},
    {"text": "From the system", "effect": "draw", "font": "Lobster"},
]
# A font that only the system has.
LOBSTER = "usr/share/fonts/opentype/lobster"


def run(*command, **options):
    """The standard output of a command that succeeds."""
    outcome = subprocess.run(command, capture_output=True, text=True, **options)
    assert outcome.returncode == 0, f"{command}: {outcome.stdout}{outcome.stderr}"
    return outcome.stdout


def build(folder):
    # Packing takes longer than all else.
    run(BUILD, BINARY, folder, env={**os.environ, "GZIP_LEVEL": by_proof("1", "9")})
    return folder


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The archive and the one of the emoji."""
    folder = build(tmp_path_factory.mktemp("archives"))
    return sorted(folder.glob("*.tar.gz"), key=lambda path: "emoji" in path.name)


@pytest.fixture(scope="module")
def unpacked(archives, tmp_path_factory):
    """A folder that everybody may read, with both archives in it."""
    folder = tmp_path_factory.mktemp("unpacked")
    for archive in archives:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="tar")
    for path in [folder, *folder.parents][:3]:
        path.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def tree(unpacked):
    [tree] = unpacked.iterdir()
    return tree


def test_the_scripts_are_clean():
    run("shellcheck", str(BUILD), str(REPOSITORY / "deploy/dist/titlecard"), str(REPOSITORY / "deploy/make-sbom"))


@pytest.mark.skipif(not IS_PROOF, reason="runs as a proof: TEST_PROOF=1")
def test_it_takes_32_mb_and_the_same_programs_give_the_same_bytes(archives, tmp_path):
    assert archives[0].stat().st_size <= 32_000_000
    again = build(tmp_path)
    for archive in archives:
        assert (again / archive.name).read_bytes() == archive.read_bytes()


@pytest.mark.slow
def test_its_entries_are_sorted_and_belong_to_nobody(archives):
    commit = int(run("git", "-C", str(REPOSITORY), "log", "-1", "--format=%ct"))
    for archive in archives:
        with tarfile.open(archive) as opened:
            members = opened.getmembers()
        assert [each.name for each in members] == sorted(each.name for each in members)
        assert {(each.uid, each.gid, each.mtime) for each in members} == {(0, 0, commit)}
        assert {each.name.split("/")[0] for each in members} == {archives[0].name.removesuffix(".tar.gz")}
        assert all(each.mode in (0o755, 0o644) and (each.isdir() or each.isfile()) for each in members)


@pytest.mark.slow
def test_its_programs_and_libraries_need_nothing_but_glibc(tree):
    libraries = {path.name for path in (tree / "lib").iterdir()}
    for file in [*(tree / "lib").iterdir(), tree / "libexec/titlecard", tree / "libexec/titlecard-worker"]:
        dynamic = run("readelf", "-d", str(file))
        assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)) <= libraries | GLIBC, file
        assert ("[$ORIGIN/../lib]" in dynamic) == (file.parent.name == "libexec")
    assert not libraries & GLIBC


@pytest.mark.slow
def test_it_has_the_page_and_every_licence(tree):
    for path in (REPOSITORY / "Public").rglob("*"):
        if path.is_file():
            assert (tree / "libexec/Public" / path.relative_to(REPOSITORY / "Public")).read_bytes() == path.read_bytes()
    for name in ["LICENSE", "NOTICE"]:
        assert (tree / name).read_bytes() == (REPOSITORY / name).read_bytes()
    packages = re.findall(r"^(\S+) \S+: source \S+ \S+$", (tree / "licences/README").read_text(), re.M)
    owners = {"libcairo2", "libicu72", "libstdc++6", "fonts-dejavu-core", "fonts-inter-variable", "fontconfig-config"}
    assert owners <= set(packages) and "libc6" not in packages
    for package in [*packages, "fonts-noto-color-emoji"]:
        assert (tree / "licences" / package).stat().st_size > 0, package
    texts = "".join((tree / "licences" / package).read_text(errors="replace") for package in packages)
    for name in {"LGPL-2", "LGPL-2.1", "GPL-3", "MPL-1.1", "Apache-2.0"}:
        assert f"/common-licenses/{name}" in texts and (tree / f"licences/{name}.txt").exists()


# MARK: On this machine


def reference(tree, folder):
    """The variables with which the program under test has the fonts of the archive, and Lobster."""
    shutil.copytree(tree / "etc/fonts", folder / "fonts")
    rules = folder / "fonts/fonts.conf"
    own = f"<dir>{tree}/fonts</dir>\n<dir>/{LOBSTER}</dir>"
    rules.write_text(re.sub(r"<dir\b.*</dir>", "", rules.read_text()).replace("<include", own + "<include", 1))
    return {"FONTCONFIG_PATH": str(folder / "fonts")}


@pytest.fixture(scope="module")
def expected(tree, tmp_path_factory):
    """The bodies of the program under test, by their targets."""
    service = Service(environment=reference(tree, tmp_path_factory.mktemp("reference")))
    bodies = pictures(service)
    service.stop()
    return bodies


def pictures(service):
    bodies = {}
    for format in FORMATS:
        for request in REQUESTS:
            answer = service.get(target := f"/render.{format}?{query(request)}")
            assert answer.status == 200, answer.text
            bodies[target] = answer.body
    return bodies


@pytest.mark.slow
def test_a_link_to_it_starts_it(tree, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/titlecard").symlink_to(os.path.relpath(tree / "titlecard", tmp_path / "bin"))
    environment = {"PATH": f"{tmp_path}/bin:{PATH}"}
    assert run("titlecard", "--version", cwd="/", env=environment) == run(str(BINARY), "--version")
    assert "Lobster" in run("titlecard", "list", "fonts", cwd="/", env=environment)


@pytest.mark.slow
def test_the_systems_ffmpeg_makes_its_videos(tree, tmp_path):
    """The program starts itself, and becomes ffmpeg, which has the system's libraries."""
    files = [tmp_path / "a.webm", tmp_path / "b.webm"]
    for program, file in zip([tree / "titlecard", BINARY], files, strict=True):
        run(str(program), "render", "Film", "--font", "DejaVu Sans", "-o", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("stub, words", [
    ('uname() { echo riscv64; }', "this machine is riscv64"),
    ('getconf() { echo glibc 2.31; }', "need glibc 2.36 or later"),
    ('getconf() { echo glibc 2.9; }', "this system has 2.9"),
])
def test_where_it_cannot_run_it_says_why(tree, tmp_path, stub, words):
    name = stub.partition("(")[0]
    (tmp_path / name).write_text(f"#!/bin/sh\n{stub}\n{name}\n")
    (tmp_path / name).chmod(0o755)
    outcome = subprocess.run([tree / "titlecard", "--version"], capture_output=True, text=True,
                             env={"PATH": f"{tmp_path}:{PATH}"})
    assert (outcome.returncode, outcome.stdout) == (71, "")
    assert outcome.stderr.startswith("error: these programs ") and words in outcome.stderr


# MARK: In clean systems


@contextlib.contextmanager
def system(suite, folder, tree, *options):
    """Debian's smallest system with the archive in it, as what its commands begin with: a user without rights or home, in
    a folder that is not the archive's."""
    root = folder / "root"
    run("mmdebstrap", "--quiet", "--variant=minbase", *options, suite, str(root))
    shutil.copytree(tree, root / "srv/here/titlecard")
    shutil.copytree(f"/{LOBSTER}", root / LOBSTER)
    enter = ('mount -t proc proc "$0/proc" && exec chroot --userspec=4321:4321 "$0" '
             f'env -i PATH={PATH} HOME=/nonexistent sh -c \'cd /var/tmp && exec "$@"\' sh "$@"')
    yield ["unshare", "--mount", "--propagation", "slave", "sh", "-c", enter, str(root)]


@pytest.mark.skipif(not IS_PROOF, reason="makes a Debian system; make proof does")
@pytest.mark.parametrize("suite, options", [
    ("bookworm", []),
    ("trixie", []),
    # Newer versions of fontconfig's rules and of the fonts.
    ("trixie", ["--include=fontconfig,fonts-inter,fonts-noto-color-emoji"]),
], ids=["bookworm", "trixie", "trixie with fonts"])
def test_it_serves_in_a_clean_system_with_the_same_bytes(suite, options, tree, tmp_path, expected):
    with system(suite, tmp_path, tree, *options) as inside:
        port = free_port()
        server = Server([*inside, "/srv/here/titlecard/titlecard", "serve", "--port", port], port)
        try:
            assert pictures(server) == expected
            assert b"<title>" in Client(port).get("/").body
        finally:
            assert server.stop() == 0


@pytest.mark.skipif(not IS_PROOF, reason="makes a Debian system; make proof does")
def test_it_says_that_a_system_is_too_old(tree, tmp_path):
    with system("bullseye", tmp_path, tree) as inside:
        outcome = subprocess.run([*inside, "/srv/here/titlecard/titlecard", "serve"], capture_output=True, text=True)
        assert outcome.returncode == 71
        assert outcome.stderr == ("error: these programs need glibc 2.36 or later, as in Debian 12, Ubuntu 24.04, and "
                                  "Fedora 37; this system has 2.31\n")
