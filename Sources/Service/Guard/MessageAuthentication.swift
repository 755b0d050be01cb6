import Bytes
import CGLib

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

    /// True if a code authenticates a message; takes the same time whichever byte is wrong.
    static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        let right = self.code(of: message, key: key)
        guard code.count == right.count else { return false }
        return zip(code, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// SHA-256 (FIPS 180-4), computed by GLib: no two contents can be found that have the same.
enum ContentHash {
    private static let length = 32
    /// 192 bits, of which an address of a cache is made.
    private static let shortLength = 24

    /// Returns 32 characters of base64url that stand for texts in this order.
    static func shortText(of parts: [String]) -> String {
        let sum = g_checksum_new(G_CHECKSUM_SHA256)
        defer { g_checksum_free(sum) }
        for part in parts {
            let bytes = Array(part.utf8)
            g_checksum_update(sum, bytes, gssize(bytes.count))
            // No UTF-8 text holds this byte, so that parts cannot run into each other.
            g_checksum_update(sum, [0xFF], 1)
        }
        var hash = [UInt8](repeating: 0, count: length)
        var count = gsize(length)
        g_checksum_get_digest(sum, &hash, &count)
        return String(
            decoding: Base64.url.encoded(Array(hash.prefix(shortLength))), as: UTF8.self)
    }
}
