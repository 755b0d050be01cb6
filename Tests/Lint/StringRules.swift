// What decides about texts of clients compares bytes (`ByteString`, `TextBytes.swift`). `make lint`
// compiles this file into HTTP, Lists, Rendering and Service, where it makes the ways of `String`, which
// go by canonical equivalence and grapheme clusters, deprecated, and so errors.
//
// An overload for the type itself goes before the standard library's general one.

extension String {
    @available(*, deprecated, message: "compare as ByteString, or by isSame(as:)")
    static func == (one: String, other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    @available(*, deprecated, message: "compare as ByteString, or by isSame(as:)")
    static func != (one: String, other: String) -> Bool { !one.utf8.elementsEqual(other.utf8) }

    @available(*, deprecated, message: "switch over a ByteString")
    static func ~= (one: String, other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    @available(*, deprecated, message: "compare as ByteString")
    static func < (one: String, other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    @available(*, deprecated, message: "compare as ByteString")
    static func > (one: String, other: String) -> Bool {
        other.utf8.lexicographicallyPrecedes(one.utf8)
    }
}

extension Substring {
    @available(*, deprecated, message: "compare as ByteString, or by isSame(as:)")
    static func == (one: Substring, other: Substring) -> Bool { one.utf8.elementsEqual(other.utf8) }

    @available(*, deprecated, message: "compare as ByteString, or by isSame(as:)")
    static func != (one: Substring, other: Substring) -> Bool {
        !one.utf8.elementsEqual(other.utf8)
    }

    @available(*, deprecated, message: "switch over a ByteString")
    static func ~= (one: Substring, other: Substring) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }
}

extension Optional where Wrapped == String {
    @available(*, deprecated, message: "compare as ByteString")
    static func == (one: String?, other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    // Whether there is a text decides nothing about its characters.
    static func == (one: String?, other: _OptionalNilComparisonType) -> Bool {
        if case .none = one { true } else { false }
    }

    @available(*, deprecated, message: "compare as ByteString")
    static func != (one: String?, other: String?) -> Bool {
        one.map { Array($0.utf8) } != other.map { Array($0.utf8) }
    }

    static func != (one: String?, other: _OptionalNilComparisonType) -> Bool {
        if case .none = one { false } else { true }
    }

    @available(*, deprecated, message: "switch over a ByteString")
    static func ~= (one: String?, other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }
}

extension Optional where Wrapped == Substring {
    @available(*, deprecated, message: "compare as ByteString")
    static func == (one: Substring?, other: Substring?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    static func == (one: Substring?, other: _OptionalNilComparisonType) -> Bool {
        if case .none = one { true } else { false }
    }

    @available(*, deprecated, message: "compare as ByteString")
    static func != (one: Substring?, other: Substring?) -> Bool {
        one.map { Array($0.utf8) } != other.map { Array($0.utf8) }
    }

    static func != (one: Substring?, other: _OptionalNilComparisonType) -> Bool {
        if case .none = one { false } else { true }
    }
}

extension Character {
    @available(*, deprecated, message: "compare bytes or scalars")
    static func == (one: Character, other: Character) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    @available(*, deprecated, message: "compare bytes or scalars")
    static func != (one: Character, other: Character) -> Bool {
        !one.utf8.elementsEqual(other.utf8)
    }
}

extension Optional where Wrapped == Character {
    @available(*, deprecated, message: "compare bytes or scalars")
    static func == (one: Character?, other: Character?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    @available(*, deprecated, message: "compare bytes or scalars")
    static func != (one: Character?, other: Character?) -> Bool {
        one.map { Array($0.utf8) } != other.map { Array($0.utf8) }
    }
}

extension String {
    @available(*, deprecated, message: "begins(with:)")
    func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    @available(*, deprecated, message: "ends(with:)")
    func hasSuffix(_ suffix: String) -> Bool { utf8.starts(with: suffix.utf8) }

    @available(*, deprecated, message: "lowercasedASCII")
    func lowercased() -> String { self }

    @available(*, deprecated, message: "uppercasedASCII")
    func uppercased() -> String { self }
}

extension Substring {
    @available(*, deprecated, message: "begins(with:)")
    func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    @available(*, deprecated, message: "ends(with:)")
    func hasSuffix(_ suffix: String) -> Bool { utf8.starts(with: suffix.utf8) }

    @available(*, deprecated, message: "lowercasedASCII")
    func lowercased() -> String { String(self) }

    @available(*, deprecated, message: "uppercasedASCII")
    func uppercased() -> String { String(self) }
}

extension String {
    @available(*, deprecated, message: "go by bytes or scalars")
    var first: Character? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    var last: Character? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(_ character: Character) -> Bool { false }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(_ text: String) -> Bool { false }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(where matches: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.contains { try matches(Character($0)) }
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func firstIndex(of character: Character) -> Index? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    func firstIndex(where matches: (Character) throws -> Bool) rethrows -> Index? {
        try unicodeScalars.firstIndex { try matches(Character($0)) }
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func lastIndex(of character: Character) -> Index? { nil }

    @available(*, deprecated, message: "pieces(separatedBy:)")
    func split(
        separator: Character, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] { [] }

    @available(*, deprecated, message: "pieces(separatedBy:)")
    func split(
        separator: String, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] { [] }

    @available(*, deprecated, message: "go by bytes or scalars")
    func split(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true,
        whereSeparator matches: (Character) throws -> Bool
    ) rethrows -> [Substring] {
        try unicodeScalars.split { try matches(Character($0)) }.map(Substring.init)
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func filter(_ matches: (Character) throws -> Bool) rethrows -> String {
        try unicodeScalars.filter { try matches(Character($0)) }.description
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func prefix(_ count: Int) -> Substring { self[...] }

    @available(*, deprecated, message: "go by bytes or scalars")
    func prefix(while matches: (Character) throws -> Bool) rethrows -> Substring {
        self[(try unicodeScalars.firstIndex { try matches(Character($0)) } ?? startIndex)...]
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func drop(while matches: (Character) throws -> Bool) rethrows -> Substring {
        self[(try unicodeScalars.firstIndex { try matches(Character($0)) } ?? startIndex)...]
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func dropFirst(_ count: Int = 1) -> Substring { self[...] }

    @available(*, deprecated, message: "go by bytes or scalars")
    func dropLast(_ count: Int = 1) -> Substring { self[...] }

    @available(*, deprecated, message: "go by bytes or scalars")
    func allSatisfy(_ matches: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.allSatisfy { try matches(Character($0)) }
    }
}

extension Substring {
    @available(*, deprecated, message: "go by bytes or scalars")
    var first: Character? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    var last: Character? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(_ character: Character) -> Bool { false }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(_ text: String) -> Bool { false }

    @available(*, deprecated, message: "go by bytes or scalars")
    func contains(where matches: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.contains { try matches(Character($0)) }
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func firstIndex(of character: Character) -> Index? { nil }

    @available(*, deprecated, message: "go by bytes or scalars")
    func firstIndex(where matches: (Character) throws -> Bool) rethrows -> Index? {
        try unicodeScalars.firstIndex { try matches(Character($0)) }
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func lastIndex(of character: Character) -> Index? { nil }

    @available(*, deprecated, message: "pieces(separatedBy:)")
    func split(
        separator: Character, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] { [] }

    @available(*, deprecated, message: "go by bytes or scalars")
    func split(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true,
        whereSeparator matches: (Character) throws -> Bool
    ) rethrows -> [Substring] {
        try unicodeScalars.split { try matches(Character($0)) }.map(Substring.init)
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func filter(_ matches: (Character) throws -> Bool) rethrows -> String {
        try unicodeScalars.filter { try matches(Character($0)) }.description
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func prefix(_ count: Int) -> Substring { self }

    @available(*, deprecated, message: "go by bytes or scalars")
    func prefix(while matches: (Character) throws -> Bool) rethrows -> Substring {
        self[(try unicodeScalars.firstIndex { try matches(Character($0)) } ?? startIndex)...]
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func drop(while matches: (Character) throws -> Bool) rethrows -> Substring {
        self[(try unicodeScalars.firstIndex { try matches(Character($0)) } ?? startIndex)...]
    }

    @available(*, deprecated, message: "go by bytes or scalars")
    func dropFirst(_ count: Int = 1) -> Substring { self }

    @available(*, deprecated, message: "go by bytes or scalars")
    func dropLast(_ count: Int = 1) -> Substring { self }

    @available(*, deprecated, message: "go by bytes or scalars")
    func allSatisfy(_ matches: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.allSatisfy { try matches(Character($0)) }
    }
}

extension Sequence<String> {
    @available(*, deprecated, message: "includes(_:), or a Set<ByteString>")
    func contains(_ text: String) -> Bool { false }

    @available(*, deprecated, message: "sortedByBytes")
    func sorted() -> [String] { [] }
}

extension Sequence<Substring> {
    @available(*, deprecated, message: "a Set<ByteString>")
    func contains(_ text: Substring) -> Bool { false }
}

extension Collection<String> {
    @available(*, deprecated, message: "go by ByteString")
    func firstIndex(of text: String) -> Index? { nil }
}

extension Array<String> {
    @available(*, deprecated, message: "go by ByteString")
    static func == (one: [String], other: [String]) -> Bool { false }

    @available(*, deprecated, message: "go by ByteString")
    static func != (one: [String], other: [String]) -> Bool { false }
}

extension Dictionary where Key == String {
    @available(*, deprecated, message: "keys are ByteString")
    subscript(_ key: String) -> Value? {
        get { nil }
        set {}
    }

    @available(*, deprecated, message: "keys are ByteString")
    subscript(_ key: String, default value: @autoclosure () -> Value) -> Value {
        get { value() }
        set {}
    }

    @available(*, deprecated, message: "keys are ByteString")
    init(dictionaryLiteral elements: (String, Value)...) { self.init() }

    @available(*, deprecated, message: "keys are ByteString")
    init(uniqueKeysWithValues elements: some Sequence<(String, Value)>) { self.init() }
}

extension Set<String> {
    @available(*, deprecated, message: "members are ByteString")
    func contains(_ text: String) -> Bool { false }

    @available(*, deprecated, message: "members are ByteString")
    mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: String) {
        (false, text)
    }

    @available(*, deprecated, message: "members are ByteString")
    init(_ texts: some Sequence<String>) { self.init() }
}

extension Hasher {
    @available(*, deprecated, message: "combine a ByteString")
    mutating func combine(_ text: String) {}
}
