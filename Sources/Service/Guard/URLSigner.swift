package import Bytes

/// Signs URLs and checks their signatures.
///
/// A signature is the HMAC-SHA256 of path and query before it, in base64url without padding, and
/// the last parameter of the query. If the key has a name, the name and a full stop stand before
/// the signature.
package struct URLSigner: Sendable {
    /// A secret, and the name by which signatures say that they were made with it.
    package struct Key: Equatable, Sendable {
        /// Nil for the one key whose signatures name none.
        package let name: ByteString?
        package let secret: [UInt8]

        /// - Parameters:
        ///   - name: Letters of ASCII, digits, hyphens and underscores.
        ///   - secret: The secret's bytes, at least one.
        package init(_ name: ByteString? = nil, secret: [UInt8]) {
            self.name = name
            self.secret = secret
        }

        /// Returns the value of `signature` for a target without it.
        fileprivate func signature(of target: String) -> String {
            let code = MessageAuthentication.code(of: Array(target.utf8), key: secret)
            return (name.map { $0.text + "." } ?? "")
                + String(decoding: Base64.url.encoded(code), as: UTF8.self)
        }
    }

    private let keys: [Key]
    private static let parameter = "signature="

    /// - Parameter keys: At least one; the first signs, all verify.
    package init(_ keys: [Key]) {
        self.keys = keys
    }

    /// Returns a target, which is path and query, with its signature.
    package func signed(_ target: String) -> String {
        guard let key = keys.first else { return target }
        return Self.target(target, with: Self.parameter + key.signature(of: target))
    }

    /// Returns a target with one more parameter.
    package static func target(_ target: String, with parameter: String) -> String {
        target + (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + parameter
    }

    /// Checks the signature of a target.
    ///
    /// - Throws: 403 if the signature is missing, is wrong, or names no key.
    func check(_ target: String) throws(Problem) {
        guard let mark = target.utf8.lastIndex(where: { $0 == 0x3F || $0 == 0x26 }),
            target[target.utf8.index(after: mark)...].utf8.starts(with: Self.parameter.utf8)
        else { throw .forbidden("is missing; it must be the last parameter of the query") }
        let written = target.utf8[target.utf8.index(after: mark)...].dropFirst(
            Self.parameter.utf8.count)
        let dot = written.firstIndex(of: UInt8(ascii: "."))
        let name = dot.map { ByteString(String(Substring(written[..<$0]))) }
        guard let key = keys.first(where: { $0.name == name })
        else { throw .forbidden(name == nil ? "names no key" : "names a key that is not in use") }
        let code = dot.map { written[written.index(after: $0)...] } ?? written
        guard let code = Base64.url.decoded(Substring(code)),
            MessageAuthentication.isValid(
                code, for: Array(target.utf8[..<mark]), key: key.secret)
        else { throw .forbidden("is wrong") }
    }
}

extension URLSigner.Key {
    /// The bytes that a secret has at least: fewer can be guessed from one signed URL.
    package static let leastBytes = 16
    /// The fault of a shorter secret.
    package static let shortness =
        "the secret must have at least \(leastBytes) bytes, such as those of openssl rand -hex 32"

    /// Reads a file of keys: a line each, with the key's name, blanks, and the secret, which may hold
    /// blanks; empty lines, and lines that begin with `#`, are passed over.
    ///
    /// - Throws: The first line that is wrong, and why; never a secret.
    package static func list(in file: [UInt8]) throws(URLSignerKeyFault) -> [URLSigner.Key] {
        var keys: [URLSigner.Key] = []
        for (index, line) in file.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).enumerated() {
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
            guard let start = line.firstIndex(where: { !isBlank($0) }),
                let last = line.lastIndex(where: { !isBlank($0) }),
                line[start] != UInt8(ascii: "#")
            else { continue }
            let words = line[start...last]
            let nameBytes = words.prefix { !isBlank($0) }
            let secret = words[nameBytes.endIndex...].drop(while: isBlank)
            let isPlain = nameBytes.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
            guard isPlain, nameBytes.count <= 40 else {
                throw URLSignerKeyFault(
                    line: index + 1,
                    message: "the name must be 1 to 40 letters, digits, hyphens and underscores")
            }
            guard !secret.isEmpty else {
                throw URLSignerKeyFault(line: index + 1, message: "has no secret after the name")
            }
            guard secret.count >= leastBytes else {
                throw URLSignerKeyFault(line: index + 1, message: shortness)
            }
            let name = ByteString(String(decoding: nameBytes, as: UTF8.self))
            guard !keys.contains(where: { $0.name == name }) else {
                throw URLSignerKeyFault(line: index + 1, message: "the name is used twice")
            }
            keys.append(URLSigner.Key(name, secret: Array(secret)))
        }
        guard !keys.isEmpty else {
            throw URLSignerKeyFault(line: nil, message: "has no key")
        }
        return keys
    }
}

/// The fault of a file of keys.
package struct URLSignerKeyFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1; nil if it is not about one line.
    package let line: Int?
    package let message: String

    package var description: String { (line.map { "line \($0): " } ?? "") + message }
}
