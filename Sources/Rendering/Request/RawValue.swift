import Motion

/// A value as a client sent it, before anybody knows what it should be.
package enum RawValue: Sendable {
    /// From a query, a form or a command line: to be read as what the parameter takes.
    case text(String)
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null
    case array([RawValue])
    case object([String: RawValue])

    /// For error messages: "got …".
    package var description: String {
        switch self {
        case .text(let text), .string(let text):
            let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
            return "\"\(shown)\""
        case .number(let number):
            return number.isFinite ? NumberText.of(number) : "a number past all limits"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        }
    }
}
