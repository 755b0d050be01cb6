"""The files that an operator gives a service: read once for all workers, and anew by SIGHUP, all together."""

import collections
import json
import os
import pathlib
import signal
import threading

import pytest

from commands import sign
from fonts import color_font
from service import Service, until

NEW, OLD = "2026 a new secret for tests", "2025 an old secret for tests"
TEXTS = {
    "effect": "text=A&effect=own",
    "preset": "text=A&preset=own",
    "picture": 'text=<picture+name="own"/>&markup=true',
    "font": "text=B&font=Box",
}
READ = "were reloaded"


class Operator:
    """The files of an operator, and a service that is made of them."""

    def __init__(self, path):
        self.path = path
        for name in ("effects", "pictures", "fonts"):
            (path / name).mkdir()
        self.write(1)

    def write(self, number):
        """Writes all files anew, each in the place of another that is removed."""
        for file in filter(pathlib.Path.is_file, set(self.path.rglob("*"))):
            file.unlink()
        self.put("effects/own.json", json.dumps({"name": "own", "title": "Own", "keyframes": [{"x": number}]}))
        self.put("presets.json", json.dumps({"presets": [preset(number)]}))
        self.put("pictures/own.svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number} 9"><path d="M0 0H1V1Z"/></svg>')
        self.put("keys", "\n".join([NEW, OLD][: 3 - number]) + "\n")
        color_font(self.path / "fonts" / "own.ttf", family="Box", width=1000 * number)

    def put(self, name, text):
        (self.path / name).write_text(text)

    @property
    def options(self):
        options = [f"--{name}={self.path / name}" for name in ("effects", "pictures", "fonts")]
        return [*options, f"--presets={self.path / 'presets.json'}"]

    @property
    def environment(self):
        return {"TITLECARD_SIGNING_KEYS_FILE": str(self.path / "keys")}


def preset(number):
    return {"name": "own", "title": "Own", "parameters": {"size": 40 + number}}


@pytest.fixture
def operator(tmp_path):
    return Operator(tmp_path)


@pytest.fixture
def begin():
    running = []

    def begin(operator, *options, signed=False):
        running.append(Service(*operator.options, *options, environment=operator.environment if signed else None))
        return running[-1]

    yield begin
    for service in running:
        assert service.stop() == 0


def tags(service, count=1):
    """Returns the entity tags of all that the files decide, asked for by as many connections."""
    found = collections.defaultdict(set)
    for _ in range(count):
        for name, text in TEXTS.items():
            answer = service.get(f"/render.json?{text}")
            assert answer.status == 200, (name, answer.body)
            found[name].add(answer.headers["ETag"])
    return {name: sorted(values) for name, values in found.items()}


def replace_worker(service):
    worker = service.worker
    os.kill(worker, signal.SIGKILL)
    until(lambda: service.workers not in ([], [worker]), "another worker")
    until(service.is_ready, "the other worker's /health")


def tells(service, message):
    until(lambda: message in service.logged(), message)


def hang_up(service, message):
    count = service.logged().count(message)
    service.process.send_signal(signal.SIGHUP)
    until(lambda: service.logged().count(message) > count, message)


def test_a_replaced_worker_serves_what_the_service_serves(operator, begin):
    service = begin(operator)
    before = tags(service)
    operator.write(2)
    replace_worker(service)
    assert tags(service) == before
    for file in ("own.json", "presets.json", "own.svg", "own.ttf"):
        tells(service, f"{file} has changed since it was read")
    hang_up(service, READ)
    after = tags(service)
    assert all(after[name] != before[name] for name in TEXTS)
    replace_worker(service)
    assert tags(service) == after


@pytest.mark.parametrize("file", ["effects/own.json", "presets.json", "pictures/own.svg", "fonts/own.ttf", "keys"])
def test_a_worker_is_replaced_though_a_file_is_broken_or_gone(operator, begin, file):
    service = begin(operator, signed=True)
    target = sign("/render.json?text=A", **operator.environment)
    broken = operator.path / file
    broken.unlink()
    for number in range(2):
        replace_worker(service)
        assert service.get(target).status == 200
        broken.write_text("broken")
    hang_up(service, "stay as they were")
    assert service.get(target).status == 200


def test_files_that_are_overwritten_in_place_count_with_sighup(operator, begin):
    service = begin(operator)
    before = tags(service)
    operator.put("effects/own.json", json.dumps({"name": "own", "title": "Own", "keyframes": [{"x": 7}]}))
    replace_worker(service)
    tells(service, "own.json has changed since it was read")
    assert tags(service) == before
    hang_up(service, READ)
    assert tags(service)["effect"] != before["effect"]


def test_all_workers_draw_the_same_after_a_font_was_overwritten(operator, begin):
    service = begin(operator, "--processes=2")
    until(lambda: len(service.workers) == 2, "two workers")
    color_font(operator.path / "fonts" / "other.ttf", family="Box", width=3000)
    # Its bytes are no longer to be had, so that the next worker has all read what there is.
    (operator.path / "fonts" / "own.ttf").write_bytes((operator.path / "fonts" / "other.ttf").read_bytes())
    (operator.path / "fonts" / "other.ttf").unlink()
    os.kill(service.workers[0], signal.SIGKILL)
    tells(service, READ)
    until(lambda: all(len(found) == 1 for found in tags(service, 12).values()), "one drawing")


def test_all_workers_take_what_one_of_them_has_read(operator, begin):
    service = begin(operator, "--processes=2")
    until(lambda: len(service.workers) == 2, "two workers")
    before = tags(service, 12)
    operator.write(2)
    hang_up(service, READ)
    until(lambda: all(len(found) == 1 for found in tags(service, 12).values()), "one drawing")
    assert all(tags(service)[name] != before[name] for name in TEXTS)
    assert {name for name in TEXTS if len(before[name]) > 1} == set()


def test_files_of_one_sighup_take_effect_together_or_not_at_all(operator, begin):
    service = begin(operator, signed=True)
    targets = [sign(f"/render.json?{text}", **operator.environment) for text in TEXTS.values()]
    operator.put("keys", OLD + "\n")
    old = sign("/render.json?text=A&effect=own", **operator.environment)
    assert [service.get(target).status for target in (*targets, old)] == [200] * (len(targets) + 1)
    before = service.get(targets[0]).headers["ETag"]
    operator.write(2)
    operator.put("keys", OLD + "\n")
    (operator.path / "fonts" / "own.ttf").write_bytes(b"broken")
    hang_up(service, "stay as they were")
    assert "own.ttf" in service.logged()
    assert service.get(targets[0]).headers["ETag"] == before
    color_font(operator.path / "fonts" / "own.ttf", family="Box", width=2000)
    hang_up(service, READ)
    assert {service.get(target).status for target in targets} == {403}
    assert service.get(old).status == 200 and service.get(old).headers["ETag"] != before


def test_a_permission_ends_with_its_key_though_its_url_is_in_use(operator, begin):
    service = begin(operator, signed=True)
    targets = [sign(f"/render.svg?text={number}", **operator.environment) for number in range(4)]
    ended, late = threading.Event(), []
    asked = threading.Semaphore(0)

    def ask(target):
        while not ended.is_set():
            removed = READ in service.logged()
            if service.get(target).status == 200 and removed:
                late.append(target)
            asked.release()

    threads = [threading.Thread(target=ask, args=(target,)) for target in targets]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            asked.acquire()
        operator.put("keys", OLD + "\n")
        hang_up(service, READ)
        for _ in range(40):
            asked.acquire()
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert late == []
    assert [service.get(target).status for target in targets] == [403] * 4
