import CPango
import Glibc

/// Whether lines of Thai can be broken between words, for which libthai opens a dictionary at the
/// first Thai text; without it Pango goes on and breaks lines elsewhere.
enum ThaiWords {
    /// Two words, between which nothing but the dictionary tells.
    static let sample = "ภาษาไทย"

    /// Whether a layout that ends with the sample can be broken within it.
    static func areFound(in layout: OpaquePointer) -> Bool {
        // A Pango that was built without libthai breaks lines of Thai alike at all times.
        guard dlsym(nil, "th_brk_new") != nil else { return true }
        var count: Int32 = 0
        guard let attributes = pango_layout_get_log_attrs_readonly(layout, &count) else {
            return false
        }
        let characters = UnsafeBufferPointer(start: attributes, count: Int(count))
        // One attribute stands before each character and one behind the last.
        let inside = characters.dropLast().suffix(sample.unicodeScalars.count - 1)
        return inside.contains { $0.is_line_break != 0 }
    }
}
