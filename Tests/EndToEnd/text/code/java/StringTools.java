package titlecard.samples;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Small functions on text. */
public final class StringTools {
    private StringTools() {
        throw new AssertionError("no instances");
    }

    public static String capitalize(String text) {
        if (text == null || text.isBlank()) {
            return "";
        }
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    public static boolean isPalindrome(CharSequence text) {
        int i = 0;
        int j = text.length() - 1;
        while (i < j) {
            if (text.charAt(i++) != text.charAt(j--)) {
                return false;
            }
        }
        return true;
    }

    public static String title(String text) {
        return Arrays.stream(text.split(" +"))
                .map(StringTools::capitalize)
                .collect(Collectors.joining(" "));
    }

    public static String repeat(char c, int count) {
        StringBuilder builder = new StringBuilder(count);
        for (int i = count; i > 0; i--) {
            builder.append(c);
        }
        return builder.toString();
    }

    public static String box(String text) {
        String line = "+" + repeat('-', text.length() + 2) + "+\n";
        return line + "| " + text + " |\n" + line; // three lines
    }

    public static int levenshtein(String one, String other) {
        int[] costs = new int[other.length() + 1];
        for (int j = 0; j < costs.length; j++) costs[j] = j;
        for (int i = 1; i <= one.length(); i++) {
            int corner = i - 1;
            costs[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int change = corner + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                corner = costs[j];
                costs[j] = Math.min(change, 1 + Math.min(costs[j], costs[j - 1]));
            }
        }
        return costs[other.length()];
    }
}
