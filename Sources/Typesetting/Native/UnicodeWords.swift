import Glibc
import Raster
import Synchronization

/// The boundary at which a word of a text begins.
package enum WordBoundaries: String, CaseIterable, Sendable {
    /// White space, or, beside letters of the scripts that have a dictionary, a boundary between
    /// words.
    case auto
    /// White space.
    case spaces
    /// White space, or a boundary between words (`UnicodeWords`).
    case unicode
}

/// The words of texts by Unicode's rules (UAX 29), with ICU's dictionaries for scripts that have no
/// spaces between words: Chinese, Japanese, Thai, Lao, Khmer and Burmese.
///
/// ICU is opened by the first text that is in one of these scripts or asks for such words. Its data
/// take 30 MB of addresses; a few pages of them are read.
package enum UnicodeWords {
    private static let opened = Mutex<ICU?>(nil)

    /// The version of ICU, with which words change; nil if ICU 72, the version in Debian 12, is
    /// missing.
    package static var version: String? { icu?.version }

    private static var icu: ICU? {
        opened.withLock { icu in
            if icu == nil { icu = ICU() }
            return icu
        }
    }

    /// Finds the words that begin without white space before them.
    ///
    /// Marks that are no word themselves belong to the word before them, or after white space to the one
    /// behind; opening brackets and quotes always to the one behind.
    ///
    /// - Returns: True at each UTF-8 offset at which one begins.
    /// - Throws: `LibraryFault.warning` if ICU is missing or fails, `LibraryFault.memory`.
    static func starts(in text: String) throws(LibraryFault) -> [Bool] {
        guard let icu else { throw .warning("ICU is not installed") }
        var starts = [Bool](repeating: false, count: text.utf8.count)
        let units = Array(text.utf16)
        // The scalar that begins at each UTF-16 offset, and where.
        var scalars: [(scalar: Unicode.Scalar, offset: Int)?] = []
        scalars.reserveCapacity(units.count)
        var offset = 0
        for scalar in text.unicodeScalars {
            scalars.append((scalar, offset))
            if UTF16.width(scalar) == 2 { scalars.append(nil) }
            offset += UTF8.width(scalar)
        }
        var start = 0
        var hasWord = false
        try icu.forEachSegment(of: units) { end, isWord in
            if let (scalar, offset) = scalars[start] {
                if scalar.properties.isWhitespace {
                    hasWord = false
                } else if isWord || scalar.isOpening {
                    starts[offset] = hasWord
                    hasWord = isWord
                }
            }
            start = end
        }
        return starts
    }
}

extension Unicode.Scalar {
    /// True for opening brackets and quotes.
    fileprivate var isOpening: Bool {
        let category = properties.generalCategory
        return category == .openPunctuation || category == .initialPunctuation
    }
}

/// The functions of ICU 72 that break text, whose names end in its version.
private struct ICU: Sendable {
    private typealias Open =
        @Sendable @convention(c) (
            Int32, UnsafePointer<CChar>?, UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<Int32>
        ) -> OpaquePointer?
    private typealias Close = @Sendable @convention(c) (OpaquePointer?) -> Void
    private typealias Step = @Sendable @convention(c) (OpaquePointer?) -> Int32
    private typealias Version = @convention(c) (UnsafeMutablePointer<UInt8>) -> Void

    /// Numbers separated by dots.
    let version: String
    private let open: Open
    private let close: Close
    private let next: Step
    private let ruleStatus: Step

    /// `UBRK_WORD`.
    private static let word: Int32 = 1
    /// `UBRK_WORD_NONE_LIMIT`: a segment of less is no word.
    private static let firstWordStatus: Int32 = 100
    /// `U_MEMORY_ALLOCATION_ERROR`.
    private static let noMemory: Int32 = 7

    /// Opens the library; nil if it is not there.
    init?() {
        guard let library = dlopen("libicuuc.so.72", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            dlsym(library, name + "_72").map { unsafeBitCast($0, to: type) }
        }
        guard let open = function("ubrk_open", Open.self),
            let close = function("ubrk_close", Close.self),
            let next = function("ubrk_next", Step.self),
            let ruleStatus = function("ubrk_getRuleStatus", Step.self),
            let getVersion = function("u_getVersion", Version.self)
        else { return nil }
        (self.open, self.close, self.next, self.ruleStatus) = (open, close, next, ruleStatus)
        var numbers: [UInt8] = [0, 0, 0, 0]
        getVersion(&numbers)
        version = numbers.map { "\($0)" }.joined(separator: ".")
    }

    /// Breaks a text by the rules of no language in particular.
    ///
    /// - Parameters:
    ///   - units: UTF-16 code units.
    ///   - take: Called for each segment with its end and whether it is a word.
    /// - Throws: `LibraryFault.memory`, or `LibraryFault.warning` with ICU's number for the failure.
    func forEachSegment(
        of units: [UInt16], _ take: (_ end: Int, _ isWord: Bool) -> Void
    ) throws(LibraryFault) {
        var status: Int32 = 0
        units.withUnsafeBufferPointer { units in
            // The root's rules: without a name ICU takes the rules of the process's locale.
            let iterator = open(Self.word, "", units.baseAddress, Int32(units.count), &status)
            guard status <= 0, let iterator else { return }
            defer { close(iterator) }
            while case let end = next(iterator), end >= 0 {
                take(Int(end), ruleStatus(iterator) >= Self.firstWordStatus)
            }
        }
        guard status <= 0 else {
            throw status == Self.noMemory ? .memory : .warning("ICU failed with error \(status)")
        }
    }
}
