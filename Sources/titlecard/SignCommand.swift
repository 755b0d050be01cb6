import ArgumentParser
import Service

/// `titlecard sign`: prints a URL with its signature.
struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a URL with the key in TITLECARD_SIGNING_KEY, or with the first of "
            + "TITLECARD_SIGNING_KEYS_FILE.",
        discussion: "Prints the URL with its signature last in the query. The part before the "
            + "path, such as https://titlecard.example, is not signed.")

    @Argument(help: "A path with its query, or a whole URL.")
    var url: String

    func run() throws {
        var environment = Environment()
        let (ownKeys, path) = (
            SigningKeys.ownKeys(&environment), SigningKeys.filePath(&environment)
        )
        try environment.finish(passing: ServeOptions.variables)
        var keys = ownKeys
        do throws(CommandFailure) {
            if let path { keys = try SigningKeys.keys(in: SigningKeys.file(at: path)) + ownKeys }
        } catch {
            throw ValidationError(error.messages.joined(separator: "\n"))
        }
        guard !keys.isEmpty else {
            throw ValidationError(
                "\(SigningKeys.variables.sorted().joined(separator: " or ")) is not set")
        }
        let written = try WrittenURL(url)
        guard !written.target.contains("?signature="), !written.target.contains("&signature=")
        else { throw ValidationError("the URL is signed already") }
        try StandardStreams.print(written.origin + URLSigner(keys).signed(written.target))
    }
}

/// A URL, or path and query, as an argument.
struct WrittenURL {
    /// The part before the path; empty for a path.
    let origin: String
    /// Path and query.
    let target: String

    /// - Throws: A fault of a URL without a path, or that is not percent-encoded.
    init(_ url: String) throws(ValidationError) {
        if url.hasPrefix("/") {
            (origin, target) = ("", url)
        } else {
            guard let scheme = url.firstRange(of: "://"),
                let slash = url[scheme.upperBound...].firstIndex(of: "/")
            else { throw ValidationError("the URL must have a path") }
            (origin, target) = (String(url[..<slash]), String(url[slash...]))
        }
        guard !target.contains("#"), target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ValidationError("the URL must be percent-encoded and without a fragment")
        }
    }
}
