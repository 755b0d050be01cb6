package titlecard.samples;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A cache that forgets what was not used for longest. */
public class LruCache<K, V> {
    private final int limit;
    private final Map<K, V> values;
    private long hits;
    private long misses;

    public LruCache(int limit) {
        this.limit = limit;
        this.values = new LinkedHashMap<K, V>(limit * 2, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > LruCache.this.limit;
            }
        };
    }

    public V get(K key, Function<? super K, ? extends V> make) {
        V value = values.get(key);
        if (value != null) {
            hits += 1;
            return value;
        }
        misses += 1;
        value = make.apply(key);
        values.put(key, value);
        return value;
    }

    /** The share of requests that were answered from the cache; NaN before the first. */
    public double hitRate() {
        return (double) hits / (hits + misses);
    }

    public static void main(String... args) {
        LruCache<Integer, Long> squares = new LruCache<>(100);
        for (int i = 0; i < 1000; i++) {
            long square = squares.get(i % 150, n -> (long) n * n);
            assert square >= 0L : "negative";
        }
        System.out.println("hit rate: " + squares.hitRate() * 100 + '%');
    }
}
