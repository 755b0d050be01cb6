package titlecard.samples;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A directed graph, by the neighbours of each vertex. */
public class Graph<V> {
    private final Map<V, Set<V>> edges = new HashMap<>();

    public void connect(V from, V to) {
        edges.computeIfAbsent(from, key -> new HashSet<>()).add(to);
        edges.computeIfAbsent(to, key -> new HashSet<>());
    }

    public Collection<V> neighbours(V vertex) {
        return edges.getOrDefault(vertex, Set.of());
    }

    /** Returns the shortest path, or an empty list where there is none. */
    public List<V> path(V from, V to) {
        Map<V, V> before = new HashMap<>();
        Deque<V> queue = new ArrayDeque<>();
        queue.add(from);
        before.put(from, null);
        while (!queue.isEmpty()) {
            V vertex = queue.remove();
            if (vertex.equals(to)) {
                break;
            }
            for (V next : neighbours(vertex)) {
                if (!before.containsKey(next)) {
                    before.put(next, vertex);
                    queue.add(next);
                }
            }
        }
        LinkedList<V> path = new LinkedList<>();
        if (!before.containsKey(to)) {
            return path;
        }
        for (V vertex = to; vertex != null; vertex = before.get(vertex)) {
            path.addFirst(vertex);
        }
        return path;
    }
}
