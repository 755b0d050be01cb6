/// Metrics of several processes added up, in Prometheus' text format.
package struct MetricsSum: Sendable {
    private struct Family: Sendable {
        var comments: [Substring] = []
        var isCounter = false
        var isSummed = true
        /// The names with labels, in the order of their first occurrence.
        var samples: [Substring] = []
        var values: [Substring: Double] = [:]
    }

    private var names: [Substring] = []
    private var families: [Substring: Family] = [:]

    /// Metrics of the service, of which the first value counts.
    private static let common: Set<Substring> = [
        "titlecard_build_info", "process_start_time_seconds",
    ]

    package init() {}

    /// Adds the metrics of a process, or its counters only if it has ended.
    package mutating func add(_ text: String, countersOnly: Bool = false) {
        var name: Substring = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                let words = line.split(separator: " ", maxSplits: 3)
                guard words.count > 2 else { continue }
                name = words[2]
                if families[name] == nil {
                    families[name] = Family(isSummed: !Self.common.contains(name))
                    names.append(name)
                }
                guard families[name]?.comments.contains(line) == false else { continue }
                families[name]?.comments.append(line)
                if words[1] == "TYPE" { families[name]?.isCounter = words.last != "gauge" }
                continue
            }
            guard let space = line.lastIndex(of: " "),
                let value = Double(line[line.index(after: space)...]),
                var family = families[name], !countersOnly || family.isCounter
            else { continue }
            families[name] = nil
            let sample = line[..<space]
            if let known = family.values[sample] {
                if family.isSummed { family.values[sample] = known + value }
            } else {
                family.samples.append(sample)
                family.values[sample] = value
            }
            families[name] = family
        }
    }

    /// Appends a metric of one sample.
    package mutating func append(_ name: String, kind: String, help: String, value: Int) {
        add("# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n")
    }

    package var text: String {
        var text = ""
        for name in names {
            guard let family = families[name] else { continue }
            for line in family.comments { text += line + "\n" }
            for sample in family.samples {
                guard let value = family.values[sample] else { continue }
                text += "\(sample) \(Self.text(of: value))\n"
            }
        }
        return text
    }

    private static func text(of value: Double) -> String {
        if let whole = Int(exactly: value) { return "\(whole)" }
        return "\(value)"
    }
}
