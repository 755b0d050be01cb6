import Crypto
import Encoders
import HTTP

/// Signs URLs and checks their signatures.
///
/// The signature is the HMAC-SHA256 of path and query before it, in base64url without padding, and
/// the last parameter of the query.
package struct URLSigner: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: The secret's bytes, at least one.
    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Returns a target, which is path and query, with its signature.
    package func signed(_ target: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(target.utf8), using: key)
        let text = String(decoding: Base64.url.encoded(Array(code)), as: UTF8.self)
        return target + (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + Self.name + text
    }

    private static let name = "signature="

    /// Checks the signature of a target.
    ///
    /// - Throws: 403 if the signature is missing or wrong.
    func check(_ target: String) throws(Problem) {
        guard let mark = target.utf8.lastIndex(where: { $0 == 0x3F || $0 == 0x26 }),
            target[target.utf8.index(after: mark)...].hasPrefix(Self.name)
        else { throw .forbidden("is missing; it stands last in the query") }
        let written = target[target.utf8.index(after: mark)...].dropFirst(Self.name.count)
        // Compared in constant time.
        guard let code = Base64.url.decoded(written),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Array(target[..<mark].utf8), using: key)
        else { throw .forbidden("is wrong") }
    }
}
