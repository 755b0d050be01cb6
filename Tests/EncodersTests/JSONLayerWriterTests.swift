import Bytes
import Testing

@testable import Encoders
@testable import Motion

@Suite struct JSONLayerWriterTests {
    private static let red = Color(red: 255, green: 0, blue: 0)
    private static let blue = Color(red: 0, green: 0, blue: 255)

    /// Returns the layers of the sample as they are written.
    private func layers(_ change: (inout Scene) -> Void) throws -> String {
        var scene = SampleScene.scene()
        change(&scene)
        var parameters = ParameterReader(["outlines": .boolean(true)])
        let bytes = try JSONFormat(&parameters).encode(scene, .sample)
        let json = String(decoding: bytes, as: UTF8.self)
        let start = try #require(json.split(separator: ",\"layers\":").last)
        return String(try #require(start.split(separator: ",\"gradients\":").first))
    }

    @Test("a plain text is one layer, without glyphs that have no ink")
    func plain() throws {
        #expect(try layers { _ in } == #"[{"part":"fill","glyphs":[0,1]}]"#)
        #expect(try layers { $0.nodes[0].glyph.ink = nil } == #"[{"part":"fill","glyphs":[1]}]"#)
    }

    @Test("shadows lie beneath outlines, the last one lowest, in the colours of either scheme")
    func underlay() throws {
        let written = try layers { scene in
            scene.blocks[0].paint.outline = LineStyle(
                width: 2, color: Self.blue, darkColor: Self.red)
            scene.blocks[0].paint.shadows = [
                Shadow(offsetX: 2, offsetY: -1, blurRadius: 4, color: Self.red),
                Shadow(offsetX: 0, offsetY: 0, blurRadius: 0, color: Self.blue),
            ]
            scene.blocks[0].paint.darkShadows = []
        }
        let shadow = #""outlineWidth":2,"scheme":"light","glyphs":[0,1]}"#
        let expected = [
            ##"[{"part":"shadow","offsetX":0,"offsetY":0,"blurRadius":0,"color":"#0000ff",\##(shadow)"##,
            ##"{"part":"shadow","offsetX":2,"offsetY":-1,"blurRadius":4,"color":"#ff0000",\##(shadow)"##,
            ##"{"part":"outline","outlineWidth":2,"color":"#0000ff","darkColor":"#ff0000","glyphs":[0,1]}"##,
            #"{"part":"fill","glyphs":[0,1]}]"#,
        ]
        #expect(written == expected.joined(separator: ","))
    }

    @Test("a gradient that moves, and light, are those of their layers")
    func paints() throws {
        let gradient = Gradient(
            .linear(.angle(90)),
            stops: [(color: Self.red, percent: nil), (color: Self.blue, percent: nil)])
        let turns = Track(keyframes: [Keyframe(.zero, value: 0.0)])
        let written = try layers { scene in
            scene.blocks[0].paint.fill = .gradient(gradient)
            for index in 0..<2 { scene.nodes[index].glyph.paint = .gradient(gradient) }
            scene.paintMotion = PaintMotion(.spin, count: 1, turns: turns)
            let band = ShimmerBand(color: Self.red, degrees: 90, width: 50)
            scene.shimmers = [SceneShimmer(block: 0, band, passage: turns)]
        }
        // The light is written, and numbered, before the glyphs.
        #expect(
            written == #"[{"part":"fill","gradient":1,"glyphs":[0,1]},"#
                + #"{"part":"fill","shimmer":0,"glyphs":[0,1]}]"#)
    }
}
