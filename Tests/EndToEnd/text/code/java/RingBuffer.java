package titlecard.samples;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A buffer of a fixed capacity that drops its oldest element when it is full.
 *
 * @param <T> the type of the elements
 */
public final class RingBuffer<T> implements Iterable<T> {
    private static final int DEFAULT_CAPACITY = 16;

    private final Object[] elements;
    private int start;
    private int count;

    public RingBuffer() {
        this(DEFAULT_CAPACITY);
    }

    public RingBuffer(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity must be above 0; got " + capacity);
        }
        elements = new Object[capacity];
    }

    /** Adds an element, and returns the one that it replaces, or null. */
    @SuppressWarnings("unchecked")
    public T add(T element) {
        int index = (start + count) % elements.length;
        T old = (T) elements[index];
        elements[index] = element;
        if (count < elements.length) {
            count++;
            return null;
        }
        start = (start + 1) % elements.length;
        return old;
    }

    public int size() {
        return count;
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private int next = 0;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            @SuppressWarnings("unchecked")
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return (T) elements[(start + next++) % elements.length];
            }
        };
    }
}
