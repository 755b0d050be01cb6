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
            let ip: Double
            let op: Double
        }
        struct Transform: Decodable {
            let o: Property?
        }
        struct Shape: Decodable {
            let ty: String
            let o: Property?
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
        scene.layout.glyphs[1].color = Color(red: 1, green: 2, blue: 3)
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

    @Test("lines over a shape are filled with it where the colour is opaque, else after it")
    func lines() throws {
        var scene = jumping()
        #expect(try file(scene).assets[1].layers?[0].shapes?.map(\.ty) == ["sh", "sh", "fl"])
        scene.layout.glyphs[1].color.alpha = 128
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
        scene.appearance.background = Color(red: 255, green: 255, blue: 255)
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
