import FoundationEssentials
import Motion
import Testing

@testable import Encoders

@Suite struct LottieTests {
    /// The properties of a file that the tests read.
    private struct File: Decodable {
        struct Layer: Decodable {
            let ty: Int
            let refId: String?
            let shapes: [Shape]?
            let ks: Transform
            let hasMask: Bool?
            let ip: Double
            let op: Double
        }
        struct Transform: Decodable {
            let o: Property?
        }
        struct Shape: Decodable {
            let ty: String
            let o: Property?
            let it: [Shape]?
            /// The end of a trim path.
            let e: Property?
            let c: Property?
        }
        struct Keyframe: Decodable {
            let t: Double
            let s: [Double]
            let h: Int?
        }
        /// An opacity.
        struct Property: Decodable {
            let a: Int
            let keyframes: [Keyframe]?

            enum Keys: String, CodingKey { case a, k }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Keys.self)
                a = try values.decode(Int.self, forKey: .a)
                keyframes = a == 1 ? try values.decode([Keyframe].self, forKey: .k) : nil
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

    private func jump(at instants: Int...) -> Track {
        Track(
            keyframes: instants.enumerated().map { index, ticks in
                Keyframe(
                    instant: Instant(ticks: ticks), value: Double(index % 2),
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
        scene.layout.glyphs[1].ink?.details = []
        #expect(try file(scene).assets.count == 1)
        #expect(try file(scene).layers.map(\.refId) == ["0", "0"])
        scene.layout.glyphs[1].paint = .color(Color(red: 1, green: 2, blue: 3))
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
        scene.layout.bitmaps = [Bitmap(font: 1, glyph: 1, width: 2, height: 2, source: [1, 2, 3])]
        scene.layout.glyphs[0].ink?.details = [
            .picture(.init(bitmap: 0, rect: Rect(x: 16, y: 16, width: 20, height: 20)))
        ]
        scene.tracks[0][.strokeOpacity] = ramp(from: 1, to: 0)
        let ink = try #require(scene.layout.glyphs[0].ink)
        func box(strokeWidth: Double) -> (LottieBox?, scale: Double) {
            scene.tracks[0][.strokeWidth] = ramp(from: 0, to: strokeWidth)
            var assets = LottieAssets(scene.layout)
            let placement = assets.placement(
                of: ink, scene.layout.glyphs[0], number: 0, scene.tracks[0])
            return (assets.boxes.first, placement.scale)
        }
        let (none, scale) = box(strokeWidth: 0)
        let steps = Int((20 / scale).rounded(.up))
        #expect(none != nil && box(strokeWidth: 40).0 == none?.grown(by: steps))
    }

    @Test("colours are keyframes that keep their easings, or more of them where alpha changes")
    func colours() throws {
        func colors(from first: Color, to last: Color) throws -> [File.Keyframe] {
            var scene = SampleScene.scene()
            scene.tracks[0].fill = FillTrack(keyframes: [
                FillKeyframe(instant: .zero, value: ColorMix(first), easing: .easeOut),
                FillKeyframe(instant: Instant(ticks: 9000), value: ColorMix(last), easing: .linear),
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
        scene.maskOfGlyph = [0, 0]
        var file = try file(scene)
        #expect(file.layers.map(\.refId) == ["m0"] && file.layers[0].hasMask == true)
        #expect(file.assets.map { $0.layers?.count } == [2])
        scene.maskOfGlyph = [-1, 0]
        file = try self.file(scene)
        #expect(file.layers.map(\.refId) == ["m0", nil], "the topmost comes first")
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

    private func ramp(from first: Double, to last: Double) -> Track {
        Track(keyframes: [
            Keyframe(instant: .zero, value: first, easing: .linear),
            Keyframe(instant: Instant(ticks: 5000), value: last, easing: .linear),
        ])
    }

    @Test("lines over a shape are filled with it where the colour is opaque, else after it")
    func lines() throws {
        var scene = jumping()
        #expect(try file(scene).assets[1].layers?[0].shapes?.map(\.ty) == ["sh", "sh", "fl"])
        scene.layout.glyphs[1].paint = scene.layout.glyphs[1].paint.withAlpha(128)
        #expect(try file(scene).assets[1].layers?[0].shapes?.map(\.ty) == ["gr", "gr"])
    }

    @Test("pictures are composed with what else a glyph draws, on top first")
    func pictures() throws {
        var scene = jumping()
        let bitmap = Bitmap(font: 1, glyph: 1, width: 2, height: 2, source: [1, 2, 3])
        let picture = Ink.Picture(bitmap: 1, rect: Rect(x: 36, y: 16, width: 20, height: 20))
        scene.layout.bitmaps = [bitmap, bitmap]
        scene.layout.glyphs[1].ink?.details.append(.picture(picture))
        var assets = try file(scene).assets
        #expect(assets.map(\.id) == ["0", "1", "p1"], "what nobody draws is left out")
        #expect(assets.map { $0.layers?.map(\.ty) } == [[4], [2, 4, 4], nil])
        #expect(assets.last?.p == "data:image/png;base64,AQID")
        scene.layout.glyphs[1].ink?.shape = nil
        scene.layout.glyphs[1].ink?.details = [.picture(picture)]
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
            keyframes: [Keyframe(instant: .zero, value: 0, easing: .linear)])
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
