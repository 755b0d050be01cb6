/// The address at which clients reach the service: scheme, host, and perhaps a port and a path.
///
/// None of its characters needs an escape in HTML, Markdown, CSS or a shell's quotes.
package struct PublicURL: Equatable, Sendable {
    /// The address without a slash at its end, such as `https://titlecard.example/cards`.
    package let text: String

    /// Reads an address; nil if it is malformed.
    package init?(_ text: String) {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var path = rest[slash...]
        while path.last == "/" { path.removeLast() }
        guard Self.isAuthority(rest[..<slash]), Self.isPath(path) else { return nil }
        self.text = scheme + rest[..<slash] + path
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let host: Substring
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return false }
            guard IPAddress(String(text[..<end].dropFirst()))?.width == 128 else { return false }
            host = text[...end]
        } else {
            host = text.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy({ isLetterOrDigit($0) || isMark($0) }) else {
                return false
            }
        }
        let port = text[host.endIndex...]
        guard !port.isEmpty else { return true }
        let digits = port.dropFirst()
        return port.first == ":" && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            && UInt16(digits).map { $0 > 0 } == true
    }

    private static func isPath(_ text: Substring) -> Bool {
        !text.contains("//")
            && text.utf8.allSatisfy {
                isLetterOrDigit($0) || isMark($0) || $0 == UInt8(ascii: "/")
                    || $0 == UInt8(ascii: "~")
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber)
    }

    private static func isMark(_ byte: UInt8) -> Bool { "-._".utf8.contains(byte) }
}
