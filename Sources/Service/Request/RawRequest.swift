import Motion

/// A request as it was sent: names with values, and nothing known of either.
package struct RawRequest: Sendable {
    /// Every name but `text`.
    var values: [String: RawValue]
    /// The values of `text`; several make several blocks.
    var texts: [RawValue]

    init(values: [String: RawValue] = [:], texts: [RawValue] = []) {
        self.values = values
        self.texts = texts
    }

    /// Adds the names of another part of the same request.
    ///
    /// - Throws: The names that both parts have.
    mutating func add(_ other: RawRequest) throws(Problem) {
        var faults: [ParameterFault] = []
        for (name, value) in other.values {
            if values.updateValue(value, forKey: name) != nil {
                faults.append(Self.twice(name))
            }
        }
        if !texts.isEmpty, !other.texts.isEmpty { faults.append(Self.twice("text")) }
        texts += other.texts
        guard faults.isEmpty else { throw .invalid(faults.sorted { $0.parameter < $1.parameter }) }
    }

    private static func twice(_ name: String) -> ParameterFault {
        ParameterFault(parameter: name, message: "is given both in the query and in the body")
    }
}
