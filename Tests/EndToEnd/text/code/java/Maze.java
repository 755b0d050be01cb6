package titlecard.samples;

import java.util.Random;

/** A maze that is carved by walking at random. */
public class Maze {
    private static final int NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8;
    private static final int[] DX = {0, 1, 0, -1};
    private static final int[] DY = {-1, 0, 1, 0};

    private final int width, height;
    private final byte[][] cells;
    private final Random random;

    public Maze(int width, int height, long seed) {
        this.width = width;
        this.height = height;
        cells = new byte[height][width];
        random = new Random(seed);
        carve(0, 0);
    }

    private void carve(int x, int y) {
        int first = random.nextInt(4);
        for (int turn = 0; turn < 4; turn++) {
            int direction = (first + turn * 3) & 3;
            int nextX = x + DX[direction];
            int nextY = y + DY[direction];
            boolean isInside = nextX >= 0 && nextX < width && nextY >= 0 && nextY < height;
            if (!isInside || cells[nextY][nextX] != 0) {
                continue;
            }
            cells[y][x] |= 1 << direction;
            cells[nextY][nextX] |= 1 << (direction + 2 & 3);
            carve(nextX, nextY);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (byte[] row : cells) {
            for (byte cell : row) {
                text.append((cell & WEST) != 0 ? ' ' : '|').append((cell & SOUTH) != 0 ? ' ' : '_');
            }
            text.append("|\n");
        }
        return text.toString();
    }
}
