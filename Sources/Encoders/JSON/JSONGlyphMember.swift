import Bytes
import Motion

/// A member of a glyph in the JSON rendering (docs/api.md, *The JSON rendering*).
package struct JSONGlyphMember: Sendable {
    /// The values of a member.
    package enum Values: Sendable {
        case integer, number, text, flag
        case choice([String])
        /// A part of a text, in UTF-16 code units.
        case range
        /// Objects with a schema of their own, which has this name.
        case object(String)
        /// Arrays of such objects.
        case objects(String)
    }

    package let name: String
    package let values: Values
    /// One sentence about it.
    package let summary: String
    /// True if some glyphs do not have it.
    package let isOptional: Bool

    /// All members, in the order in which they are written.
    package static let all: [JSONGlyphMember] = {
        var list = JSONGlyphMemberList()
        list.members()
        return list.all
    }()
}

/// The table of a glyph's members: a call for each, in the order in which they are written, with
/// the name, the values, a sentence for the schema, and how it is written.
///
/// The writer of glyphs conforms, and the list of which the schema is made.
protocol JSONGlyphMembers: ~Copyable {
    typealias Values = JSONGlyphMember.Values

    /// A member that all glyphs have.
    mutating func member(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, write: (inout JSONSceneWriter) -> Void)

    /// A member that glyphs have for which there is a value.
    mutating func member<Value>(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, if value: (borrowing JSONSceneWriter) -> Value?,
        write: (inout JSONSceneWriter, Value) -> Void)

    /// The members with tracks, which have a table of their own: all properties but the opacity.
    mutating func otherTracks()
}

extension JSONGlyphMembers where Self: ~Copyable {
    @inline(__always)
    mutating func members() {
        identity()
        paint()
        place()
        ink()
        tracks()
    }

    private mutating func identity() {
        member("index", .integer, "Its place.") { $0.sink.append($0.index) }
        member("block", .integer, "The index of its block.") {
            $0.sink.append($0.nodes[$0.index].glyph.block)
        }
        member("line", .integer, "The index of its line in the block.") {
            $0.sink.append($0.nodes[$0.index].glyph.line)
        }
        member("word", .integer, "The index of its word in the block.") {
            $0.sink.append($0.nodes[$0.index].glyph.word)
        }
        member("role", .choice(SceneNode.Role.Name.allCases.map(\.rawValue)), "Its kind.") {
            $0.write(word: $0.kind.rawValue)
        }
        member("text", .text, "Its characters.") {
            $0.sink.append(jsonString: $0.nodes[$0.index].glyph.text)
        }
        member(
            "range", .range, "Its place in the block's text.",
            if: { $0.range }, write: { $0.write($1) })
        member(
            "glyph", .integer,
            "The glyph that a part, an overlay, a decoy, a slice, or a copy belongs to.",
            if: { $0.target }, write: { $0.sink.append($1) })
        member(
            "mark", .choice(MarkStyle.Kind.allCases.map(\.rawValue)), "The kind of a mark.",
            if: { $0.mark?.kind.rawValue }, write: { $0.write(word: $1) })
        member(
            "layer", .choice(MarkStyle.Layer.allCases.map(\.rawValue)),
            "The layer of a mark, if not that of its kind.",
            if: { $0.mark?.otherLayer?.rawValue }, write: { $0.write(word: $1) })
        member(
            "cap", .choice(["butt", "round"]), "The ends of a mark's line.",
            if: { $0.mark.map { $0.line.cap == .round ? "round" : "butt" } },
            write: { $0.write(word: $1) })
        member(
            "scheme", .choice(["light", "dark"]),
            "The only colour scheme in which a card or a bar is shown.",
            if: { $0.scheme }, write: { $0.write(word: $1) })
        member("whitespace", .flag, "True if it is a space.") {
            $0.sink.append($0.nodes[$0.index].glyph.isWhitespace ? "true" : "false")
        }
    }

    private mutating func paint() {
        member("color", .text, "A colour or a gradient.") {
            $0.write(word: $0.nodes[$0.index].glyph.paint.text)
        }
        member(
            "gradientRect", .object("Rect"), "The box that its gradient fills.",
            if: { $0.gradient?.box }, write: { $0.write($1) })
        member(
            "gradient", .integer, "An index into gradients.",
            if: { $0.gradient }, write: { $0.sink.append($0.drawing.number(of: $1)) })
        member(
            "darkGradient", .integer, "An index into gradients.",
            if: { $0.darkGradient }, write: { $0.sink.append($0.drawing.number(of: $1)) })
        member(
            "darkColor", .text, "The colour where the viewer prefers dark.",
            if: { $0.darkPaint?.text }, write: { $0.write(word: $1) })
    }

    private mutating func place() {
        member("rect", .object("Rect"), "Its box at rest.") {
            $0.write($0.moved($0.nodes[$0.index].glyph.rect))
        }
        member("baseline", .number, "The baseline's y.") {
            $0.sink.append($0.nodes[$0.index].glyph.baseline + $0.shift.y, decimals: 4)
        }
        member(
            "turn", .number, "Degrees clockwise, by which its place on a path turns it.",
            if: { $0.turn }, write: { $0.sink.append($1, decimals: 3) })
    }

    private mutating func ink() {
        member(
            "outline", .integer, "An index into outlines.",
            if: { $0.shape }, write: { $0.sink.append($0.drawing.number(of: $1)) })
        member(
            "penX", .number, "The place of the outline's origin.",
            if: { $0.shape?.origin.x }, write: { $0.sink.append($1 + $0.shift.x, decimals: 4) })
        member(
            "penY", .number, "The place of the outline's origin.",
            if: { $0.shape?.origin.y }, write: { $0.sink.append($1 + $0.shift.y, decimals: 4) })
        member(
            "unit", .number, "CSS pixels in one font unit.",
            if: { $0.shape?.scale }, write: { $0.sink.append($1, decimals: 9) })
        member(
            "lines", .objects("Rect"), "Underlines and strikethroughs.",
            if: { $0.lines }, write: { $0.write($1) })
        member(
            "images", .objects("PlacedImage"), "Pictures over the outline.",
            if: { $0.pictures }, write: { $0.write($1) })
        member(
            "join", .integer,
            "The number of the glyphs with which it is blended once while they are translucent.",
            if: { $0.join }, write: { $0.sink.append($1) })
    }

    private mutating func tracks() {
        member("opacity", .objects("Keyframe"), Property.opacity.trackSummary) {
            $0.write($0.scene.tracks[$0.track].opacity)
        }
        otherTracks()
        member(
            "fill", .objects("ColorKeyframe"), "A colour instead of color.",
            if: { $0.scene.tracks[$0.track].fill },
            write: { $0.write($1, own: $0.nodes[$0.index].glyph.color) })
        member(
            "clip", .objects("Clip"), "Boxes outside which it is not drawn.",
            if: { $0.mask }, write: { $0.write($1, movedBy: $0.shift) })
    }
}

/// The members as a list.
private struct JSONGlyphMemberList: JSONGlyphMembers {
    private(set) var all: [JSONGlyphMember] = []

    mutating func member(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, write: (inout JSONSceneWriter) -> Void
    ) {
        add(name, values(), summary(), isOptional: false)
    }

    mutating func member<Value>(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, if value: (borrowing JSONSceneWriter) -> Value?,
        write: (inout JSONSceneWriter, Value) -> Void
    ) {
        add(name, values(), summary(), isOptional: true)
    }

    mutating func otherTracks() {
        for property in Property.allCases where property != .opacity {
            add(property.name, .objects("Keyframe"), property.trackSummary, isOptional: true)
        }
    }

    private mutating func add(
        _ name: StaticString, _ values: Values, _ summary: String, isOptional: Bool
    ) {
        all.append(
            JSONGlyphMember(
                name: "\(name)", values: values, summary: summary, isOptional: isOptional))
    }
}

extension Property {
    /// One sentence about its track.
    fileprivate var trackSummary: String {
        let unit = unit.map { " In \($0.plural)." } ?? ""
        return "\(identity) if there are none.\(unit)"
    }
}

extension SceneMark {
    /// The layer, if it is not that of its kind.
    fileprivate var otherLayer: MarkStyle.Layer? {
        if isBehind == kind.isBehind { nil } else { isBehind ? .behind : .front }
    }
}
