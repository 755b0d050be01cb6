import Bytes
import Encoders
import Rendering

/// A permalink's path, and its token: read as it is, as the compressed bytes, and as what is
/// compressed.
///
/// Memory is bounded by libFuzzer's `-malloc_limit_mb=1`.
enum FuzzPermalink: FuzzTarget {
    static func take(_ input: [UInt8]) {
        checkPath(text(input))
        checkToken(text(input))
        checkToken(text(Base64.url.encoded(input)))
        checkPacked(input)
        checkContent(input)
    }

    private static let limit = RenderLimits().permalinkBytes

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        deflater().deflated(bytes)
    }

    private static func deflater() -> Deflater {
        guard let deflater = try? Deflater(.permalink) else { fatalError("memory is short") }
        return deflater
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// A path is that of its parts.
    private static func checkPath(_ path: String) {
        guard let parts = Permalink.Path(path[...]) else { return }
        let name = "\(parts.token).\(parts.fileExtension)"
        let spellings = ["\(parts.revision)/\(name)"] + (parts.revision == 1 ? [name] : [])
        check(
            spellings.contains { $0.utf8.elementsEqual(path.utf8) }, "\(path) is another path")
    }

    /// A token has one spelling, and the request in it a token of its own.
    private static func checkToken(_ token: String) {
        if let packed = Base64.url.decoded(token[...]) {
            check(text(Base64.url.encoded(packed)) == token, "\(token) has two spellings")
        }
        CanonicalForm.check { _ throws(RenderingError) in
            let raw = try Permalink.request(in: token[...], limit: limit)
            let request = try RequestReader.read(raw, schema: .standard, limits: RenderLimits())
            let again = Permalink.token(of: request.canonical, deflater())
            let rawAgain = try Permalink.request(in: again[...], limit: limit)
            let requestAgain = try RequestReader.read(
                rawAgain, schema: .standard, limits: RenderLimits())
            check(requestAgain.canonical == request.canonical, "\(token) and \(again) differ")
            return request
        }
    }

    /// A limit lets through what just fits, and nothing more.
    private static func checkPacked(_ packed: [UInt8]) {
        guard case .success(let content) = Inflater.inflated(packed, limit: limit) else { return }
        check(content.count <= limit, "\(content.count) bytes")
        check(
            inflated(packed, limit: content.count) == content,
            "\(content.count) bytes do not fit \(content.count)")
        guard !content.isEmpty else { return }
        check(
            inflated(packed, limit: content.count - 1) == nil,
            "\(content.count) bytes fit \(content.count - 1)")
    }

    /// Checks that packed bytes come out again.
    private static func checkContent(_ content: [UInt8]) {
        check(inflated(deflated(content), limit: limit) == content, "\(content) is lost")
    }

    private static func inflated(_ packed: [UInt8], limit: Int) -> [UInt8]? {
        try? Inflater.inflated(packed, limit: limit).get()
    }
}
