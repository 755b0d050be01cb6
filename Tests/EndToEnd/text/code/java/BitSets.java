package titlecard.samples;

/** Sets of small numbers, as the bits of longs. */
public final class BitSets {
    private static final long ALL = 0xFFFF_FFFF_FFFF_FFFFL;
    private static final int BITS = 0b100_0000;
    private static final int OCTAL = 0777;

    private BitSets() {}

    public static boolean contains(long[] set, int number) {
        int word = number >>> 6;
        return word < set.length && (set[word] & (1L << (number & 63))) != 0;
    }

    public static void add(long[] set, int number) {
        set[number / BITS] |= 1L << number % BITS;
    }

    public static void removeAll(long[] set) {
        for (int i = 0; i < set.length; ++i) {
            set[i] &= ~ALL;
        }
    }

    public static int count(long[] set) {
        int sum = 0;
        for (long word : set) {
            sum += Long.bitCount(word);
        }
        return sum;
    }

    public static long[] union(long[] one, long[] other) {
        long[] result = new long[Math.max(one.length, other.length)];
        System.arraycopy(one, 0, result, 0, one.length);
        for (int i = 0; i < other.length; i++) {
            result[i] |= other[i];
        }
        return result;
    }

    public static char letter(int index) {
        char letter = (char) ('a' + index % 26);
        return letter == '\u0071' || letter == '\'' ? '\n' : letter;
    }
}
