"""The operator's view: cache, overload, signatures, rate limit, metrics, log, replicas."""

import concurrent.futures
import gzip
import http.client
import itertools
import json
import math
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

import pytest

from catalogue import catalogue_under_test
from clients import LONG, Slow
from commands import sign
from metrics import Metrics, metrics
from nginx import PlainNginx
from service import BINARY, PATIENCE, PUBLIC, REPOSITORY, REVISION, free_port, query, until

KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
# Debian's, which `make test-deps` unpacks.
PROMTOOL = REPOSITORY / ".build/tools/usr/bin/promtool"
TOGETHER = 30
fresh = itertools.count()


# MARK: What metrics say


def renderings(service, format=None):
    labels = {"format": format} if format else {}
    return metrics(service)("titlecard_render_seconds_count", **labels)


def hits(service):
    return metrics(service)("titlecard_cache_hits_total")


@pytest.fixture(scope="module")
def own(start):
    """A server that nobody else talks to, so that its metrics are those of the test."""
    return start()


def test_metrics_count_every_answer(own):
    targets = [
        ("/render.svg?text=counted", "render", 200),
        ("/render?size=1", "render", 400),
        ("/health", "health", 200),
    ]
    targets += [("/effects", "effects", 200), ("/nowhere", "other", 404), ("/r/!.svg", "permalink", 400)]
    for target, route, status in targets:
        before = metrics(own)("titlecard_requests_total", route=route, status=str(status))
        assert own.get(target).status == status
        assert metrics(own)("titlecard_requests_total", route=route, status=str(status)) == before + 1
    before = metrics(own)
    assert b" 400 " in own.raw(b"nonsense\r\n\r\n")
    after = metrics(own)
    assert (
        after("titlecard_requests_total", route="malformed")
        == before("titlecard_requests_total", route="malformed") + 1
    )


def test_counters_only_rise_and_count_bytes(own):
    before = metrics(own)
    answer = own.get("/render.json?text=bytes")
    after = metrics(own)
    for (name, labels), value in before.samples.items():
        if before.kinds.get(name) == "counter" or name.endswith(("_bucket", "_count")):
            assert after.samples[name, labels] >= value, name
    sent = after("titlecard_response_bytes_total") - before("titlecard_response_bytes_total")
    assert sent - len(answer.body) in range(1000, 100_000)  # and the metrics themselves


def test_histograms_are_consistent(own):
    for format in ("svg", "gif", "png"):
        assert own.get(f"/render.{format}?text=histogram").status == 200
    found = metrics(own)
    for format in ("svg", "gif", "png"):
        buckets = [
            (float(dict(labels)["le"]), value)
            for (name, labels), value in found.samples.items()
            if name == "titlecard_render_seconds_bucket" and ("format", format) in labels
        ]
        assert buckets == sorted(buckets) and buckets[-1][0] == math.inf
        counts = [count for _, count in buckets]
        assert counts == sorted(counts)
        assert counts[-1] == found("titlecard_render_seconds_count", format=format) >= 1
        assert found("titlecard_render_seconds_sum", format=format) > 0


def test_metrics_tell_what_the_process_holds(own):
    found = metrics(own)
    assert found("titlecard_build_info", version=version()) == 1
    assert found("titlecard_connections") >= 1
    with socket.create_connection((own.host, own.port), timeout=PATIENCE) as connection:
        def counts_descriptors():
            connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            found = Metrics(answer.read().decode())
            return found("process_open_fds") == len(os.listdir(f"/proc/{own.worker}/fd"))

        # A connection of an earlier request may be closed in between.
        until(counts_descriptors, "the number of descriptors")
    with open(f"/proc/{own.worker}/statm") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    assert found("process_resident_memory_bytes") == pytest.approx(resident, rel=0.2)
    assert metrics(own)("process_cpu_seconds_total") > found("process_cpu_seconds_total") > 0


def test_answers_are_timed_by_route_format_and_cache(own):
    target = "/render.gif?text=timed"
    name = "titlecard_request_seconds_count"

    def ended():
        return sum(metrics(own)(name, route=route) for route in ("render", "permalink", "effects"))

    # Requests are counted as they end, which may be after their clients have all of the answer.
    known = ended()
    kept = permalink(own, target)
    until(lambda: ended() == known + 1, "the first answer has ended")
    before = metrics(own)
    bodies = [own.get(target).body, own.get(kept).body]
    own.get("/render.gif?text=timed&size=0")
    own.request("HEAD", "/effects")
    until(lambda: ended() == known + 5, "all answers have ended")
    after = metrics(own)

    def count(**labels):
        return after(name, **labels) - before(name, **labels)

    assert count(route="render", format="gif", cache="hit") == count(route="permalink", format="gif", cache="hit") == 1
    assert count(route="render", format="none", cache="none") == count(route="effects", format="none", cache="none") == 1
    bytes = "titlecard_response_bytes_total"
    assert after(bytes, format="gif") - before(bytes, format="gif") == sum(map(len, bodies))
    assert after("titlecard_request_seconds_bucket", route="render", format="gif", cache="hit", le="+Inf") >= 1


def test_waits_for_a_render_thread_are_counted(own):
    before = metrics(own)
    for number in range(3):
        own.get(f"/render.svg?text=waited+{number}")
    after = metrics(own)
    assert after("titlecard_render_queue_seconds_count") - before("titlecard_render_queue_seconds_count") == 3
    assert after("titlecard_render_queue_seconds_sum") > before("titlecard_render_queue_seconds_sum")


def test_refusals_are_counted_by_reason(own, start):
    found = metrics(own)
    reasons = {dict(labels)["reason"] for (name, labels) in found.samples if name == "titlecard_refused_total"}
    assert {"rate", "signature", "expired", "reading", "queue", "queue_share", "memory", "stream_memory", "deadline", "library", "video_encoder",
            "ended_process", "revision", "draining"} == reasons
    own.get(f"/r/{REVISION + 1}/x.svg")
    assert metrics(own)("titlecard_refused_total", reason="revision") == found("titlecard_refused_total", reason="revision") + 1
    limited = start("--rate-limit", "0.001", "--rate-burst", "1", environment=KEY)
    assert limited.get("/render.svg?text=a").status == 403
    assert limited.get("/render.svg?text=a").status == 429
    found = metrics(limited)
    assert (found("titlecard_refused_total", reason="signature"), found("titlecard_refused_total", reason="rate")) == (1, 1)


def test_metrics_say_since_when_and_how_much_is_allowed(own):
    found = metrics(own)
    assert 0 <= time.time() - found("process_start_time_seconds") < 3600
    with open(f"/proc/{own.worker}/limits") as limits:
        allowed = next(line.split()[3] for line in limits if line.startswith("Max open files"))
    assert found("process_max_fds") == int(allowed)
    libraries = {dict(labels)["library"] for (name, labels) in found.samples if name == "titlecard_library_faults_total"}
    assert libraries == {"fontconfig", "pango", "cairo", "memory", "system"}


def test_prometheus_takes_all_names_and_units(own):
    outcome = subprocess.run([PROMTOOL, "check", "metrics"], input=own.get("/metrics").text, capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")


def version():
    return subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.strip()


# MARK: The cache


def identity(answer):
    assert answer.status == 200, answer.text
    return answer.headers["ETag"], answer.headers["Content-Location"], answer.headers["Titlecard-Duration"], answer.body


def test_the_second_request_is_a_hit(own):
    before = metrics(own)
    one, other = (own.get("/render.svg?text=twice") for _ in range(2))
    after = metrics(own)
    assert identity(one) == identity(other)
    found = [after(name) - before(name) for name in ("titlecard_cache_misses_total", "titlecard_cache_hits_total")]
    assert found == [1, 1]
    assert after("titlecard_render_seconds_count") == before("titlecard_render_seconds_count") + 1
    assert after("titlecard_cache_entries") == before("titlecard_cache_entries") + 1


@pytest.mark.parametrize(
    "others",
    [
        ["?size=20&text=same&color=%23f00", "?color=red&text=same&size=20"],
        ["?text=same", "?text=same&effect=typewriter&size=40&format=svg&loop=1&exit=between&hold=1.0"],
        [
            "?text=same&color=rebeccapurple",
            "?text=same&color=%23663399",
            "?text=same&color=639",
            "?text=same&color=%23639F",
        ],
    ],
    ids=["order", "defaults", "colours"],
)
def test_requests_that_mean_the_same_share_an_entry(own, others):
    first = own.get("/render.svg" + others[0] + "&seed=7")
    rendered, before = renderings(own), hits(own)
    for other in others[1:]:
        assert identity(own.get("/render.svg" + other + "&seed=7")) == identity(first)
    names = urllib.parse.parse_qsl(others[-1][1:] + "&seed=7")
    numbers = {name: json.loads(value) if name in ("size", "seed", "loop", "hold") else value for name, value in names}
    assert identity(own.post("/render.svg", numbers)) == identity(first)
    assert identity(own.get(first.headers["Content-Location"])) == identity(first)
    assert (renderings(own), hits(own)) == (rendered, before + len(others) + 1)


def test_formats_do_not_share_one(own):
    before = renderings(own)
    tags = {
        own.get(f"/render.{format}?text=formats").headers["ETag"]
        for format in ("svg", "json", "gif", "png", "apng", "webp")
    }
    assert len(tags) == 6 and renderings(own) == before + 6


def test_both_codings_come_from_one_rendering(own):
    packed = {"Accept-Encoding": "gzip"}
    before = renderings(own)
    answers = [own.get("/render.svg?text=codings", headers) for headers in ({}, packed, {}, packed)]
    assert [answer.headers["Content-Encoding"] for answer in answers] == [None, "gzip", None, "gzip"]
    assert {gzip.decompress(answer.body) for answer in answers[1::2]} == {answers[0].body} == {answers[2].body}
    assert renderings(own) == before + 1


def test_not_modified_costs_no_rendering(own, start):
    tag = own.get("/render.gif?text=known").headers["ETag"]
    other = start()
    for method in ("GET", "HEAD"):
        assert other.request(method, "/render.gif?text=known", headers={"If-None-Match": tag}).status == 304
    assert renderings(other) == 0


def test_head_of_what_is_kept_tells_its_length(own):
    target = "/render.gif?text=head"
    before = renderings(own)
    head = own.request("HEAD", target)
    assert (head.status, head.body, head.headers["Content-Length"]) == (200, b"", None)
    assert renderings(own) == before
    whole = own.get(target)
    head = own.request("HEAD", target)
    assert (head.body, int(head.headers["Content-Length"])) == (b"", len(whole.body))
    assert head.headers["ETag"] == whole.headers["ETag"]
    assert renderings(own) == before + 1


def test_the_cache_stays_within_its_size_and_keeps_what_is_used(start):
    service = start("--cache-size", "1")
    # Many characters make a file large.
    scrambled = "/render.svg?effect=scramble&charset=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%23%25%26%40%24&text="
    favourite = scrambled + "favourite"
    whole = service.get(favourite)
    for number in range(60):
        assert service.get(f"{scrambled}a+text+of+length+{number}").status == 200
        assert service.get(favourite).body == whole.body
        found = metrics(service)
        assert found("titlecard_cache_bytes") <= found("titlecard_cache_capacity_bytes") == 1 << 20
    assert found("titlecard_cache_evictions_total") > 0
    assert found("titlecard_cache_entries") + found("titlecard_cache_evictions_total") == 61
    assert found("titlecard_cache_hits_total") == 60
    before = renderings(service)
    assert service.get(scrambled + "a+text+of+length+0").status == 200  # pushed out
    assert renderings(service) == before + 1


def test_a_cache_of_no_size_keeps_nothing(start):
    service = start("--cache-size", "0")
    assert service.get("/render.svg?text=x").body == service.get("/render.svg?text=x").body
    found = metrics(service)
    assert [found(f"titlecard_cache_{name}") for name in ("hits_total", "entries", "bytes")] == [0, 0, 0]
    assert found("titlecard_render_seconds_count") == 2


# MARK: Equal requests at the same time


def at_once(count, work):
    """What so many threads give back that begin together."""
    barrier = threading.Barrier(count)

    def run(number):
        barrier.wait(PATIENCE)
        return work(number)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_equal_requests_at_the_same_time_are_one_rendering(start):
    service = start("--workers", "2")
    answers = at_once(TOGETHER, lambda number: service.get("/render.svg?effect=scramble&text=together&width=300"))
    assert len({identity(answer) for answer in answers}) == 1
    assert renderings(service) == 1


@pytest.mark.parametrize("size, clients", [("64", TOGETHER), ("1", 4)], ids=["all of it is kept", "too large to keep"])
def test_a_long_file_is_the_same_for_all_who_ask_meanwhile(start, own, size, clients):
    """Who comes first, who comes late, who is slow; and somebody who leaves in the middle."""
    service = start("--cache-size", size)
    expected = own.get(LONG)
    assert len(expected.body) > 500_000
    slow = Slow(service, LONG)
    leaver = Slow(service, LONG)
    leaver.answer.read(1000)

    def visit(number):
        answer = service.get(LONG)
        return answer.headers["Transfer-Encoding"], answer.body

    with concurrent.futures.ThreadPoolExecutor(clients) as visits:
        late = [visits.submit(visit, number) for number in range(clients)]
        leaver.leave()
        answers = [visitor.result() for visitor in late]
    assert {body for _, body in answers} == {expected.body}
    # Nobody had the whole file when they came.
    assert ("chunked", expected.body) in answers
    assert slow.rest() == expected.body
    if size == "64":
        assert renderings(service, "gif") == 1
        assert int(service.request("HEAD", LONG).headers["Content-Length"]) == len(expected.body)


def test_whoever_leaves_alone_leaves_nothing_behind(start):
    service = start()
    for _ in range(3):
        leaver = Slow(service, LONG)
        leaver.answer.read(1000)
        leaver.leave()
    until(lambda: metrics(service)("titlecard_connections") == 1, "the end of the connections")
    assert len(service.get(LONG).body) > 500_000


# MARK: Too much to do


def blocker():
    """A request that keeps a render thread busy for a while, each of another picture."""
    return f"/render.png?text={next(fresh)}&size=400&width=4000&height=4000&background=white"


class Crowd:
    """Clients that want more than there are threads for, until they are told to go."""

    def __init__(self, service, size):
        self.service, self.stays = service, True
        self.statuses = set()
        self.threads = [threading.Thread(target=self.run) for _ in range(size)]

    def run(self):
        while self.stays:
            self.statuses.add(self.service.get(blocker()).status)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stays = False
        for thread in self.threads:
            thread.join()


def test_while_the_queue_is_full_all_that_needs_no_rendering_is_answered(start):
    service = start("--workers", "1", "--render-queue", "1")
    kept = service.get("/render.svg?text=kept")
    known = {"If-None-Match": kept.headers["ETag"]}

    def refusal():
        answer = service.get(f"/render.svg?text=new+{next(fresh)}")
        return answer.status == 503 and answer

    def answers_between_refusals():
        if not refusal():
            return None
        answers = [service.get("/render.svg?text=kept"), service.get("/health"), service.get("/metrics")]
        answers += [service.get("/effects"), service.get(kept.headers["Content-Location"])]
        answers.append(service.request("HEAD", "/render.svg?text=kept"))
        assert service.get("/render.svg?text=kept", known).status == 304
        last = refusal()
        return last and (answers, last)

    with Crowd(service, 4) as crowd:
        answers, last = until(answers_between_refusals, "a queue that is full")
    assert [answer.status for answer in answers] == [200] * 6
    assert answers[0].body == answers[4].body == kept.body
    assert int(last.headers["Retry-After"]) >= 1 and last.headers["Cache-Control"] == "no-store"
    assert last.headers["Content-Type"] == "application/problem+json"
    assert crowd.statuses == {200, 503}
    assert service.get("/render.svg?text=afterwards").status == 200


def test_a_rendering_that_takes_too_long_is_refused(start):
    service = start("--render-deadline", "0.03")
    # The first frame alone, of sixteen million pixels, takes longer.
    heavy = dict(text="heavy and long", size=400, width=1000, height=1000, scale=4, fps=50)
    answer = service.get("/render.gif?" + query(heavy))
    assert answer.status == 503, answer.status
    assert int(answer.headers["Retry-After"]) >= 1
    until(lambda: service.get("/render.svg?text=light").status == 200, "a light rendering")


def test_a_rendering_that_takes_too_long_is_cut_once_it_has_begun(start):
    service = start("--render-deadline", "1")
    heavy = dict(
        text="Long and heavy " * 4, width=900, effect="wave", loop="infinite", hold=0, fps=50, speed=0.1, scale=2
    )

    def cut():
        """Returns what came of the file; nothing where a busy machine took the second before it began."""
        try:
            assert service.get("/render.gif?" + query(heavy)).status == 503
        except http.client.IncompleteRead as error:
            return error.partial

    assert until(cut, "a file that has begun").startswith(b"GIF89a")
    until(lambda: service.get("/render.svg?text=light").status == 200, "a light rendering")


# MARK: Signatures


@pytest.fixture(scope="module")
def signing(start):
    return start("--allow-post", "true", environment=KEY)


def permalink(server, target):
    return server.get(target).headers["Content-Location"]


def test_keys_are_rotated_without_a_restart(start, tmp_path):
    file = tmp_path / "keys"
    variable = {"TITLECARD_SIGNING_KEYS_FILE": str(file)}
    target = "/render.svg?text=rotated"

    def use(text):
        file.write_text(text)

    def reloaded(service, count, message="pictures were reloaded"):
        service.process.send_signal(signal.SIGHUP)
        until(lambda: service.logged().count(message) == count, message)

    use("2025 the old secret of tests\n")
    old = sign(target, **variable)
    assert "&signature=2025." in old
    service = start(environment=variable)
    assert service.get(old).status == 200 and service.get(target).status == 403
    assert "signature=2025." in service.get(old).headers["Content-Location"]
    use("# the first signs\n2026 the new secret of tests\n2025 the old secret of tests\n")
    new = sign(target, **variable)
    assert "&signature=2026." in new and service.get(new).status == 403
    reloaded(service, 1)
    assert service.get(new).status == service.get(old).status == 200
    assert "signature=2026." in service.get(old).headers["Content-Location"]
    use("2026\n")
    reloaded(service, 1, "pictures stay as they were")
    assert "line 1" in service.logged() and "secret" not in service.logged().replace("no secret", "")
    assert service.get(new).status == service.get(old).status == 200
    use("2026 the new secret of tests\n")
    reloaded(service, 2)
    assert service.get(new).status == 200 and service.get(old).status == 403


def test_a_key_without_a_name_goes_on_beside_a_file(start, tmp_path):
    file = tmp_path / "keys"
    file.write_text("new the secret of a name\n")
    target, both = "/render.svg?text=moved", {**KEY, "TITLECARD_SIGNING_KEYS_FILE": str(file)}
    service = start(environment=both)
    assert service.get(sign(target, **KEY)).status == 200
    assert "signature=new." in sign(target, **both) and service.get(sign(target, **both)).status == 200


@pytest.mark.parametrize("content, message, status", [
    ("", "has no key", 65), (f"a {'b' * 16}\n a {'c' * 16}", "the name is used twice", 65), ("a " + "b" * 15, "at least 16 bytes", 65), ("a\n", "no secret", 65), (None, "cannot read", 66),
])
def test_a_file_of_keys_that_is_wrong_ends_the_start(tmp_path, content, message, status):
    file = tmp_path / "keys"
    if content is not None:
        file.write_text(content)
    outcome = subprocess.run([BINARY, "serve", "--port", "1"], capture_output=True, text=True, timeout=PATIENCE,
                             env={**os.environ, "TITLECARD_SIGNING_KEYS_FILE": str(file)})
    assert outcome.returncode == status and message in outcome.stderr and str(file) in outcome.stderr


@pytest.mark.parametrize(
    "target", ["/render?text=signed&effect=fade", "/render.gif?text=signed", "/render.svg?text=%C3%A9+%26", "/r/"]
)
def test_a_signed_url_works_and_no_other(own, signing, target):
    target = permalink(own, "/render.svg?text=signed") if target == "/r/" else target
    signed = sign(target, **KEY)
    assert signed.startswith(target) and signed != target
    assert signing.get(signed).body == own.get(target).body
    assert signing.request("HEAD", signed).status == 200
    code = signed.rpartition("signature=")[2]
    joint = "&" if "?" in target else "?"
    for wrong in (
        target,
        f"{target}{joint}signature=",
        f"{target}{joint}signature={'A' * len(code)}",
        signed + "A",
        signed + "&seed=1",
        signed[:-1],
        f"{target.partition('?')[0]}?signature={code}&{target.partition('?')[2]}",
        sign(target, TITLECARD_SIGNING_KEY="another key of the tests"),
        signed.replace(".svg", ".png") if ".svg" in target else signed.replace("text=", "text=un"),
    ):
        answer = signing.get(wrong)
        assert (answer.status, answer.faults) == (403, ["signature"]), wrong
    assert signing.request("HEAD", target).status == 403


def test_a_signed_whole_url_keeps_its_origin():
    path = sign("/render?text=x", **KEY)
    assert sign("https://titlecard.example/render?text=x", **KEY) == "https://titlecard.example" + path


OWN = f"{REVISION}/"


@pytest.mark.parametrize(
    "revision, status", [("", 200), ("1/", 200), (OWN, 200), (f"{REVISION + 1}/", 503), ("0/", 404)]
)
def test_permalinks_of_all_revisions_are_signed(own, signing, revision, status):
    token = permalink(own, "/render.svg?text=signed").rpartition("/")[2]
    target = f"/r/{revision}{token}"
    other = sign(f"/r/{'' if revision else OWN}{token}", **KEY)
    for wrong in (target, target + "?signature=AAAA", target + "?" + other.partition("?")[2]):
        assert signing.get(wrong).status == (404 if status == 404 else 403), wrong
    answer = signing.get(sign(target, **KEY))
    assert answer.status == status
    if status == 200:
        if revision != OWN:
            # It has the defaults of its time.
            token = permalink(own, "/render.svg?text=signed&defaults=0.3").rpartition("/")[2]
        assert answer.headers["Content-Location"] == sign(f"/r/{OWN}{token}", **KEY)


def test_the_permalink_of_a_signed_request_is_signed(signing):
    answer = signing.get(sign("/render.svg?text=a+link", **KEY))
    location = answer.headers["Content-Location"]
    again = signing.get(location)
    assert (again.status, again.body) == (200, answer.body) and "signature=" in location
    assert again.headers["Content-Location"] == location
    assert signing.get(location.partition("?")[0]).status == 403


def test_what_is_posted_needs_no_signature_and_gets_none(signing):
    answer = signing.post("/render.svg", {"text": "posted"})
    assert answer.status == 200
    assert "signature" not in answer.headers["Content-Location"]
    assert signing.get(answer.headers["Content-Location"]).status == 403


def test_what_renders_nothing_needs_no_signature(signing):
    for target in ("/health", "/metrics", "/effects", "/fonts", "/openapi.json", "/"):
        assert signing.get(target).status == 200
    assert signing.request("OPTIONS", "/render").status == 204


def test_without_a_key_signatures_are_ignored(own):
    expected = own.get("/render.svg?text=no+key")
    link = expected.headers["Content-Location"]
    for target in ("/render.svg?text=no+key&signature=AAAA", sign(link, **KEY)):
        assert identity(own.get(target)) == identity(expected)


def test_posting_can_be_forbidden(start):
    service = start("--allow-post", "false")
    for target in ("/render", "/render.svg"):
        answer = service.post(target, {"text": "x"})
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
        assert service.request("OPTIONS", target).headers["Allow"] == "GET, HEAD, OPTIONS"
    assert service.get("/render?text=x").status == 200


# MARK: The rate limit

BURST = 3


@pytest.fixture
def limited(start):
    """A server that gives each address a few requests, and new ones after a very long time."""

    def limited(*options):
        return start("--rate-limit", "0.001", "--rate-burst", str(BURST), *options)

    return limited


def status(service, source="127.0.0.1", forwarded=()):
    """The status of one request by an address, through proxies that say so."""
    connection = http.client.HTTPConnection(service.host, service.port, timeout=PATIENCE, source_address=(source, 0))
    try:
        connection.putrequest("GET", "/render.svg?text=x")
        for field in forwarded:
            connection.putheader("X-Forwarded-For", field)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        assert (answer.headers["Retry-After"] is not None) == (answer.status == 429)
        return answer.status
    finally:
        connection.close()


def test_each_address_has_a_limit_of_its_own(limited):
    service = limited()
    for source in ("127.0.0.1", "127.0.0.2"):
        assert [status(service, source) for _ in range(BURST + 2)] == [200] * BURST + [429] * 2
    refused = service.get("/effects")
    assert refused.status == 429 and int(refused.headers["Retry-After"]) in range(1, 3601)
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert [service.get("/health").status for _ in range(10)] == [200] * 10
    assert metrics(service)("titlecard_requests_total", status="429") == 5


def test_tokens_come_back(start):
    service = start("--rate-limit", "20", "--rate-burst", "1")
    found = [status(service) for _ in range(50)]
    until(lambda: status(service) == 200, "a new token")
    assert found[0] == 200


def test_proxies_are_believed_only_when_they_are_trusted(limited):
    service = limited("--trusted-proxies", "127.0.0.1,10.0.0.0/8")
    one, other = "203.0.113.1", "203.0.113.2"
    assert [status(service, forwarded=[one]) for _ in range(BURST + 1)] == [200] * BURST + [429]
    # What stands left of the last that no trusted proxy wrote was written by anybody.
    for spoofed in (f"{other}, {one}", f"{other},{one}, 10.1.2.3", f"nonsense, {one}", f"10.0.0.1, {one}"):
        assert status(service, forwarded=[spoofed]) == 429, spoofed
    assert status(service, forwarded=[other, one]) == 429
    assert status(service, forwarded=[f"{one}, {other}"]) == 200
    assert status(service, forwarded=[one, f"{other}, 10.9.9.9"]) == 200
    # Nobody else is believed.
    found = [status(service, "127.0.0.2", [f"203.0.113.{number + 10}"]) for number in range(BURST + 1)]
    assert found == [200] * BURST + [429]


def test_without_trusted_proxies_nobody_is_believed(limited):
    service = limited()
    found = [status(service, forwarded=[f"203.0.113.{number}"]) for number in range(BURST + 1)]
    assert found == [200] * BURST + [429]


def test_files_of_the_preview_page_do_not_count(limited):
    service = limited()
    files = ["/", *("/" + path.relative_to(PUBLIC).as_posix() for path in PUBLIC.rglob("*") if path.is_file())]
    assert [service.get(path).status for path in files] == [200] * len(files)
    # What is no file counts, found or not; afterwards files are served all the same.
    assert [service.get("/missing").status for _ in range(BURST)] == [404] * BURST
    assert status(service) == service.get("/missing").status == 429
    assert service.get("/").status == service.request("HEAD", "/style.css").status == 200


# MARK: The log


def line_of(service, id):
    """The one line of an answer."""
    found = until(lambda: [line for line in service.logged_entries() if line.get("id") == id], f"the line of {id}")
    assert len(found) == 1
    return found[0]


def logged(service, method, target, body=None, **headers):
    id = f"request-{next(fresh)}"
    answer = service.request(method, target, body, {"X-Request-Id": id, **headers})
    return answer, line_of(service, id)


def test_every_answer_has_a_line(start):
    service = start()
    answer, line = logged(service, "GET", "/render.svg?text=logged")
    assert {name: line[name] for name in ("level", "message", "method", "path", "status", "bytes", "cache")} == {
        "level": "info",
        "message": "request",
        "method": "GET",
        "path": "/render.svg",
        "status": 200,
        "bytes": len(answer.body),
        "cache": "miss",
    }
    assert line["ms"] > 0 and line["time"] > 1.6e9
    assert logged(service, "GET", "/render.svg?text=logged")[1]["cache"] == "hit"
    assert logged(service, "HEAD", "/render.svg?text=logged")[1]["bytes"] == 0
    _, line = logged(service, "GET", "/render.svg?text=x&size=1")
    assert (line["status"], "cache" in line) == (400, False)
    assert logged(service, "GET", "/nowhere")[1]["status"] == 404
    answer, line = logged(service, "GET", LONG)
    assert (answer.headers["Transfer-Encoding"], line["bytes"], "aborted" in line) == (
        "chunked",
        len(answer.body),
        False,
    )


TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_the_trace_of_a_request_is_in_its_line(start):
    """W3C Trace Context, 3.2."""
    service = start()
    for written in [TRACE, TRACE.replace("00-", "42-", 1), TRACE.replace("00-", "01-", 1) + "-more"]:
        line = logged(service, "GET", "/effects", traceparent=written)[1]
        assert (line["trace"], line["parent"]) == ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
    for wrong in ["", "nonsense", TRACE[:-1], TRACE.upper(), TRACE + "-more", TRACE.replace("00-", "ff-", 1),
                  "00-" + "0" * 32 + TRACE[35:], TRACE[:36] + "0" * 16 + "-01", TRACE.replace("4bf", "4bg")]:
        assert not {"trace", "parent"} & set(logged(service, "GET", "/effects", traceparent=wrong)[1]), wrong


def test_an_answer_that_was_not_taken_has_one_line_too(start):
    service = start()
    leaver = Slow(service, LONG)
    leaver.answer.read(1000)
    leaver.leave()
    found = until(lambda: [line for line in service.logged_entries() if "aborted" in line], "the line of who left")
    assert len(found) == 1 and found[0]["bytes"] > 1000 and found[0]["status"] == 200


def test_what_is_asked_by_machines_is_not_logged(start):
    service = start()
    for target in ("/health", "/metrics", "/health"):
        assert service.get(target).status == 200
    logged(service, "GET", "/effects")
    assert [line["path"] for line in service.logged_entries() if "path" in line] == ["/effects"]


def test_a_plain_request_id_is_kept_and_no_other(start):
    service = start()
    plain = ["abc", "A-1_b.2", "x" * 64]
    others = ["", "x" * 65, "two words", 'quo"te', "new\\nline", "é", "{}"]
    for id in plain + others:
        service.request("GET", "/effects", headers={"X-Request-Id": id.encode()})
    found = until(
        lambda: len(found := [line for line in service.logged_entries() if "id" in line]) == len(plain + others) and found,
        "all lines",
    )
    ids = [line["id"] for line in found]  # in the order in which answers were noted, which may be another
    assert set(plain) < set(ids)
    assert not set(ids) & set(others) and len(set(ids)) == len(ids) and all(ids)


def test_no_text_of_users_is_logged(start):
    service = start("--log-level", "debug")
    text = "Zanzibar"
    first = service.get(f"/render.svg?text={text}")
    link = first.headers["Content-Location"]
    token = link.rpartition("/")[2].removesuffix(".svg")
    form = "application/x-www-form-urlencoded"
    for method, target, body, kind in [
        ("POST", "/render", json.dumps({"text": text}), "application/json"),
        ("POST", "/render.gif", f"text={text}", form),
        ("POST", "/render.png", text, "text/plain"),
        ("POST", "/render", json.dumps({"text": "x", text: text}), "application/json"),
        ("POST", "/render", text, "application/json"),
        ("POST", f"/render?title={text}", "x", "text/plain"),
        ("POST", link, "x", "text/plain"),
        ("GET", f"/render?text=x&{text}=1", None, None),
        ("GET", f"/render?text=x&font={text}&size={text}", None, None),
        ("GET", f"/effects?{text}", None, None),
        ("GET", link, None, None),
        ("GET", f"{link}?text={text}", None, None),
        ("HEAD", link, None, None),
        ("OPTIONS", link, None, None),
        ("PUT", link, None, None),
        ("GET", f"/r/{token}.svg", None, None),
        ("GET", f"/r/{REVISION + 1}/{token}.svg", None, None),
        ("GET", f"/r/{text}/{token}.svg", None, None),
        ("GET", f"/r/{token}", None, None),
        ("GET", f"/r/{token}.{text}", None, None),
        ("GET", f"/r/{token}.svg/{text}", None, None),
        ("GET", f"/r/{token}/x.svg", None, None),
        ("GET", f"/r/{text}.svg", None, None),
    ]:
        service.request(method, target, body and body.encode(), {"Content-Type": kind} if kind else {})
    logged(service, "GET", "/effects")
    log = [line for line in service.logged().splitlines() if text in line or token in line]
    assert log == []


# MARK: Replicas


@pytest.fixture(scope="module")
def balanced(start, tmp_path_factory):
    """nginx before two replicas, which take turns: its address as a server's, and the replicas."""
    replicas = [start(), start()]
    port = free_port()
    upstream = " ".join(f"server {replica.host}:{replica.port};" for replica in replicas)
    front = PlainNginx(tmp_path_factory.mktemp("nginx"), port, f"""
        upstream titlecard {{ {upstream} keepalive 8; }}
        server {{
            listen 127.0.0.1:{port};
            location / {{
                proxy_pass http://titlecard; proxy_http_version 1.1; proxy_set_header Connection "";
                proxy_set_header X-Forwarded-For $remote_addr;
            }}
        }}""")
    yield front, replicas
    front.stop()


@pytest.mark.parametrize("format", catalogue_under_test().extensions)
def test_replicas_answer_alike(balanced, format):
    front, replicas = balanced
    before = [renderings(replica) for replica in replicas]
    answers = [front.get(f"/render.{format}?text=replicas&effect=scramble&seed=5") for _ in range(4)]
    assert len({identity(answer) for answer in answers}) == 1
    assert [renderings(replica) for replica in replicas] == [count + 1 for count in before]


def test_permalinks_of_one_work_on_the_other(balanced):
    front, replicas = balanced
    for maker, other in (replicas, replicas[::-1]):
        answer = maker.get(f"/render.svg?text=made+by+{maker.port}")
        link = answer.headers["Content-Location"]
        assert identity(other.get(link)) == identity(answer) == identity(front.get(link))
        assert other.get(link, {"If-None-Match": answer.headers["ETag"]}).status == 304


def test_a_long_file_passes_through_a_balancer(balanced, own):
    front, _ = balanced
    expected = own.get(LONG).body
    assert {front.get(LONG).body for _ in range(2)} == {expected}
