"""A permalink that inflates to far more than its limit is refused at once and in constant memory."""

import base64
import concurrent.futures
import time
import zlib

import pytest

MEBIBYTE = 1 << 20
PATIENCE = 5  # seconds; each takes thousandths of one
ROOM = 512  # KiB that the process may grow by; the limit of a permalink is 64 KiB


def token(packed):
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def deflated_zeros(mebibytes):
    """A zlib stream (RFC 1950) of zeros, a thousandth of that long; quicker than to deflate them."""
    stream = zlib.compressobj(9, wbits=-15)
    block = stream.compress(bytes(MEBIBYTE)) + stream.flush(zlib.Z_FULL_FLUSH)
    checksum = mebibytes * MEBIBYTE % 65521 << 16 | 1
    return b"\x78\xda" + block * mebibytes + stream.flush() + checksum.to_bytes(4, "big")


def peak_memory(process):
    """The most that a process ever had in memory, in KiB."""
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


@pytest.fixture(scope="module")
def service(start):
    """Takes targets long enough for the token of a gibibyte, which has 1.4 million characters."""
    return start("--max-target", str(2 * MEBIBYTE), "--max-head", str(2 * MEBIBYTE))


@pytest.mark.slow
@pytest.mark.parametrize("mebibytes", [1, 1024], ids=["1 MiB", "1 GiB"])
def test_a_bomb_is_refused_in_constant_memory(service, mebibytes):
    bomb = token(deflated_zeros(mebibytes))
    # Memory for a target of that length, and for its bytes, is taken without a bomb, too, by each of the threads that
    # read large requests.
    dud = "A" * len(bomb)
    with concurrent.futures.ThreadPoolExecutor(4) as clients:
        for status in clients.map(lambda _: service.get(f"/r/{dud}.svg").status, range(80)):
            assert status == 400
    before = peak_memory(service.worker)
    for _ in range(20):
        begun = time.monotonic()
        answer = service.get(f"/r/{bomb}.svg")
        assert time.monotonic() - begun < PATIENCE
        assert answer.status == 400
        assert answer.json["errors"] == [{"parameter": "token", "message": "inflates to more than 65536 bytes"}]
    assert peak_memory(service.worker) - before < ROOM
    assert service.get("/health").status == 200


def test_a_bomb_on_the_default_limits_does_not_even_arrive(server):
    """A gibibyte's token is longer than a target may be."""
    answer = server.get(f"/r/{token(deflated_zeros(1024))}.svg")
    assert answer.status == 414
    answer = server.get(f"/r/{token(deflated_zeros(1))}.svg")
    assert answer.status == 400
    assert answer.faults == ["token"]
