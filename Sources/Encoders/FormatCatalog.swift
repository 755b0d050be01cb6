package import Bytes
package import Motion

/// The formats that requests can name, the preferred first.
package struct FormatCatalog: Sendable {
    /// A format with the parameters that it reads.
    package struct Entry: Sendable {
        package let type: any OutputFormat.Type
        package let parameters: [Parameter]

        package var name: String { type.name }
        package var title: String { type.title }
        /// All extensions by which requests may name it, its own first.
        package var fileExtensions: [String] { [type.fileExtension] + type.otherExtensions }
    }

    /// The one list of Titlecard's formats; the first is the default.
    package static let standard = FormatCatalog([
        SVGFormat.self,
        JSONFormat.self,
        GIFFormat.self,
        APNGFormat.self,
        WebPFormat.self,
        PNGFormat.self,
        LottieFormat.self,
        DotLottieFormat.self,
        ZIPFormat.self,
    ])

    package let entries: [Entry]

    /// - Parameter types: At least one; their names and extensions differ.
    package init(_ types: [any OutputFormat.Type]) {
        precondition(!types.isEmpty, "a catalogue has a default")
        entries = types.map { Entry(type: $0, parameters: $0.parameters) }
    }

    /// The format of requests that ask for none.
    package var defaultEntry: Entry { entries[0] }

    /// The format of stills: the first of images that show one frame.
    package var still: Entry? {
        entries.first { !$0.type.isAnimated && $0.type.mediaType.begins(with: "image/") }
    }

    package subscript(name: ByteString) -> Entry? {
        entries.first { $0.name.isSame(as: name.text) }
    }

    package subscript(fileExtension fileExtension: ByteString) -> Entry? {
        entries.first { $0.fileExtensions.includes(fileExtension.text) }
    }

    /// Returns the format of a file's name, by the longest extension that it ends in; nil if none is
    /// known.
    package func entry(ofFile name: String) -> Entry? {
        let name = name.lowercasedASCII
        let known = entries.flatMap { entry in entry.fileExtensions.map { (entry, $0) } }
        return known.filter { name.ends(with: "." + $0.1) }
            .max { $0.1.utf8.count < $1.1.utf8.count }?.0
    }

    /// The extensions of the formats, for messages.
    package var extensionList: String {
        entries.map { "." + $0.type.fileExtension }.joined(separator: ", ")
    }

    /// The parameters of all formats, each name once, in the order of the formats.
    ///
    /// A name means the same in every format that reads it.
    package var parameters: [Parameter] {
        var parameters: [Parameter] = []
        for parameter in entries.flatMap(\.parameters)
        where !parameters.contains(where: { $0.name == parameter.name }) {
            parameters.append(parameter)
        }
        return parameters
    }

    /// Returns the formats that read a parameter.
    package func entries(reading parameter: String) -> [Entry] {
        entries.filter { $0.parameters.contains { $0.name == parameter } }
    }
}
