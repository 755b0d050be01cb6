import FoundationEssentials

/// A value as a client sent it, before anybody knows what it should be.
enum RawValue: Sendable {
    /// From a query, a form or a command line: to be read as what the parameter takes.
    case text(String)
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null
    case array([RawValue])
    case object([String: RawValue])

    /// For error messages: "got …".
    var description: String {
        switch self {
        case .text(let text), .string(let text):
            let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
            return "\"\(shown)\""
        case .number(let number): return NumberText.of(number)
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        }
    }
}

extension RawValue: Decodable {
    /// The kinds in the order of their frequency, for every wrong guess costs an error.
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer() {
            if let string = try? container.decode(String.self) {
                self = .string(string)
                return
            }
            if let number = try? container.decode(Double.self) {
                self = .number(number)
                return
            }
            if let boolean = try? container.decode(Bool.self) {
                self = .boolean(boolean)
                return
            }
            if container.decodeNil() {
                self = .null
                return
            }
            if let object = try? container.decode([String: RawValue].self) {
                self = .object(object)
                return
            }
            self = .array(try container.decode([RawValue].self))
            return
        }
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "no value"))
    }
}

/// How numbers are written to people and in canonical requests.
enum NumberText {
    /// The shortest text that reads back as the same number; whole ones without a point.
    static func of(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return "\(Int(number))" }
        return "\(number)"
    }
}
