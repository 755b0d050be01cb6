import FoundationEssentials
import Motion
import Testing

@testable import Encoders

@Suite struct LottieTests {
    /// What the tests read of a file.
    private struct File: Decodable {
        struct Layer: Decodable {
            let ty: Int
            let refId: String?
            let ip: Double
            let op: Double
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

    private func bytes(_ scene: Scene) -> [UInt8] {
        LottieFormat.encode(scene, OutputOptions(), Workshop(painter: BlankPainter()))
    }

    private func file(_ scene: Scene) throws -> File {
        try JSONDecoder().decode(File.self, from: Data(bytes(scene)))
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

    @Test("glyphs that draw the same share one composition, whatever their places and tracks")
    func sharing() throws {
        var scene = SampleScene.scene()
        scene.layout.glyphs[1].ink?.details = []
        #expect(try file(scene).assets.count == 1)
        #expect(try file(scene).layers.map(\.refId) == ["0", "0"])
        scene.layout.glyphs[1].color = Color(red: 1, green: 2, blue: 3)
        #expect(try file(scene).layers.map(\.refId) == ["1", "0"])
    }

    @Test("what a glyph draws besides its outline is composed with it, on top first")
    func parts() throws {
        var scene = SampleScene.scene()
        let bitmap = Bitmap(width: 2, height: 2, pixels: [], png: [1, 2, 3])
        let picture = Ink.Picture(bitmap: 0, rect: Rect(x: 36, y: 16, width: 20, height: 20))
        scene.layout.bitmaps = [bitmap]
        scene.layout.glyphs[1].ink?.details.append(.picture(picture))
        var assets = try file(scene).assets
        #expect(assets.map { $0.layers?.map(\.ty) } == [[4], [2, 4, 4], nil])
        #expect(assets[2].p == "data:image/png;base64,AQID")
        scene.layout.glyphs[1].ink?.shape = nil
        scene.layout.glyphs[1].ink?.details = [.picture(picture)]
        assets = try file(scene).assets
        #expect(assets.map(\.id) == ["0", "p0"])
        #expect(try file(scene).layers.map(\.ty) == [2, 0], "a picture alone needs no composition")
    }

    @Test("what only appears at a whole frame is a layer that begins there")
    func births() throws {
        var scene = SampleScene.scene()
        scene.tracks = [
            GlyphTracks(opacity: jump(at: 0, 700)), GlyphTracks(opacity: jump(at: 0, 755)),
        ]
        let layers = try file(scene).layers
        #expect(layers.map(\.ip) == [0, 7], "the top one comes first")
        let text = String(decoding: bytes(scene), as: UTF8.self)
        #expect(text.components(separatedBy: "\"o\":{\"a\":1").count == 2)
        #expect(
            text.contains(
                "\"o\":{\"a\":1,\"k\":[{\"t\":0,\"s\":[0],\"h\":1},{\"t\":7.55,\"s\":[100]}]}"))
    }

    @Test("what never shows is left out")
    func absent() throws {
        var scene = SampleScene.scene()
        scene.tracks[0].opacity = Track(
            keyframes: [Keyframe(instant: .zero, value: 0, easing: .linear)])
        #expect(try file(scene).layers.count == 1)
        scene.appearance.background = Color(red: 255, green: 255, blue: 255)
        #expect(try file(scene).layers.map(\.ty) == [0, 4], "the background lies below")
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
