import Bytes
import Typesetting

/// The text of a terminal session, with the styles that its SGR sequences give.
struct StyledSession {
    /// Without the sequences, normalised.
    private(set) var text = ""
    /// With the sequences, normalised.
    private(set) var source = ""
    /// The UTF-8 offset of the end of each part of `text`, and its style.
    private(set) var styles: [(end: Int, style: TerminalStyle)] = []

    /// - Throws: `TypesettingError.controlCharacter` for other control characters than line breaks and
    ///   tabs, and for other sequences than SGR.
    init(_ written: String) throws(TypesettingError) {
        var style = TerminalStyle.plain
        for (number, piece) in written.pieces(separatedBy: "\u{1B}").enumerated() {
            var rest = piece
            if number > 0 {
                let sequence = Array(rest.utf8.prefix { $0 != UInt8(ascii: "m") })
                guard sequence.first == UInt8(ascii: "["), rest.utf8.count > sequence.count,
                    let parameters = TerminalStyle.parameters(in: sequence.dropFirst())
                else { throw .controlCharacter("\u{1B}") }
                style.follow(parameters)
                rest = rest.dropping(first: sequence.count + 1)
                source += "\u{1B}" + String(decoding: sequence, as: UTF8.self) + "m"
            }
            let plain = try TextNormalizer.normalized(String(rest))
            text += plain
            source += plain
            styles.append((text.utf8.count, style))
        }
    }
}

extension TerminalStyle {
    /// Past every code and every level of a colour.
    private static let mostNumber = 99_999

    /// Returns the parameters of a sequence, each with its own after colons; 0 for one that is left
    /// out.
    ///
    /// - Returns: Nil if anything but digits, colons, and semicolons is among them.
    static func parameters(in bytes: some Sequence<UInt8>) -> [[Int]]? {
        var numbers = [[0]]
        for byte in bytes {
            let last = numbers.count - 1
            let part = numbers[last].count - 1
            switch byte {
            case UInt8(ascii: ";"): numbers.append([0])
            case UInt8(ascii: ":"): numbers[last].append(0)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = Int(byte - UInt8(ascii: "0"))
                numbers[last][part] = min(numbers[last][part] * 10 + digit, mostNumber)
            default: return nil
            }
        }
        return numbers
    }
}
