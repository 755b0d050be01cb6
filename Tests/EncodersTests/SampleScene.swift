import Motion
import Raster

@testable import Encoders

/// A scene made by hand: two triangles that slide in, a line under the second.
enum SampleScene {
    static func scene(digest: UInt64 = 42, dark: Bool = false) -> Scene {
        let triangle = Outline(
            commands: [.move, .line, .line, .close], coordinates: [0, 0, 1000, 0, 500, -1000],
            unitsPerEm: 1000)
        let color = Color(red: 0x24, green: 0x29, blue: 0x2F)
        let glyphs = (0..<2).map { index in
            let rect = Rect(x: 16 + 20 * Double(index), y: 16, width: 20, height: 24)
            let details: [Ink.Detail] =
                index == 1 ? [.line(Rect(x: 36, y: 37, width: 20, height: 1.5))] : []
            return Glyph(
                block: 0, line: 0, word: 0, text: "△", start: index, length: 1,
                isWhitespace: false, paint: .color(color), hasBlockPaint: true, rect: rect,
                baseline: 36,
                size: 20,
                ink: Ink(
                    shape: .init(outline: 0, origin: Point(x: rect.x, y: 36), scale: 0.02),
                    details: details, bounds: rect))
        }
        let rect = Rect(x: 16, y: 16, width: 40, height: 24)
        let run = Run(
            font: RunFont(family: "Sample", size: 20), paint: .color(color),
            direction: .leftToRight, glyphs: [0, 1])
        let line = Line(rect: rect, baseline: 36, direction: .leftToRight, runs: [run])
        let layout = Layout(
            glyphs: glyphs,
            blocks: [
                BlockLayout(text: "△△", glyphs: 0..<2, lines: [line], size: 20, rect: rect)
            ], definitions: Definitions(outlines: [triangle]), width: 72, height: 56, warnings: [])
        let tracks = (0..<2).map { index in
            let start = Instant(ticks: 300 * index)
            let end = Instant(ticks: 300 * index + 5000)
            var tracks = GlyphTracks(
                opacity: Track(keyframes: [
                    Keyframe(start, value: 0, easing: .easeOut),
                    Keyframe(end, value: 1, easing: .linear),
                ]))
            tracks[.offsetY] = Track(keyframes: [
                Keyframe(start, value: 10, easing: .easeOut),
                Keyframe(end, value: 0, easing: .linear),
            ])
            return tracks
        }
        var scene = Scene(
            of: layout,
            blocks: [
                SceneBlock(
                    layout.blocks[0], effectName: "slide", effectTitle: "Slide",
                    entrance: .zero...Instant(ticks: 5300), exit: nil,
                    paint: TextPaint(
                        fill: .color(color),
                        darkFill: dark ? .color(Color(red: 255, green: 255, blue: 255)) : nil))
            ], nodes: glyphs.enumerated().map { SceneNode($1, track: $0, isFinished: true) },
            duration: Instant(ticks: 15_300),
            loop: .count(1),
            appearance: Appearance(
                card: Card(
                    background: .transparent,
                    darkBackground: dark ? .color(Color(red: 13, green: 17, blue: 23)) : nil),
                title: "△ & △", seed: 0, digest: digest))
        scene.tracks = tracks
        return scene
    }
}

/// A painter that draws every glyph as the box of its ink, for tests without shapes.
final class BoxPainter: GlyphPainter {
    func tile(
        of part: TilePart, _ ink: Ink, of glyph: Glyph, in pose: Pose, _ definitions: Definitions,
        scale: Double, canvas: PixelSize
    ) -> Tile {
        let rect = PixelRect(
            minX: Int((ink.bounds.x + pose.offsetX) * scale),
            minY: Int((ink.bounds.y + pose.offsetY) * scale),
            maxX: Int((ink.bounds.maxX + pose.offsetX) * scale),
            maxY: Int((ink.bounds.maxY + pose.offsetY) * scale)
        ).intersection(PixelRect(canvas))
        return Tile(
            kind: .coverage, rect: rect, stride: rect.width,
            bytes: [UInt8](repeating: 255, count: rect.width * rect.height))
    }

    func file(of bitmap: Bitmap) -> [UInt8] { bitmap.source }
    func png(of bitmap: Bitmap) -> [UInt8] { bitmap.source }

    func pixels(of bitmap: Bitmap) -> [UInt8] {
        [UInt8](repeating: 255, count: 4 * bitmap.width * bitmap.height)
    }
}

/// Makes everything again.
final class NoGlyphCache: GlyphCache {
    func value(for key: GlyphKey) -> GlyphValue? { nil }
    func keep(_ value: GlyphValue, for key: GlyphKey) {}
    func number(ofFont identity: String) -> Int { 0 }
}

extension EncodingContext {
    static var sample: EncodingContext {
        EncodingContext(painter: BoxPainter(), cache: NoGlyphCache())
    }
}
