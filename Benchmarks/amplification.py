#!/usr/bin/env python3
"""Searches for the requests that cost a server most for each of their bytes.

    amplification.py BINARY [SECONDS] [SEED] [GOAL]

Random requests of all effects and formats are changed step by step, and what costs more is kept: for SECONDS each
by bytes of the answer, by CPU seconds, and by memory, per byte of the request. The worst of each are printed, by
that rate and by the cost itself; with GOAL of that alone.
"""

import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import time

GOALS = ("bytes", "CPU", "memory")
FORMATS = ("svg", "json", "lottie", "png", "gif", "apng", "webp")
LETTERS = ("a", "W", "é", "世", "😀", "👨\u200d", "\u0301", " ", "א", "م", "\n", "ﷺ", "i", "ffi ")
EASINGS = ("linear", "ease-in-out", "bounce", "steps(50)", "spring(0.9)", "cubic-bezier(0.5, 9, 0.5, -8)")
SHADOWS = ("1px 1px red", "3px 2px 4px #0f08", "0 0 40px blue", "-9px 0 1px #123")
PAINTS = ("red", "#12345678", "linear-gradient(45deg, red, blue)", "linear-gradient(90deg, #f00 0%, #0f08 50%, #00f)")
WAIT = 150  # seconds for an answer


class Server:
    """A server of its own, whose process is looked at around each request."""

    def __init__(self, binary):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        # One process, so that the one that is looked at is the one that works.
        options = ["--no-supervisor", "--port", str(self.port), "--workers", "1", "--loops", "1"]
        options += ["--cache-size", "0", "--log-level", "error"]
        self.process = subprocess.Popen([binary, "serve", *options], stdout=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(rf"{name}:\s+(\d+)", status.read()).group(1)) * 1024

    def cost(self, request):
        """Returns the costs by goal, the status, and the bytes of the request."""
        body = json.dumps(request, ensure_ascii=False).encode()
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")
        cpu, memory = self.cpu(), self.memory("VmRSS")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        length, status = 0, 0
        try:
            connection.request("POST", "/render", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            status = answer.status
            while piece := answer.read(1 << 20):
                length += len(piece)
        except http.client.IncompleteRead:
            pass
        finally:
            connection.close()
        if self.process.poll() is not None:
            sys.exit(f"the server ended: {body.decode()}")
        costs = dict(bytes=length, CPU=self.cpu() - cpu, memory=max(self.memory("VmHWM") - memory, 0))
        return costs, status, len(body)


def catalogue(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/effects")
    effects = json.loads(connection.getresponse().read())
    return {effect["name"]: effect["parameters"] for effect in effects.get("effects", effects)}


def text(generator):
    letters = generator.sample(LETTERS, generator.randint(1, 3))
    return "".join(letters) * generator.choice([1, 5, 40, 200, 650])


def keyframes(generator):
    names = generator.sample(["scale", "scaleX", "scaleY", "x", "y", "rotation", "blur"], generator.randint(1, 4))
    frames = []
    for _ in range(generator.randint(1, 15)):
        frame = {generator.choice(names): generator.choice([0, 0.5, 1.5, 2])}
        if generator.random() < 0.5:
            frame["easing"] = generator.choice(EASINGS)
        frames.append(frame)
    return [*frames, {}]


def value(generator, parameter):
    """Returns a value of an effect's parameter, often at its ends; None for one that is not drawn."""
    if "values" in parameter and parameter["values"]:
        return generator.choice(parameter["values"])
    low, high = parameter.get("minimum"), parameter.get("maximum")
    if low is None or high is None:
        return None
    number = generator.choice([low, high, generator.uniform(low, high), low + (high - low) / 100])
    return round(number) if parameter.get("type") == "integer" else round(number, 3)


def change(generator, request, effects):
    """Returns a request with one to three of its parameters drawn anew."""
    request = dict(request)
    for _ in range(generator.randint(1, 3)):
        name = generator.choice(["effect", "own", "text", "text", "paint", "play", "canvas", "format", "drop"])
        if name == "effect":
            for own in effects[request["effect"]]:
                request.pop(own["name"], None)
            request["effect"] = generator.choice(list(effects))
        elif name == "own" and effects[request["effect"]]:
            own = generator.choice(effects[request["effect"]])
            if (drawn := value(generator, own)) is not None:
                request[own["name"]] = drawn
        elif name == "text":
            request["text"] = text(generator)
        elif name == "paint":
            layers = ", ".join(generator.choices(SHADOWS, k=generator.randint(1, 4)))
            request |= generator.choice(
                [
                    dict(shadow=layers),
                    dict(darkShadow=layers),
                    dict(outlineWidth=generator.choice([0.5, 20])),
                    dict(color=generator.choice(PAINTS)),
                    dict(background=generator.choice(PAINTS)),
                ]
            )
        elif name == "play":
            request |= generator.choice(
                [
                    dict(exit="auto"),
                    dict(loop="infinite"),
                    dict(speed=generator.choice([0.1, 1, 10])),
                    dict(cursor="block"),
                    dict(easing=generator.choice(EASINGS)),
                ]
            )
        elif name == "canvas":
            request |= generator.choice(
                [
                    dict(width=generator.choice([10, 100, 4096])),
                    dict(size=generator.choice([8, 40, 400])),
                    dict(scale=4),
                    dict(fps=50),
                ]
            )
        elif name == "format":
            request["format"] = generator.choice(FORMATS)
        elif name == "drop" and len(request) > 3:
            request.pop(generator.choice([each for each in request if each not in ("text", "effect", "format")]))
    if request["effect"] == "custom":
        request.setdefault("keyframes", keyframes(generator))
    else:
        request.pop("keyframes", None)
    return request


def climb(server, effects, goal, seconds, generator):
    """Returns the worst request found by its rate, the worst by its cost, with their costs, and the number tried."""
    end = time.monotonic() + seconds
    worst, most, tried = None, None, 0
    while time.monotonic() < end:
        # A start of its own every so often, lest it stays on one hill.
        request = dict(text=text(generator), effect=generator.choice(list(effects)), format=generator.choice(FORMATS))
        best, failures = -1.0, 0
        while failures < 30 and time.monotonic() < end:
            candidate = change(generator, request, effects)
            costs, status, length = server.cost(candidate)
            tried += 1
            failures += 1
            if status == 400:
                continue
            gain = costs[goal] / length
            if most is None or costs[goal] > most[0]:
                most = (costs[goal], costs, status, length, candidate)
            if gain > best:
                request, best, failures = candidate, gain, 0
                if worst is None or gain > worst[0]:
                    worst = (gain, costs, status, length, candidate)
    return [each for each in (worst, most) if each], tried


def shown(request):
    """Returns a request with its long values as their beginning and their length."""

    def short(value):
        return value if len(value) < 60 else f"{value[:12]}… ({len(value)})"

    return {name: short(value) if isinstance(value, str) else value for name, value in request.items()}


def main():
    binary = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    generator = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")
    server = Server(binary)
    try:
        effects = catalogue(server)
        for goal in sys.argv[4:5] or GOALS:
            found, tried = climb(server, effects, goal, seconds, generator)
            for _, costs, status, length, request in found:
                print(
                    f"by {goal}, {tried} requests: {length} bytes, answer {status} of {costs['bytes']} bytes, "
                    f"{costs['CPU']:.2f} s of CPU, {costs['memory'] / (1 << 20):.0f} MiB"
                )
                print("   ", json.dumps(shown(request), ensure_ascii=True), flush=True)
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    main()
