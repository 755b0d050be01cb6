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

    @Option(help: "Directory with effects of your own, as for serve. (none)")
    var effects: String?

    @Option(help: "JSON file with presets of your own, as for serve. (none)")
    var presets: String?

    @Option(help: "Directory with pictures of your own, as for serve. (none)")
    var pictures: String?

    @Option(help: "Address of the service that draws the picture: https://host. (none)")
    var publicURL: String?

    func run() throws {
        var environment = Environment()
        var catalogs = CatalogOptions()
        catalogs.effects = environment.optional(effects, EffectDirectory.option)
        catalogs.presets = environment.optional(presets, CatalogOptions.presetsOption)
        catalogs.pictures = environment.optional(pictures, PictureDirectory.option)
        let address = environment.parsed(publicURL, "public-url", PublicURL.init(option:))
        try environment.finish(passing: ServeOptions.variables)
        let target = try WrittenURL(url).target
        let path: String
        do {
            path = try CanonicalLocation.path(for: target, try catalogs.schema())
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
