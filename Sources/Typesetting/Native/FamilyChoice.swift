import Bytes

/// The installed fonts' families for a list of families.
struct FamilyChoice {
    /// The families that fonts are looked for by, in their order.
    let list: String
    /// The families of the request that are not installed, and not generic.
    let missing: [String]
    /// One of `missing`, with the family in its place.
    let standIn: (wanted: String, used: String)?
    /// The installed families that the list names itself, wherever in it; not the default.
    let asked: [String]
    /// The first of `named`; nil without any.
    let first: String?
    /// The installed families that the list names, or that stand in, in small letters. They end at
    /// a family that stands for any font with a character.
    let named: Set<ByteString>
    /// True if there is such a family: a generic one, or the default.
    let isOpen: Bool
    /// The weight of texts that name none.
    let usualWeight: Int

    /// The weight of regular text.
    static let regular = 400

    init(_ list: String, in catalog: FontCatalog) {
        var families = FamilyList.families(list)
        var standIn: (wanted: String, used: String)?
        missing = families.filter { !catalog.contains($0) }
        asked = families.filter { catalog.isInstalled($0) && !FontCatalog.isOpen($0) }
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
        self.named = Set(named.map(FontCatalog.key))
        isOpen = candidates.count < families.count
        usualWeight = Self.regular
    }

    /// The choice of a text that names no family.
    init(usualIn catalog: FontCatalog) {
        let (family, weight) = FontCatalog.usualFamily
        let hasFamily = catalog.isInstalled(family)
        let families =
            hasFamily ? [family] + FontCatalog.besidesUsual.filter(catalog.isInstalled) : []
        list = (families + [FontCatalog.fallback]).joined(separator: ",")
        usualWeight = hasFamily ? weight : Self.regular
        (missing, asked, named) = ([], [], [])
        (standIn, first) = (nil, nil)
        isOpen = true
    }
}

/// The choices for the lists of families of a text.
struct FamilyChoices {
    /// In the order of the lists' bytes.
    let all: [FamilyChoice]
    /// The index of each span's choice; empty if there is only one.
    private let indices: [Int]

    init(of text: StyledText, _ library: FontLibrary) {
        let lists = text.spans.map { ByteString($0.style.type.families) }
        guard lists.contains(where: { $0 != lists[0] }) else {
            all = [library.choice(of: lists[0])]
            indices = []
            return
        }
        let sorted = Set(lists).sorted()
        let order = Dictionary(uniqueKeysWithValues: zip(sorted, sorted.indices))
        all = sorted.map(library.choice)
        indices = lists.map { order[$0] ?? 0 }
    }

    /// Returns the index in `all` of a span's choice.
    func index(ofSpan span: Int) -> Int { indices.isEmpty ? 0 : indices[span] }

    subscript(ofSpan span: Int) -> FamilyChoice { all[index(ofSpan: span)] }
}
