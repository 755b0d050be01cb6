import FoundationEssentials
import Motion
import Testing

@testable import Encoders

@Suite struct LottieFormatTests {
    /// The properties of a file that the tests read.
    private struct File: Decodable {
        struct Layer: Decodable {
            let ty: Int
            let refId: String?
            let shapes: [Shape]?
            let ks: Transform
            let hasMask: Bool?
            let td: Int?
            let tt: Int?
            let ip: Double
            let op: Double
        }
        struct Transform: Decodable {
            let o: Property?
            let a: Property?
            let p: Property?
        }
        struct Shape: Decodable {
            let ty: String
            let o: Property?
            let it: [Shape]?
            /// The end of a trim path or of a gradient.
            let e: Property?
            /// The start of a gradient, or the size of a rectangle.
            let s: Property?
            let c: Property?
            let w: Property?
            let g: Stops?
            let r: Radius?
        }
        struct Stops: Decodable {
            let p: Int
            let k: Property
        }
        /// The radius of a rectangle, or the rule of a fill.
        enum Radius: Decodable, Equatable {
            case radius([Double])
            case rule(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let rule = try? container.decode(Int.self) {
                    self = .rule(rule)
                } else {
                    self = .radius(try container.decode(Property.self).value)
                }
            }
        }
        struct Keyframe: Decodable {
            let t: Double
            let s: [Double]
            let h: Int?
        }
        struct Property: Decodable {
            let a: Int
            let keyframes: [Keyframe]?
            /// The numbers of one that does not change.
            let value: [Double]

            enum Keys: String, CodingKey { case a, k }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Keys.self)
                // A position of two properties has neither.
                a = try values.decodeIfPresent(Int.self, forKey: .a) ?? 1
                keyframes = try? values.decode([Keyframe].self, forKey: .k)
                let number = (try? values.decode(Double.self, forKey: .k)).map { [$0] }
                value = number ?? (try? values.decode([Double].self, forKey: .k)) ?? []
            }
        }
        struct Asset: Decodable {
            let id: String
            let layers: [Layer]?
            let p: String?
        }
        struct Marker: Decodable, Equatable {
            let tm: Double
            let cm: String
            let dr: Double
        }

        let nm: String
        let fr: Double
        let ip: Double
        let op: Double
        let w: Int
        let h: Int
        let markers: [Marker]
        let assets: [Asset]
        let layers: [Layer]
    }

    private func bytes(_ scene: Scene) throws -> [UInt8] {
        try LottieFormat().encode(scene, .sample)
    }

    private func file(_ scene: Scene) throws -> File {
        try JSONDecoder().decode(File.self, from: Data(try bytes(scene)))
    }

    private func jump(at instants: Int...) -> Track<Double> {
        Track(
            keyframes: instants.enumerated().map { index, ticks in
                Keyframe(
                    Instant(ticks: ticks), value: Double(index % 2),
                    easing: index == instants.count - 1 ? .linear : .hold)
            })
    }

    @Test("the Lottie of a scene is as it was recorded")
    func recorded() throws {
        try Snapshot.expect(
            String(decoding: bytes(SampleScene.scene()), as: UTF8.self), "scene.lot")
    }

    @Test("a file holds one cycle in hundredths of a second, and names what it is about")
    func head() throws {
        let file = try file(SampleScene.scene())
        #expect((file.fr, file.ip, file.op) == (100, 0, 153))
        #expect((file.w, file.h, file.nm) == (72, 56, "△ & △"))
        #expect(file.markers == [File.Marker(tm: 0, cm: "block 0 enter", dr: 53)])
    }

    /// The sample with glyphs that jump instead of fading.
    private func jumping() -> Scene {
        var scene = SampleScene.scene()
        scene.tracks = [
            GlyphTracks(opacity: jump(at: 0, 700)), GlyphTracks(opacity: jump(at: 0, 755)),
        ]
        return scene
    }

    @Test("glyphs that draw the same share one composition, whatever their positions")
    func sharing() throws {
        var scene = jumping()
        scene.nodes[1].glyph.ink?.details = []
        #expect(try file(scene).assets.count == 1)
        #expect(try file(scene).layers.map(\.refId) == ["0", "0"])
        scene.nodes[1].glyph.paint = .color(Color(red: 1, green: 2, blue: 3))
        #expect(try file(scene).layers.map(\.refId) == ["1", "0"])
    }

    @Test("glyphs that fade have their shapes in their own layers, where their fill fades")
    func fading() throws {
        let file = try file(SampleScene.scene())
        #expect(file.assets.isEmpty)
        #expect(file.layers.map(\.ty) == [4, 4])
        #expect(file.layers.map { $0.shapes?.map(\.ty) } == [["sh", "sh", "fl"], ["sh", "fl"]])
        #expect(file.layers.allSatisfy { $0.shapes?.last?.o?.a == 1 && $0.ks.o == nil })
    }

    @Test("a line along contours is over the fill, each contour with a trim path of its own")
    func strokes() throws {
        var scene = SampleScene.scene()
        scene.tracks[0][.draw] = ramp(from: 0, to: 1)
        scene.tracks[0][.strokeWidth] = ramp(from: 2, to: 2)
        scene.tracks[0][.strokeOpacity] = ramp(from: 1, to: 0)
        scene.tracks[0][.fillOpacity] = ramp(from: 0, to: 1)
        let shapes = try #require(file(scene).layers[1].shapes)
        #expect(shapes.map { $0.it?.map(\.ty) } == [["gr", "st", "tr"], ["sh", "fl", "tr"]])
        #expect(shapes[0].it?[0].it?.map(\.ty) == ["sh", "tm", "tr"])
        #expect(shapes[0].it?[0].it?[1].e?.keyframes?.map(\.s) == [[0], [100]])
        // The glyph's own opacity eases, so the product has more keyframes.
        let opacities = shapes.compactMap { $0.it?[1].o?.keyframes }
        #expect(opacities.map { $0.first?.s } == [[0], [0]])
        #expect(opacities.map { $0.last?.s } == [[0], [100]])
        #expect(try LottieFormat().unsupported(in: scene) == [])
        scene.tracks[0][.strokeWidth] = nil
        #expect(try file(scene).layers[1].shapes?.map(\.ty) == ["sh", "fl"])
    }

    @Test("a composition holds the line along its contours")
    func strokeBox() throws {
        var scene = SampleScene.scene()
        scene.definitions.bitmaps = [
            Bitmap(font: 1, glyph: 1, width: 2, height: 2, source: [1, 2, 3])
        ]
        scene.nodes[0].glyph.ink?.details = [
            .picture(.init(bitmap: 0, rect: Rect(x: 16, y: 16, width: 20, height: 20)))
        ]
        scene.tracks[0][.strokeOpacity] = ramp(from: 1, to: 0)
        func box(strokeWidth: Double) throws -> (LottieBox, scale: Double) {
            scene.tracks[0][.strokeWidth] = ramp(from: 0, to: strokeWidth)
            var assets = LottieAssets(
                scene, in: .light, for: .animation(.first), EncodingContext.sample.cache)
            let placement = assets.placement(ofNode: 0, in: .fill)
            return (assets.boxes[0], try #require(placement).scale)
        }
        let (none, scale) = try box(strokeWidth: 0)
        let steps = Int((20 / scale).rounded(.up))
        #expect(try box(strokeWidth: 40).0 == none.grown(by: steps))
    }

    @Test("colours are keyframes that keep their easings, or more of them where alpha changes")
    func colours() throws {
        func colors(from first: Color, to last: Color) throws -> [File.Keyframe] {
            var scene = SampleScene.scene()
            scene.tracks[0].fill = Track(keyframes: [
                Keyframe(.zero, value: ColorMix(first), easing: .easeOut),
                Keyframe(Instant(ticks: 9000), value: ColorMix(last), easing: .linear),
            ])
            let fill = try #require(file(scene).layers[1].shapes?.last)
            return try #require(fill.c?.keyframes)
        }
        let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
        let opaque = try colors(from: red, to: blue)
        #expect(opaque.first?.s == [1, 0, 0] && opaque.last?.s == [0, 0, 1])
        #expect(opaque.count == 2)
        var faint = red
        faint.alpha = 20
        #expect(try colors(from: faint, to: blue).count > 6)
        let fromNothing = try colors(from: .transparent, to: blue)
        #expect(fromNothing.map(\.s) == [[0, 0, 1], [0, 0, 1]])
    }

    @Test("glyphs with one mask are a composition of which the mask stands still")
    func masks() throws {
        var scene = SampleScene.scene()
        let span = MaskSpan(
            start: .zero, end: Instant(ticks: 5300),
            rect: Rect(x: 16, y: 16, width: 40, height: 24))
        scene.masks = [[span]]
        for index in scene.nodes.indices { scene.nodes[index].mask = 0 }
        var file = try file(scene)
        #expect(file.layers.map(\.refId) == ["m0"] && file.layers[0].hasMask == true)
        #expect(file.assets.map { $0.layers?.count } == [2])
        scene.nodes[0].mask = nil
        file = try self.file(scene)
        #expect(file.layers.map(\.refId) == ["m0", nil], "the topmost comes first")
    }

    // MARK: Paint

    private let red = Color(red: 255, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)

    private func gradient(
        _ direction: Gradient.Direction, _ stops: (Color, Double?)...
    ) -> Paint {
        .gradient(Gradient(.linear(direction), stops: stops.map { (color: $0.0, percent: $0.1) }))
    }

    /// The sample, jumping or fading, with another fill and what lies beneath it.
    private func painted(
        _ fill: Paint? = nil, jumping isJumping: Bool = true,
        _ change: (inout TextPaint) -> Void = { _ in }
    ) -> Scene {
        var scene = isJumping ? jumping() : SampleScene.scene()
        change(&scene.blocks[0].paint)
        guard let fill else { return scene }
        for index in scene.nodes.indices { scene.nodes[index].glyph.paint = fill }
        return scene
    }

    @Test("a gradient lies in the coordinates of its drawing, through the pen")
    func gradients() throws {
        // The box is 40 by 24 pixels from 16, 16, a step 0.02; the pens are at 16, 36 and 36, 36.
        let down = gradient(.angle(180), (red, nil), (blue, nil))
        var shapes = try file(painted(down, jumping: false)).layers.map { try #require($0.shapes) }
        #expect(shapes.map { $0.map(\.ty) } == [["sh", "sh", "gf"], ["sh", "gf"]])
        for fill in shapes.compactMap(\.last) {
            #expect(fill.s?.value == [0, -1000] && fill.e?.value == [0, 200])
            #expect(fill.g?.p == 2 && fill.g?.k.value == [0, 1, 0, 0, 1, 0, 0, 1])
            #expect(fill.o?.a == 1, "it fades")
        }
        let along = gradient(.angle(90), (red, nil), (blue, nil))
        shapes = try file(painted(along, jumping: false)).layers.map { try #require($0.shapes) }
        #expect(shapes.map { $0.last?.s?.value } == [[-1000, 0], [0, 0]])
        #expect(shapes.map { $0.last?.e?.value } == [[1000, 0], [2000, 0]])
    }

    @Test("glyphs share a composition where their parts of a gradient are the same")
    func sharedGradients() throws {
        func references(_ direction: Gradient.Direction, _ box: GradientBox) throws -> [String?] {
            var scene = painted(gradient(direction, (red, nil), (blue, nil))) {
                $0.gradientBox = box
            }
            scene.nodes[1].glyph.ink?.details = []
            return try file(scene).layers.map(\.refId)
        }
        #expect(try references(.angle(0), .block) == ["0", "0"])
        #expect(try references(.angle(90), .block) == ["1", "0"])
        #expect(try references(.angle(90), .glyph) == ["0", "0"])
    }

    @Test("a gradient's alpha has a stop at each offset of a colour, and offsets rise strictly")
    func gradientStops() throws {
        func stops(_ stops: (Color, Double?)...) throws -> [Double] {
            let paint = Paint.gradient(
                Gradient(.linear(.angle(180)), stops: stops.map { (color: $0.0, percent: $0.1) }))
            let fill = try #require(file(painted(paint)).assets[0].layers?[0].shapes?.last)
            let values = try #require(fill.g?.k.value)
            return try Array(values.dropFirst(4 * #require(fill.g?.p)))
        }
        let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
        #expect(try stops((red, nil), (half, nil)) == [0, 1, 1, 0.502])
        #expect(
            try stops((red, 0), (red, 50), (half, 50), (half, 100))
                == [0, 1, 0.5, 1, 0.5001, 0.502, 1, 0.502])
        #expect(
            try stops((half, 0), (red, 0), (red, 100), (half, 100), (half, 100), (half, 100))
                == [0, 0.502, 0.0001, 1, 0.9999, 1, 1, 0.502])
        #expect(try stops((red, -50), (blue, 150)) == [])
    }

    @Test("a gradient along a box without extent is the last colour")
    func flatGradient() throws {
        var scene = painted(gradient(.angle(90), (red, nil), (blue, nil)))
        scene.blocks[0].layout.rect.width = 0
        let fill = try #require(file(scene).assets[0].layers?[0].shapes?.last)
        #expect(fill.ty == "fl" && fill.c?.value == [0, 0, 1])
    }

    @Test("the line along contours has the gradient of the fill")
    func strokedGradient() throws {
        var scene = painted(gradient(.angle(180), (red, nil), (blue, nil)), jumping: false)
        scene.tracks[0][.strokeWidth] = ramp(from: 2, to: 2)
        scene.tracks[0][.strokeOpacity] = ramp(from: 1, to: 0)
        let shapes = try #require(file(scene).layers[1].shapes)
        #expect(shapes.map { $0.it?.map(\.ty) } == [["sh", "gs", "tr"], ["sh", "gf", "tr"]])
        #expect(shapes[0].it?[1].s?.value == shapes[1].it?[1].s?.value)
    }

    @Test("outlines are lines below all fills, as opaque as these")
    func outlines() throws {
        var scene = painted(jumping: false) { $0.outline = LineStyle(width: 3, color: self.red) }
        var layers = try file(scene).layers
        #expect(
            layers.map { $0.shapes?.map(\.ty) } == [
                ["sh", "sh", "fl"], ["sh", "fl"], ["sh", "sh", "st"], ["sh", "st"],
            ])
        let line = try #require(layers[3].shapes?.last)
        #expect(line.w?.value == [150] && line.c?.value == [1, 0, 0] && line.o?.a == 1)
        // The fill comes late; its outline comes with it.
        scene.tracks.append(scene.tracks[0])
        scene.tracks[2].opacity.keyframes[0].time = Instant(ticks: 2500)
        scene.nodes[0].outlineTrack = 2
        layers = try file(scene).layers
        #expect(layers[3].shapes?.last?.o?.keyframes?.map(\.t) == [25, 50])
        scene = painted { $0.outline = LineStyle(width: 3, color: self.red) }
        #expect(try file(scene).layers.map(\.refId) == ["3", "2", "1", "0"])
        #expect(try file(scene).assets[0].layers?[0].shapes?.map(\.ty) == ["sh", "st"])
        scene = painted { $0.outline = LineStyle(width: 3, color: .transparent) }
        #expect(try file(scene).layers.count == 2)
    }

    private func shadow(_ x: Double, _ y: Double, blur: Double = 0, _ color: Color) -> Shadow {
        Shadow(offsetX: x, offsetY: y, blurRadius: blur, color: color)
    }

    @Test("shadows without blur are silhouettes below, the last shadow lowest")
    func shadows() throws {
        let scene = painted(jumping: false) {
            $0.shadows = [self.shadow(2, -3, self.blue), self.shadow(0, 1, self.red)]
        }
        let layers = try file(scene).layers
        #expect(layers.map(\.ty) == [Int](repeating: 4, count: 6))
        #expect(
            layers.map { $0.shapes?.map(\.ty) ?? [] }
                == Array(repeating: [["sh", "sh", "fl"], ["sh", "fl"]], count: 3).joined().map {
                    $0
                })
        #expect(layers[3].shapes?.last?.c?.value == [0, 0, 1])
        #expect(layers[5].shapes?.last?.c?.value == [1, 0, 0])
        #expect(layers.map { $0.ks.a?.value } == Array(repeating: [0, 0], count: 6))
    }

    @Test("a shadow turns about the centre of its glyph")
    func turnedShadow() throws {
        var scene = painted { $0.shadows = [self.shadow(2, -3, self.blue)] }
        scene.tracks[0][.rotation] = ramp(from: 0, to: 90)
        // The fill's asset has the same margin, so that only the offset differs.
        let layers = try file(scene).layers
        let (fill, shadow) = (layers[1].ks, layers[3].ks)
        let (own, moved) = (try #require(fill.a?.value), try #require(shadow.a?.value))
        #expect(fill.p?.value == shadow.p?.value)
        #expect([own[0] - moved[0], own[1] - moved[1]] == [2 / 0.02, -3 / 0.02])
    }

    @Test("a shadow of fill and outline that is not opaque is cut out of a box")
    func silhouettes() throws {
        func layers(
            _ color: Color, jumping isJumping: Bool = true
        ) throws -> (first: File.Layer, own: [File.Layer]?, assets: Int) {
            let scene = painted(jumping: isJumping) {
                $0.shadows = [self.shadow(2, 2, color)]
                $0.outline = LineStyle(width: 3, color: self.red)
            }
            let file = try file(scene)
            let last = try #require(file.layers.last)
            let asset = file.assets.first { $0.id == last.refId }
            return (last, asset?.layers, file.assets.count)
        }
        var (layer, own, count) = try layers(blue)
        #expect(own?.map { $0.shapes?.map(\.ty) } == [["sh", "st", "fl"]])
        #expect(own?[0].td == nil && layer.ip == 7 && count == 6)
        let translucent = Color(red: 0, green: 0, blue: 255, alpha: 51)
        (layer, own, count) = try layers(translucent)
        #expect(own?.map { $0.shapes?.map(\.ty) } == [["sh", "st", "fl"], ["sh", "fl"]])
        #expect(own?.map(\.td) == [1, nil] && own?.map(\.tt) == [nil, 1])
        #expect(own?[0].shapes?.last?.o?.value == [100])
        #expect(own?[1].shapes?.last?.o?.value == [20] && layer.ip == 7)
        (layer, own, count) = try layers(blue, jumping: false)
        #expect(own?.count == 2 && own?[1].shapes?.last?.o?.a == 1)
        #expect(layer.ks.o?.keyframes?.map(\.s) == [[0], [100]], "it is there once it is seen")
        #expect(layer.ks.o?.keyframes?.map(\.t) == [0, 0.01] && count == 2)
    }

    @Test("shadows that the format cannot show are left out, with a warning")
    func unsupportedShadows() throws {
        func messages(_ scene: Scene) throws -> [String] {
            try LottieFormat().unsupported(in: scene).map(\.message)
        }
        var scene = painted {
            $0.shadows = [self.shadow(2, 2, blur: 1, self.blue), self.shadow(2, 2, self.red)]
        }
        #expect(try messages(scene) == ["Lottie has no blurred shadows; they are left out"])
        #expect(try file(scene).layers.count == 4)
        scene.definitions.bitmaps = [
            Bitmap(font: 1, glyph: 1, width: 2, height: 2, source: [1, 2, 3])
        ]
        let picture = Ink.Picture(bitmap: 0, rect: Rect(x: 36, y: 16, width: 20, height: 20))
        scene.nodes[1].glyph.ink?.details = [.picture(picture)]
        #expect(
            try messages(scene) == [
                "Lottie has no blurred shadows; they are left out",
                "Lottie has no shadows of pictures; they are left out",
            ])
        scene.nodes[1].glyph.ink?.shape = nil
        #expect(try file(scene).layers.count == 3, "a picture alone has none")
        scene.blocks[0].paint.shadows = [shadow(2, 2, blur: 1, .transparent)]
        #expect(try messages(scene) == [])
        scene.blocks[0].paint.darkShadows = [shadow(2, 2, blur: 1, red)]
        #expect(try messages(scene) == [], "a dark colour scheme does not count")
        #expect(try file(scene).layers.count == 2)
    }

    @Test("a card has round corners, a gradient, and a border over it")
    func cards() throws {
        func shapes(_ card: Card) throws -> [File.Shape] {
            var scene = SampleScene.scene()
            scene.appearance.card = card
            let layers = try file(scene).layers
            return layers.count > 2 ? try #require(layers[2].shapes) : []
        }
        var card = Card(background: .color(red))
        #expect(try shapes(card).map(\.ty) == ["sh", "fl"])
        card.cornerRadius = 40
        #expect(try shapes(card).map(\.ty) == ["rc", "fl"])
        #expect(try shapes(card)[0].r == .radius([28]), "no more than half of the shorter side")
        #expect(try shapes(card)[0].s?.value == [72, 56])
        card.cornerRadius = 10
        card.background = gradient(.corner(.bottomRight), (red, nil), (blue, nil))
        #expect(try shapes(card).map(\.ty) == ["rc", "gf"])
        card.border = LineStyle(width: 4, color: blue)
        var groups = try shapes(card).map { try #require($0.it) }
        #expect(groups.map { $0.map(\.ty) } == [["rc", "rc", "fl", "tr"], ["rc", "gf", "tr"]])
        #expect(groups[0][1].s?.value == [64, 48] && groups[0][1].r == .radius([6]))
        #expect(groups[0][2].r == .rule(2))
        card.border?.width = 28
        card.background = .transparent
        groups = try shapes(card).map { try #require($0.it) }
        #expect(groups.map { $0.map(\.ty) } == [["rc", "fl", "tr"]])
        card.border?.color = .transparent
        #expect(try shapes(card).isEmpty)
    }

    @Test("only blur is more than the format shows")
    func unsupported() throws {
        var scene = SampleScene.scene()
        scene.tracks[0][.blur] = ramp(from: 0, to: 0)
        #expect(try LottieFormat().unsupported(in: scene) == [])
        scene.tracks[0][.blur] = ramp(from: 3, to: 0)
        #expect(try LottieFormat().unsupported(in: scene).map(\.code) == [.unsupported])
        #expect(try SVGFormat().unsupported(in: scene) == [])
    }

    private func ramp(from first: Double, to last: Double) -> Track<Double> {
        Track(keyframes: [
            Keyframe(.zero, value: first, easing: .linear),
            Keyframe(Instant(ticks: 5000), value: last, easing: .linear),
        ])
    }

    @Test("lines over a shape are filled with it where the colour is opaque, else after it")
    func lines() throws {
        var scene = jumping()
        #expect(try file(scene).assets[1].layers?[0].shapes?.map(\.ty) == ["sh", "sh", "fl"])
        scene.nodes[1].glyph.paint = scene.nodes[1].glyph.paint.withAlpha(128)
        #expect(try file(scene).assets[1].layers?[0].shapes?.map(\.ty) == ["gr", "gr"])
    }

    @Test("pictures are composed with what else a glyph draws, on top first")
    func pictures() throws {
        var scene = jumping()
        let bitmap = Bitmap(font: 1, glyph: 1, width: 2, height: 2, source: [1, 2, 3])
        let picture = Ink.Picture(bitmap: 1, rect: Rect(x: 36, y: 16, width: 20, height: 20))
        scene.definitions.bitmaps = [bitmap, bitmap]
        scene.nodes[1].glyph.ink?.details.append(.picture(picture))
        var assets = try file(scene).assets
        #expect(assets.map(\.id) == ["0", "1", "p1"], "what nobody draws is left out")
        #expect(assets.map { $0.layers?.map(\.ty) } == [[4], [2, 4, 4], nil])
        #expect(assets.last?.p == "data:image/png;base64,AQID")
        scene.nodes[1].glyph.ink?.shape = nil
        scene.nodes[1].glyph.ink?.details = [.picture(picture)]
        assets = try file(scene).assets
        #expect(assets.map(\.id) == ["0", "p1"])
        #expect(try file(scene).layers.map(\.ty) == [2, 0], "a picture alone needs no composition")
    }

    @Test("what only appears at a whole frame is a layer that begins there")
    func births() throws {
        let layers = try file(jumping()).layers
        #expect(layers.map(\.ip) == [0, 7], "the top one comes first")
        #expect(layers[1].ks.o == nil)
        let keys = layers[0].ks.o?.keyframes
        #expect(keys?.map(\.t) == [0, 7.55])
        #expect(keys?.map(\.s) == [[0], [100]])
        #expect(keys?.map(\.h) == [1, nil])
    }

    @Test("what never shows is left out")
    func absent() throws {
        var scene = SampleScene.scene()
        scene.tracks[0].opacity = Track(
            keyframes: [Keyframe(.zero, value: 0, easing: .linear)])
        #expect(try file(scene).layers.count == 1)
        scene.appearance.card = Card(background: .color(Color(red: 255, green: 255, blue: 255)))
        #expect(try file(scene).layers.map(\.ty) == [4, 4], "the background lies below")
    }

    @Test("the last frame of what stops shows its end, what loops has no frame too many")
    func ends() throws {
        var scene = SampleScene.scene()
        scene.duration = Instant(ticks: 5300)
        #expect(try file(scene).op == 54)
        scene.loop = .infinite
        #expect(try file(scene).op == 53)
        scene.duration = Instant(ticks: 15_342)
        #expect(try file(scene).op == 153.42)
        scene.loop = .count(1)
        #expect(try file(scene).op == 154)
        #expect(try file(scene).layers.allSatisfy { $0.op > 154 })
        scene.duration = .zero
        scene.tracks = [.shown, .shown]
        #expect(try file(scene).op == 1)
    }
}
