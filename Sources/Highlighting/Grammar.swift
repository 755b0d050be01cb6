import Bytes

/// The lexical rules of a language, as a table for `CodeLexer`.
struct Grammar: Sendable {
    /// Words with a kind of their own; with a sign before it, such as `#`, where that begins names.
    var words: [ByteString: TokenKind] = [:]
    /// True if the case of words does not matter; `words` are then in lower case.
    var ignoresCase = false
    /// The words in `words` that are names as well: they count where a blank and no sign follow.
    var softWords: Set<ByteString> = []
    /// Keywords, each with the kind of the name that follows it.
    var introducers: [ByteString: TokenKind] = [:]
    /// The characters besides letters, digits, and `_` that names begin with.
    var nameStarts: String = ""
    /// The characters besides letters, digits, and `_` that names go on with.
    var nameParts: String = ""
    /// The kind of names in capitals.
    var capitals = Capitals.plain
    /// True if a name before `(` is a function.
    var hasCalls = true
    /// True if words behind a dot are names, whatever they are elsewhere.
    var hasMembers = true

    /// The signs that begin a comment that ends with its line.
    var lineComments: [String] = []
    var blockComment: (open: String, close: String, isNested: Bool)?
    /// The forms of strings; of two that begin alike the longer one comes first.
    var strings: [StringForm] = []
    /// True if a slash where a value may stand begins a regular expression.
    var hasRegularExpressions = false
    /// True if a string before a colon is a key.
    var hasKeys = false

    /// The sign, besides `_`, between the digits of a number.
    var digitSeparator: Unicode.Scalar = "_"
    var operators = "+-*/%=<>!&|^~?"
    var punctuation = "(){}[],;:."
    /// Features that one language has, or a few.
    var traits: Traits = []

    /// The kind of a name that begins with a capital.
    enum Capitals: Sendable {
        case plain
        /// A type, or a constant where all letters are capitals.
        case types
        /// A constant where all letters are capitals.
        case constants
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// `@name`, anywhere.
        static let annotations = Traits(rawValue: 1)
        /// `#[…]`.
        static let bracketedAttributes = Traits(rawValue: 2)
        /// Lines that begin with `#`, for a preprocessor.
        static let directives = Traits(rawValue: 4)
        /// `'name`, which is no character.
        static let lifetimes = Traits(rawValue: 8)
        /// `name!`.
        static let macros = Traits(rawValue: 16)
        /// Words of anything, `$name`, and here-documents.
        static let shell = Traits(rawValue: 32)
        /// `name:` in braces, and `#` before digits.
        static let style = Traits(rawValue: 64)
        /// Names that end with `_t` are types.
        static let typeSuffix = Traits(rawValue: 128)
    }

    /// Returns the words of a list.
    static func set(_ list: String) -> Set<ByteString> {
        Set(list.pieces(separatedBy: " ").map { ByteString($0) })
    }

    /// Returns the words of lists, each with its kind.
    static func words(_ lists: KeyValuePairs<TokenKind, String>) -> [ByteString: TokenKind] {
        var words: [ByteString: TokenKind] = [:]
        for (kind, list) in lists {
            for word in list.pieces(separatedBy: " ") { words[ByteString(word)] = kind }
        }
        return words
    }
}

/// One way in which a language writes strings.
struct StringForm: Sendable {
    /// The words of which one stands before the quote; one of them may be empty.
    var prefixes = [""]
    var open: String
    var close: String
    var escape = Escape.backslash
    var isMultiline = false
    /// The signs that begin and end code within the string.
    var interpolations: [Interpolation] = []
    var guardian = Guardian.none
    /// The kind of its token; names that are written in quotes are no strings.
    var kind = TokenKind.string

    enum Escape: Sendable {
        case none
        /// A backslash, with as many `#` as the string has.
        case backslash
        /// The closing quote, twice.
        case doubled
    }

    /// The signs between prefix and quote, and again behind the closing quote.
    enum Guardian: Sendable {
        case none
        /// Any number of `#`; at least so many.
        case hashes(atLeast: Int)
        /// A word and `(` behind the opening quote; `)` and the word before the closing one.
        case word
    }

    struct Interpolation: Sendable {
        /// The sign that begins it, behind the backslash if that is a part of it.
        var open: String
        var isEscaped = false
        /// The brackets that are counted within it; the last of `open` is the first of these.
        var brackets: (open: Unicode.Scalar, close: Unicode.Scalar)
        /// True if the opening sign twice is a character.
        var isDoubledCharacter = false
    }

    /// A string between two equal quotes.
    static func quoted(
        _ quote: String, prefixes: [String] = [""], escape: Escape = .backslash,
        isMultiline: Bool = false, _ interpolations: [Interpolation] = [], kind: TokenKind = .string
    ) -> StringForm {
        StringForm(
            prefixes: prefixes, open: quote, close: quote, escape: escape,
            isMultiline: isMultiline, interpolations: interpolations, kind: kind)
    }
}
