"""The Debian package and the units in it, without installing them."""

import os
import re
import shlex
import signal
import subprocess

import pytest

import debian_package
from service import BINARY, IS_PROOF, REPOSITORY, Client, free_port, query, until

UNITS = REPOSITORY / "deploy/systemd"
COMMANDS = ["", "render", "serve", "list", "help", "completion", "health", "sign", "import", "canonical"]
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/titlecard",
    "zsh": "usr/share/zsh/vendor-completions/_titlecard",
    "fish": "usr/share/fish/vendor_completions.d/titlecard.fish",
}


def run(*command, **options):
    """The standard output of a command that succeeds and says nothing else."""
    result = subprocess.run(command, capture_output=True, text=True, **options)
    assert result.returncode == 0 and not result.stderr, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


def settings(name):
    """The lines of the service's unit with a name, in their order."""
    unit = (UNITS / "titlecard.service").read_text()
    return re.findall(rf"^{name}=(.*)$", unit, re.M)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return debian_package.build(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def tree(package, tmp_path_factory):
    """The package's files."""
    folder = tmp_path_factory.mktemp("tree")
    run("dpkg-deb", "-x", str(package), str(folder))
    return folder


@pytest.fixture(scope="module")
def units(tree, tmp_path_factory):
    """The paths of the units, which run the program where it is now."""
    folder = tmp_path_factory.mktemp("units")
    for unit in (tree / "lib/systemd/system").iterdir():
        text = unit.read_text().replace("/usr/bin/titlecard", f"{tree}/usr/bin/titlecard")
        (folder / unit.name).write_text(text)
    return sorted(folder.iterdir())


def activated(tree, port, *tracer):
    """The service as its unit runs it, on a socket that systemd-socket-activate passes on."""
    [line] = settings("ExecStart")
    program, *arguments = shlex.split(line)
    variables = [text.replace("/usr/", f"{tree}/usr/") for text in settings("Environment")]
    return subprocess.Popen(
        ["systemd-socket-activate", f"--listen=127.0.0.1:{port}", *[f"--setenv={text}" for text in variables]]
        + [*tracer, f"{tree}{program}", *arguments],
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.slow
def test_lintian_finds_nothing(package):
    assert run("lintian", "--allow-root", "--fail-on=error,warning", str(package)) == ""


def test_the_script_is_clean():
    run("shellcheck", str(debian_package.BUILD))


@pytest.mark.skipif(not IS_PROOF, reason="runs as a proof: TEST_PROOF=1")
def test_the_same_programs_give_the_same_package(package, tmp_path):
    assert debian_package.build(tmp_path).read_bytes() == package.read_bytes()


def test_its_name_has_the_version(package):
    version = run(str(BINARY), "--version").strip()
    architecture = run("dpkg", "--print-architecture").strip()
    assert package.name == f"titlecard_{version}_{architecture}.deb"


def test_it_depends_on_libraries_and_fonts(package):
    fonts = set((REPOSITORY / "deploy/fonts").read_text().split())
    depends = debian_package.names(debian_package.field(package, "Depends"))
    assert depends >= {"libc6", "libpangocairo-1.0-0", "fontconfig", "fonts-dejavu-core"}
    # ICU is opened where a request asks for its words.
    recommended = {"libicu72", *fonts} - {"fonts-dejavu-core"}
    assert debian_package.names(debian_package.field(package, "Recommends")) == recommended


def test_it_has_the_page(tree):
    def files(folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert files(tree / "usr/share/titlecard/Public") == files(REPOSITORY / "Public")


def test_all_may_read_it_and_root_alone_may_write_it(tree):
    for path in tree.rglob("*"):
        is_program = str(path.relative_to(tree)) in ("usr/bin/titlecard", "usr/libexec/titlecard/titlecard-worker")
        assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() or is_program else 0o644), path


def test_its_options_are_comments(package, tree):
    lines = (tree / "etc/default/titlecard").read_text().splitlines()
    assert all(not line or line.startswith("#") for line in lines)
    conffiles = run("dpkg-deb", "--info", str(package), "conffiles").split()
    assert conffiles == ["/etc/default/titlecard"]


def test_its_options_are_known(tree):
    variables = re.findall(r"^#TITLECARD_(\w+)=", (tree / "etc/default/titlecard").read_text(), re.M)
    help = run(str(BINARY), "serve", "--help")
    assert variables
    for name in set(variables) - {"SIGNING_KEY", "SIGNING_KEYS_FILE"}:
        assert f"  --{name.lower().replace('_', '-')} " in help


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_a_manual_page(tree, command):
    path = tree / f"usr/share/man/man1/{'-'.join(filter(None, ['titlecard', command]))}.1.gz"
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    page = run("man", "--warnings", "--local-file", str(path), env=environment)
    help = run(str(BINARY), *filter(None, [command]), "--help")
    options = re.findall(r"^  (--?\S+)", help, re.M)
    assert options
    for option in options:
        assert re.search(rf"^ +{re.escape(option.rstrip(','))}\b", page, re.M), option


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_a_shell_can_read_its_completions(tree, shell):
    run(shell, "-n", str(tree / COMPLETIONS[shell]))


def with_program(tree):
    """The environment in which the package's program is found, which its completions ask."""
    return {**os.environ, "PATH": f"{tree}/usr/bin:{os.environ['PATH']}"}


def test_fish_completes_commands_and_options(tree):
    def completed(line):
        script = f"source {tree / COMPLETIONS['fish']}; complete --do-complete '{line}'"
        output = run("fish", "--no-config", "--command", script, env=with_program(tree))
        return [each.split("\t")[0] for each in output.splitlines()]

    assert completed("titlecard he") == ["health", "help"]
    assert "--render-queue" in completed("titlecard serve --render-")


def test_bash_completes_commands(tree):
    script = f"""
        shopt -s extglob progcomp
        source {tree / COMPLETIONS['bash']}
        COMP_LINE='titlecard re' COMP_POINT=12 COMP_WORDS=(titlecard re) COMP_CWORD=1
        _titlecard titlecard re titlecard; echo "${{COMPREPLY[@]}}"
    """
    assert run("bash", "--norc", "-c", script, env=with_program(tree)).split() == ["render"]


def test_the_unpacked_programs_find_each_other(tree, tmp_path):
    file = tmp_path / "a.png"
    run(str(tree / "usr/bin/titlecard"), "render", "From a package", "-o", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")


def test_the_units_are_valid(units):
    run("systemd-analyze", "verify", "--man=no", *map(str, units))


def test_the_service_is_restricted():
    """An exposure of at most 2.0 of 10."""
    unit = str(UNITS / "titlecard.service")
    run("systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=20", unit)


def test_a_stop_lasts_longer_than_a_drain():
    help = run(str(BINARY), "serve", "--help")
    [drain] = re.findall(r"--drain-timeout .*?\((\d+)\)", help, re.S)
    [stop] = settings("TimeoutStopSec")
    # After the drain work has two seconds to end, and workers three more.
    assert int(stop) > int(drain) + 5


def test_the_limit_of_memory_is_above_the_budget():
    help = run(str(BINARY), "serve", "--help")
    [budget] = re.findall(r"--memory .*?\((\d+)\)", help, re.S)
    [high], [most] = settings("MemoryHigh"), settings("MemoryMax")
    assert int(budget) < int(high.removesuffix("M")) < 1024 * int(most.removesuffix("G"))


def test_the_command_of_the_unit_serves_on_the_socket_that_it_is_given(tree):
    port = free_port()
    with activated(tree, port) as process:
        try:
            until(lambda: is_open(Client(port)), "the socket")
            assert Client(port).get("/health").status == 200
            assert b"<title>" in Client(port).get("/").body
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0


def is_open(service):
    """Whether somebody listens; the connection starts the service."""
    try:
        return service.get("/health")
    except ConnectionRefusedError:
        return False


def system_calls(expression):
    """The names of system calls in a value of SystemCallFilter."""
    names = set()
    for word in expression.split():
        if not word.startswith("@"):
            names.add(word)
            continue
        lines = run("systemd-analyze", "--no-pager", "syscall-filter", word).splitlines()[1:]
        members = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
        names |= system_calls(" ".join(members))
    return names


def allowed_system_calls():
    allowed = set()
    for line in settings("SystemCallFilter"):
        if line.startswith("~"):
            allowed -= system_calls(line[1:])
        else:
            allowed |= system_calls(line)
    # These are always allowed, so that a filter can be undone by none.
    return allowed | system_calls("@default")


@pytest.mark.slow
def test_the_unit_allows_the_system_calls_that_the_program_makes(tree, tmp_path):
    port, trace = free_port(), tmp_path / "trace"
    # ffmpeg's libnuma asks whether the kernel has a policy and does without: refused here as the unit refuses it.
    refused = "set_mempolicy"
    # The tracer runs aside, so that the program has the process id that it is told.
    with activated(tree, port, "strace", "-D", "-f", "-qq", "--signal=none", f"--inject={refused}:error=EPERM",
                   f"--output={trace}") as process:
        try:
            until(lambda: is_open(Client(port)), "the socket")
            service = Client(port)
            formats = [each["extension"] for each in service.get("/formats").json["formats"]]
            # A sticker of Telegram has no pictures.
            requests = [(f"/render.{each}", {"text": "Hello" if each == "tgs" else "Hello, 👻", "effect": "blur", "preset": "neon"})
                        for each in formats]
            # One that goes on at a lower priority.
            requests.append(("/render.gif", {"text": "Hello " * 20, "effect": "rise", "size": 64}))
            for _ in range(2):
                for path, request in requests:
                    assert service.get(f"{path}?{query(request)}").status == 200
                process.send_signal(signal.SIGHUP)
                assert service.get("/fonts").status == 200
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
    made = set(re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.M))
    assert {"accept4", "setpriority", "memfd_create", "clone3"} <= made
    assert made - allowed_system_calls() <= {refused}
