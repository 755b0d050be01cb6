package titlecard.samples;

import java.util.Arrays;

/** A matrix of doubles, in rows. */
public class Matrix {
    private final double[][] rows;

    public Matrix(int height, int width) {
        this.rows = new double[height][width];
    }

    public Matrix(double[]... rows) {
        this.rows = rows.clone();
    }

    public static Matrix identity(int size) {
        Matrix result = new Matrix(size, size);
        for (int i = 0; i < size; i++) {
            result.rows[i][i] = 1.0;
        }
        return result;
    }

    public Matrix times(Matrix other) {
        if (rows[0].length != other.rows.length) {
            throw new IllegalArgumentException("sizes do not match");
        }
        int width = other.rows[0].length;
        Matrix product = new Matrix(rows.length, width);
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < width; j++) {
                double sum = 0e0;
                for (int k = 0; k < other.rows.length; k++) {
                    sum += rows[i][k] * other.rows[k][j];
                }
                product.rows[i][j] = sum;
            }
        }
        return product;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Matrix && Arrays.deepEquals(rows, ((Matrix) other).rows);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(rows) ^ 0xCAFE;
    }
}
