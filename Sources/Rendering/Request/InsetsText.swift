import Bytes
import Motion

/// Distances from the four sides: a number for all, or a text of one to four numbers in the order of
/// CSS's `inset` (CSS Logical Properties 1): top, right, bottom, left.
///
/// A side that is left out has the number of the side across, or of the top.
struct InsetsGrammar: ParameterGrammar {
    private let number: NumberGrammar

    /// The parts of a unit to which distances are rounded.
    private static let parts = 1000.0

    init(_ range: ClosedRange<Double>, _ unit: Parameter.Unit?) {
        number = NumberGrammar(range, unit)
    }

    var name: String { "insets" }
    var expectation: String {
        "a number \(number.expectation), or one to four such numbers with spaces between them: "
            + "top, right, bottom, left"
    }
    var schema: [(String, JSONNode)] {
        let one = "[0-9]*\\.?[0-9]+"
        return [
            (
                "anyOf",
                [
                    [
                        "type": "string", "format": .string(name), "maxLength": 100,
                        "pattern": .string("^\(one)( +\(one)){0,3}$"),
                    ],
                    .object(number.schema),
                ]
            )
        ]
    }

    func value(of raw: RawValue) throws(ValueFault) -> ParameterValue {
        if case .number = raw {
            return .insets(Margins(all: try side(raw)))
        }
        guard let text = raw.characters, text.utf8.count <= 100 else { throw mismatch(raw) }
        let words = text.cssWords
        guard (1...4).contains(words.count) else { throw mismatch(raw) }
        var sides: [Double] = []
        for word in words { sides.append(try side(.text(String(word)))) }
        let (top, right) = (sides[0], sides.count > 1 ? sides[1] : sides[0])
        return .insets(
            Margins(
                left: sides.count > 3 ? sides[3] : right, top: top, right: right,
                bottom: sides.count > 2 ? sides[2] : top))
    }

    private func side(_ raw: RawValue) throws(ValueFault) -> Double {
        guard case .number(let side) = try number.value(of: raw) else { throw mismatch(raw) }
        return (side * Self.parts).rounded() / Self.parts
    }

    func sample(using generator: inout some RandomNumberGenerator) -> RawValue {
        guard case .number(let one) = number.sample(using: &generator),
            Bool.random(using: &generator)
        else { return number.sample(using: &generator) }
        return .string("\(NumberText.of(one)) 0")
    }
}

extension Margins {
    /// The distances as canonical requests write them: with as few numbers as say it.
    var node: JSONNode {
        if left == right, top == bottom, left == top { return .number(top) }
        var sides = [top, right, bottom, left]
        if left == right {
            sides.removeLast()
            if top == bottom { sides.removeLast() }
        }
        return .string(sides.map(NumberText.of).joined(separator: " "))
    }
}
