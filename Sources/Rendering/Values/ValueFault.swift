import Bytes

/// The fault of a value.
package struct ValueFault: Error {
    /// A fault of the value, or of a part of it.
    struct Part {
        /// The part's place, such as `[1].blur`; empty for the value as a whole.
        let place: String
        /// A phrase that follows the parameter's name.
        let message: String
    }

    let parts: [Part]

    init(parts: [Part]) {
        self.parts = parts
    }

    init(_ message: String) {
        self.init(parts: [Part(place: "", message: message)])
    }

    /// Returns the fault of a value that may also be something else.
    func expecting(_ expectation: String, insteadOf inner: String) -> ValueFault {
        let start = "must be " + inner
        return ValueFault(
            parts: parts.map { part in
                guard part.message.begins(with: start) else { return part }
                let rest = part.message.dropping(first: start.utf8.count)
                return Part(place: part.place, message: "must be " + expectation + rest)
            })
    }

    /// Returns the fault with a remedy behind each phrase.
    func ending(with remedy: String) -> ValueFault {
        remedy.isEmpty
            ? self
            : ValueFault(parts: parts.map { Part(place: $0.place, message: $0.message + remedy) })
    }

    /// All phrases.
    var message: String { parts.map(\.message).joined(separator: "; ") }
}
