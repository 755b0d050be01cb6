package titlecard.samples;

/** Shapes with an area, as a closed family of records. */
public interface Shapes {
    double area();

    record Circle(double radius) implements Shapes {
        public Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("radius: " + radius);
            }
        }

        @Override
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Rectangle(double width, double height) implements Shapes {
        static final Rectangle UNIT = new Rectangle(1, 1);

        @Override
        public double area() {
            return width * height;
        }
    }

    static String describe(Object shape) {
        if (shape instanceof Circle circle && circle.radius() > 1_000) {
            return "a large circle";
        }
        String text = """
            A shape of %s
              with an "area" of %.2f
            """;
        return String.format(text, shape.getClass().getSimpleName(), ((Shapes) shape).area());
    }

    static int corners(String name) {
        return switch (name) {
            case "circle" -> 0;
            case "triangle" -> 3;
            case "rectangle", "square" -> 4;
            default -> throw new IllegalStateException("Unexpected: " + name);
        };
    }
}
