import ArgumentParser
import Glibc
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

    @Option(help: "The instant from which on the URL is refused, in seconds since 1970.")
    var expires: Int64?

    @Option(help: "The seconds from now after which the URL is refused.")
    var expiresIn: Int64?

    func run() throws {
        var environment = Environment()
        let (ownKeys, path) = (
            SigningKeys.ownKeys(&environment), SigningKeys.filePath(&environment)
        )
        try environment.finish(passing: ServeOptions.variables)
        var keys = ownKeys
        do throws(CommandFailure) {
            try SigningKeys.check(ownKeys)
            if let path { keys = try SigningKeys.keys(in: SigningKeys.file(at: path)) + ownKeys }
        } catch {
            throw StandardStreams.report(error)
        }
        guard !keys.isEmpty else {
            throw ValidationError(
                "\(SigningKeys.variables.sorted().joined(separator: " or ")) is not set")
        }
        let written = try WrittenURL(url)
        guard !written.target.contains("?signature="), !written.target.contains("&signature=")
        else { throw ValidationError("the URL is signed already") }
        let target = try Self.target(written.target, until: expiry())
        try StandardStreams.print(written.origin + URLSigner(keys).signed(target))
    }

    /// Returns the instant from which on the URL is refused.
    private func expiry() throws -> Int64? {
        guard let seconds = expires ?? expiresIn else { return nil }
        guard expires == nil || expiresIn == nil else {
            throw ValidationError("--expires and --expires-in do not go together")
        }
        let now = expires == nil ? Int64(time(nil)) : 0
        // Until the year 5138, in which numbers get another digit.
        guard seconds > 0, seconds < 100_000_000_000 - now else {
            throw ValidationError("--expires and --expires-in must be positive seconds")
        }
        // A smaller number is a time from now rather than an instant: this one was in 2001.
        guard expires == nil || seconds >= 1_000_000_000 else {
            throw ValidationError(
                "--expires is long past: it counts from 1970, and --expires-in from now")
        }
        return now + seconds
    }

    private static func target(_ target: String, until expiry: Int64?) throws -> String {
        guard let expiry else { return target }
        guard !target.contains("?expires="), !target.contains("&expires=") else {
            throw ValidationError("the URL has expires already")
        }
        return URLSigner.target(target, with: "expires=\(expiry)")
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
