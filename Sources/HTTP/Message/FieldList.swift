/// Splitting of field values that are lists or carry parameters (RFC 9110, 5.6).
enum FieldList {
    /// The elements between separators, trimmed, without empty ones; separators in quoted strings
    /// do not count.
    static func elements(
        of value: some StringProtocol, separator: UInt8 = ASCII.comma
    ) -> [Substring.UTF8View.SubSequence] {
        var elements: [Substring.UTF8View.SubSequence] = []
        var rest = Substring(value).utf8[...]
        while !rest.isEmpty {
            let end = firstUnquoted(separator, in: rest)
            let element = ASCII.trimmed(rest[..<end])
            if !element.isEmpty { elements.append(element) }
            rest = rest[end...].dropFirst()
        }
        return elements
    }

    /// The weight that a parameter's value gives, 0…1, with at most three decimals; nil where it is
    /// not one (RFC 9110, 12.4.2).
    static func weight(_ value: some StringProtocol) -> Double? {
        let bytes = Array(value.utf8)
        guard let whole = bytes.first, whole == ASCII.zero || whole == ASCII.zero + 1,
            bytes.count <= 5, bytes.count < 2 || bytes[1] == 0x2E
        else { return nil }
        var thousandths = Int(whole - ASCII.zero) * 1000
        for (digit, place) in zip(bytes.dropFirst(2), [100, 10, 1]) {
            guard ASCII.isDigit(digit) else { return nil }
            thousandths += Int(digit - ASCII.zero) * place
        }
        return thousandths <= 1000 ? Double(thousandths) / 1000 : nil
    }

    private static func firstUnquoted(
        _ separator: UInt8, in bytes: Substring.UTF8View.SubSequence
    ) -> Substring.UTF8View.SubSequence.Index {
        var isQuoted = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                return index
            }
        }
        return bytes.endIndex
    }
}
