import Bytes
import Motion

/// The layers of the scene, for programs that draw it.
extension JSONSceneWriter {
    /// Writes the layers of nodes with ink, in the order of drawing.
    mutating func writeLayers(_ context: EncodingContext) throws(EncodingError) {
        sink.append(",\"layers\":[")
        var isFirst = true
        var lights = 0
        for layer in scene.layers {
            try context.check(textBytes: sink.count)
            let light = layer.paint?.isLight == true ? lights : nil
            if light != nil { lights += 1 }
            // A mark has its line, and its colour for dark, in its own members.
            let isMark = layer.nodes.first.map { nodes[$0].isStroke } ?? false
            let inked = layer.nodes.filter { nodes[$0].glyph.ink != nil }
            guard let first = inked.first, !(isMark && layer.scheme == .dark) else { continue }
            sink.append(isFirst ? "{\"part\":\"" : ",{\"part\":\"")
            isFirst = false
            if isMark {
                sink.append("fill\"")
            } else {
                write(layer.part, of: nodes[first].glyph.block)
                write(layer.scheme)
            }
            if let light {
                sink.append(",\"shimmer\":")
                sink.append(light)
            } else if let paint = layer.paint {
                let fill = nodes[first].glyph.paint.gradient
                write(fill, as: ",\"gradient\":", in: paint.box)
                write(paint.darkFill?.gradient, as: ",\"darkGradient\":", in: paint.box)
            }
            write(indices: inked)
        }
        sink.append("]")
    }

    private mutating func write(_ part: SceneLayer.Part, of block: Int) {
        switch part {
        case .fill: sink.append("fill\"")
        case .outline(let outline):
            sink.append("outline\",\"outlineWidth\":")
            sink.append(outline.width, decimals: 4)
            write(outline.color, as: ",\"color\":\"")
            if let dark = outline.darkColor { write(dark, as: ",\"darkColor\":\"") }
        case .shadow(let shadow):
            sink.append("shadow\",\"offsetX\":")
            sink.append(shadow.offsetX, decimals: 4)
            sink.append(",\"offsetY\":")
            sink.append(shadow.offsetY, decimals: 4)
            sink.append(",\"blurRadius\":")
            sink.append(shadow.blurRadius, decimals: 4)
            write(shadow.color, as: ",\"color\":\"")
            guard let outline = scene.blocks[block].paint.outline else { return }
            sink.append(",\"outlineWidth\":")
            sink.append(outline.width, decimals: 4)
        }
    }

    private mutating func write(_ scheme: SceneLayer.Scheme) {
        switch scheme {
        case .any: break
        case .light: sink.append(",\"scheme\":\"light\"")
        case .dark: sink.append(",\"scheme\":\"dark\"")
        }
    }

    private mutating func write(_ color: Color, as name: StaticString) {
        sink.append(name)
        sink.append(text: color.text)
        sink.append("\"")
    }

    /// Writes the number of a gradient in a box; nothing for a colour.
    private mutating func write(_ gradient: Gradient?, as name: StaticString, in box: Rect) {
        guard let gradient else { return }
        sink.append(name)
        sink.append(drawing.number(of: JSONDrawing.PlacedGradient(gradient: gradient, box: box)))
    }

    private mutating func write(indices: [Int]) {
        var separator: StaticString = ",\"glyphs\":["
        for index in indices {
            sink.append(separator)
            sink.append(index)
            separator = ","
        }
        sink.append("]}")
    }
}
