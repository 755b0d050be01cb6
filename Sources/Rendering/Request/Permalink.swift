import Bytes
package import Encoders
import Motion

/// Requests as tokens in paths.
///
/// A token is the canonical JSON, compressed by zlib, in base64url without padding.
package enum Permalink {
    /// Returns the token of a canonical request.
    package static func token(of canonical: String, _ deflater: Deflater) -> String {
        String(
            decoding: Base64.url.encoded(deflater.deflated(Array(canonical.utf8))), as: UTF8.self)
    }

    /// Returns the request in a token.
    ///
    /// - Throws: A fault of `token`, which may not inflate to more than `limit` bytes.
    package static func request(in token: Substring, limit: Int) throws(RenderingError)
        -> RawRequest
    {
        guard let packed = Base64.url.decoded(token) else {
            throw fault("is not base64url without padding")
        }
        switch Inflater.inflated(packed, limit: limit) {
        case .success(let json):
            let request: RawRequest
            do {
                request = try RawRequest(json: json)
            } catch {
                throw fault("does not hold a request: " + (error.faults.first?.message ?? ""))
            }
            guard request.values["preset"] == nil else {
                throw fault("must not name a preset, whose meaning may change")
            }
            return request
        case .failure(.malformed): throw fault("is not compressed by zlib, or is cut short")
        case .failure(.memory): throw .library(.memory)
        case .failure(.tooLarge): throw fault("inflates to more than \(limit) bytes")
        }
    }

    private static func fault(_ message: String) -> RenderingError {
        .invalid([ParameterFault(parameter: "token", message: message)])
    }
}
