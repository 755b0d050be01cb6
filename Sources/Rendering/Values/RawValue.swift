package import Bytes

/// A value as a client sent it, of a type that is not checked.
package enum RawValue: Sendable {
    /// Text from a query, a form or a command line, which is parsed as the parameter's type.
    case text(String)
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null
    case array([RawValue])
    case object([ByteString: RawValue])

    /// The characters of a string or of text.
    package var characters: String? {
        switch self {
        case .text(let text), .string(let text): text
        default: nil
        }
    }

    /// The value in an error message, after "got".
    package var description: String {
        switch self {
        case .text(let text), .string(let text):
            return "\"\(text.shortened(to: 60))\""
        case .number(let number):
            return number.isFinite ? NumberText.of(number) : "a number that is too large"
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        }
    }
}

extension RawValue {
    /// Returns the value itself, or the value whose JSON a query, a form, or a command line has.
    func parsed() throws(ValueFault) -> RawValue {
        guard case .text(let text) = self else { return self }
        do {
            return try JSONReader.value(in: Array(text.utf8))
        } catch {
            throw ValueFault(error.phrase)
        }
    }
}

// Values as they are written in code.
extension RawValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(floatLiteral number: Double) { self = .number(number) }
    package init(integerLiteral number: Int) { self = .number(Double(number)) }
    package init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
    package init(arrayLiteral elements: RawValue...) { self = .array(elements) }
    package init(dictionaryLiteral members: (ByteString, RawValue)...) {
        self = .object(Dictionary(members) { $1 })
    }
}
