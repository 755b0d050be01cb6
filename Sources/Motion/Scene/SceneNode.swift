/// The smallest element of a scene that is drawn and moves on its own.
package struct SceneNode: Sendable {
    /// What it draws: its label in JSON. What follows from it for all formats is said by the node's
    /// own properties, so that they draw all nodes alike.
    package struct Role: Equatable, Sendable {
        package enum Name: String, CaseIterable, Sendable {
            /// A glyph of the text.
            case glyph
            /// A part of a glyph, in another paint, which moves with the glyph.
            case part
            /// A glyph once more over itself, in another colour.
            case overlay
            /// A character that stands for a while in the place of a glyph.
            case decoy
            case cursor
            /// A digit of the number beside a line.
            case lineNumber = "line-number"
            /// A dot, or a glyph of the title, in the bar above the text.
            case titleBar = "title-bar"
            /// A glyph, or a part of it, once more in front of it or beside it.
            case slice
            /// A glyph once more behind the text, in another colour.
            case copy
            /// The box behind a word that is being said.
            case wordBox = "word-box"
            /// A stroke of a mark.
            case mark
            /// The picture behind everything, or the black over it.
            case backdrop
            /// A part of a card that moves, or covers less than the canvas.
            case card
            /// The bar beside the text.
            case bar
        }

        package let name: Name
        /// The index of its glyph, or of its mark.
        private let index: Int?
        /// The colour schemes under which it is shown.
        package let scheme: SceneLayer.Scheme

        private init(_ name: Name, _ index: Int? = nil, under scheme: SceneLayer.Scheme = .any) {
            self.name = name
            self.index = index
            self.scheme = scheme
        }

        /// The index of the glyph for which it stands, or which it draws once more; nil for none.
        package var source: Int? { name == .mark ? nil : index }
        /// The index in `Scene.marks` of the mark of which it is a stroke; nil for none.
        package var mark: Int? { name == .mark ? index : nil }

        package static let glyph = Role(.glyph)
        package static let cursor = Role(.cursor)
        package static let lineNumber = Role(.lineNumber)
        package static let titleBar = Role(.titleBar)
        package static let backdrop = Role(.backdrop)
        package static let wordBox = Role(.wordBox)

        package static func decoy(of glyph: Int) -> Role { Role(.decoy, glyph) }
        package static func part(of glyph: Int) -> Role { Role(.part, glyph) }
        package static func overlay(of glyph: Int) -> Role { Role(.overlay, glyph) }
        package static func slice(of glyph: Int) -> Role { Role(.slice, glyph) }
        package static func copy(of glyph: Int) -> Role { Role(.copy, glyph) }
        package static func mark(_ number: Int) -> Role { Role(.mark, number) }
        package static func card(_ scheme: SceneLayer.Scheme) -> Role { Role(.card, under: scheme) }
        package static func bar(_ scheme: SceneLayer.Scheme) -> Role { Role(.bar, under: scheme) }
    }

    /// Its ink, box, and paint at rest, and the characters that it stands for.
    package var glyph: Glyph
    package private(set) var role = Role.glyph
    /// The index in `Scene.tracks` of its motion.
    package var track: Int
    /// The index in `Scene.tracks` of the motion of its outline.
    package var outlineTrack: Int
    /// The index in `Scene.tracks` of the motion of its shadows.
    package var shadowTrack: Int
    /// The index in `Scene.masks` of the mask of its ink and outline; nil for none.
    package var mask: Int?
    /// The number of its overlay among those of words that are said: glyphs of different ones are
    /// never blended as one. 0 for all other nodes.
    package var overlayNumber = 0
    /// True if the finished text shows it.
    package var isFinished: Bool
    /// True if it stands for a while in the place of its source, about whose centre it moves.
    package private(set) var standsIn = false
    /// True if it draws its source once more.
    package private(set) var repeatsSource = false
    /// True if it lies behind the text, in a colour that is not its source's.
    package private(set) var isShade = false
    /// True if its outline is an open line, along which a pen draws it.
    package private(set) var isStroke = false
    /// True if it has the first colour of a gradient instead of its share of it.
    package private(set) var hasOneColor = false

    package init(
        _ glyph: Glyph, as role: Role = .glyph, track: Int, isFinished: Bool
    ) {
        self.glyph = glyph
        self.track = track
        outlineTrack = track
        shadowTrack = track
        self.isFinished = isFinished
        become(role)
    }

    /// Gives it another role.
    package mutating func become(_ role: Role) {
        self.role = role
        standsIn = role.name == .decoy
        repeatsSource = role.name == .slice || role.name == .copy
        isShade = role.name == .copy || role.name == .wordBox
        isStroke = role.name == .mark
        hasOneColor = role.name == .cursor
    }

    /// True if it is a shape behind the text: a part of a card, the bar, or the box of a word.
    package var isShape: Bool { [.card, .bar, .wordBox].contains(role.name) }

    /// True if it is a glyph of the text, and no other node in its place or over it.
    package var isGlyph: Bool { role.name == .glyph }

    /// The index of the glyph over which it lies in another colour; nil for all other nodes.
    package var covered: Int? { role.name == .overlay ? role.source : nil }

    /// Gives all of its parts one motion, by its index in `Scene.tracks`.
    mutating func setTrack(_ track: Int) {
        self.track = track
        outlineTrack = track
        shadowTrack = track
    }
}

/// A line drawn by hand under, through, or around words.
package struct SceneMark: Sendable {
    package var kind: MarkStyle.Kind
    /// True if it lies behind all text, false if in front of it.
    package var isBehind: Bool
    package var line: LineStyle

    package init(_ kind: MarkStyle.Kind, isBehind: Bool, line: LineStyle) {
        self.kind = kind
        self.isBehind = isBehind
        self.line = line
    }
}
