package titlecard.samples;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Runs tasks at their times, on one thread. */
public class Scheduler implements Runnable, AutoCloseable {
    private static class Task implements Comparable<Task> {
        final long time;
        final Runnable action;

        Task(long time, Runnable action) {
            this.time = time;
            this.action = action;
        }

        @Override
        public int compareTo(Task other) {
            return Long.compare(time, other.time);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isClosed;

    public void schedule(Runnable action, long delay, TimeUnit unit) {
        lock.lock();
        try {
            tasks.add(new Task(System.nanoTime() + unit.toNanos(delay), action));
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        while (true) {
            Task task;
            lock.lock();
            try {
                while (!isClosed && (tasks.isEmpty() || tasks.peek().time > System.nanoTime())) {
                    long wait = tasks.isEmpty() ? Long.MAX_VALUE : tasks.peek().time - System.nanoTime();
                    changed.awaitNanos(wait);
                }
                if (isClosed) {
                    break;
                }
                task = tasks.poll();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                lock.unlock();
            }
            task.action.run();
        }
    }

    @Override
    public void close() {
        lock.lock();
        isClosed = true;
        changed.signalAll();
        lock.unlock();
    }
}
