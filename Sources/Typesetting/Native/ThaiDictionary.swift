import CPango
import Glibc
import Raster
import Synchronization

/// The dictionary of libthai, which tells where the words of Thai begin: there are no spaces.
///
/// Pango has it opened at the first Thai text, and goes on without it, with other lines, where that
/// fails. It takes 0.6 MB and 8 ms, so that a process that sees no Thai does without.
enum ThaiDictionary {
    private static let isOpen = Atomic(false)

    /// Makes sure that the dictionary is open, by two words that nothing else tells apart.
    ///
    /// - Throws: `LibraryFault.fonts` if it cannot be opened; a later call tries again.
    static func open() throws(LibraryFault) {
        guard !isOpen.load(ordering: .relaxed) else { return }
        // A Pango that was built without libthai breaks lines of Thai alike at all times.
        guard dlsym(nil, "th_brk_new") == nil || breaksSample else {
            throw .fonts("libthai cannot open its dictionary")
        }
        isOpen.store(true, ordering: .relaxed)
    }

    private static var breaksSample: Bool {
        let text = LogicalText("ภาษาไทย")
        var analysis = PangoAnalysis()
        analysis.script = UInt8(PANGO_SCRIPT_THAI.rawValue)
        analysis.language = pango_language_from_string("th")
        let count = Int32(text.characterCount + 1)
        pango_default_break(text.start, Int32(text.length), nil, text.attributes, count)
        pango_tailor_break(
            text.start, Int32(text.length), &analysis, -1, text.attributes, count)
        return (1..<text.characterCount).contains { text.canBreak(at: $0, .betweenWords) }
    }
}
