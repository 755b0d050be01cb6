import ArgumentParser
import Bytes
import Encoders
import Motion
import Raster
import Rendering
import Service
import Typesetting

/// `titlecard list`: the names that parameters take.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List effects, presets, palettes, fonts, targets, or formats.",
        discussion: "A line has a name and what it stands for.")

    @Argument(help: "What to list.")
    var catalog: Catalog

    @Flag(help: "JSON, the bytes of the service's answer to GET /effects and its like.")
    var json = false

    @OptionGroup var catalogs: CatalogArguments

    @Option(help: "Directory with fonts of your own; may be given several times. (none)")
    var fonts: [String] = []

    func run() throws {
        do {
            try list()
        } catch let failure as CommandFailure {
            throw StandardStreams.report(failure)
        } catch let fault as LibraryFault {
            throw StandardStreams.report(CommandFailure(.library(fault), hasTexts: false))
        }
    }

    private func list() throws {
        var environment = Environment()
        let paths = catalogs.paths(&environment)
        let fonts = environment.paths(fonts, CatalogOptions.fontsOption)
        try environment.finish(passing: ServeOptions.variables)
        Environment.forgetLanguage()
        var schema = try paths.schema()
        // Whether ffmpeg encodes a format shows when it is tried.
        if catalog.dependsOnFormats { schema = schema.with(schema.formats.examined()) }
        guard json else {
            return try StandardStreams.print(catalog.lines(schema, fonts: fonts))
        }
        let bytes = try catalog.document(schema, fonts: fonts).bytes
        try StandardStreams.write(whole: Terminal.isOutput ? bytes + [UInt8(ascii: "\n")] : bytes)
    }
}

/// A list of names that parameters take.
enum Catalog: String, CaseIterable, ExpressibleByArgument {
    case effects, presets, palettes, fonts, targets, formats

    /// The list of the values of a parameter; nil for other parameters.
    static func ofValues(of parameter: String) -> Catalog? {
        [
            "effect": .effects, "preset": .presets, "font": .fonts, "for": .targets,
            "format": .formats,
        ][parameter]
    }

    fileprivate var dependsOnFormats: Bool { self == .targets || self == .formats }

    /// Returns the names, each with a few words about it.
    ///
    /// - Throws: `LibraryFault` where fonts cannot be read.
    func entries(
        _ schema: RequestSchema, fonts: [String]
    ) throws(LibraryFault) -> [(name: String, summary: String)] {
        switch self {
        case .effects: schema.effects.entries.map { ($0.name, $0.title) }
        case .presets: schema.presets.entries.map { ($0.name, $0.summary ?? $0.title) }
        case .palettes:
            schema.presets.entries.filter { $0.palette != nil }.map { ($0.name, $0.title) }
        case .fonts:
            try FontCatalog(directories: fonts).families().map { family in
                let weights = family.weights.map(String.init).joined(separator: " ")
                return (family.name, weights + (family.isMonospace ? ", monospace" : ""))
            }
        case .targets: schema.targets.map { ($0.name, $0.summary) }
        case .formats: schema.formats.entries.map { ($0.name, $0.title) }
        }
    }

    /// Returns a line for each name.
    ///
    /// - Throws: As `entries(_:fonts:)` does.
    func lines(_ schema: RequestSchema, fonts: [String]) throws(LibraryFault) -> String {
        let entries = try entries(schema, fonts: fonts)
        let width = entries.map(\.name.count).max() ?? 0
        return entries.map { name, summary in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return LineText.escaped(name + gap + summary)
        }.joined(separator: "\n")
    }

    /// Returns the document that the service has.
    ///
    /// - Throws: As `entries(_:fonts:)` does.
    fileprivate func document(
        _ schema: RequestSchema, fonts: [String]
    ) throws(LibraryFault) -> JSONNode {
        switch self {
        case .effects: CatalogDocuments.effects(schema.effects)
        case .presets: CatalogDocuments.presets(schema.presets)
        case .palettes: CatalogDocuments.palettes(schema.presets)
        case .fonts: try CatalogDocuments.fonts(FontCatalog(directories: fonts))
        case .targets: CatalogDocuments.targets(schema.targets)
        case .formats: CatalogDocuments.formats(schema.formats)
        }
    }
}
