package titlecard.samples;

import java.util.function.Consumer;

/** A search tree without balance. */
public class BinaryTree<E extends Comparable<E>> {
    private class Node {
        E value;
        Node left, right;

        Node(E value) {
            this.value = value;
        }
    }

    private Node root;
    protected volatile int size = 0;

    public boolean insert(E value) {
        if (root == null) {
            root = new Node(value);
            size = 1;
            return true;
        }
        Node node = root;
        for (;;) {
            int order = value.compareTo(node.value);
            if (order == 0) return false;
            Node next = order < 0 ? node.left : node.right;
            if (next != null) {
                node = next;
                continue;
            }
            if (order < 0) node.left = new Node(value); else node.right = new Node(value);
            size++;
            return true;
        }
    }

    public int depth() {
        return depth(root);
    }

    private int depth(Node node) {
        return node == null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
    }

    /* In order, from the least to the greatest. */
    public void forEach(Consumer<? super E> action) {
        visit(root, action);
    }

    private void visit(Node node, Consumer<? super E> action) {
        if (node == null) {
            return;
        }
        visit(node.left, action);
        action.accept(node.value);
        visit(node.right, action);
    }
}
