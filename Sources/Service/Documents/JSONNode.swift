import Encoders
import Motion

/// A JSON document that is built rather than decoded; members keep their order.
package indirect enum JSONNode: Sendable {
    case object([(String, JSONNode)])
    case array([JSONNode])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    /// Compact text.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

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
