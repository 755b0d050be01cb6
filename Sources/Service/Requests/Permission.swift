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
    /// - Throws: 403 if a signature is missing or wrong.
    init(
        of request: HTTP.Request, for source: RenderingSource,
        settings: borrowing ServiceSettings
    ) throws(Problem) {
        isRestricted = settings.onlyPresets
        let isPost = request.method == .post
        var needsSignature = settings.signer != nil && !isPost
        if isRestricted {
            needsSignature =
                isPost || !source.isPlain
                || settings.signer != nil && Self.claimsSignature(request)
        }
        isSigned = needsSignature
        guard needsSignature else { return }
        guard let signer = settings.signer else {
            throw .forbidden("is required, but this server has no signing key")
        }
        try signer.check(request.target)
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
        try Problem.catching(faults.check)
    }

    /// Returns a target that the client may ask for: signed if its own was.
    ///
    /// - Returns: Nil if it is longer than the server reads.
    func target(_ target: String, _ settings: ServiceSettings) -> String? {
        let target = isSigned ? settings.signer?.signed(target) ?? target : target
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
