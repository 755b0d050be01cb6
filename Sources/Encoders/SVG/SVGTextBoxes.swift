import Bytes
import Motion

/// The boxes of a scene's words at rest, for pages that lay a selectable text over a picture
/// (docs/api.md, *SVG inside a page*).
struct SVGTextBoxes {
    /// A part of a text, and its box.
    struct Piece: Equatable {
        /// UTF-16 code units of the block's text.
        var range: Range<Int>
        /// CSS pixels of the canvas.
        var rect: Rect
        var direction: Direction
    }

    private let blocks: [(text: String, pieces: [Piece])]
    /// The y of the last line's baseline in CSS pixels; nil for a text along a path.
    private let baseline: Double?

    init(_ scene: Scene) {
        blocks = scene.blocks.indices.map {
            (scene.blocks[$0].layout.text, Self.pieces(ofBlock: $0, in: scene))
        }
        baseline = scene.isUpright ? scene.blocks.last?.layout.lines.last?.baseline : nil
    }

    /// Returns more bytes than the attribute has.
    static func mostBytes(in scene: Scene) -> Double {
        scene.blocks.reduce(128) { sum, block in
            sum + Double(6 * block.layout.text.utf8.count + 64 * block.layout.glyphs.count)
        }
    }

    /// Returns the words of a block in reading order, each with the space behind it; the whole text
    /// of a block along a path.
    private static func pieces(ofBlock index: Int, in scene: Scene) -> [Piece] {
        let layout = scene.blocks[index].layout
        guard layout.glyphs.allSatisfy({ scene.place(ofNode: $0) == nil }) else {
            let direction = layout.lines.first?.direction ?? .leftToRight
            return [
                Piece(
                    range: 0..<layout.text.utf16.count, rect: scene.box(ofBlock: index),
                    direction: direction)
            ]
        }
        return layout.lines.flatMap { pieces(of: $0, in: scene) }
    }

    private static func pieces(of line: Line, in scene: Scene) -> [Piece] {
        var pieces: [Piece] = []
        let isSpace = { (glyph: Int) in scene.nodes[glyph].glyph.isWhitespace }
        // Spaces at the end of a line take no room that readers see.
        let last = line.runs.flatMap(\.glyphs).last { !isSpace($0) }
        for run in line.runs {
            var previous: Int?
            for index in run.glyphs {
                let glyph = scene.nodes[index].glyph
                let range = glyph.start..<(glyph.start + glyph.length)
                if let before = previous, isSpace(index) || !isSpace(before),
                    range.lowerBound >= pieces[pieces.count - 1].range.upperBound
                {
                    let piece = pieces[pieces.count - 1]
                    pieces[pieces.count - 1].range =
                        piece.range.lowerBound..<range.upperBound
                    pieces[pieces.count - 1].rect = piece.rect.union(glyph.rect)
                } else {
                    pieces.append(
                        Piece(range: range, rect: glyph.rect, direction: run.direction))
                }
                previous = index
                if index == last { return pieces }
            }
        }
        return []
    }

    /// Appends the value of the attribute: JSON as XML.
    func write(to sink: inout ByteSink) {
        var json = ByteSink(capacity: 256)
        json.append("{")
        if let baseline {
            json.append("\"baseline\":")
            json.append(baseline, decimals: 2)
            json.append(",")
        }
        json.append("\"texts\":[")
        for (number, block) in blocks.enumerated() {
            json.append(number > 0 ? ",{\"text\":" : "{\"text\":")
            json.append(jsonString: block.text)
            json.append(",\"boxes\":[")
            for (number, piece) in block.pieces.enumerated() {
                if number > 0 { json.append(",") }
                Self.write(piece, &json)
            }
            json.append("]}")
        }
        json.append("]}")
        sink.append(xml: String(decoding: json.bytes(), as: UTF8.self))
    }

    private static func write(_ piece: Piece, _ sink: inout ByteSink) {
        sink.append("[")
        sink.append(piece.range.lowerBound)
        sink.append(",")
        sink.append(piece.range.count)
        let rect = piece.rect
        for number in [rect.x, rect.y, rect.width, rect.height] {
            sink.append(",")
            sink.append(number, decimals: 2)
        }
        if piece.direction == .rightToLeft { sink.append(",1") }
        sink.append("]")
    }
}
