"""Four replicas behind nginx, as deploy/nginx sets it up: each picture is rendered once, and none is ever broken.

`make cluster-test` runs it whole.
"""

import base64
import bisect
import collections
import concurrent.futures
import contextlib
import hashlib
import http.client
import http.server
import itertools
import random
import subprocess
import threading
import time
import urllib.parse

import pytest

from cluster import REPLICAS, Cluster
from nginx import Nginx
from random_requests import within_limits
from service import BINARY, PATIENCE, REVISION, Service, by_proof, until

KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
# What these send; none of them names another format than SVG for /render.
CLIENTS = {
    "Chrome": {
        "Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
        "Accept-Encoding": "gzip, deflate, br, zstd",
        "Sec-Fetch-Dest": "image",
    },
    "Firefox": {
        "Accept": "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate, br, zstd",
        "Sec-Fetch-Dest": "image",
    },
    "Safari": {
        "Accept": "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,"
        "image/svg+xml,image/*;q=0.8,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate, br",
        "Sec-Fetch-Dest": "image",
    },
    "GitHub's proxy": {"Accept": "image/*", "Accept-Encoding": "gzip", "Via": "github-camo", "User-Agent": "github-camo"},
    "curl": {"Accept": "*/*", "User-Agent": "curl/7.88.1"},
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    # A rendering takes seconds, also on a busy machine.
    cluster = Cluster(tmp_path_factory.mktemp("nginx"), "--max-work", "400")
    yield cluster
    cluster.stop()


@pytest.fixture
def fresh(tmp_path):
    """A cluster that nobody else has asked for anything."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.stop()


# MARK: What is shared


def test_urls_that_mean_the_same_share_one_picture(cluster):
    """Each with every client's fields; the answers are those of a replica."""
    permalink = cluster.replicas[0].get("/render.svg?text=shared&effect=slide").headers["Content-Location"]
    targets = [
        "/render.svg?text=shared&effect=slide",
        "/render.svg?effect=slide&text=shared",
        "/render?text=%73hared&effect=slide&format=svg",
        "/render.svg?text=shared&effect=slide&direction=up&size=40",
        permalink,
    ]
    before, states, tags = cluster.rendered(), [], collections.defaultdict(set)
    for target in targets:
        for client in CLIENTS.values():
            through, direct = cluster.nginx.get(target, client), cluster.replicas[1].get(target, client)
            assert (through.status, through.body) == (200, direct.body)
            for field in ["ETag", "Cache-Control", "Vary", "Content-Location", "Content-Encoding", "Content-Type",
                          "Titlecard-Duration", "Content-Security-Policy", "X-Content-Type-Options"]:
                assert through.headers[field] == direct.headers[field], (target, field)
            states.append(through.headers["X-Cache"])
            tags[through.headers["Content-Encoding"]].add(through.headers["ETag"])
    assert cluster.rendered() - before <= 2  # one of nginx's choice, and the second replica's for comparison
    # With gzip and without it.
    assert states.count("MISS") == 2 and states.count("HIT") == len(states) - 2
    assert {len(each) for each in tags.values()} == {1} and len(tags) == 2


@pytest.mark.parametrize("format", ["gif", "png", "webp", "apng", "json", "lot"])
def test_a_file_that_is_not_compressed_has_one_variant(cluster, format):
    target = f"/render.{format}?text=variants&effect=slide&duration=0.2&hold=0.1"
    states = [cluster.nginx.get(target, client).headers["X-Cache"] for client in CLIENTS.values()]
    assert states.count("MISS") == (2 if format in ("json", "lot") else 1)


def test_what_accept_asks_for_is_given(cluster):
    for accept, kind in [("image/gif", "image/gif"), ("image/png", "image/png"), ("application/json", "application/json"),
                         ("image/svg+xml", "image/svg+xml"), (CLIENTS["Chrome"]["Accept"], "image/svg+xml")]:
        for _ in range(2):
            answer = cluster.nginx.get("/render?text=negotiated", {"Accept": accept})
            assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
            assert answer.headers["Vary"].startswith("Accept")


def test_a_picture_that_is_known_is_not_sent_again(cluster):
    answer = cluster.nginx.get("/render.gif?text=known")
    again = cluster.nginx.get("/render.gif?text=known", {"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["Cache-Control"] == answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "target, status",
    [("/render.svg?text=x&size=9999", 400), ("/render.svg", 400), ("/render.svg?text=a&text=b&nonsense=1", 400),
     ("/r/2/nonsense.svg", 400), ("/render.film?text=x", 404), ("/r/9/xyz.svg", 503),
     ("/render.png?text=x&width=4000&height=4000&scale=4", 422), ("/typing?lines=", 422),
     ("/?lines=", 422), ("/?lines=x&size=huge", 422), ("/?lines=x&duration=0", 422)],
)
@pytest.mark.parametrize("client", [{}, CLIENTS["Chrome"]], ids=["plain", "Chrome"])
def test_what_is_wrong_is_said_as_by_a_replica_and_not_kept(cluster, target, status, client):
    for _ in range(2):
        through, direct = cluster.nginx.get(target, client), cluster.replicas[0].get(target, client)
        assert (through.status, through.body) == (status, direct.body)
        assert through.headers["Content-Type"] == direct.headers["Content-Type"]
        assert through.headers["Cache-Control"] == "no-store"


def test_other_routes_pass(cluster):
    through, direct = cluster.nginx, cluster.replicas[0]
    assert through.post("/render.svg", {"text": "posted"}).body == direct.post("/render.svg", {"text": "posted"}).body
    for target in ["/", "/effects", "/fonts", "/?lines=typed", "/?LINES=x", "/typing?lines=typed", "/canonical?text=x",
                   "/style.css"]:
        assert (through.get(target).status, through.get(target).body) == (200, direct.get(target).body), target
    assert through.get("/?lines=typed").headers["X-Cache"] == "HIT"
    assert through.get("/metrics").status == 404
    assert through.get("/titlecard-canonical").status == 404
    embedded = through.get("/embed?text=x").json
    assert embedded["url"].startswith("http://127.0.0.1")


def shown(answer):
    return answer.status, answer.body, answer.headers["Content-Type"], answer.headers["Cache-Control"]


def test_signatures_are_checked_by_replicas(tmp_path):
    cluster = Cluster(tmp_path, environment=KEY)
    try:
        def sign(target):
            command = [BINARY, "sign", target]
            return subprocess.run(command, capture_output=True, text=True, check=True,
                                  env={**KEY, "PATH": "/usr/bin"}).stdout.strip()

        target = "/render.svg?text=signed"
        signed = sign(target)
        for _ in range(2):
            assert cluster.nginx.get(target).status == 403
            assert shown(cluster.nginx.get("/?lines=unsigned")) == shown(cluster.replicas[0].get("/?lines=unsigned"))
            assert cluster.nginx.get(signed[:-4] + "AAAA").status == 403
            answer = cluster.nginx.get(signed)
            assert answer.status == 200 and "&signature=" not in answer.headers["Content-Location"]
            assert "?signature=" in answer.headers["Content-Location"]
        assert answer.headers["X-Cache"] == "HIT"
        # The canonical form of what came signed is signed, and may be asked for.
        assert cluster.nginx.get(answer.headers["Content-Location"]).headers["X-Cache"] == "HIT"
    finally:
        cluster.stop()


@pytest.mark.slow
@pytest.mark.parametrize("index", range(by_proof(2, 2 * REPLICAS)))
def test_replicas_give_the_same_bytes_also_after_a_restart(cluster, index):
    """Random requests, each in all formats; test_determinism.py has many more of them."""
    formats = {format["name"] for format in cluster.replicas[0].get("/formats").json["formats"]}
    requests = [within_limits(cluster.replicas[0], f"cluster {index} {number}") for number in range(by_proof(5, 10))]
    kept, rendered = {}, 0
    # Two at a time, or each would take long on a machine with two cores.
    with concurrent.futures.ThreadPoolExecutor(2) as clients:
        for number, request in enumerate(requests):
            for format in formats:
                answers = list(clients.map(lambda replica: replica.post(f"/render.{format}", request), cluster.replicas))
                assert len({(answer.status, answer.body, answer.headers["ETag"]) for answer in answers}) == 1
                kept[number, format] = answers[0].body
                rendered += answers[0].status == 200
        assert rendered >= 0.6 * len(kept)
        cluster.replicas[index % REPLICAS].stop()
        cluster.start(index % REPLICAS)
        restarted = cluster.replicas[index % REPLICAS]
        again = clients.map(lambda key: restarted.post(f"/render.{key[1]}", requests[key[0]]).body, kept)
        assert all(one == body for one, body in zip(again, kept.values(), strict=True))


# MARK: Rolling versions


class Newer(http.server.BaseHTTPRequestHandler):
    """A replica of the next release: its keys are of a revision of its own, and it draws something else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Answers, but for its health as a picture: 200 is enough."""
        body = b"of the next release"
        if self.path.startswith("/canonical/"):
            hashed = base64.urlsafe_b64encode(hashlib.sha256(self.path.encode()).digest()[:24]).decode()
            fields = {"Titlecard-Key": f"{REVISION + 1}-{hashed}", "Vary": "Accept-Encoding"}
        else:
            given = self.headers["Titlecard-Key"]
            fields = {"ETag": '"new"'}
            # Asked with the key of an older release, it draws as it does now, and nobody keeps that.
            if given and not given.startswith(f"{REVISION + 1}-"):
                body, fields = b"for an older key", {"Cache-Control": "no-store"}
        self.send_response(200)
        for name, value in {"Cache-Control": "public, max-age=86400", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@pytest.mark.slow
def test_two_versions_never_keep_each_others_pictures(tmp_path):
    """Half way through an upgrade: whatever replica gives a key, only one of its revision gives what is kept under it."""
    newer = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Newer)
    threading.Thread(target=newer.serve_forever, daemon=True).start()
    old = Service("--trusted-proxies", "127.0.0.1")
    nginx = Nginx(tmp_path, [old.port, newer.server_address[1]])
    try:
        kept = collections.defaultdict(set)
        for number in itertools.chain(range(60), range(60)):
            target = f"/render.svg?text=upgrade+{number}"
            answer = nginx.get(target)
            assert answer.status == 200
            kept[number].add((answer.headers["X-Cache"], answer.body))
        direct = {number: old.get(f"/render.svg?text=upgrade+{number}").body for number in kept}
        seen = {number: {body for state, body in answers if state == "HIT"} for number, answers in kept.items()}
        for number, bodies in seen.items():
            # Not kept where a replica of one version drew for a key of the other.
            assert len(bodies) <= 1 and bodies <= {direct[number], b"of the next release"}
        assert sum(bodies == {direct[number]} for number, bodies in seen.items()) > 5
        assert sum(bodies == {b"of the next release"} for bodies in seen.values()) > 5
    finally:
        nginx.stop()
        old.stop()
        newer.shutdown()


# MARK: Load and loss


class Load(threading.Thread):
    """A client that asks for one target after another, on connections that it keeps."""

    def __init__(self, port, targets, over):
        super().__init__(daemon=True)
        self.port, self.targets, self.over = port, targets, over
        self.answers, self.seconds, self.states = [], [], collections.Counter()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for target, fields in self.targets:
            if self.over.is_set():
                break
            begun = time.monotonic()
            try:
                connection.putrequest("GET", target, skip_accept_encoding=True)
                for name, value in fields.items():
                    connection.putheader(name, value)
                connection.endheaders()
                answer = connection.getresponse()
                answer.read()
                self.states[answer.headers["X-Cache"]] += 1
                self.answers.append(answer.status)
            except (http.client.HTTPException, OSError) as fault:
                self.answers.append(repr(fault))
                connection.close()
            self.seconds.append(time.monotonic() - begun)
        connection.close()


def zipf(count, seed):
    """Endless numbers below a count; the n-th most frequent comes with a weight of 1/n."""
    weights = list(itertools.accumulate(1 / rank for rank in range(1, count + 1)))
    generator = random.Random(seed)
    while True:
        yield bisect.bisect(weights, generator.random() * weights[-1])


def url(number):
    """One of many URLs; each picture has five that mean the same."""
    picture, way = divmod(number, 5)
    pairs = [("text", f"Picture {picture}"), ("effect", "slide"), ("duration", "0.3")]
    pairs = pairs[way % 3:] + pairs[: way % 3]
    if way > 2:
        pairs.append(("size", "40"))
    return "/render.svg?" + urllib.parse.urlencode(pairs)


def targets(count, seed):
    clients = itertools.cycle(CLIENTS.values())
    for number in zipf(count, seed):
        yield url(number), next(clients)


def under_load(cluster, during, count=2000, clients=4):
    """Asks for URLs under Zipf while something else happens, which gets the clients; returns them."""
    over = threading.Event()
    loads = [Load(cluster.nginx.port, targets(count, seed), over) for seed in range(clients)]
    for load in loads:
        load.start()
    try:
        during(loads)
    finally:
        over.set()
        for load in loads:
            load.join(2 * PATIENCE)
    assert not any(load.is_alive() for load in loads)
    return loads


def answered(loads, count):
    """Waits until clients have got so many answers more; each hundred may take as long as anything."""
    before = sum(len(load.answers) for load in loads)
    for step in range(100, count + 1, 100):
        until(lambda: sum(len(load.answers) for load in loads) >= before + step, f"{step} answers")


def statuses(loads):
    return collections.Counter(itertools.chain.from_iterable(load.answers for load in loads))


@pytest.mark.slow
def test_under_zipf_each_picture_is_rendered_once(fresh):
    before = fresh.rendered()
    loads = under_load(fresh, lambda _: time.sleep(by_proof(6, 60)), count=10_000)
    assert set(statuses(loads)) == {200}
    asked = set()
    for seed, load in enumerate(loads):
        asked |= {number // 5 for number in itertools.islice(zipf(10_000, seed), len(load.answers))}
    rendered = fresh.rendered() - before
    states, seconds = sum((load.states for load in loads), collections.Counter()), sorted(
        itertools.chain.from_iterable(load.seconds for load in loads))
    hits = (states["HIT"] + states["UPDATING"] + states["STALE"]) / sum(states.values())
    print(f"{len(seconds)} requests, {len(asked)} pictures, {rendered:.0f} rendered, {hits:.1%} hits, "
          f"99 %: {1000 * seconds[len(seconds) * 99 // 100]:.1f} ms")
    assert len(asked) <= rendered <= 1.05 * len(asked)


@pytest.mark.slow
def test_a_replica_that_is_killed_is_not_missed(fresh):
    def during(loads):
        for act in (fresh.kill, fresh.start):
            answered(loads, by_proof(4000, 25_000))
            act(2)
        answered(loads, by_proof(4000, 25_000))

    loads = under_load(fresh, during)
    assert set(statuses(loads)) == {200}


@pytest.mark.slow
def test_a_film_that_is_cut_is_not_kept(fresh):
    """The replica that makes it is killed while it is sent."""
    target = "/render.gif?text=" + "A+long+film+" * 8 + "&effect=slide&interval=0.2&duration=3&fps=50&size=60"
    whole = fresh.replicas[0].get(target).body
    connection = http.client.HTTPConnection(fresh.nginx.host, fresh.nginx.port, timeout=PATIENCE)
    connection.request("GET", target)
    answer = connection.getresponse()
    assert answer.status == 200 and answer.headers["X-Cache"] == "MISS"
    for index in range(REPLICAS):
        fresh.kill(index)
    try:
        complete = answer.read() == whole
    except (http.client.HTTPException, OSError):
        complete = False
    for index in range(REPLICAS):
        fresh.start(index)
    again = fresh.nginx.get(target)
    assert again.body == whole
    # What was complete before the kill may be kept.
    assert again.headers["X-Cache"] == ("HIT" if complete else "MISS")


@pytest.mark.slow
def test_without_replicas_every_picture_that_was_drawn_still_comes(fresh):
    drawn = [url(number) for number in range(40)]
    films = [f"/render.gif?text=film+{number}&effect=slide&duration=0.2" for number in range(5)]
    bodies = {target: fresh.nginx.get(target).body for target in drawn + films}
    for index in range(REPLICAS):
        fresh.kill(index)
    end = time.monotonic() + by_proof(3, 20)
    while time.monotonic() < end:
        for target, body in bodies.items():
            answer = fresh.nginx.get(target)
            assert (answer.status, answer.body) == (200, body)
        begun = time.monotonic()
        assert fresh.nginx.get(f"/render.svg?text=new+{begun}").status == 502
        assert time.monotonic() - begun < 5
    for index in range(REPLICAS):
        fresh.start(index)
    until(lambda: fresh.nginx.get("/render.svg?text=recovered").status == 200, "the replicas")


@pytest.mark.slow
def test_a_rolling_restart_fails_no_request(fresh):
    def during(loads):
        for index in range(REPLICAS):
            answered(loads, by_proof(1500, 8000))
            assert fresh.replicas[index].stop() == 0
            fresh.start(index)
        answered(loads, by_proof(1500, 8000))

    loads = under_load(fresh, during)
    assert set(statuses(loads)) == {200}


def test_films_of_one_leave_a_picture_to_others(tmp_path):
    """The service knows its clients behind nginx: one whose films fill the queue does not keep another waiting.

    Benchmarks/fairness.py says how long that other one waits.
    """
    service = Service("--trusted-proxies", "127.0.0.1", "--workers", "2")
    nginx = Nginx(tmp_path, [service.port])

    def ask(client, target):
        """Asks from an address of its own, all of 127.0.0.0/8 being this machine's."""
        connection = http.client.HTTPConnection(
            nginx.host, nginx.port, timeout=PATIENCE, source_address=(f"127.0.0.{client}", 0))
        connection.request("GET", target)
        return connection

    films = [ask(2, f"/render.webp?text=Film+{number}+{'of+many+glyphs+' * 10}&effect=wave&width=1600&fps=30&cycle=20&scale=2")
             for number in range(40)]
    try:
        def waiting():
            return service.metric("titlecard_render_queue_length")

        until(lambda: waiting() >= 38, "a queue")
        for number in range(10):
            with contextlib.closing(ask(3, f"/render.svg?text=Picture+{number}")) as picture:
                assert picture.getresponse().status == 200
        assert waiting() >= 30  # those of the other are still at it
    finally:
        for film in films:
            film.close()
        nginx.stop()
        service.stop()
