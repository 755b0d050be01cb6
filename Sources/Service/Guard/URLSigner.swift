import Bytes
import CGLib

/// Signs URLs and checks their signatures.
///
/// The signature is the HMAC-SHA256 of path and query before it, in base64url without padding, and
/// the last parameter of the query.
package struct URLSigner: Sendable {
    private let key: [UInt8]

    /// - Parameter key: The secret's bytes, at least one.
    package init(key: [UInt8]) {
        self.key = key
    }

    /// Returns a target, which is path and query, with its signature.
    package func signed(_ target: String) -> String {
        let code = MessageAuthentication.code(of: Array(target.utf8), key: key)
        let text = String(decoding: Base64.url.encoded(code), as: UTF8.self)
        return target + (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + Self.name + text
    }

    private static let name = "signature="

    /// Checks the signature of a target.
    ///
    /// - Throws: 403 if the signature is missing or wrong.
    func check(_ target: String) throws(Problem) {
        guard let mark = target.utf8.lastIndex(where: { $0 == 0x3F || $0 == 0x26 }),
            target[target.utf8.index(after: mark)...].utf8.starts(with: Self.name.utf8)
        else { throw .forbidden("is missing; it stands last in the query") }
        let written = target.utf8[target.utf8.index(after: mark)...].dropFirst(
            Self.name.utf8.count)
        guard let code = Base64.url.decoded(Substring(written)),
            MessageAuthentication.isValid(
                code, for: Array(target.utf8[..<mark]), key: key)
        else { throw .forbidden("is wrong") }
    }
}

/// HMAC-SHA-256 (RFC 2104), computed by GLib.
enum MessageAuthentication {
    private static let length = 32

    /// Returns the 32 bytes that authenticate a message; a key may have any length.
    static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let hmac = g_hmac_new(G_CHECKSUM_SHA256, key, gsize(key.count))
        defer { g_hmac_unref(hmac) }
        g_hmac_update(hmac, message, gssize(message.count))
        var code = [UInt8](repeating: 0, count: length)
        var count = gsize(length)
        g_hmac_get_digest(hmac, &code, &count)
        return code
    }

    /// True if a code authenticates a message; takes as long whichever byte is wrong.
    static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        let right = self.code(of: message, key: key)
        guard code.count == right.count else { return false }
        return zip(code, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
