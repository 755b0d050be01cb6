import Motion

/// A request as it was sent: names with values, and nothing known of either.
package struct RawRequest: Sendable {
    /// Every name but `text`.
    package var values: [String: RawValue]
    /// The values of `text`; several make several blocks.
    package var texts: [RawValue]

    package init(values: [String: RawValue] = [:], texts: [RawValue] = []) {
        self.values = values
        self.texts = texts
    }

    /// Adds the names of another part of the same request.
    ///
    /// - Throws: The names that both parts have.
    package mutating func add(_ other: RawRequest) throws(RenderingError) {
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

    /// Reads the object of a JSON body.
    package init(json body: [UInt8]) throws(RenderingError) {
        guard String(validating: body, as: UTF8.self) != nil else {
            throw .malformed("is not UTF-8")
        }
        let value: RawValue
        do {
            value = try JSONReader.value(in: body)
        } catch {
            throw .malformed("is not valid JSON: \(error.message), at byte \(error.offset)")
        }
        guard case .object(var values) = value else {
            throw .malformed("must be a JSON object; got \(value.description)")
        }
        let text = values.removeValue(forKey: "text")
        self.init(values: values, texts: text.map { [$0] } ?? [])
    }

    private static func twice(_ name: String) -> ParameterFault {
        ParameterFault(parameter: name, message: "is given both in the query and in the body")
    }
}
