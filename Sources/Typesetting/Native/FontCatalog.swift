import Bytes
import Motion
package import Raster

/// The installed fonts at the time of one reading, shared by all workers.
package struct FontCatalog: Sendable {
    package struct Family: Equatable, Sendable {
        package let name: String
        package let isMonospace: Bool
        /// In rising order, without repeats.
        package let weights: [Int]
        /// True if it can set a Latin text: one of its fonts has all letters from A to Z and a to z.
        package let isLatin: Bool
        /// The axes of its variable fonts; empty if it has none.
        package let axes: [Axis]
        /// The tags of its OpenType features, sorted.
        package let features: [String]
    }

    /// An axis of a variable font, in its own units.
    package struct Axis: Equatable, Sendable {
        package let tag: String
        package let minimum: Double
        package let defaultValue: Double
        package let maximum: Double
    }

    /// A hash that differs wherever fonts or libraries would draw other bytes.
    package let fingerprint: UInt64
    let configuration: FontConfiguration
    private let fonts: [InstalledFont]
    private let names: Set<ByteString>

    /// Families that fontconfig resolves and no font has, by their keys.
    private static let generic: Set<ByteString> = [
        "sans", "sans-serif", "serif", "mono", "monospace", "cursive", "fantasy", "system-ui",
        "emoji", "math", "ui-sans-serif", "ui-serif", "ui-monospace",
    ]

    /// Reads the fonts that are installed now, and an operator's own.
    ///
    /// - Parameter directories: The directories of the operator's fonts, which hide installed ones
    ///   of the same families.
    /// - Throws: `LibraryFault.fonts` if they cannot be read, or there is none;
    ///   `LibraryFault.fontFiles` if one of the operator's files is not a font.
    package init(directories: [String] = []) throws(LibraryFault) {
        try self.init(files: try Self.files(in: directories).map { OwnFontFile(path: $0) })
    }

    /// Reads the fonts that are installed now, and an operator's own.
    ///
    /// - Parameter files: The operator's fonts; they hide installed ones of the same families.
    /// - Throws: `LibraryFault.fonts` if they cannot be read, or there is none;
    ///   `LibraryFault.fontFiles` if one of the operator's files is not a font.
    package init(files: [OwnFontFile]) throws(LibraryFault) {
        try FontDirectories.check(files)
        configuration = try FontConfiguration.read(with: files)
        fonts = try InstalledFont.all(in: configuration)
        names = Set(fonts.flatMap(\.families).map(Self.key))
        let identities = fonts.map(\.identity).sorted() + (try Self.digests(of: files))
        fingerprint = Self.fingerprint(of: identities, rules: try configuration.rules())
    }

    /// Returns the paths of all fonts in directories and in their subdirectories, in the order of
    /// their names.
    ///
    /// - Throws: `LibraryFault.fontFiles` with all directories that cannot be read.
    package static func files(in directories: [String]) throws(LibraryFault) -> [String] {
        try FontDirectories.files(in: directories)
    }

    /// Returns the families, sorted by name.
    ///
    /// It opens each font's file, and so takes a while.
    ///
    /// - Throws: `LibraryFault.fonts` if one cannot be read at this moment.
    package func families() throws(LibraryFault) -> [Family] {
        var byName: [String: [InstalledFont]] = [:]
        for font in fonts {
            if let name = font.families.first { byName[name, default: []].append(font) }
        }
        return try byName.sorted { $0.key < $1.key }.map { name, fonts throws(LibraryFault) in
            try Family(name, fonts, in: configuration)
        }
    }

    /// The number of the reading, unique in the process.
    package var number: Int { configuration.number }

    /// The name of a family as families are compared: in small letters.
    static func key(_ family: String) -> ByteString { ByteString(family.lowercasedASCII) }

    func contains(_ family: String) -> Bool {
        isInstalled(family) || Self.generic.contains(Self.key(family))
    }

    /// Returns the installed family that is nearest to a missing one; nil if none is like it.
    func standIn(for family: String) -> String? {
        FontKind.kinds[Self.key(family)]?.standIns.first(where: isInstalled)
    }

    func isInstalled(_ family: String) -> Bool { names.contains(Self.key(family)) }

    /// Returns true for a family that stands for any font with a character.
    static func isOpen(_ family: String) -> Bool {
        generic.contains(key(family)) || key(family) == key(fallback)
    }

    /// The family in place of missing ones, whatever the machine would choose.
    static let fallback = "DejaVu Sans"

    /// The families of texts that name none.
    package static let usual = "auto"
    /// The family and the weight of such texts, where it is installed.
    static let usualFamily = (name: "Inter", weight: 600)
    /// The families for letters that `usualFamily` lacks and that `fallback` draws less well.
    static let besidesUsual = [
        "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Armenian", "Noto Sans Georgian",
    ]

    private static func digests(of files: [OwnFontFile]) throws(LibraryFault) -> [String] {
        try files.map { file throws(LibraryFault) in
            do throws(FontFile.Fault) {
                return try FontFile(at: file.location).digest()
            } catch {
                throw .fontFiles(
                    ["\(file.path) \(error.message)"], areUnreadable: error.isUnreadable)
            }
        }
    }

    /// FNV-1a over the fonts' identities, the rules that choose among them, and the libraries'
    /// versions.
    private static func fingerprint(of identities: [String], rules: [[UInt8]]) -> UInt64 {
        let texts = FontConfiguration.libraryVersions + identities
        return Digest(texts.map { Array($0.utf8) } + rules).fnv1a
    }
}

extension FontCatalog.Family {
    /// Reads the files of a family's fonts too; a file that is not an OpenType file, or that cannot
    /// be read, adds nothing.
    fileprivate init(
        _ name: String, _ fonts: [InstalledFont], in configuration: FontConfiguration
    ) throws(LibraryFault) {
        self.name = name
        isMonospace = fonts.allSatisfy(\.isMonospace)
        weights = Set(fonts.flatMap(\.weights)).sorted()
        isLatin = fonts.contains(where: \.isLatin)
        var axes: [FontCatalog.Axis] = []
        var features: Set<String> = []
        var known: Set<String> = []
        for font in fonts where known.insert("\(font.face) \(font.file)").inserted {
            do throws(FontFile.Fault) {
                let file = try FontFile(at: font.file)
                features.formUnion(try file.features(ofFace: font.face))
                axes += try file.axes(ofFace: font.face).filter { axis in
                    !axes.contains { $0.tag == axis.tag }
                }
            } catch {
                if error.isTransient {
                    throw .fonts("\(configuration.path(of: font.file)) \(error.message)")
                }
            }
        }
        self.axes = axes
        self.features = features.sorted()
    }
}
