import Bytes
package import Encoders
import Motion
import Raster

/// Requests as paths: `/r/REVISION/TOKEN.EXT`.
///
/// The revision belongs to the renderer that wrote the permalink. The token is the canonical JSON,
/// compressed by zlib, in base64url without padding.
package enum Permalink {
    /// A path in its parts.
    package struct Path: Sendable {
        package let revision: UInt16
        package let token: Substring
        package let fileExtension: Substring

        /// Splits the part after `/r/`; a path without a revision is of the first one.
        ///
        /// - Returns: Nil if there is no extension, or if the revision is not a number from 1 to
        ///   65,535 without leading zeros.
        package init?(_ path: Substring) {
            var name = path
            if let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) {
                // No sign, and no zero.
                guard let first = path.utf8.first, first >= UInt8(ascii: "1"),
                    let revision = UInt16(path[..<slash])
                else { return nil }
                self.revision = revision
                name = path[path.utf8.index(after: slash)...]
            } else {
                revision = 1
            }
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
            token = name[..<dot]
            fileExtension = name[name.utf8.index(after: dot)...]
        }
    }

    /// Returns the path of a canonical request in the renderer's own revision.
    static func path(
        of canonical: String, extension fileExtension: String, _ deflater: Deflater
    ) -> String {
        "/r/\(Renderer.revision)/\(token(of: canonical, deflater)).\(fileExtension)"
    }

    /// Returns the path of a request: its own, or else its permalink's.
    package static func location(
        of request: RenderRequest, as format: any OutputFormat.Type, _ deflater: Deflater
    ) -> String {
        request.path
            ?? path(of: request.canonical, extension: format.fileExtension, deflater)
    }

    /// Returns the token of a canonical request.
    package static func token(of canonical: String, _ deflater: Deflater) -> String {
        String(
            decoding: Base64.url.encoded(deflater.deflated(Array(canonical.utf8))), as: UTF8.self)
    }

    /// The last revision whose permalinks have the defaults of version 0.3.
    private static let earlierRevision = 3

    /// Returns the request in a token, with the defaults that requests had in the permalink's revision.
    ///
    /// - Throws: A fault of `token`, which may not inflate to more than `limit` bytes.
    package static func request(
        in token: Substring, of revision: UInt16 = Renderer.revision, limit: Int
    ) throws(RenderingError) -> RawRequest {
        let json = try json(in: token, limit: limit)
        var request: RawRequest
        do {
            request = try RawRequest(json: json)
        } catch {
            throw fault("does not hold a request: " + (error.faults.first?.message ?? ""))
        }
        guard request.values["preset"] == nil else {
            throw fault("must not name a preset, whose meaning may change")
        }
        if revision <= earlierRevision { request.values["defaults"] = .string("0.3") }
        return request
    }

    private static func json(in token: Substring, limit: Int) throws(RenderingError) -> [UInt8] {
        guard let packed = Base64.url.decoded(token) else {
            throw fault("is not base64url without padding")
        }
        switch Inflater.inflated(packed, limit: limit) {
        case .success(let json): return json
        case .failure(.malformed): throw fault("is not compressed by zlib, or is cut short")
        case .failure(.memory): throw .library(.memory)
        case .failure(.tooLarge): throw fault("inflates to more than \(limit) bytes")
        }
    }

    private static func fault(_ message: String) -> RenderingError {
        .invalid("token", message)
    }
}
