import Bytes

/// A strict parser of JSON (RFC 8259); the last of duplicate keys counts.
///
/// Foundation's decoder accepts trailing commas, takes the first of duplicate keys, and its errors
/// have no place.
struct JSONReader {
    struct Fault: Error, Equatable {
        let message: String
        /// The line of the fault, from 1; nil for a text of one line.
        let line: Int?
        /// The number of Unicode scalars before the fault in its line, and 1.
        let column: Int

        /// A phrase that follows the name of the text that is read.
        var phrase: String {
            let line = line.map { "line \($0), " } ?? ""
            return "is not valid JSON: \(message), at \(line)column \(column)"
        }
    }

    /// The depth of nested values; no request needs as much.
    private static let maximumDepth = 32

    private var scanner: TextScanner

    /// Returns the value in bytes, which must be UTF-8.
    static func value(in bytes: [UInt8]) throws(Fault) -> RawValue {
        var reader = JSONReader(scanner: TextScanner(bytes))
        // A byte order mark may stand before the value (RFC 8259, 8.1).
        _ = reader.scanner.skip(text: "\u{FEFF}")
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.scanner.isAtEnd else { throw reader.fault("something follows the value") }
        return value
    }

    private func fault(_ message: String) -> Fault {
        let lineBreak = UInt8(ascii: "\n")
        let before = scanner.bytes[..<scanner.offset]
        let start = before.lastIndex(of: lineBreak).map { $0 + 1 } ?? 0
        let hasLines = scanner.bytes.contains(lineBreak)
        return Fault(
            message: message, line: hasLines ? before.count { $0 == lineBreak } + 1 : nil,
            column: before[start...].count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// Returns the fault of what stands here in the place of something else; other languages allow some of it.
    private func fault(expected: String) -> Fault {
        switch scanner.next {
        case UInt8(ascii: "'"): fault("strings and names stand in double quotes")
        case UInt8(ascii: "/"): fault("comments are not allowed")
        default: fault("expected \(expected)")
        }
    }

    /// Reads the comma after an element or a member, with another one behind it.
    private mutating func skipComma(before end: StaticString) throws(Fault) {
        guard scanner.next == UInt8(ascii: ",") else { throw fault(expected: ", or \(end)") }
        let comma = scanner.offset
        scanner.offset += 1
        skipSpace()
        guard !scanner.skip(text: end) else {
            scanner.offset = comma
            throw fault("the comma before \(end) is one too many")
        }
    }

    private mutating func skipSpace() {
        scanner.consume { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    private mutating func value(depth: Int) throws(Fault) -> RawValue {
        guard depth < Self.maximumDepth else { throw fault("nested too deeply") }
        skipSpace()
        switch scanner.next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("a value is missing")
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: RawValue) throws(Fault) -> RawValue {
        guard scanner.skip(text: word) else { throw fault("expected \(word)") }
        return value
    }

    private mutating func number() throws(Fault) -> RawValue {
        let range = scanner.consume { "+-.0123456789eE".utf8.contains($0) }
        guard let number = JSONNumber.value(of: scanner.text(range)) else {
            scanner.offset = range.lowerBound
            throw fault(expected: "a value")
        }
        return .number(number)
    }

    private mutating func array(depth: Int) throws(Fault) -> RawValue {
        scanner.offset += 1
        var elements: [RawValue] = []
        skipSpace()
        if scanner.skip("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if scanner.skip("]") { return .array(elements) }
            try skipComma(before: "]")
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> RawValue {
        scanner.offset += 1
        var members: [ByteString: RawValue] = [:]
        skipSpace()
        if scanner.skip("}") { return .object(members) }
        while true {
            guard scanner.next == UInt8(ascii: "\"") else {
                throw fault(expected: "a name in double quotes")
            }
            let name = ByteString(try string())
            skipSpace()
            guard scanner.skip(":") else { throw fault("expected :") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if scanner.skip("}") { return .object(members) }
            try skipComma(before: "}")
        }
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        scanner.offset += 1
        let plain = scanner.consume {
            $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20
        }
        // Most strings have no escapes.
        if scanner.skip("\"") { return scanner.text(plain) }
        var characters = Array(scanner.bytes[plain])
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: characters, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&characters)
            case 0..<0x20:
                scanner.offset -= 1
                throw fault("a control character in a string must be escaped")
            default: characters.append(byte)
            }
        }
        throw fault("a string does not end")
    }

    private mutating func escape(_ characters: inout [UInt8]) throws(Fault) {
        let escapes: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
            0x74: 0x09,
        ]
        guard let byte = scanner.next else { throw fault("a string does not end") }
        if let plain = escapes[byte] {
            scanner.offset += 1
            characters.append(plain)
            return
        }
        guard byte == UInt8(ascii: "u") else { throw fault("unknown escape") }
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), scanner.skip("\\") {
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw fault("unpaired surrogate") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("unpaired surrogate") }
        characters += Array(String(scalar).utf8)
    }

    /// Reads `u` and four digits.
    private mutating func hexadecimal() throws(Fault) -> UInt32 {
        guard scanner.skip("u"), scanner.offset + 4 <= scanner.bytes.count else {
            throw fault("expected \\u and four digits")
        }
        var code: UInt32 = 0
        for byte in scanner.bytes[scanner.offset..<scanner.offset + 4] {
            guard let digit = byte.hexadecimalValue else {
                throw fault("expected four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
        }
        scanner.offset += 4
        return code
    }
}
