package titlecard.samples;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Temperatures in Celsius, Fahrenheit, and Kelvin. */
public final class Temperature implements Comparable<Temperature> {
    private static final Pattern FORMAT = Pattern.compile("\\s*(-?\\d+(?:\\.\\d+)?)\\s*°?([CFK])\\s*");
    private static final double ZERO = 273.15;

    private final double kelvin;

    private Temperature(double kelvin) {
        this.kelvin = kelvin;
    }

    public static Temperature celsius(double degrees) {
        return new Temperature(degrees + ZERO);
    }

    public static Temperature fahrenheit(double degrees) {
        return celsius((degrees - 32) * 5 / 9);
    }

    /** Reads a text such as "21.5 °C"; empty where it is none. */
    public static Optional<Temperature> parse(String text) {
        Matcher matcher = FORMAT.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double degrees = Double.parseDouble(matcher.group(1));
        switch (matcher.group(2)) {
            case "C":
                return Optional.of(celsius(degrees));
            case "F":
                return Optional.of(fahrenheit(degrees));
            default:
                return Optional.of(new Temperature(degrees));
        }
    }

    @Override
    public int compareTo(Temperature other) {
        return Double.compare(kelvin, other.kelvin);
    }

    @Override
    public String toString() {
        return String.format("%.1f °C", kelvin - ZERO);
    }
}
