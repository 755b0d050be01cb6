package titlecard.samples;

import static java.lang.Math.sqrt;

import java.util.BitSet;
import java.util.stream.IntStream;

/** Primes, found with a sieve. */
public abstract class Primes {
    protected final int limit;

    protected Primes(int limit) {
        this.limit = limit;
    }

    public abstract IntStream stream();

    /** The sieve of Eratosthenes. */
    public static class Sieve extends Primes {
        private final BitSet composite;

        public Sieve(int limit) {
            super(limit);
            composite = new BitSet(limit + 1);
            int root = (int) sqrt(limit);
            outer:
            for (int i = 2; i <= root; i++) {
                if (composite.get(i)) continue outer;
                for (int j = i * i; j <= limit; j += i) {
                    composite.set(j);
                }
            }
        }

        @Override
        public IntStream stream() {
            return IntStream.rangeClosed(2, limit).filter(n -> !composite.get(n));
        }
    }

    public static void main(String[] args) {
        int limit = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        var primes = new Sieve(limit);
        long count = primes.stream().count();
        System.out.println(count + " primes up to " + limit);
        primes.stream().skip(Math.max(0, count - 5)).forEach(System.out::println);
    }
}
