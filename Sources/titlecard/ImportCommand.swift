import ArgumentParser
import Motion
import Rendering
import Service

/// `titlecard import`: prints the URL here of a picture of readme-typing-svg.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the URL that draws the same picture as a URL of readme-typing-svg.",
        discussion: "Nothing is fetched. The URL begins with --public-url, or with its path.")

    @Argument(help: "A URL of readme-typing-svg, of any host.")
    var url: String

    @Option(help: "Address of the service that draws the picture: https://host. (none)")
    var publicURL: String?

    func run() throws {
        var environment = Environment()
        let address = environment.parsed(publicURL, "public-url", PublicURL.init(option:))
        try environment.finish(passing: ServeOptions.variables)
        let whole = url.prefix { $0 != "#" }
        guard let mark = whole.firstIndex(of: "?") else {
            throw ValidationError("the URL must have a query with lines")
        }
        // As it stands in the HTML of a README.
        let query = whole[whole.index(after: mark)...].replacing("&amp;", with: "&")
        do {
            let values = try TypingQuery.values(in: String(query))
            let typing = try TypingRequest(values, schema: .standard)
            let target = TypingQuery.target(with: typing.canonical)
            try StandardStreams.print((address?.text ?? "") + target)
        } catch let error as RenderingError {
            throw StandardStreams.report(CommandFailure(error, hasTexts: true))
        } catch let problem as Problem {
            throw StandardStreams.report(CommandFailure(problem))
        }
    }
}

extension PublicURL {
    /// Reads the address at which others reach the service.
    init(option text: String) throws(OptionFault) {
        guard let address = PublicURL(text) else {
            throw OptionFault(
                message: "must have http or https, a host, and optionally a path, such as "
                    + "https://titlecard.example/cards; got \"\(text)\"")
        }
        self = address
    }
}
