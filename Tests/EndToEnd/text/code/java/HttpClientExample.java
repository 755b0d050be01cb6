package titlecard.samples;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Fetches several pages at once. */
public class HttpClientExample {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(TIMEOUT)
            .build();

    private CompletableFuture<Integer> status(String address) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Accept", "text/html")
                .timeout(TIMEOUT)
                .GET()
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode)
                .exceptionally(error -> -1);
    }

    public static void main(String[] args) {
        HttpClientExample example = new HttpClientExample();
        CompletableFuture<?>[] answers = Stream.of(args)
                .map(address -> example.status(address).thenAccept(status -> {
                    String verdict = status >= 200 && status < 400 ? "ok" : "failed";
                    System.out.println(address + ": " + verdict);
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(answers).join();
    }
}
