import Supervision
import Testing

struct MetricsSumTests {
    private static func report(_ count: Int, _ gauge: Int, status: Int) -> String {
        """
        # HELP titlecard_build_info The release that runs.
        # TYPE titlecard_build_info gauge
        titlecard_build_info{version="1"} 1
        # HELP requests Answers.
        # TYPE requests counter
        requests{status="\(status)"} \(count)
        # HELP seconds Times.
        # TYPE seconds histogram
        seconds_bucket{le="+Inf"} \(count)
        seconds_sum 0.25
        # HELP open Connections.
        # TYPE open gauge
        open \(gauge)

        """
    }

    @Test("Samples are added by name and labels; what all have alike stays")
    func adds() {
        var sum = MetricsSum()
        sum.add(Self.report(3, 5, status: 200))
        sum.add(Self.report(4, 6, status: 200))
        sum.add(Self.report(1, 1, status: 404))
        #expect(
            sum.text == """
                # HELP titlecard_build_info The release that runs.
                # TYPE titlecard_build_info gauge
                titlecard_build_info{version="1"} 1
                # HELP requests Answers.
                # TYPE requests counter
                requests{status="200"} 7
                requests{status="404"} 1
                # HELP seconds Times.
                # TYPE seconds histogram
                seconds_bucket{le="+Inf"} 8
                seconds_sum 0.75
                # HELP open Connections.
                # TYPE open gauge
                open 12

                """)
    }

    @Test("Of a process that has ended the counters alone count")
    func past() {
        var sum = MetricsSum()
        sum.add(Self.report(3, 5, status: 200), countersOnly: true)
        var whole = MetricsSum()
        whole.add(Self.report(1, 2, status: 200))
        whole.add(sum.text, countersOnly: true)
        #expect(whole.text.contains("requests{status=\"200\"} 4\n"))
        #expect(whole.text.contains("seconds_bucket{le=\"+Inf\"} 4\n"))
        #expect(whole.text.contains("open 2\n"))
    }
}
