import Bytes
import Encoders
import Motion
import Rendering

/// The content of `GET /embed`: a rendering's addresses, and code that shows it elsewhere.
struct EmbedDocument {
    /// The absolute addresses of a rendering.
    struct Addresses {
        /// The address with the request in its query; nil where no query expresses it.
        var query: String?
        /// Nil where the client may have none.
        var permalink: String?
        /// The pictures of a `<picture>`; nil where the client may have no permalinks.
        var pictures: Pictures?
        /// Their stills, for formats that move also where reduced motion is preferred.
        var stills: Pictures?

        /// The address that people can read and change, else the permalink.
        ///
        /// Neither has a character that ends or escapes something in Markdown, CSS, or a shell.
        fileprivate var readable: String? { query ?? permalink }
    }

    /// The permalinks of a rendering for each colour scheme.
    struct Pictures {
        /// The permalink in the colours for light mode, or for any scheme.
        var light: String
        /// The permalink in the colours for dark mode; nil if they do not differ.
        var dark: String?
        /// True if both pictures are as large as the picture that follows the scheme itself.
        var areOfOneSize = true
    }

    let addresses: Addresses
    private let head: RenderedHead
    private let format: any OutputFormat.Type
    /// The text of the picture in one line.
    private let alt: String
    /// Pixels of the file in one CSS pixel.
    private let density: Double

    init(request: ResolvedRequest, head: RenderedHead, addresses: Addresses) {
        self.addresses = addresses
        self.head = head
        format = request.formatType
        alt = request.request.accessibleName.unicodeScalars.split { $0.properties.isWhitespace }
            .map(String.init).joined(separator: " ")
        let isScaled = format.parameters.contains { $0.key == "scale" }
        density = isScaled ? request.request.scale : 1
    }

    var node: JSONNode {
        func string(_ text: String?) -> JSONNode { text.map { .string($0) } ?? .null }
        let isImage = format.mediaType.begins(with: "image/")
        return .object([
            ("url", string(addresses.query)),
            ("permalink", string(addresses.permalink)),
            ("markdown", string(isImage ? markdown : nil)),
            ("html", string(isImage || format.isVideo ? html : nil)),
            ("picture", string(isImage ? picture : nil)),
            ("css", string(isImage ? css : nil)),
            ("curl", string(curl)),
            ("width", .number(head.width)),
            ("height", .number(head.height)),
            ("alt", .string(alt)),
            ("duration", .number(head.duration)),
            ("estimate", estimate.map { .number($0) } ?? .null),
            ("warnings", .array(head.warnings.map(Self.node))),
        ])
    }

    /// The seconds that making a video takes; nil for other formats, which are there at once.
    private var estimate: Double? {
        // A unit of the work on videos is a hundredth of a second.
        format.isVideo ? (head.price.work / 10).rounded(.up) / 10 : nil
    }

    static func node(of warning: Warning) -> JSONNode {
        var members: [(String, JSONNode)] = [
            ("code", .string(warning.code.rawValue)), ("message", .string(warning.message)),
        ]
        if let block = warning.block { members.append(("block", .number(Double(block)))) }
        if let padding = warning.padding { members.append(("padding", .number(Double(padding)))) }
        return .object(members)
    }

    // MARK: Code

    private var markdown: String? {
        addresses.readable.map { "![\(MarkdownText.escaped(alt))](\($0))" }
    }

    private var html: String? {
        addresses.readable.map { address in
            format.mediaType.begins(with: "image/") ? image(at: address, size) : video(at: address)
        }
    }

    /// A video that plays by itself and repeats, like a picture.
    private func video(at address: String) -> String {
        "<video src=\"\(XMLText.escaped(address))\"\(size) autoplay loop muted playsinline "
            + "aria-label=\"\(XMLText.escaped(alt))\"></video>"
    }

    /// Sources for light and dark mode, and stills for viewers who prefer them, since not every
    /// format follows the viewer itself; nil where one picture is enough.
    private var picture: String? {
        guard let pictures = addresses.pictures else { return nil }
        var sources = ""
        func add(_ address: String, _ media: String...) {
            let descriptor = density == 1 ? "" : " \(NumberText.of(density))x"
            sources +=
                "  <source media=\"\(media.joined(separator: " and "))\" "
                + "srcset=\"\(XMLText.escaped(address))\(descriptor)\">\n"
        }
        let (dark, light) = ("(prefers-color-scheme: dark)", "(prefers-color-scheme: light)")
        let reduced = "(prefers-reduced-motion: reduce)"
        // The first source that matches counts.
        if head.duration > 0, let stills = addresses.stills {
            if let address = stills.dark { add(address, reduced, dark) }
            add(stills.light, reduced)
        }
        if let address = pictures.dark {
            add(address, dark)
            add(pictures.light, light)
        }
        guard !sources.isEmpty else { return nil }
        // Pictures of different sizes have the sizes of their files.
        let size = pictures.areOfOneSize ? size : ""
        return "<picture>\n\(sources)  \(image(at: pictures.light, size))\n</picture>"
    }

    private var css: String? {
        addresses.readable.map {
            "width: \(NumberText.of(head.width))px; height: \(NumberText.of(head.height))px; "
                + "background: url(\"\($0)\") center / contain no-repeat;"
        }
    }

    private var curl: String? {
        addresses.readable.map {
            "curl -f -o titlecard.\(format.fileExtension) '\($0)'"
        }
    }

    private var size: String {
        " width=\"\(NumberText.of(head.width))\" height=\"\(NumberText.of(head.height))\""
    }

    private func image(at address: String, _ size: String) -> String {
        "<img src=\"\(XMLText.escaped(address))\"\(size) alt=\"\(XMLText.escaped(alt))\">"
    }
}

/// Text in CommonMark and GitHub's Markdown.
private enum MarkdownText {
    /// The punctuation that can begin or end something within a paragraph or a cell of a table.
    private static let special = Set("\\`*_[]<>&!~|$:@#".unicodeScalars)

    /// Returns text of one line with an escape before each character that may have a meaning.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        // By scalars: a mark that combines with a bracket does not disarm it.
        for scalar in text.unicodeScalars {
            if special.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}
