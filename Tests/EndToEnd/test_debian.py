"""The Debian package and its systemd units, made with the program under test."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from service import BINARY, IS_PROOF, PATIENCE, REPOSITORY, Service, free_port, until

SYSTEMD = REPOSITORY / "deploy/systemd"
FORMATS = ["svg", "gif", "apng", "webp", "png", "json", "lot"]


def run(*command, **details):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, **details)


def succeeds(*command, **details):
    outcome = run(*command, **details)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deb")
    succeeds(REPOSITORY / "deploy/debian/build", BINARY, folder)
    (package,) = folder.glob("titlecard_*.deb")
    return package


@pytest.fixture(scope="module")
def unpacked(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    succeeds("dpkg-deb", "-x", package, folder)
    return folder


@pytest.fixture(scope="module")
def units(unpacked, tmp_path_factory):
    """The units, with the programs where they are unpacked."""
    folder = tmp_path_factory.mktemp("units")
    for name in ["titlecard.service", "titlecard.socket"]:
        text = (unpacked / "lib/systemd/system" / name).read_text()
        (folder / name).write_text(text.replace("/usr/bin/titlecard", f"{unpacked}/usr/bin/titlecard"))
    return folder


def setting(name):
    return re.findall(rf"^{name}=(.*)$", (SYSTEMD / "titlecard.service").read_text(), re.M)


# MARK: The package


def test_lintian_finds_nothing(package):
    outcome = run("lintian", "--fail-on", "error,warning", "--allow-root", package)
    assert (outcome.returncode, outcome.stdout) == (0, ""), outcome.stderr


@pytest.mark.skipif(not IS_PROOF, reason="makes the package again; make proof does")
def test_the_same_programs_and_commit_give_the_same_package(package, tmp_path):
    succeeds(REPOSITORY / "deploy/debian/build", BINARY, tmp_path)
    assert (tmp_path / package.name).read_bytes() == package.read_bytes()


def test_every_command_and_option_has_its_manual(unpacked):
    pages = unpacked / "usr/share/man/man1"
    commands = re.findall(r"^  (\w+)(?: \(default\))? {2,}\S", run(BINARY, "--help").stdout.partition("SUBCOMMANDS:")[2], re.M)
    assert {page.name for page in pages.iterdir()} == {f"titlecard-{each}.1.gz" for each in commands} | {"titlecard.1.gz"}
    for command in commands:
        outcome = run("man", "--warnings", "-l", pages / f"titlecard-{command}.1.gz", env={**os.environ, "MANWIDTH": "1000"})
        assert (outcome.returncode, outcome.stderr) == (0, "")
        options = re.findall(r"^  (--[\w-]+)", run(BINARY, command, "--help").stdout, re.M)
        assert all(re.search(rf"^ +{option}\b", outcome.stdout, re.M) for option in options)


@pytest.mark.parametrize(
    "shell, file",
    [("bash", "bash-completion/completions/titlecard"), ("zsh", "zsh/vendor-completions/_titlecard"),
     ("fish", "fish/vendor_completions.d/titlecard.fish")],
)
def test_completions_are_valid(unpacked, shell, file):
    path = unpacked / "usr/share" / file
    succeeds(shell, "-n", path)
    assert "canonical" in path.read_text()


def test_the_unpacked_programs_find_each_other(unpacked, tmp_path):
    file = tmp_path / "a.gif"
    succeeds(unpacked / "usr/bin/titlecard", "render", "From a package", "-o", file)
    assert file.read_bytes().startswith(b"GIF89a")


# MARK: systemd


def test_the_units_are_valid(units):
    outcome = run("systemd-analyze", "verify", "--man=no", *sorted(units.iterdir()))
    assert (outcome.returncode, outcome.stdout + outcome.stderr) == (0, "")


def test_the_exposure_is_below_two(units):
    outcome = run("systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", units / "titlecard.service")
    assert outcome.returncode == 0, outcome.stdout
    assert float(re.search(r"exposure level for titlecard.service: ([\d.]+)", outcome.stdout)[1]) < 2


def test_a_stop_leaves_time_to_drain():
    (seconds,) = setting("TimeoutStopSec")
    drain = re.search(r"--drain-timeout .*\((\d+)\)|--drain-timeout <drain-timeout>\s+.*?\((\d+)\)",
                      run(BINARY, "serve", "--help", env={**os.environ, "COLUMNS": "1000"}).stdout)
    assert int(seconds) > int(drain[1] or drain[2]) + 5


def members(name, known={}):
    """The system calls of a group, with those of the groups in it."""
    if name not in known:
        lines = succeeds("systemd-analyze", "--no-pager", "syscall-filter", name).splitlines()[1:]
        words = {line.strip() for line in lines} - {""}
        words = {word for word in words if not word.startswith("#")}
        known[name] = set().union(*(members(word) if word.startswith("@") else {word} for word in words))
    return known[name]


def allowed():
    calls = set()
    for line in setting("SystemCallFilter"):
        words = line.removeprefix("~").split()
        named = set().union(*(members(word) if word.startswith("@") else {word} for word in words))
        calls = calls - named if line.startswith("~") else calls | named
    return calls


def activated(unpacked, *before, port):
    """The command by which systemd's tool starts the program of the unit with an open socket."""
    return ["systemd-socket-activate", "-l", f"127.0.0.1:{port}", f"--setenv=TITLECARD_PUBLIC={unpacked}/usr/share/titlecard/Public",
            *before, unpacked / "usr/bin/titlecard", "serve"]


class Activated(Service):
    """A service that systemd's tool has started."""

    def __init__(self, unpacked, *before):
        self.host, self.port = "127.0.0.1", free_port()
        self.url = f"http://{self.host}:{self.port}"
        self.process = subprocess.Popen([*map(str, activated(unpacked, *before, port=self.port))], stderr=subprocess.DEVNULL)
        until(self.answers, "the activated service")

    def answers(self):
        assert self.process.poll() is None
        try:
            return self.get("/health").status == 200
        except ConnectionError:
            return False


def test_the_unit_serves_on_the_socket_of_systemd(unpacked):
    service = Activated(unpacked)
    try:
        assert service.get("/").status == 200 and service.get("/render.svg?text=activated").status == 200
    finally:
        assert service.stop() == 0


def test_every_system_call_is_one_that_the_unit_allows(unpacked, tmp_path):
    trace = tmp_path / "trace"
    # It traces from beside, so that the program is the process to which the socket was handed.
    service = Activated(unpacked, "strace", "-D", "-f", "-o", trace)
    for format in FORMATS:
        target = f"/render.{format}?text=%F0%9F%91%BB+%E0%B8%AA%E0%B8%A7%E0%B8%B1%E0%B8%AA+%E4%BD%A0&effect=slide&hold=0.2&size=60&duration=2"
        assert service.get(target, {"Accept-Encoding": "gzip"}).status == 200
    assert service.get("/metrics").status == service.get("/fonts").status == 200
    catalogue = service.get("/fonts").headers["ETag"]
    service.process.send_signal(signal.SIGHUP)
    assert service.get("/render.svg?text=after").status == 200 and service.get("/fonts").headers["ETag"] == catalogue
    assert service.stop() == 0
    used = set(re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.M))
    assert {"epoll_wait", "setpriority"} & used
    assert used - allowed() == set()


# MARK: A clean system


@pytest.mark.skipif(not IS_PROOF, reason="makes a Debian system of 400 MB; make proof does")
def test_it_is_installed_used_and_removed_without_a_trace(package, tmp_path):
    root = tmp_path / "root"
    succeeds("mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates", "bookworm", root)

    def inside(*command):
        return succeeds("chroot", root, *command)

    def listing():
        """What there is, without what apt and dpkg note about their own work, and caches that packages leave."""
        ignored = ("var/lib/apt", "var/lib/dpkg", "var/cache", "var/log", "proc", "dev", "tmp")
        found = set()
        for folder, folders, files in os.walk(root):
            here = os.path.relpath(folder, root)
            folders[:] = [one for one in folders if not os.path.join(here, one).removeprefix("./").startswith(ignored)]
            found |= {os.path.join(here, one).removeprefix("./") for one in folders + files}
        return found

    shutil.copy(package, root / "tmp")
    # What it needs is installed before, so that the package's own files are those that come and go.
    needs = re.sub(r"\s*\([^)]*\)", "", succeeds("dpkg-deb", "-f", package, "Depends")).replace(",", " ").split()
    inside("sh", "-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends " + " ".join(needs))
    before = listing()
    # A program finds itself there.
    succeeds("mount", "-t", "proc", "proc", root / "proc")
    try:
        use(inside, root, package)
    finally:
        succeeds("umount", root / "proc")
    inside("dpkg", "--purge", "titlecard")
    assert listing() - before == set()


def use(inside, root, package):
    """Installs the package, draws a picture, and has its service answer."""
    inside("dpkg", "-i", f"/tmp/{package.name}")
    inside("titlecard", "render", "Installed", "-o", "/tmp/installed.png")
    assert (root / "tmp/installed.png").read_bytes().startswith(b"\x89PNG")
    port = free_port()
    server = subprocess.Popen(["chroot", root, "titlecard", "serve", "--port", str(port)], stderr=subprocess.DEVNULL)
    try:
        until(lambda: run("chroot", root, "titlecard", "health", "--port", port).returncode == 0, "the installed service")
    finally:
        server.terminate()
        assert server.wait(timeout=PATIENCE) == 0
