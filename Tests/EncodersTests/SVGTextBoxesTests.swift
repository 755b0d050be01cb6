import Bytes
import Motion
import Testing

@testable import Encoders

@Suite struct SVGTextBoxesTests {
    private static let color = Paint.color(Color(red: 0, green: 0, blue: 0))

    /// Encodes a scene of one line, whose glyphs are 10 px wide.
    ///
    /// - Parameters:
    ///   - text: The text, a glyph for each UTF-16 code unit.
    ///   - runs: The lengths and directions of its runs.
    /// - Returns: The value of the attribute.
    private func boxes(_ text: String, runs: [(length: Int, direction: Direction)]) -> String {
        var scene = SampleScene.scene()
        let units = Array(text.utf16)
        let glyphs = units.indices.map { index in
            Glyph(
                block: 0, line: 0, word: 0, text: String(decoding: [units[index]], as: UTF16.self),
                start: index, length: 1, isWhitespace: units[index] == 0x20, paint: Self.color,
                hasBlockPaint: true, rect: Rect(x: 10 * Double(index), y: 5, width: 10, height: 12),
                baseline: 14, size: 10, ink: nil)
        }
        var start = 0
        let lineRuns = runs.map { run in
            defer { start += run.length }
            return Run(
                font: RunFont(family: "Sample", size: 10), paint: Self.color,
                direction: run.direction, glyphs: Array(start..<(start + run.length)))
        }
        let rect = Rect(x: 0, y: 5, width: 10 * Double(units.count), height: 12)
        scene.blocks[0].layout = BlockLayout(
            text: text, glyphs: 0..<units.count,
            lines: [Line(rect: rect, baseline: 14, direction: .leftToRight, runs: lineRuns)],
            size: 10, rect: rect)
        scene.nodes = glyphs.map { SceneNode($0, track: 0, isFinished: true) }
        var sink = ByteSink(capacity: 256)
        SVGTextBoxes(scene).write(to: &sink)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    private func attribute(_ text: String, _ boxes: String) -> String {
        "{&quot;baseline&quot;:14,&quot;texts&quot;:[{&quot;text&quot;:&quot;\(text)&quot;,"
            + "&quot;boxes&quot;:[\(boxes)]}]}"
    }

    @Test("a word has the space behind it, but at the end of the line")
    func words() {
        #expect(
            boxes("Hi  you ", runs: [(8, .leftToRight)])
                == attribute("Hi  you ", "[0,4,0,5,40,12],[4,3,40,5,30,12]"))
    }

    @Test("a line of spaces has no box")
    func spaces() {
        #expect(boxes("  ", runs: [(2, .leftToRight)]) == attribute("  ", ""))
    }

    @Test("a run has boxes of its own, and says if it goes from right to left")
    func directions() {
        #expect(
            boxes("ab cd", runs: [(3, .leftToRight), (2, .rightToLeft)])
                == attribute("ab cd", "[0,3,0,5,30,12],[3,2,30,5,20,12,1]"))
    }

    @Test("a text along a path has one box and no baseline")
    func path() {
        var scene = SampleScene.scene()
        scene.places = [Place(turn: 90, taking: .zero, to: SIMD2(3, 4)), nil]
        var sink = ByteSink(capacity: 256)
        SVGTextBoxes(scene).write(to: &sink)
        let text = String(decoding: sink.bytes(), as: UTF8.self)
        let start = "{&quot;texts&quot;:[{&quot;text&quot;:&quot;△△&quot;,&quot;boxes&quot;:[[0,2,"
        #expect(text.hasPrefix(start))
        #expect(text.count(of: "[") == 3)
    }

    @Test("the attribute is not there unless it is asked for, and is priced")
    func price() throws {
        let scene = SampleScene.scene()
        var sink = ByteSink(capacity: 256)
        SVGTextBoxes(scene).write(to: &sink)
        #expect(Double(sink.count) <= SVGTextBoxes.mostBytes(in: scene))
        var parameters = ParameterReader(["boxes": .boolean(true)])
        let document = try SVGFormat(&parameters).encode(scene, .sample)
        let attribute = " data-boxes=\"" + String(decoding: sink.bytes(), as: UTF8.self) + "\""
        let text = String(decoding: document, as: UTF8.self)
        #expect(text.count(of: attribute) == 1)
        let plain = String(decoding: try SVGFormat().encode(scene, .sample), as: UTF8.self)
        #expect(plain.count(of: "data-boxes") == 0)
        #expect(text.parts(attribute).joined() == plain)
    }
}
