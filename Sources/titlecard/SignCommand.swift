import ArgumentParser
import Service

/// `titlecard sign`: prints a URL with its signature.
struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a URL with the key in TITLECARD_SIGNING_KEY.",
        discussion: "Prints the URL with its signature last in the query. What stands before the "
            + "path, such as https://titlecard.example, is not signed.")

    @Argument(help: "A path with its query, or a whole URL.")
    var url: String

    func run() throws {
        var environment = Environment()
        let key = SigningKey.signer(&environment)
        try environment.finish(passing: ServeOptions.variables)
        guard let signer = key else {
            throw ValidationError("\(SigningKey.variable) is not set")
        }
        let (origin, target) = try parts()
        guard !target.contains("#"), target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ValidationError("the URL must be percent-encoded and without a fragment")
        }
        guard !target.contains("?signature="), !target.contains("&signature=") else {
            throw ValidationError("the URL is signed already")
        }
        try StandardStreams.print(origin + signer.signed(target))
    }

    /// Returns the origin, which is empty for a path, and path and query.
    private func parts() throws -> (origin: String, target: String) {
        if url.hasPrefix("/") { return ("", url) }
        guard let scheme = url.firstRange(of: "://"),
            let slash = url[scheme.upperBound...].firstIndex(of: "/")
        else { throw ValidationError("the URL must have a path") }
        return (String(url[..<slash]), String(url[slash...]))
    }
}
