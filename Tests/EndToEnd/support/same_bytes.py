"""Whether two builds answer random requests with the same bytes in every format.

    TEST_BINARY=BEFORE python3 Tests/EndToEnd/support/same_bytes.py BEFORE AFTER [--requests 500] [--seed 1] [--formats svg gif]

BEFORE and AFTER are two programs `titlecard`. The requests are those that BEFORE renders: all of its
effects, keyframes, paint, and type, in turn. Videos take most of the time. Prints those whose answers differ; ends with 1 if there are any.
"""

import argparse
import itertools
import json
import pathlib
import sys

from service import Service  # first: it makes Tests/Reference known
from catalogue import catalogue_of
from random_requests import keyframed_request, painted_request, random_request, typed_request, within_limits

DRAWS = [random_request, keyframed_request, painted_request, typed_request]


def differences(before, after, count, seed, formats):
    """Generates the requests and formats that two services do not answer alike."""
    for number, draw in zip(range(count), itertools.cycle(DRAWS)):
        request = within_limits(before, f"{seed}.{number}", draw)
        for format in formats:
            one, other = (service.post(f"/render.{format}", request) for service in (before, after))
            if (one.status, one.body) != (other.status, other.body):
                yield request, format, one, other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="*", help="extensions; by default all")
    options = parser.parse_args()
    before, after = (Service(binary=binary.absolute()) for binary in (options.before, options.after))
    found = 0
    try:
        formats = options.formats or catalogue_of(before).extensions
        for request, format, one, other in differences(before, after, options.requests, options.seed, formats):
            found += 1
            print(f"{format}: {one.status}, {len(one.body)} bytes; {other.status}, {len(other.body)} bytes:")
            print(f"  {json.dumps(request, ensure_ascii=False)}", flush=True)
    finally:
        before.stop()
        after.stop()
    print(f"{options.requests} requests, {found} answers that differ")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
