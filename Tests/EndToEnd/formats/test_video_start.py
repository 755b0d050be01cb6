"""The start does not wait for ffmpeg: only requests that depend on which videos there are do."""

import concurrent.futures
import os
import socket

import pytest

from service import query, until
from videos import ffmpeg_in

SMALL = query(dict(text="Small", effect="rise", size=20, fps=10))
VIDEO = f"/render.webm?{SMALL}"
# Whatever names formats, or has the entity tag of a video.
DEPENDENT = ("/formats", "/openapi.json", "/titlecard.d.ts", "/parameters", "/targets", VIDEO, f"/render?format=mov&{SMALL}",
             f"/embed?format=webm&{SMALL}", f"/canonical{VIDEO}", f"/render?text=x&for=lower-third&hold=0")  # fmt: skip
INDEPENDENT = (f"/render.svg?{SMALL}", f"/render.gif?{SMALL}", f"/embed?{SMALL}", f"/canonical/render?{SMALL}", "/effects",
               "/presets", "/health", "/metrics", "/")  # fmt: skip


@pytest.fixture
def slow(start, tmp_path):
    """A service whose ffmpeg does not describe itself until it is told to; returns the service, and a function for that."""
    told = tmp_path / "told"
    path = ffmpeg_in(tmp_path, 'exec /usr/bin/ffmpeg "$@"', f"until [ -e {told} ]; do sleep 0.02; done")
    return start(environment={"PATH": path}), told.touch


def test_only_requests_that_depend_on_videos_wait(slow, start):
    service, describe = slow
    other = start()
    with concurrent.futures.ThreadPoolExecutor(len(DEPENDENT)) as clients:
        answers = [clients.submit(service.get, path) for path in DEPENDENT]
        for path in INDEPENDENT:
            assert service.get(path).status == 200, path
        assert [path for path, answer in zip(DEPENDENT, answers) if answer.done()] == []
        describe()
        answers = [answer.result() for answer in answers]
    for path, answer in zip(DEPENDENT, answers):
        assert answer.status == 200, (path, answer.text)
    assert {"webm", "mp4", "mov", "avif"} <= {entry["name"] for entry in answers[0].json["formats"]}
    # Those that have waited are as all others.
    assert [service.get(path).body for path in DEPENDENT[:6]] == [answer.body for answer in answers[:6]]
    assert answers[5].body == other.get(VIDEO).body


def test_a_video_that_waits_and_its_client_that_goes(slow):
    service, describe = slow
    with socket.create_connection((service.host, service.port)) as client:
        client.sendall(f"GET {VIDEO} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert service.get("/health").status == 200
    describe()
    until(lambda: service.get("/formats").status == 200, "the formats")
    assert service.get(VIDEO).status == 200


def test_an_ffmpeg_that_never_describes_itself_is_no_ffmpeg(start, tmp_path):
    service = start(environment={"PATH": ffmpeg_in(tmp_path, "sleep 600", "sleep 600")})
    assert service.get(f"/render.svg?{SMALL}").status == 200
    missing = {entry["name"]: entry["reason"] for entry in service.get("/formats").json["missing"]}
    assert missing == dict.fromkeys(("webm", "mp4", "mov", "avif"), "ffmpeg did not describe itself within 5 s")
    assert service.get(VIDEO).status == 404
    until(lambda: "did not describe itself" in service.logged(), "the line of the log")


def test_a_service_that_is_stopped_does_not_wait_for_ffmpeg(start, tmp_path):
    path = ffmpeg_in(tmp_path, "sleep 600", f"echo $$ > {tmp_path}/id; exec sleep 600")
    service = start(environment={"PATH": path})
    until((tmp_path / "id").exists, "a guest")
    guest = (tmp_path / "id").read_text().strip()
    assert service.stop() == 0
    until(lambda: not os.path.exists(f"/proc/{guest}"), "the end of the guest")


def test_files_that_are_read_again_meanwhile_keep_the_formats(slow):
    service, describe = slow
    with concurrent.futures.ThreadPoolExecutor() as clients:
        answer = clients.submit(service.get, VIDEO)
        service.process.send_signal(1)
        until(lambda: "were reloaded" in service.logged(), "the reload")
        describe()
        assert answer.result().status == 200
    assert service.get(VIDEO).status == 200
