"""The cost of a request over HTTP, beside nginx and a Hummingbird 2 hello, in turn in one run.

    nice swift build -c release --package-path Benchmarks/Hummingbird/Hello
    python3 Benchmarks/throughput.py .build/release/titlecard

One thread of wrk on loopback, keep-alive. All answer `/health` and the same SVG of 20 KB: nginx from
a file (sendfile, open_file_cache), Hummingbird from memory, Titlecard from its cache of renderings.
Results are medians of rounds in which each server had its turn; CPU is the user and system time of
all the server's threads. Ends with 1 when a target is missed.
"""

import argparse
import pathlib
import statistics
import sys
import tempfile

from load.verdicts import Verdicts
from load.processes import HOST, Server, titlecard
from load.wrk import load

HELLO = pathlib.Path(__file__).parent / "Hummingbird/Hello/.build/release/hummingbird-hello"
PICTURE_BYTES = 20 * 1024
PICTURE = "/render.svg?effect=slide&loop=infinite&width=640&text="
SENTENCE = "Text comes alive, glyph by glyph, and whoever reads it follows the hand that writes. "
MANY = 1_000_000_000
CONNECTIONS = (32, 256)
NGINX = """
daemon off; pid {folder}/pid; error_log stderr; worker_processes auto;
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
    open_file_cache max=100; types {{ image/svg+xml svg; }}
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        listen {host}:{port} backlog=1024;
        location = /health {{ default_type application/json; return 200 '{{"status":"ok"}}'; }}
        location = /file {{ alias {file}; default_type image/svg+xml; }}
    }}
}}
"""


def picture(server):
    """A target whose SVG has about 20 KB, and the SVG."""
    text = SENTENCE * 3
    for length in range(len(text), 0, -1):
        target = PICTURE + text[:length].strip().replace(" ", "+").replace(",", "%2C")
        answer = server.get(target)
        if answer.status == 200 and len(answer.body) <= PICTURE_BYTES:
            return target, answer.body
    raise RuntimeError("no text gives 20 KB")


def nginx(folder, file):
    def command(port):
        configuration = folder / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, file=file, host=HOST, port=port))
        return "nginx", "-c", configuration, "-p", folder

    return Server("nginx", command)


def hummingbird(file):
    return Server("Hummingbird", lambda port: [HELLO, port, file])


def rounds(servers, target, arguments):
    """Median results by server and number of connections; `target` names a server's."""
    loads = {(server.name, count): [] for server in servers for count in CONNECTIONS}
    for _ in range(arguments.rounds):
        for count in CONNECTIONS:
            for server in servers:
                loads[server.name, count].append(load(server, target(server), count, arguments.seconds))
    return {key: Medians(values) for key, values in loads.items()}


class Medians:
    def __init__(self, loads):
        for name in ("per_second", "median", "p99", "cpu"):
            setattr(self, name, statistics.median(getattr(one, name) for one in loads))

    def __str__(self):
        return f"{self.per_second:,.0f} | {self.cpu:.1f} | {self.median:.2f} | {self.p99:.2f}"


def judge(verdicts, what, found, least):
    for count in CONNECTIONS:
        service, nginx, hello = (found[name, count] for name in ("titlecard", "nginx", "Hummingbird"))
        title = f"{what}, {count} connections"
        times = service.per_second / hello.per_second
        verdicts.add(f"{title}: requests a second", f"{times:.2f} × Hummingbird", f"≥ {least}", times >= least)
        # On few processors it is wrk's own speed that tells how much faster than another a server can seem.
        times = f"{nginx.per_second / hello.per_second:.2f} × Hummingbird"
        verdicts.add(f"{title}: nginx's requests a second", times, "–", None)
        verdicts.add(f"{title}: CPU a request", f"{service.cpu / hello.cpu:.2f} × Hummingbird", "–", None)
        times = service.cpu / nginx.cpu
        verdicts.add(f"{title}: CPU a request", f"{times:.2f} × nginx", "≤ 1.5", times <= 1.5)
        if count == max(CONNECTIONS):
            times = service.p99 / nginx.p99
            verdicts.add(f"{title}: p99", f"{times:.2f} × nginx", "≤ 2", times <= 2)


def cold(server, arguments):
    """CPU of a rendering of 40 letters, every text another."""
    target = f"/render.svg?effect=typewriter&text={40 * '~'}"
    loads = [load(server, target, 32, arguments.seconds, seed) for seed in range(1, arguments.rounds + 1)]
    return Medians(loads)


def show(what, found):
    for (name, count), medians in found.items():
        print(f"| {what} | {name} | {count} | {medians} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="of each load")
    arguments = parser.parse_args()
    verdicts = Verdicts()
    with (
        tempfile.TemporaryDirectory() as name,
        titlecard(arguments.binary, "--max-requests", MANY) as service,
        titlecard(arguments.binary, "--max-requests", MANY, "--log-level", "info", name="titlecard, log on") as logging,
    ):
        # nginx's workers may be another user's.
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        target, svg = picture(service)
        assert logging.get(target).body == svg
        file = folder / "picture.svg"
        file.write_bytes(svg)
        with nginx(folder, file) as other, hummingbird(file) as hello:
            for server in (other, hello):
                assert server.get("/file").body == svg, server.name
            print(f"The SVG has {len(svg):,} bytes.\n")
            print("| request | server | connections | requests a second | µs CPU | median ms | p99 ms |")
            print("|---|---|---|---|---|---|---|")
            servers = [service, other, hello]
            found = rounds(servers, lambda server: "/health", arguments)
            show("/health", found)
            judge(verdicts, "/health", found, 2.5)
            found = rounds([*servers, logging], lambda s: "/file" if s in (other, hello) else target, arguments)
            show("SVG", found)
            judge(verdicts, "SVG", found, 1.6)
        medians = cold(service, arguments)
        print(f"| cold SVG | titlecard | 32 | {medians} |")
        verdicts.add("cold 40-letter SVG: CPU a request", f"{medians.cpu:.0f} µs", "≤ 160", medians.cpu <= 160)
    verdicts.show()
    sys.exit(not verdicts.are_good)


if __name__ == "__main__":
    main()
