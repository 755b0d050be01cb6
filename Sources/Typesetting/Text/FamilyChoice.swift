import Bytes

/// What a list of families comes to with the fonts that are installed.
struct FamilyChoice {
    /// The families that fonts are looked for by, in their order.
    let list: String
    /// The families of the request that are not installed, and not generic.
    let missing: [String]
    /// One of `missing`, with the family in its place.
    let standIn: (wanted: String, used: String)?
    /// The first of `named`; nil without any.
    let first: String?
    /// The installed families that the list names, or that stand in, in small letters. They end at a
    /// family that stands for whatever has a character.
    let named: Set<ByteString>
    /// True if there is such a family: a generic one, or the default.
    let isOpen: Bool

    init(_ list: String, in catalog: FontCatalog) {
        var families = FamilyList.families(list)
        var standIn: (wanted: String, used: String)?
        missing = families.filter { !catalog.contains($0) }
        // A family that is installed takes precedence over one that is like another.
        if !missing.isEmpty, !families.contains(where: catalog.isInstalled) {
            for (index, family) in families.enumerated() {
                guard let used = catalog.standIn(for: family) else { continue }
                standIn = (family, used)
                families[index] = used
                break
            }
        }
        if standIn == nil, missing.count == families.count {
            families.append(FontCatalog.fallback)
        }
        let candidates = families.prefix { !FontCatalog.isOpen($0) }
        let named = candidates.filter(catalog.isInstalled)
        self.list = families.joined(separator: ",")
        self.standIn = standIn
        first = named.first
        self.named = Set(named.map { ByteString($0.lowercasedASCII) })
        isOpen = candidates.count < families.count
    }
}

/// What the lists of families of a text come to, each found once.
struct FamilyChoices {
    private let catalog: FontCatalog
    private var choices: [ByteString: FamilyChoice] = [:]

    init(of text: StyledText, in catalog: FontCatalog) {
        self.catalog = catalog
        for span in text.spans {
            let families = ByteString(span.style.type.families)
            if choices[families] == nil { choices[families] = self[families] }
        }
    }

    subscript(families: ByteString) -> FamilyChoice {
        choices[families] ?? FamilyChoice(families.text, in: catalog)
    }

    /// In the order of the lists' bytes.
    var sorted: [FamilyChoice] {
        choices.sorted { $0.key < $1.key }.map(\.value)
    }
}
