"""How often replicas behind a hash ring have a picture already, simulated, beside what formulas give.

    .venv/bin/python Benchmarks/fleet.py [--urls 10000000] [--replicas 64] [--pictures 10000] [--seed 1]

Requests are drawn independently of each other; the URL of rank k is asked for in proportion to 1 / k^s (Zipf). The ring
is that of nginx's `hash … consistent`. Each replica keeps so many pictures of equal size and evicts the least recently
used one, as Titlecard does within `--cache-size`. All requests to all replicas are simulated, each in every cache that
it reaches; of replicas that take requests in turn one is, because all are alike. A run takes about two minutes and
1 GB; the same seed gives the same figures.

Formulas:

- A cache that is full has a picture unless it was not asked for during the last T requests, where T is the number of
  requests after which as many different ones were asked for as the cache keeps: Σ p (1 − e^(−pT)) with
  Σ (1 − e^(−pT)) = size. Che, Tung, Wang, "Hierarchical Web Caching Systems", 2002; Fricker, Robert, Roberts, "A
  Versatile and Accurate Approximation for LRU Cache Performance", 2012. Caches behind a ring count as one of their size
  together.
- A cache that forgets what was not asked for during a time (nginx's `inactive`): the same, with T the requests of that
  time. One that is empty at first: the same, with T the requests since then, until it is full; with the defaults that
  is after 974,000 requests or more.
- A ring of n servers with v random points each: 1 / n of the keys move when one is lost. The servers' shares have a
  relative deviation of 1 / √v, and the largest is what the largest of n normal values is (Blom, 1958).
- The replica of the most popular URL has that URL's requests and, in the mean, an nth of the others.
- After a loss: what was on the lost replica is as after a cold start, and all else as before. This leaves out that the
  others, which keep no more than before, evict a little more.
"""

import argparse
import collections
import statistics
import zlib
from dataclasses import dataclass

import numpy

EXPONENTS = (0.8, 1.0, 1.2)
POINTS = 160  # of a server on the ring
CHUNK = 1_000_000  # requests that are drawn at once
MEASURED = 2_000_000  # requests to full caches
TEN_MINUTES = 1 / 144  # of a day


class Ring:
    """The servers of an `upstream` of nginx with `hash … consistent`, each `address:port` with weight 1.

    ngx_http_upstream_hash_module.c, nginx 1.22: `ngx_http_upstream_init_chash` and `ngx_http_upstream_find_chash_point`.
    """

    def __init__(self, servers):
        points = [point for server in servers for point in self.points(server)]
        # Of equal points one counts.
        self.hashes, firsts = numpy.unique(numpy.array(points, numpy.uint32), return_index=True)
        self.owners = (firsts // POINTS).astype(numpy.uint8)

    @staticmethod
    def points(server):
        address, _, port = server.partition(":")
        base, point = zlib.crc32(f"{address}\0{port}".encode()), 0
        for _ in range(POINTS):
            point = zlib.crc32(point.to_bytes(4, "little"), base)
            yield point

    @staticmethod
    def hash(key):
        return zlib.crc32(key.encode())

    def without(self, lost):
        """The ring while a server does not answer: nginx takes the next point of another one."""
        ring, stays = object.__new__(Ring), self.owners != lost
        ring.hashes, ring.owners = self.hashes[stays], self.owners[stays]
        return ring

    def server(self, hashes):
        """The number of the server of each hash: that of the first point that is not below it."""
        return self.owners[numpy.searchsorted(self.hashes, hashes) % len(self.hashes)]


class Popularity:
    """The probabilities of URLs by rank, and requests that have them."""

    def __init__(self, urls, exponent, seed):
        weights = numpy.arange(1, urls + 1) ** -exponent
        self.each = weights / weights.sum()
        self.ends = numpy.cumsum(self.each)
        self.ends[-1] = 1
        self.random = numpy.random.default_rng([seed, round(exponent * 1000)])
        # Sums over ranks are sums over groups of ranks whose probabilities differ by less than a thousandth.
        starts = numpy.unique(numpy.rint(numpy.geomspace(1, urls + 1, 20_000)).astype(int)) - 1
        self.counts = numpy.diff(starts)
        self.grouped = numpy.add.reduceat(self.each, starts[:-1]) / self.counts

    def requests(self, count):
        """Ranks of so many requests, in parts."""
        for start in range(0, count, CHUNK):
            # In the order of ranks first: a search for ordered values is several times as fast.
            values = numpy.sort(self.random.random(min(CHUNK, count - start)))
            ranks = numpy.searchsorted(self.ends, values, side="right").astype(numpy.int32)
            self.random.shuffle(ranks)
            yield ranks

    def kept(self, requests):
        """How many different URLs so many requests are for."""
        return float(numpy.sum(self.counts * -numpy.expm1(-self.grouped * requests)))

    def hit_rate(self, requests):
        """The share of requests for what was asked for during so many requests before."""
        return float(numpy.sum(self.counts * self.grouped * -numpy.expm1(-self.grouped * requests)))

    def hit_rate_since_empty(self, requests):
        """The share of hits among the first requests to an empty cache: the mean of `hit_rate` from none to these."""
        return 1 - self.kept(requests) / requests

    def time_until_full(self, size):
        """T: the requests after which so many different URLs were asked for; by Newton's method, from below."""
        time = float(size)
        while (missing := size - self.kept(time)) > 1e-6 * size:
            time += missing / float(numpy.sum(self.counts * self.grouped * numpy.exp(-self.grouped * time)))
        return time


class Caches:
    """A cache of the least recently used pictures for each replica."""

    def __init__(self, replicas, size):
        self.size = size
        self.kept = [collections.OrderedDict() for _ in range(replicas)]

    def send(self, ranks, replicas):
        """The numbers of requests and of hits by replica, after requests of which each goes to a replica."""
        order = numpy.argsort(replicas, kind="stable")
        counts = numpy.bincount(replicas, minlength=len(self.kept))
        parts = numpy.split(ranks[order], numpy.cumsum(counts)[:-1])
        hits = [self.hits(kept, part.tolist()) for kept, part in zip(self.kept, parts)]
        return counts, numpy.array(hits)

    def hits(self, kept, ranks):
        hits = 0
        for rank in ranks:
            if rank in kept:
                kept.move_to_end(rank)
                hits += 1
            else:
                kept[rank] = None
                if len(kept) > self.size:
                    kept.popitem(last=False)
        return hits

    @property
    def are_full(self):
        return all(len(kept) == self.size for kept in self.kept)


class Fleet:
    """Replicas behind a ring, and one cache before all of them as large as theirs together, under the same requests."""

    def __init__(self, popularity, replica_of, replicas, pictures):
        self.popularity, self.replica_of = popularity, replica_of
        self.own = Caches(replicas, pictures)
        self.shared = Caches(1, replicas * pictures)

    def send(self, count):
        """The numbers of requests and hits by replica, and the hits of the shared cache."""
        requests = hits = shared = 0
        for ranks in self.popularity.requests(count):
            some, found = self.own.send(ranks, self.replica_of[ranks])
            requests, hits = requests + some, hits + found
            shared += self.shared.send(ranks, all_to_one(ranks))[1].sum()
        return requests, hits, shared


def hashes(urls, seed):
    """The hash of each URL: a permalink with a random token."""
    tokens = numpy.random.default_rng(seed).integers(2**63, size=urls)
    return numpy.fromiter((Ring.hash(f"/r/2/{token:016x}.svg") for token in tokens.tolist()), numpy.uint32, urls)


def largest(counts):
    """The largest of several counts as a multiple of the mean one."""
    return counts.max() / counts.mean()


def largest_share(replicas):
    """The largest share of replicas on a ring of random points as a multiple of the mean one."""
    return 1 + statistics.NormalDist().inv_cdf((replicas - 0.375) / (replicas + 0.25)) / POINTS**0.5


def all_to_one(ranks):
    return numpy.zeros(len(ranks), numpy.uint8)


def hits_alone(popularity, size, measured):
    """The hit rate of one cache that gets requests for all URLs, once it is full."""
    caches = Caches(1, size)
    for count in round(1.5 * popularity.time_until_full(size)), measured:
        hits = sum(caches.send(ranks, all_to_one(ranks))[1].sum() for ranks in popularity.requests(count))
    assert caches.are_full
    return hits / measured


def hits_within(popularity, time, measured):
    """The share of requests for what was asked for during `time` requests before."""
    ranks = numpy.concatenate(list(popularity.requests(time + measured)))
    order = numpy.argsort(ranks, kind="stable")
    is_hit = (numpy.diff(ranks[order]) == 0) & (numpy.diff(order) <= time)
    return numpy.count_nonzero(is_hit & (order[1:] >= time)) / measured


@dataclass(frozen=True)
class Result:
    what: str
    simulated: float
    formula: float
    is_share: bool = True  # and not a multiple of the mean

    def __str__(self):
        factor, sign = (100, " %") if self.is_share else (1, "")
        simulated, formula = factor * self.simulated, factor * self.formula
        return f"{simulated:.2f}{sign} · {formula:.2f}{sign} · {simulated - formula:+.2f}"


class Simulation:
    """So many URLs, replicas, and pictures that each replica keeps."""

    def __init__(self, urls, replicas, pictures, seed, measured=MEASURED):
        self.urls, self.replicas, self.pictures, self.seed, self.measured = urls, replicas, pictures, seed, measured
        self.ring = Ring([f"10.0.0.{number}:8080" for number in range(1, replicas + 1)])
        self.hashes = hashes(urls, seed)
        self.replica_of = self.ring.server(self.hashes)
        self.counts = numpy.bincount(self.replica_of, minlength=replicas)
        # The replica that will be lost: of all shares of the URLs it has the middle one.
        self.lost = int(numpy.argsort(self.counts)[replicas // 2])

    def beginning(self, fleet):
        """The hit rates of the next few, and of the next many requests."""
        few, many = self.urls // 100, self.urls // 10
        hits = fleet.send(few)[1].sum()
        yield few, hits / few
        yield many, (hits + fleet.send(many - few)[1].sum()) / many

    def ring_results(self):
        """Results that requests have no part in."""
        yield Result("URLs of the replica with the most", largest(self.counts), largest_share(self.replicas), False)
        moved = numpy.mean(self.ring.without(self.lost).server(self.hashes) != self.replica_of)
        yield Result("URLs that move when a replica is lost", moved, 1 / self.replicas)

    def results(self, exponent):
        """Results for a distribution of requests, in the order of events."""
        popularity = Popularity(self.urls, exponent, self.seed)
        shares = numpy.bincount(self.replica_of, popularity.each, self.replicas)
        expected = 1 + (self.replicas - 1) * popularity.each[0]
        yield Result("requests of the replica with the most", largest(shares), expected, False)

        fleet = Fleet(popularity, self.replica_of, self.replicas, self.pictures)
        for count, rate in self.beginning(fleet):
            yield Result(f"{count:,} requests after a cold start", rate, popularity.hit_rate_since_empty(count))

        time = popularity.time_until_full(self.replicas * self.pictures)
        while not fleet.own.are_full:
            fleet.send(max(round(time / 4), 1))
        requests, hits, shared = fleet.send(self.measured)
        steady = popularity.hit_rate(time)
        yield Result("ring, caches full", hits.sum() / self.measured, steady)
        yield Result("one shared cache of the same size", shared / self.measured, steady)
        misses = requests - hits
        yield Result("renderings of the replica with the most", largest(misses), largest_share(self.replicas), False)

        # What the lost replica had is asked for as after a cold start; all else is where it was.
        fleet.replica_of = self.ring.without(self.lost).server(self.hashes)
        moved = popularity.each[fleet.replica_of != self.replica_of]
        stayed = steady - numpy.sum(moved * -numpy.expm1(-moved * time))
        for count, rate in self.beginning(fleet):
            returned = numpy.sum(moved + numpy.expm1(-moved * count) / count)
            yield Result(f"{count:,} requests after the loss of a replica", rate, stayed + returned)

        alone = popularity.hit_rate(popularity.time_until_full(self.pictures))
        yield Result("no ring, any replica takes any request", hits_alone(popularity, self.pictures, self.measured), alone)
        for time, name in (round(self.urls * TEN_MINUTES), "10 minutes"), (self.urls, "24 hours"):
            within = hits_within(popularity, time, self.measured)
            yield Result(f"all that was asked for in the last {name}", within, popularity.hit_rate(time))


def show(title, rows, columns=[f"s = {exponent}" for exponent in EXPONENTS]):
    heads = [title, *columns]
    print(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def show_plan(counts):
    """By the formulas alone: what is kept for a time, and what fits into a size."""

    def cell(popularity, time):
        return f"{popularity.hit_rate(time):.1%} · {popularity.kept(time):,.0f}"

    plans = {urls: [Popularity(urls, exponent, 0) for exponent in EXPONENTS] for urls in counts}
    show("requests a day, URLs; kept unless nobody asks for: hit rate · pictures", (
        (f"{urls:,}; {name}", *(cell(popularity, urls * days) for popularity in plan))
        for urls, plan in plans.items()
        for name, days in (("10 minutes", TEN_MINUTES), ("24 hours", 1), ("30 days", 30))
    ))
    show("URLs; pictures that all caches behind a ring keep: hit rate", (
        (f"{urls:,}; {urls // part:,}", *(f"{one.hit_rate(one.time_until_full(urls // part)):.1%}" for one in plan))
        for urls, plan in plans.items()
        for part in (1000, 100, 10)
    ))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urls", type=int, default=10_000_000)
    parser.add_argument("--replicas", type=int, default=64)
    parser.add_argument("--pictures", type=int, default=10_000, help="that each replica keeps")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    simulation = Simulation(arguments.urls, arguments.replicas, arguments.pictures, arguments.seed)
    print(f"{arguments.urls:,} URLs, {arguments.replicas} replicas that keep {arguments.pictures:,} pictures each.")
    print("Each cell: simulated · formula · difference; shares in per cent, the others as multiples of the mean.")
    show("of the ring", ((result.what, result) for result in simulation.ring_results()), ["any s"])
    results = zip(*[list(simulation.results(exponent)) for exponent in EXPONENTS])
    show("of requests", ((row[0].what, *row) for row in results))
    show_plan((1_000, 100_000, 10_000_000))


if __name__ == "__main__":
    main()
