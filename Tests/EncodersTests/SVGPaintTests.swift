import Motion
import Testing

@testable import Encoders

@Suite struct SVGPaintTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    private static func gradient(_ angle: Double) -> Paint {
        .gradient(Gradient(.linear(.angle(angle)), stops: [(red, nil), (blue, nil)]))
    }

    private static func shadow(blurRadius: Double, alpha: UInt8 = 255) -> Shadow {
        Shadow(
            offsetX: 3, offsetY: 4, blurRadius: blurRadius,
            color: Color(red: 0, green: 0, blue: 0, alpha: alpha))
    }

    private static let outline = LineStyle(width: 2, color: blue)

    /// Returns the document of a scene whose only block has this paint.
    private func text(
        _ change: (inout TextPaint) -> Void, scene changeScene: (inout Scene) -> Void = { _ in }
    ) throws -> String {
        var scene = SampleScene.scene()
        change(&scene.blocks[0].paint)
        for index in scene.nodes.indices {
            scene.nodes[index].glyph.paint = scene.blocks[0].paint.fill
        }
        changeScene(&scene)
        return String(decoding: try SVGFormat().encode(scene, .sample), as: UTF8.self)
    }

    /// Returns the opening tags of the groups that stand in the document itself, in order.
    private func groups(_ document: String) -> [Substring] {
        document.parts("<g transform=\"translate(").dropFirst().compactMap {
            $0.parts(">").first
        }
    }

    // MARK: Gradients

    @Test("a gradient that runs straight down is one for a line, and on its group")
    func down() throws {
        let document = try text { $0.fill = Self.gradient(180) }
        #expect(document.count(of: "<linearGradient") == 1)
        #expect(document.count(of: " fill=") == 1)
        #expect(groups(document)[0].contains("fill=\"url(#"))
        #expect(document.contains("gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"-1000\""))
    }

    @Test("any other gradient has its stops once, and a position for each glyph")
    func across() throws {
        let document = try text { $0.fill = Self.gradient(90) }
        #expect(document.count(of: "<stop") == 2)
        #expect(document.contains("A\" gradientTransform=\"translate(-1000)\"/>"))
        // The underline is drawn where the group's first glyph is.
        #expect(document.count(of: "fill=\"url(#") == 2)
    }

    @Test("glyphs whose boxes lie the same have one gradient")
    func ofGlyphs() throws {
        let document = try text {
            $0.fill = Self.gradient(90)
            $0.gradientBox = .glyph
        }
        // The second is the underline's, which begins at the line's start.
        #expect(document.count(of: "<linearGradient") == 2)
    }

    @Test("a box without extent shows the last colour")
    func withoutExtent() throws {
        let document = try text({ $0.fill = Self.gradient(90) }) {
            $0.blocks[0].layout.rect.width = 0
        }
        #expect(!document.contains("<linearGradient") && document.contains("fill=\"#0000ff\""))
    }

    @Test("a transparent stop is mixed as if premultiplied")
    func alpha() throws {
        let document = try text {
            $0.fill = .gradient(
                Gradient(.linear(.angle(180)), stops: [(Self.red, nil), (.transparent, nil)]))
        }
        #expect(document.contains("offset=\"1\" stop-color=\"#ff0000\" stop-opacity=\"0\""))
    }

    @Test("the line along contours has the gradient too")
    func pen() throws {
        let document = try text({ $0.fill = Self.gradient(180) }) {
            $0.tracks[0][.strokeWidth] = Track(keyframes: [Self.keyframe(0, 0.6)])
            $0.tracks[0][.strokeOpacity] = Track(keyframes: [
                Self.keyframe(2000, 1), Self.keyframe(4000, 0),
            ])
        }
        #expect(document.contains("stroke=\"url(#") && !document.contains("currentColor"))
        #expect(document.contains("stroke-dasharray=\"1 9\""))
    }

    private static func keyframe(_ ticks: Int, _ value: Double) -> Keyframe<Instant, Double> {
        Keyframe(Instant(ticks: ticks), value: value, easing: .linear)
    }

    // MARK: Layers

    @Test("shadows lie beneath the outline, the first on top, and all beneath the fills")
    func order() throws {
        let document = try text {
            $0.outline = Self.outline
            $0.shadows = [Self.shadow(blurRadius: 4), Self.shadow(blurRadius: 0)]
        }
        let groups = groups(document)
        #expect(groups.count == 4)
        #expect(!groups[0].contains("class=") && groups[1].contains("class=\""))
        #expect(groups[2].contains("fill=\"none\" stroke=\"#0000ff\" stroke-width=\"100\""))
        #expect(groups[3].contains("fill=\"#24292f\"") && !groups[3].contains("stroke"))
        #expect(!document.contains("paint-order"))
    }

    @Test("all layers of a glyph move as one, with the keyframes of one")
    func motion() throws {
        let plain = try text { _ in }
        let document = try text { $0.outline = Self.outline }
        #expect(document.count(of: "@keyframes") == plain.count(of: "@keyframes"))
        #expect(document.count(of: "animation-delay") == 2 * plain.count(of: "animation-delay"))
    }

    @Test("a shadow is a copy of its glyphs that is moved, without a filter where it has no blur")
    func hardShadow() throws {
        let document = try text { $0.shadows = [Self.shadow(blurRadius: 0, alpha: 51)] }
        // The glyph with an underline has parts that may overlap.
        #expect(document.contains(">*{filter:opacity(.2)}"))
        let one = try text({ $0.shadows = [Self.shadow(blurRadius: 0, alpha: 51)] }) {
            $0.nodes[1].glyph.ink?.details = []
        }
        #expect(!one.contains("filter") && one.contains("fill-opacity=\".2\""))
        #expect(groups(one)[0].hasPrefix("19 40)scale(.02)\""))
    }

    @Test("a blur is stated once, in the units of its glyphs")
    func blurredShadow() throws {
        let document = try text { $0.shadows = [Self.shadow(blurRadius: 4)] }
        #expect(document.count(of: "{filter:blur(100px)}") == 1)
        #expect(document.count(of: "{filter:url(#") == 1)
        #expect(document.count(of: "<filter ") == 1 && document.contains("stdDeviation=\"100\""))
    }

    @Test("the alpha of a shadow counts once where fill and outline overlap")
    func flattened() throws {
        let document = try text {
            $0.outline = Self.outline
            $0.shadows = [Self.shadow(blurRadius: 4, alpha: 51)]
        }
        #expect(document.contains("{filter:blur(100px) opacity(.2)}"))
        #expect(document.contains("<feFuncA type=\"linear\" slope=\".2\"/>"))
        #expect(groups(document)[0].contains("fill=\"#000000\" stroke=\"#000000\""))
        #expect(!document.contains("fill-opacity") && !document.contains("stroke-opacity"))
    }

    @Test("what an effect blurs is around what is blurred for a shadow")
    func nested() throws {
        let document = try text({ $0.shadows = [Self.shadow(blurRadius: 4)] }) {
            $0.tracks[0][.blur] = Track(keyframes: [
                Self.keyframe(0, 4), Self.keyframe(5000, 0),
            ])
        }
        #expect(document.contains(">*>*{filter:blur(100px)}"))
        #expect(document.contains("><use href"))
    }

    @Test("an offset turns with its glyph")
    func pivot() throws {
        let document = try text({ $0.shadows = [Self.shadow(blurRadius: 0)] }) {
            $0.tracks[0][.rotation] = Track(keyframes: [
                Self.keyframe(0, 90), Self.keyframe(5000, 0),
            ])
        }
        let groups = groups(document)
        #expect(groups[0].parts("\"").first == groups[3].parts("\"").first)
        #expect(document.contains(" x=\"150\" y=\"200\""))
    }

    @Test("a picture casts a shadow of one colour, and has no outline")
    func pictures() throws {
        let document = try text({
            $0.outline = Self.outline
            $0.shadows = [Self.shadow(blurRadius: 4)]
        }) {
            let rect = $0.nodes[1].glyph.rect
            $0.definitions.bitmaps = [Bitmap(font: 0, glyph: 0, width: 1, height: 1, source: [0])]
            $0.nodes[1].glyph.ink = Ink(
                shape: nil, details: [.picture(Ink.Picture(bitmap: 0, rect: rect))], bounds: rect)
        }
        #expect(document.count(of: "<feColorMatrix") == 1 && document.count(of: "filter=") == 1)
        // In the shadow and in the fill.
        #expect(document.count(of: "p0\" transform=") == 2)
    }

    // MARK: Colour schemes

    @Test("shadows of a dark scheme are hidden without it")
    func darkShadows() throws {
        let document = try text {
            $0.shadows = [Self.shadow(blurRadius: 0)]
            $0.darkShadows = [Self.shadow(blurRadius: 2)]
        }
        let groups = groups(document)
        #expect(groups[0].contains("l\"") && !groups[0].contains("display"))
        #expect(groups[1].contains("n\" display=\"none\""))
        #expect(document.contains("l{display:none}") && document.contains("n{display:inline}"))
    }

    @Test("a fill that is a gradient in one scheme only is drawn for each")
    func darkGradient() throws {
        let document = try text { $0.darkFill = Self.gradient(180) }
        let groups = groups(document)
        #expect(groups.count == 2 && groups[0].contains("fill=\"#24292f\""))
        #expect(groups[1].contains("fill=\"url(#") && groups[1].contains("display=\"none\""))
    }

    @Test("an outline has another colour in the dark")
    func darkOutline() throws {
        let document = try text {
            $0.outline = LineStyle(width: 2, color: Self.blue, darkColor: Self.red)
        }
        #expect(document.contains("o0{stroke:#ff0000;stroke-opacity:1}"))
    }

    // MARK: Cards

    private func text(_ card: Card) throws -> String {
        try text({ _ in }) { $0.appearance.card = card }
    }

    @Test("a card has round corners, and a border within its edge")
    func card() throws {
        let document = try text(
            Card(
                background: Self.gradient(180), cornerRadius: 100,
                border: LineStyle(width: 6, color: Self.red, darkColor: Self.blue)))
        #expect(document.contains("<rect width=\"100%\" height=\"100%\" rx=\"28\" fill=\"url(#"))
        #expect(document.contains("y1=\"0\" x2=\"0\" y2=\"56\""))
        #expect(document.contains("d=\"M28 0h16a28 28 0 0 1 28 28v0"))
        #expect(document.contains("zM28 6h16a22 22 0 0 1 22 22v0"))
        #expect(document.contains("e{fill:#0000ff;fill-opacity:1}"))
    }

    @Test("a border that is wider than the corner is round has a square inner edge")
    func wideBorder() throws {
        let document = try text(
            Card(
                background: .color(Self.blue), cornerRadius: 3,
                border: LineStyle(width: 10, color: Self.red)))
        #expect(document.contains("zM10 10h52v36h-52v-36z\""))
    }

    @Test("a background that is a gradient in one scheme only is drawn for each")
    func darkCard() throws {
        let document = try text(
            Card(background: .color(Self.blue), darkBackground: Self.gradient(90)))
        #expect(document.count(of: "<rect") == 2 && document.contains("n{display:inline}"))
        #expect(!document.contains("b{fill:"))
    }
}

extension String {
    func parts(_ separator: String) -> [Substring] {
        self[...].parts(separator)
    }

    /// The number of times that a text occurs.
    func count(of text: String) -> Int { parts(text).count - 1 }
}

extension Substring {
    func parts(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
