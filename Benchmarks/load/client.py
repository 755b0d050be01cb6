"""A client that keeps its connection and waits for nothing else than its own answer."""

import asyncio
import time

from load.processes import HOST

PATIENCE = 30  # seconds for an answer


class Client:
    def __init__(self, port):
        self.port = port
        self.streams = None

    async def request(self, head, body=b""):
        """Status and content of the answer; a connection that the server closed is opened anew."""
        if self.streams is None:
            self.streams = await asyncio.open_connection(HOST, self.port)
        reader, writer = self.streams
        writer.write(head + body)
        async with asyncio.timeout(PATIENCE):
            lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
            fields = dict(line.lower().split(b": ", 1) for line in lines[1:-2])
            content = await self.content(reader, fields)
        if fields.get(b"connection") == b"close":
            self.close()
        return int(lines[0].split()[1]), content

    @staticmethod
    async def content(reader, fields):
        if b"transfer-encoding" not in fields:
            return await reader.readexactly(int(fields[b"content-length"]))
        content = []
        while size := int(await reader.readuntil(b"\r\n"), 16):
            content.append((await reader.readexactly(size + 2))[:-2])
        await reader.readexactly(2)
        return b"".join(content)

    def close(self):
        if self.streams:
            self.streams[1].close()
        self.streams = None


def get(target):
    return f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def post(target, kind, body):
    head = f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def timed(work):
    """The outcome of something that is awaited, and the milliseconds that it took."""
    start = time.perf_counter()
    return await work, (time.perf_counter() - start) * 1000
