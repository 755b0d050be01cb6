import Motion

/// Prometheus' text format, version 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    private var name = ""

    /// Says what the samples that follow are.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A sample; labels hold no characters that would have to be escaped.
    mutating func add(_ value: Double, _ labels: [(String, String)] = [], suffix: String = "") {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}"
        }
        text += " \(NumberText.of(value))\n"
    }

    /// A metric of one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        add(value)
    }
}
