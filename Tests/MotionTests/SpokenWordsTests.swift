import EffectInvariants
import Testing

@testable import Motion

@Suite("Words that change as they are said")
struct SpokenWordsTests {
    private let red = Color(red: 255, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)
    private let words = [
        TimedWord(glyphs: 0..<3, start: 1, end: 2), TimedWord(glyphs: 3..<5, start: 2, end: 3),
    ]

    /// "ab cd", of which both words have times.
    private func scene(
        _ style: SpokenStyle, words: [TimedWord]? = nil, isGradient: Bool = false
    ) throws -> Scene {
        var layout = TestGlyphs.layout(["ab cd"])
        layout.blocks[0].changeExtras { $0.words = words ?? self.words }
        for index in layout.glyphs.indices where !layout.glyphs[index].isWhitespace {
            let shape = Ink.Shape(outline: 0, origin: .zero, scale: 1)
            layout.glyphs[index].ink = Ink(
                shape: shape, details: [], bounds: layout.glyphs[index].rect)
        }
        layout.definitions.outlines.append(.box(10, 20, radius: 0, insets: [0]))
        var block = TestGlyphs.block(try Fade())
        if isGradient {
            let gradient = Gradient(
                .linear(.angle(90)),
                stops: [(color: red, percent: nil), (color: blue, percent: nil)])
            block.paint = TextPaint(fill: .gradient(gradient))
        }
        block.time = BlockTime(from: 0, to: 5, spoken: style)
        return try Choreography(blocks: [block], sequence: .timed, exit: .none).scene(
            of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
    }

    private func pose(_ scene: Scene, _ node: Int, _ seconds: Double) -> Pose {
        scene.pose(ofNode: node, at: .instant(Instant(seconds: seconds)))
    }

    @Test("opacity and size have their values before, while, and after a word is said")
    func courses() throws {
        var style = SpokenStyle(nil, scale: 1.5)
        (style.upcomingOpacity, style.pastOpacity) = (0.25, 0.5)
        let scene = try scene(style)
        for (node, start) in [(0, 1.0), (4, 2.0)] {
            #expect(pose(scene, node, start - 0.001).opacity == 0.25)
            #expect(pose(scene, node, start + 0.12).opacity == 1)
            #expect(pose(scene, node, start + 0.999).opacity == 1)
            #expect(pose(scene, node, start + 1.12).opacity == 0.5)
            #expect(pose(scene, node, start + 0.5).scaleX == 1.5)
            #expect(pose(scene, node, start - 0.001).scaleX == 1)
            #expect(pose(scene, node, start + 1.12).scaleX == 1)
        }
        // Half-way up the ramp of 0.12 s.
        let middle = pose(scene, 0, 1.06).opacity
        #expect(middle > 0.6 && middle < 1)
    }

    @Test("a word grows about its middle")
    func growing() throws {
        let scene = try scene(SpokenStyle(nil, scale: 2))
        // "ab" is 20 px wide: the middles of its letters are 5 px from its own.
        #expect(pose(scene, 0, 1.5).offsetX == -5 && pose(scene, 1, 1.5).offsetX == 5)
        #expect(pose(scene, 0, 0.9).offsetX == 0 && pose(scene, 0, 2.2).offsetX == 0)
    }

    @Test("a ramp takes half of a word that is shorter than two")
    func shortWords() throws {
        let scene = try scene(
            SpokenStyle(nil, scale: 2),
            words: [TimedWord(glyphs: 0..<3, start: 1, end: 1.1)])
        #expect(pose(scene, 0, 1.05).scaleX == 2 && pose(scene, 0, 1.1).scaleX == 2)
        #expect(pose(scene, 0, 1.15).scaleX == 1)
        // One that takes no time changes for ticks only.
        let none = try self.scene(
            SpokenStyle(nil, scale: 2), words: [TimedWord(glyphs: 0..<3, start: 1, end: 1)])
        #expect(pose(none, 0, 1.001).scaleX == 1)
    }

    @Test("a colour shows while its word is said, and another one after it")
    func colors() throws {
        let plain = try scene(SpokenStyle(.color, color: red))
        let past = try scene(SpokenStyle(.color, color: red, pastColor: blue))
        func fill(_ scene: Scene, _ seconds: Double) -> ColorMix? {
            scene.tracks(ofNode: 0).fill?.value(at: Instant(seconds: seconds))
        }
        for scene in [plain, past] {
            #expect(fill(scene, 0.9999) == .own && fill(scene, 1) == ColorMix(red))
            #expect(fill(scene, 1.9999) == ColorMix(red))
        }
        #expect(fill(plain, 2) == .own && fill(past, 2) == ColorMix(blue))
        #expect(plain.nodes.allSatisfy { $0.role.name == .glyph })
    }

    @Test("over a gradient other glyphs stand in for those in a colour")
    func gradients() throws {
        let scene = try scene(SpokenStyle(.color, color: red), isGradient: true)
        let overlays = scene.nodes.indices.filter { scene.nodes[$0].role.name == .overlay }
        #expect(overlays.count == 4)
        let overlay = try #require(overlays.first { scene.nodes[$0].role.source == 0 })
        for seconds in [0.5, 0.9999, 1, 1.5, 1.9999, 2, 4] {
            let isSaid = seconds >= 1 && seconds < 2
            #expect(pose(scene, overlay, seconds).opacity == (isSaid ? 1 : 0), "\(seconds)")
            #expect((pose(scene, 0, seconds).opacity == 0) == isSaid, "\(seconds)")
        }
    }

    @Test("a sweep runs from the leading edge, and its two parts meet on a line")
    func sweeps() throws {
        let scene = try scene(SpokenStyle(.sweep, color: red))
        let overlays = scene.nodes.indices.filter {
            scene.nodes[$0].role.name == .overlay && scene.nodes[$0].role.source == 0
        }
        try #require(overlays.count == 2)
        let masks = try overlays.map { scene.masks[try #require(scene.nodes[$0].mask)] }
        for share in [0.0, 0.25, 0.5, 0.75] {
            let instant = Instant(seconds: 1 + share)
            let boxes = masks.compactMap { spans in
                spans.first { $0.start <= instant && instant < $0.end }?.rect(at: instant)
            }
            try #require(boxes.count == 2)
            // "ab" is 20 px wide; what is not covered yet reaches a pixel beneath what is.
            #expect(abs(boxes[1].maxX - 20 * share) < 0.01)
            #expect(abs(boxes[0].x - (20 * share - 1)) < 0.01)
        }
        // The fill stands in for itself only while the sweep passes, and the colour stays.
        #expect(pose(scene, 0, 0.9999).opacity == 1 && pose(scene, 0, 1).opacity == 0)
        #expect(pose(scene, overlays[1], 4).opacity == 1)
    }

    @Test("boxes lie behind the text, one for each word, or one that slides")
    func boxes() throws {
        func boxes(_ motion: SpokenStyle.BoxMotion) throws -> (Scene, [Int]) {
            var style = SpokenStyle(.box)
            (style.box, style.boxMotion) = (.color(blue), motion)
            let scene = try scene(
                style,
                words: [
                    TimedWord(glyphs: 0..<3, start: 1, end: 2),
                    TimedWord(glyphs: 3..<5, start: 3, end: 4),
                ])
            return (scene, scene.nodes.indices.filter { scene.nodes[$0].role.name == .wordBox })
        }
        let (jumping, first) = try boxes(.jump)
        try #require(first.count == 2)
        #expect(
            [0.9, 1, 1.9, 2, 3].map { pose(jumping, first[0], $0).opacity } == [0, 1, 1, 0, 0])
        #expect([2.9, 3, 3.9, 4].map { pose(jumping, first[1], $0).opacity } == [0, 1, 1, 0])
        let (sliding, second) = try boxes(.slide)
        try #require(second.count == 2)
        #expect([0.9, 1, 2.9, 3].map { pose(sliding, second[0], $0).opacity } == [0, 1, 1, 0])
        // From the middle of "ab" to that of "cd" in 0.15 s.
        #expect(abs(pose(sliding, second[1], 3).offsetX + 30) < 0.01)
        #expect(pose(sliding, second[1], 3.15).offsetX == 0)
        let layers = sliding.layers.flatMap { $0.nodes }
        let box = layers.firstIndex(of: second[0])
        let glyph = layers.firstIndex(of: 0)
        #expect(try #require(box) < #require(glyph))
    }

    @Test("words that change nothing leave the tracks as they are")
    func nothing() throws {
        let plain = try scene(SpokenStyle(nil))
        #expect(SpokenStyle(nil).changesNothing)
        #expect(plain.nodes.count == 5)
    }
}
