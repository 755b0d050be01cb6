import Encoders
import HTTP
import Motion

/// A whole request in a path: base64url without padding of zlib-compressed canonical JSON.
enum Permalink {
    /// The token of a canonical request.
    static func token(of canonical: String, _ deflater: Deflater) -> String {
        String(decoding: Base64URL.encoded(deflater.deflated(Array(canonical.utf8))), as: UTF8.self)
    }

    /// The request in a token.
    ///
    /// - Throws: A fault of `token`, also when it would inflate to more than `limit` bytes.
    static func request(in token: Substring, limit: Int) throws(Problem) -> RawRequest {
        guard let packed = Base64URL.decoded(token) else {
            throw fault("is not base64url without padding")
        }
        switch Inflater.inflated(packed, limit: limit) {
        case .success(let json):
            do {
                return try RequestDecoder.json(json)
            } catch {
                throw fault("does not hold a request: " + (error.faults.first?.message ?? ""))
            }
        case .failure(.malformed): throw fault("is not compressed by zlib, or is cut short")
        case .failure(.memory): throw Problem(LibraryFault.memory)
        case .failure(.tooLarge): throw fault("inflates to more than \(limit) bytes")
        }
    }

    private static func fault(_ message: String) -> Problem {
        .invalid([ParameterFault(parameter: "token", message: message)])
    }
}

/// Base64 for URLs (RFC 4648, 5), without padding.
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// For each byte its digit; 64 for none.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 64, count: 256)
        for (digit, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt8(digit) }
        return digits
    }()

    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 4 / 3 + 3)
        var (bits, width) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            width += 8
            while width >= 6 {
                width -= 6
                result.append(alphabet[bits >> width & 63])
            }
        }
        if width > 0 { result.append(alphabet[bits << (6 - width) & 63]) }
        return result
    }

    /// Nil where a character is none of the alphabet's, the length is impossible, or bits are left
    /// over that a encoder would not have written.
    static func decoded(_ text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count * 3 / 4)
        var (bits, width) = (0, 0)
        for byte in text.utf8 {
            let digit = digits[Int(byte)]
            guard digit < 64 else { return nil }
            bits = (bits << 6 | Int(digit)) & 0xFFFF
            width += 6
            if width >= 8 {
                width -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> width))
            }
        }
        guard width < 6, bits & (1 << width - 1) == 0 else { return nil }
        return result
    }
}
