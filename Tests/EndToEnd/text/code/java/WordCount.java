package titlecard.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the most frequent words of files. */
public class WordCount {
    private static final String SEPARATOR = "[^\\p{L}']+";
    private static final int SHOWN = 10;

    private final Map<String, Integer> counts = new HashMap<>();

    void read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String line;
            while ((line = reader.readLine()) != null) {
                for (String word : line.toLowerCase().split(SEPARATOR)) {
                    if (!word.isEmpty()) {
                        counts.merge(word, 1, Integer::sum);
                    }
                }
            }
        }
    }

    List<Map.Entry<String, Integer>> most() {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .collect(Collectors.toList());
    }

    public static void main(String[] arguments) throws IOException {
        WordCount words = new WordCount();
        for (String argument : arguments) {
            words.read(Path.of(argument));
        }
        // The widest count decides where the words begin.
        words.most().forEach(entry -> System.out.printf("%8d  %s%n", entry.getValue(), entry.getKey()));
    }
}
