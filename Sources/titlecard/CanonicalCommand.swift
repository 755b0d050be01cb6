import ArgumentParser
import Motion
import Service

/// `titlecard canonical`: prints the address that stands for all that mean the same.
struct Canonical: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the permalink of a URL, the same for all URLs that mean the same.",
        discussion: "Nothing is rendered or fetched. A signature is neither checked nor kept. The "
            + "permalink begins with --public-url, or with its path.")

    @Argument(help: "A path with its query, such as '/render.svg?text=Hi', or a whole URL.")
    var url: String

    @OptionGroup var catalogs: CatalogArguments

    @Option(help: "Address of the service that draws the picture: https://host. (none)")
    var publicURL: String?

    func run() throws {
        var environment = Environment()
        let paths = catalogs.paths(&environment)
        let address = environment.parsed(publicURL, "public-url", PublicURL.init(option:))
        try environment.finish(passing: ServeOptions.variables)
        let target = try WrittenURL(url).target
        let path: String
        do {
            path = try CanonicalLocation.path(for: target, try paths.schema())
        } catch let failure as CommandFailure {
            throw StandardStreams.report(failure)
        } catch let problem as Problem {
            throw StandardStreams.report(CommandFailure(problem))
        }
        try StandardStreams.print((address?.text ?? "") + path)
    }
}

extension CommandFailure {
    /// The failure of a request that the service would refuse.
    init(_ problem: Problem) {
        let faults = problem.faults.map { "\($0.parameter): \($0.message)" }
        self.init(.usage, messages: faults.isEmpty ? [problem.title] : faults)
    }
}
