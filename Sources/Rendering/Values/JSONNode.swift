import Bytes

/// A JSON value whose members keep their order.
package enum JSONNode: Sendable {
    case object([(String, JSONNode)])
    case array([JSONNode])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    /// Makes an object whose members are sorted by name, so that its text is the same for equal ones.
    package static func canonical(_ members: [(String, JSONNode)]) -> JSONNode {
        .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }

    /// Compact text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The characters of a string, or else `text`, as queries and command lines have it.
    package var plainText: String { if case .string(let string) = self { string } else { text } }

    /// The bytes of `text`.
    package var bytes: [UInt8] {
        var sink = ByteSink(capacity: 512)
        write(to: &sink)
        return sink.bytes()
    }

    /// The bytes of `text` without characters that terminals or readers of lines obey.
    package var line: [UInt8] { Array(LineText.escaped(text).utf8) }

    private func write(to sink: inout ByteSink) {
        switch self {
        case .object(let members):
            sink.append("{")
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(jsonString: name)
                sink.append(":")
                value.write(to: &sink)
            }
            sink.append("}")
        case .array(let elements):
            sink.append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { sink.append(",") }
                element.write(to: &sink)
            }
            sink.append("]")
        case .string(let string): sink.append(jsonString: string)
        case .number(let number): sink.append(text: NumberText.of(number))
        case .boolean(let boolean): sink.append(boolean ? "true" : "false")
        case .null: sink.append("null")
        }
    }
}

// Values as they are written in code.
extension JSONNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int) { self = .number(Double(number)) }
    package init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
    package init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, JSONNode)...) { self = .object(members) }
}

extension JSONNode {
    /// The value as it was sent; the members of objects by their names.
    package init(_ raw: RawValue) {
        switch raw {
        case .text(let text), .string(let text): self = .string(text)
        case .number(let number): self = .number(number)
        case .boolean(let boolean): self = .boolean(boolean)
        case .null: self = .null
        case .array(let elements): self = .array(elements.map { JSONNode($0) })
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            self = .object(sorted.map { ($0.key.text, JSONNode($0.value)) })
        }
    }
}
