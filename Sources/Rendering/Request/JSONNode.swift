import Bytes
import Encoders
import Motion

/// A JSON value whose members keep their order.
package enum JSONNode: Sendable {
    case object([(String, JSONNode)])
    case array([JSONNode])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    /// Makes an object whose members are sorted by name, so that its text is the same for equal ones.
    static func canonical(_ members: [(String, JSONNode)]) -> JSONNode {
        .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }

    /// Compact text.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The characters of a string, or else `text`, as queries and command lines have it.
    package var plainText: String { if case .string(let string) = self { string } else { text } }

    package var bytes: [UInt8] { Array(text.utf8) }

    private func write(to text: inout String) {
        switch self {
        case .object(let members):
            text += "{"
            for (index, (name, value)) in members.enumerated() {
                text += index > 0 ? "," : ""
                text += JSONText.string(name) + ":"
                value.write(to: &text)
            }
            text += "}"
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index > 0 ? "," : ""
                element.write(to: &text)
            }
            text += "]"
        case .string(let string): text += JSONText.string(string)
        case .number(let number): text += NumberText.of(number)
        case .boolean(let boolean): text += boolean ? "true" : "false"
        case .null: text += "null"
        }
    }
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
