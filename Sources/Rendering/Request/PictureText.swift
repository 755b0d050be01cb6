import Bytes
import Motion

/// The name of a picture, or `none`.
struct PictureNameGrammar: ParameterGrammar {
    var name: String { "picture" }
    var expectation: String {
        "the name of a picture, of \(PicturesGrammar.nameExpectation), or none"
    }
    var schema: [(String, JSONNode)] {
        [
            ("type", .string("string")), ("format", .string(name)),
            ("pattern", .string(PicturesGrammar.namePattern)),
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        guard let text = raw.characters, PicturesGrammar.isName(text) else { throw mismatch(raw) }
        return .string(ByteString(text))
    }

    /// Other names go with certain requests only.
    func sample(using generator: inout some RandomNumberGenerator) -> RawValue { .string("none") }
}

/// Pictures that texts may have: an object with a PNG or WebP file in Base64 for each name.
struct PicturesGrammar: ParameterGrammar {
    private static let count = 1...16
    /// The most bytes of all files together.
    private static let mostBytes = 40_960
    /// The most pixels of a picture.
    private static let mostPixels = 1 << 22
    private static let longestName = 32

    static var namePattern: String { "^[a-z0-9-]{1,\(longestName)}$" }
    static var nameExpectation: String {
        "1 to \(longestName) lower-case letters, digits and hyphens"
    }

    var name: String { "pictures" }
    var expectation: String {
        "an object of \(Self.count.lowerBound) to \(Self.count.upperBound) names, each with a PNG "
            + "or WebP file in Base64"
    }

    var schema: [(String, JSONNode)] {
        [
            ("type", .string("object")), ("minProperties", .number(Double(Self.count.lowerBound))),
            ("maxProperties", .number(Double(Self.count.upperBound))),
            ("propertyNames", ["pattern": .string(Self.namePattern)]),
            (
                "additionalProperties",
                [
                    "type": "string", "format": "image", "contentEncoding": "base64",
                ]
            ),
        ]
    }

    /// Returns true for lower-case letters, digits and hyphens.
    static func isName(_ name: String) -> Bool {
        (1...longestName).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                $0.isASCIISmallLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
            }
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        let value = try raw.parsed()
        guard case .object(let members) = value, Self.count.contains(members.count) else {
            let got =
                if case .object(let members) = value { "\(members.count)" } else {
                    value.description
                }
            throw ValueFault("must be \(expectation); got \(got)")
        }
        var pictures: [TextPicture] = []
        var faults: [ValueFault.Part] = []
        var bytes = 0
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            do {
                let file = try Self.file(named: name.text, value)
                bytes += file.count
                guard bytes <= Self.mostBytes else { break }
                pictures.append(try Self.picture(in: file, named: name))
            } catch {
                faults += error.parts.map {
                    ValueFault.Part(
                        place: ".\(name.text.shortened(to: 60))\($0.place)", message: $0.message)
                }
            }
        }
        guard bytes <= Self.mostBytes else {
            throw ValueFault("must have at most \(Self.mostBytes) bytes of files together")
        }
        guard faults.isEmpty else { throw ValueFault(parts: faults) }
        return .pictures(pictures)
    }

    private static func picture(
        in file: [UInt8], named name: ByteString
    ) throws(ValueFault) -> TextPicture {
        let picture = try PictureReader.picture(in: file, named: name)
        guard picture.width * picture.height <= mostPixels else {
            throw ValueFault(
                "must have at most \(mostPixels) pixels; got \(picture.width) × \(picture.height)")
        }
        return picture
    }

    private static func file(named name: String, _ raw: RawValue) throws(ValueFault) -> [UInt8] {
        guard isName(name) else {
            throw ValueFault("must have a name of \(nameExpectation)")
        }
        guard case .string(let text) = raw else {
            throw ValueFault("must be a string; got \(raw.description)")
        }
        var digits = text[...]
        while digits.ends(with: "="), text.utf8.count - digits.utf8.count < 2 {
            digits = digits.dropping(last: 1)
        }
        guard let file = Base64.standard.decoded(digits) else {
            throw ValueFault("must be Base64 (RFC 4648, section 4)")
        }
        return file
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        let names = ["a", "logo", "x-1"].shuffled(using: &generator)
        let count = Int.random(in: 1...names.count, using: &generator)
        return .object(
            Dictionary(
                uniqueKeysWithValues: names.prefix(count).map { name in
                    (ByteString(name), .string(Self.samples.randomElement(using: &generator) ?? ""))
                }))
    }

    /// A red pixel, and two by one of grey with alpha.
    private static let samples = [
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQ"
            + "D3A0FDAAAAAElFTkSuQmCC",
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR42mNo+O/QAAAGAg"
            + "JAoZV1iQAAAABJRU5ErkJggg==",
    ]
}

extension TextPicture {
    /// The file as requests write it.
    var base64: String {
        String(decoding: Base64.standard.encoded(file), as: UTF8.self)
    }
}
