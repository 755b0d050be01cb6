import Bytes

/// A strict parser of JSON (RFC 8259); the last of duplicate keys counts.
///
/// Foundation's decoder accepts trailing commas, takes the first of duplicate keys, and its errors
/// have no offset.
struct JSONReader {
    struct Fault: Error, Equatable {
        let message: String
        /// The number of bytes before the fault.
        let offset: Int

        /// A phrase that follows what is read.
        var phrase: String { "is not valid JSON: \(message), at byte \(offset)" }
    }

    /// The depth of nested values; no request needs as much.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var offset = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the value in bytes, which must be UTF-8.
    static func value(in bytes: [UInt8]) throws(Fault) -> RawValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.offset == bytes.count else {
            throw reader.fault("something follows the value")
        }
        return value
    }

    private func fault(_ message: String) -> Fault {
        Fault(message: message, offset: offset)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    /// Consumes a byte; returns false if the next one is another.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) -> RawValue {
        guard depth < Self.maximumDepth else { throw fault("nested too deeply") }
        skipSpace()
        switch next {
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
        let end = offset + word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[offset..<end].elementsEqual(expected) else {
            throw fault("expected \(word)")
        }
        offset = end
        return value
    }

    private mutating func number() throws(Fault) -> RawValue {
        let start = offset
        while let byte = next, "+-.0123456789eE".utf8.contains(byte) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard let number = JSONNumber.value(of: text) else {
            offset = start
            throw fault("expected a value")
        }
        return .number(number)
    }

    private mutating func array(depth: Int) throws(Fault) -> RawValue {
        offset += 1
        var elements: [RawValue] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if skip(UInt8(ascii: "]")) { return .array(elements) }
            guard skip(UInt8(ascii: ",")) else { throw fault("expected , or ]") }
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> RawValue {
        offset += 1
        var members: [ByteString: RawValue] = [:]
        skipSpace()
        if skip(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("expected a name in quotes") }
            let name = ByteString(try string())
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw fault("expected :") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if skip(UInt8(ascii: "}")) { return .object(members) }
            guard skip(UInt8(ascii: ",")) else { throw fault("expected , or }") }
        }
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        offset += 1
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        {
            offset += 1
        }
        // Most strings have no escapes.
        if next == UInt8(ascii: "\"") {
            defer { offset += 1 }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
        var characters = Array(bytes[start..<offset])
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: characters, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&characters)
            case 0..<0x20:
                offset -= 1
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
        guard let byte = next else { throw fault("a string does not end") }
        if let plain = escapes[byte] {
            offset += 1
            characters.append(plain)
            return
        }
        guard byte == UInt8(ascii: "u") else { throw fault("no such escape") }
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\") {
            offset += 1
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw fault("half a character") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("half a character") }
        characters += Array(String(scalar).utf8)
    }

    /// Reads `u` and four digits.
    private mutating func hexadecimal() throws(Fault) -> UInt32 {
        guard skip(UInt8(ascii: "u")), offset + 4 <= bytes.count else {
            throw fault("expected \\u and four digits")
        }
        var code: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Self.digitValue(byte) else {
                throw fault("expected four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
        }
        offset += 4
        return code
    }

    private static func digitValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
