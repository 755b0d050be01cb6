import Bytes
import CPango
import Motion
import Raster

/// The fonts of words whose letters Pango takes from several fonts, because it chooses a font for
/// each character. If a family is known to have a whole script, the script is set in one font
/// throughout.
///
/// A word is a sequence of letters of one script, with their marks. A word of which a family of the
/// request draws a letter stays as it is.
struct WordFonts {
    /// A part of a text, and its style with the family before the others that is to draw it.
    struct Choice {
        var bytes: Range<Int>
        var style: TypeStyle
    }

    /// A word that no font draws whole.
    struct TornWord {
        var text: String
        /// The families that draw its parts, with a word between them.
        var families: ByteString
    }

    /// By rising offsets.
    private(set) var choices: [Choice] = []
    private(set) var torn: [TornWord] = []

    /// A word as Pango sets it.
    private struct Word {
        var bytes: Range<Int>
        var script: GUnicodeScript
        /// The index of its first letter's span, and of the families that this asks for.
        var span: Int
        var choice: Int
        /// The letters, and the marks of the script.
        var letters: Set<UInt32> = []
        /// The families of their fonts, in their order, each once.
        var families: [String] = []

        var isTorn: Bool { families.count > 1 }
    }

    /// The families that draw a script, the best first, which takes precedence over the order in which
    /// fontconfig has them.
    private static func families(of script: GUnicodeScript, in language: String) -> [String] {
        guard script == G_UNICODE_SCRIPT_ARABIC else { return [] }
        // Urdu and Kashmiri are written in Nastaliq.
        let naskh = "Noto Naskh Arabic"
        return ["ur", "ks"].includes(language) ? ["Noto Nastaliq Urdu", naskh] : [naskh]
    }

    /// Chooses the fonts of words in a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - logical: The same for Pango.
    ///   - passages: Its paragraphs, with the fonts of each character.
    ///   - families: The choices for its lists of families.
    ///   - library: The fonts.
    ///   - deadline: The end of the work.
    ///   - find: Returns the family of the first font that has all of some characters, in the order in
    ///     which fonts are looked for in a style; nil if none has.
    /// - Throws: `TypesettingError.deadline`.
    init(
        of text: StyledText, _ logical: LogicalText, _ passages: [Passage],
        _ families: FamilyChoices, _ library: FontLibrary, _ deadline: WorkDeadline,
        find: (Set<UInt32>, _ span: Int) throws(TypesettingError) -> String?
    ) throws(TypesettingError) {
        guard passages.contains(where: \.items.changesFontInScript) else { return }
        let words = Self.words(of: text, logical, passages, families)
        let language = FontLanguage.name(for: text.base.language)
        for script in Set(words.map(\.script.rawValue)).sorted() {
            let own = words.filter { $0.script.rawValue == script }
            guard Set(own.flatMap(\.families)).count > 1 else { continue }
            let preferred = Self.families(of: GUnicodeScript(Int32(script)), in: language)
            // One family for all words of the script, where one is known that has their letters.
            let letters = own.reduce(into: Set()) { $0.formUnion($1.letters) }
            if let family = preferred.first(where: { library.hasFamily($0, with: letters) }) {
                for word in own { choose(family, for: word, in: text, families) }
                continue
            }
            for word in own where word.isTorn {
                try deadline.look()
                var family = preferred.first { library.hasFamily($0, with: word.letters) }
                if family == nil { family = try find(word.letters, word.span) }
                if let family {
                    choose(family, for: word, in: text, families)
                } else {
                    torn.append(
                        TornWord(
                            text: logical.characters(in: word.bytes),
                            families: ByteString(word.families.joined(separator: " and "))))
                }
            }
        }
        choices.sort { $0.bytes.lowerBound < $1.bytes.lowerBound }
    }

    private mutating func choose(
        _ family: String, for word: Word, in text: StyledText, _ families: FamilyChoices
    ) {
        var (start, span) = (word.bytes.lowerBound, word.span)
        while start < word.bytes.upperBound {
            let end = min(text.spans[span].end, word.bytes.upperBound)
            var style = text.spans[span].style.type
            style.weight = style.weight ?? families[ofSpan: span].usualWeight
            style.families = "\(family),\(families[ofSpan: span].list)"
            choices.append(Choice(bytes: start..<end, style: style))
            (start, span) = (end, span + 1)
        }
    }

    /// A font that draws letters for a choice of families.
    private struct KnownFont {
        private let font: UnsafeMutablePointer<PangoFont>
        private let choice: Int
        let family: String
        /// True if it is of a family that is asked for.
        let isNamed: Bool

        init(_ font: UnsafeMutablePointer<PangoFont>, _ choice: Int, _ named: Set<ByteString>) {
            (self.font, self.choice) = (font, choice)
            let names = FontPattern(font).strings(FC_FAMILY)
            family = names.first ?? ""
            isNamed = names.contains { named.contains(FontCatalog.key($0)) }
        }

        func isOf(_ font: UnsafeMutablePointer<PangoFont>, _ choice: Int) -> Bool {
            self.font == font && self.choice == choice
        }
    }

    /// Returns the words of a text, without the words that families of the request draw.
    private static func words(
        of text: StyledText, _ logical: LogicalText, _ passages: [Passage],
        _ families: FamilyChoices
    ) -> [Word] {
        var words: [Word] = []
        var word: Word?
        var isNamed = false
        var known: KnownFont?
        var span = 0
        func end() {
            if let word, !isNamed { words.append(word) }
            (word, isNamed) = (nil, false)
        }
        for passage in passages {
            end()
            passage.items.forEach { item in
                let item = item.pointee
                let script = GUnicodeScript(Int32(item.analysis.script))
                guard let font = item.analysis.font else { return end() }
                let isOneScript =
                    script != G_UNICODE_SCRIPT_COMMON && script != G_UNICODE_SCRIPT_INHERITED
                if word?.script != script { end() }
                let bytes = Int(item.offset)..<Int(item.offset + item.length)
                logical.forEachCharacter(in: bytes) { scalar, offset, next in
                    let isOwn =
                        isOneScript && (scalar.isLetter || scalar.isMark)
                        && g_unichar_get_script(scalar.value) == script
                    guard isOwn else {
                        let joins = scalar.isMark || ["\u{200C}", "\u{200D}"].contains(scalar)
                        return joins ? () : end()
                    }
                    while offset >= text.spans[span].end { span += 1 }
                    let choice = families.index(ofSpan: span)
                    if word?.choice != choice { end() }
                    var own =
                        word
                        ?? Word(bytes: offset..<next, script: script, span: span, choice: choice)
                    own.bytes = own.bytes.lowerBound..<next
                    own.letters.insert(scalar.value)
                    let last = known?.isOf(font, choice) == true ? known : nil
                    let face = last ?? KnownFont(font, choice, families.all[choice].named)
                    known = face
                    isNamed = isNamed || face.isNamed
                    if !own.families.includes(face.family) { own.families.append(face.family) }
                    word = own
                }
            }
        }
        end()
        return words
    }
}

/// A paragraph with the items that Pango cuts it into.
struct Passage {
    /// UTF-8 offsets into the text, without the line break.
    var bytes: Range<Int>
    var direction: Direction
    var items: ItemList
}

/// Items as Pango makes them, in the order of the text.
///
/// Belongs to one thread.
final class ItemList {
    private var list: UnsafeMutablePointer<GList>?

    init(_ list: UnsafeMutablePointer<GList>?) {
        self.list = list
    }

    deinit {
        var next = list
        while let node = next {
            pango_item_free(node.pointee.data?.assumingMemoryBound(to: PangoItem.self))
            next = node.pointee.next
        }
        g_list_free(list)
    }

    /// Gives the list away, with its items.
    func take() -> UnsafeMutablePointer<GList>? {
        defer { list = nil }
        return list
    }

    func forEach(_ body: (UnsafeMutablePointer<PangoItem>) -> Void) {
        var next = list
        while let node = next {
            if let item = node.pointee.data?.assumingMemoryBound(to: PangoItem.self) { body(item) }
            next = node.pointee.next
        }
    }

    /// True if two neighbouring items of one script have different fonts.
    var changesFontInScript: Bool {
        var last: PangoAnalysis?
        var changes = false
        forEach { item in
            let own = item.pointee.analysis
            changes = changes || last?.script == own.script && last?.font != own.font
            last = own
        }
        return changes
    }
}
