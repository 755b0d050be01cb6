import Bytes

/// Numbers in JSON's grammar (RFC 8259, 6).
enum JSONNumber {
    /// A regular expression (ECMA-262).
    static let pattern = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"

    /// Returns the number before the sign of a percentage; nil if the text is none.
    static func percent(of text: some StringProtocol) -> Double? {
        let text = String(text)
        return text.ends(with: "%") ? value(of: String(text.dropping(last: 1))) : nil
    }

    /// Returns the number that a text spells; nil if it is not a number.
    static func value(of text: String) -> Double? {
        var scanner = TextScanner(text)
        _ = scanner.skip("-")
        let whole = scanner.consume(while: \.isASCIIDigit)
        guard whole.count == 1 || whole.count > 1 && scanner.bytes[whole.lowerBound] != 0x30 else {
            return nil
        }
        if scanner.skip("."), scanner.consume(while: \.isASCIIDigit).isEmpty { return nil }
        if scanner.skip("e") || scanner.skip("E") {
            _ = scanner.consumeSign()
            guard !scanner.consume(while: \.isASCIIDigit).isEmpty else { return nil }
        }
        // A number too large for a double is infinite, and so out of every range.
        return scanner.isAtEnd ? Double(text) : nil
    }

    /// Returns the kind of value that should stand in the place of one that holds a number; nil if
    /// the value holds none, or is fine.
    static func correction(of raw: RawValue) -> String? {
        guard let text = raw.characters else { return nil }
        if value(of: text) != nil {
            if case .string = raw { return "a number, not a string" }
            return nil
        }
        let spaced = text.trimming { $0 == 0x20 || $0 == UInt8(ascii: "+") }
        if value(of: String(spaced)) != nil { return "a number without a sign + or spaces" }
        let number = text.trimming { $0.isASCIILetter || $0 == UInt8(ascii: "%") || $0 == 0x20 }
        return value(of: String(number)) == nil ? nil : "a number without a unit"
    }
}
