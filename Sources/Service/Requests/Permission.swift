import Bytes
import Encoders
import HTTP
import Rendering

/// The permission to render, by signatures and by the restriction to presets.
package struct Permission {
    /// True if the URL was signed with the server's key.
    let isSigned: Bool
    /// True if the server takes only texts, presets, targets and a format.
    let isRestricted: Bool
    /// The instant from which on the URL is refused, in seconds since 1970; nil for never.
    let expiry: Int64?
    /// The presets that a request may name; nil for all.
    private let presets: PresetCatalog?

    /// The parameters that a server restricted to presets takes.
    static let parameters: [ByteString] = ["text", "preset", "for", "format"]
    /// What `<title-card>` asks for besides, whoever its author is.
    private static let ofComponents: ByteString = "boxes"

    /// Checks the signature of a request.
    ///
    /// With a key, GET and HEAD need a signature. Where the server is restricted to presets, POST,
    /// permalinks and `/typing` need one, and GET and HEAD of `/render`, `/embed` and `/element`
    /// may have one.
    ///
    /// A URL with `expires` is refused from that instant on, and so are the URLs that its answers name.
    ///
    /// - Throws: 403 if a signature is missing or wrong, or the URL has expired.
    init(
        of request: HTTP.Request, for source: RenderingSource,
        settings: borrowing ServiceSettings
    ) throws(Problem) {
        (isRestricted, presets) = (settings.onlyPresets, settings.openPresets)
        let isPost = request.method == .post
        var needsSignature = settings.signer != nil && !isPost
        if isRestricted {
            needsSignature =
                isPost || !source.isPlain
                || settings.signer != nil && Self.claimsSignature(request)
        }
        isSigned = needsSignature
        if needsSignature {
            guard let signer = settings.signer else {
                throw .forbidden("is required, but this server has no signing key")
            }
            try signer.check(request.target)
        }
        expiry = try Self.expiry(of: request)
        if let expiry, expiry <= settings.clock.wall() { throw .expired(at: expiry) }
    }

    /// The beginning of the query's parameter that says when a URL ends.
    private static let expiryMark = "expires="

    /// Returns the earliest instant at which a URL says that it ends.
    ///
    /// - Throws: 400 if it is no number of seconds.
    private static func expiry(of request: HTTP.Request) throws(Problem) -> Int64? {
        var earliest: Int64?
        for piece in request.query?.pieces(separatedBy: "&") ?? []
        where piece.begins(with: expiryMark) {
            let text = piece.dropping(first: expiryMark.utf8.count)
            guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
                let instant = Int64(text)
            else {
                throw .invalid(
                    "expires", "must be whole seconds since 1970; got \"\(text.shortened(to: 20))\""
                )
            }
            earliest = min(earliest ?? instant, instant)
        }
        return earliest
    }

    /// Checks the names of a request's parameters.
    ///
    /// - Throws: 400 with each that the server does not take.
    func check(_ raw: RawRequest) throws(Problem) {
        guard isRestricted else { return }
        var faults = FaultList()
        for name in raw.values.keys.sorted()
        where !Self.parameters.contains(name) && name != Self.ofComponents {
            faults.add(
                name.text,
                "is not allowed here: this server takes only text, preset, for and format")
        }
        if let presets, let given = raw.values["preset"]?.characters {
            for name in given.pieces(separatedBy: ",")
            where presets[ByteString(String(name.trimmingSpaces))] == nil {
                let names = presets.entries.map { $0.name }.joined(separator: ", ")
                faults.add(
                    "preset",
                    "must be one of \(names) here; got "
                        + RawValue.string(String(name)).description)
            }
        }
        try Problem.catching(faults.check)
    }

    /// Returns a target that the client may ask for: signed if its own was.
    ///
    /// - Returns: Nil if it is longer than the server reads.
    func target(_ target: String, _ settings: ServiceSettings) -> String? {
        var target = target
        // What an address leads to must not outlive it.
        if let expiry { target = URLSigner.target(target, with: "\(Self.expiryMark)\(expiry)") }
        if isSigned, let signer = settings.signer { target = signer.signed(target) }
        return target.utf8.count <= settings.http.longestTarget ? target : nil
    }

    /// Returns the target with a request in its query, which people can read and change.
    ///
    /// - Returns: Nil where no query expresses the request, or if it is longer than the server reads.
    func readable(
        _ raw: RawRequest, as format: any OutputFormat.Type, _ settings: ServiceSettings
    ) -> String? {
        raw.query.flatMap { target("/render.\(format.fileExtension)?" + $0, settings) }
    }

    /// Returns the target of a request's permalink.
    ///
    /// - Returns: Nil if the client may not ask for it, if it is longer than the server reads, or if it is
    ///   soon out of date.
    func permalink(
        _ location: String, of resolved: ResolvedRequest, _ settings: ServiceSettings
    ) -> String? {
        let isAllowed = !isRestricted || isSigned
        guard isAllowed, resolved.request.isLasting,
            resolved.request.canonical.utf8.count <= settings.rendering.limits.permalinkBytes
        else { return nil }
        return target(location, settings)
    }

    private static func claimsSignature(_ request: HTTP.Request) -> Bool {
        request.query?.pieces(separatedBy: "&").contains { $0.begins(with: "signature=") } ?? false
    }
}
