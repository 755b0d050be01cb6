/// Host and optional port, as `Host` and an absolute target carry them (RFC 9110, 7.2).
///
/// User information is refused, and so is an empty host (RFC 9110, 4.2).
struct Authority: Sendable {
    private let host: ArraySlice<UInt8>
    private let port: Int?

    /// Reads an authority; nil where it is malformed.
    init?(_ bytes: ArraySlice<UInt8>) {
        let hostEnd: Int
        if bytes.first == ASCII.openingBracket {
            guard let bracket = bytes.firstIndex(of: ASCII.closingBracket),
                Self.isAddress(bytes[(bytes.startIndex + 1)..<bracket])
            else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: ASCII.colon) ?? bytes.endIndex
            guard Self.isRegisteredName(bytes[..<hostEnd]) else { return nil }
        }
        host = bytes[..<hostEnd]
        let rest = bytes[hostEnd...]
        guard rest.isEmpty || rest.first == ASCII.colon, rest.count <= 6 else { return nil }
        guard !rest.dropFirst().isEmpty else {
            port = nil
            return
        }
        var number = 0
        for byte in rest.dropFirst() {
            guard ASCII.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - ASCII.zero)
        }
        guard number <= 65_535 else { return nil }
        port = number
    }

    /// Whether both name the same host and port.
    func isSame(as other: Authority, defaultPort: Int) -> Bool {
        ASCII.equalIgnoringCase(host, other.host)
            && (port ?? defaultPort) == (other.port ?? defaultPort)
    }

    /// The characters of an IPv6 address between brackets.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(ASCII.colon)
            && bytes.allSatisfy {
                ASCII.hexadecimalValue($0) != nil || $0 == ASCII.colon || $0 == 0x2E
            }
    }

    private static func isRegisteredName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var digitsLeft = 0
        for byte in bytes {
            if digitsLeft > 0 {
                guard ASCII.hexadecimalValue(byte) != nil else { return false }
                digitsLeft -= 1
            } else if byte == ASCII.percent {
                digitsLeft = 2
            } else if !ASCII.isRegisteredName(byte) {
                return false
            }
        }
        return !bytes.isEmpty && digitsLeft == 0
    }
}
