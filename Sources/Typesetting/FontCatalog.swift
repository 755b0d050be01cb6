package import Motion

/// The installed fonts at the time of one reading, shared by all workers.
package struct FontCatalog: Sendable {
    package struct Family: Equatable, Sendable {
        package let name: String
        package let isMonospace: Bool
        /// In rising order, without repeats.
        package let weights: [Int]
    }

    /// Sorted by name.
    package let families: [Family]
    /// A hash that differs wherever fonts or libraries would draw other bytes.
    package let fingerprint: UInt64
    let configuration: FontConfiguration
    private let names: Set<String>

    /// Families that fontconfig resolves and no font has.
    private static let generic: Set<String> = [
        "sans", "sans-serif", "serif", "mono", "monospace", "cursive", "fantasy", "system-ui",
        "emoji", "math", "ui-sans-serif", "ui-serif", "ui-monospace",
    ]

    /// Reads the fonts that are installed now.
    ///
    /// - Throws: `LibraryFault.fonts` if they cannot be read, or there is none.
    package init() throws(LibraryFault) {
        configuration = try FontConfiguration.read()
        let fonts = try InstalledFont.all(in: configuration)
        var byFamily: [String: (isMonospace: Bool, weights: Set<Int>)] = [:]
        for font in fonts {
            guard let name = font.families.first else { continue }
            var family = byFamily[name] ?? (true, [])
            family.isMonospace = family.isMonospace && font.isMonospace
            family.weights.formUnion(font.weights)
            byFamily[name] = family
        }
        families =
            byFamily
            .map { Family(name: $0, isMonospace: $1.isMonospace, weights: $1.weights.sorted()) }
            .sorted { $0.name < $1.name }
        names = Set(fonts.flatMap(\.families).map { $0.lowercased() })
        fingerprint = Self.fingerprint(of: fonts, rules: try configuration.rules())
    }

    /// The number of the reading, unique in the process.
    package var number: Int { configuration.number }

    package func contains(_ family: String) -> Bool {
        let name = family.lowercased()
        return names.contains(name) || Self.generic.contains(name)
    }

    /// Returns the families, followed by one that is installed if none of them is.
    func findable(_ families: String) -> String {
        let isKnown =
            contains(families) || FamilyList.families(families).contains(where: contains)
        return isKnown ? families : families + "," + Self.fallback
    }

    /// The family in place of missing ones, whatever the machine would choose.
    static let fallback = "DejaVu Sans"

    /// FNV-1a over the fonts' identities, the rules that choose among them, and the libraries'
    /// versions.
    private static func fingerprint(of fonts: [InstalledFont], rules: [[UInt8]]) -> UInt64 {
        let texts = FontConfiguration.libraryVersions + fonts.map(\.identity).sorted()
        return Digest(texts.map { Array($0.utf8) } + rules).fnv1a
    }
}
