import Bytes
import Motion

/// The reader of the objects in an operator's own file, which gathers all their faults.
struct OwnFileReader {
    /// The parameter of each is its place in the file, empty for the whole.
    private(set) var faults: [ParameterFault] = []

    private static let nameLengths = 1...40

    mutating func fault(_ place: String, _ message: String) {
        faults.append(ParameterFault(parameter: place, message: message))
    }

    /// Returns the value of a member; nil if it is left out, or wrong, which is a fault.
    mutating func value(
        _ parameter: Parameter, in members: [ByteString: RawValue], at place: String = ""
    ) -> ParameterValue? {
        guard let raw = members[parameter.key] else { return nil }
        do {
            return try parameter.value(of: raw)
        } catch {
            for part in error.parts { fault(place + parameter.name + part.place, part.message) }
            return nil
        }
    }

    /// Returns the name in the member `name`.
    ///
    /// - Parameters:
    ///   - members: The members of the object.
    ///   - place: The place of the object, with a full stop at its end.
    ///   - isTaken: Returns true for a name that Titlecard has itself.
    /// - Returns: Lower-case letters, digits and hyphens; nil where the member is wrong, a fault.
    mutating func name(
        in members: [ByteString: RawValue], at place: String = "", isTaken: (String) -> Bool
    ) -> String? {
        let lengths = Self.nameLengths
        guard let raw = members["name"] else {
            fault(place + "name", "is required")
            return nil
        }
        guard let name = raw.characters, lengths.contains(name.utf8.count),
            name.utf8.first?.isASCIISmallLetter == true,
            name.utf8.allSatisfy({
                $0.isASCIISmallLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
            })
        else {
            fault(
                place + "name",
                "must be \(lengths.lowerBound) to \(lengths.upperBound) lower-case "
                    + "letters, digits and hyphens, the first a letter; got \(raw.description)")
            return nil
        }
        guard !isTaken(name) else {
            fault(place + "name", "must not be one of Titlecard's own; got \"\(name)\"")
            return nil
        }
        return name
    }

    mutating func noteUnknownNames(
        in members: [ByteString: RawValue], among names: [String], at place: String = ""
    ) {
        for name in members.keys.sorted() where !names.includes(name.text) {
            fault(place + name.text, Suggestion.unknown(name.text, among: names))
        }
    }
}
