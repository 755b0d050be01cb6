import Bytes
import Motion

/// The values of the members of the node that is written.
///
/// Nodes are read field by field: reading one as a whole copies it.
extension JSONSceneWriter: JSONGlyphMembers {
    @inline(__always)
    mutating func member(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, write: (inout JSONSceneWriter) -> Void
    ) {
        begin(name)
        write(&self)
    }

    @inline(__always)
    mutating func member<Value>(
        _ name: StaticString, _ values: @autoclosure () -> Values,
        _ summary: @autoclosure () -> String, if value: (borrowing JSONSceneWriter) -> Value?,
        write: (inout JSONSceneWriter, Value) -> Void
    ) {
        guard let value = value(self) else { return }
        begin(name)
        write(&self, value)
    }

    mutating func otherTracks() {
        for other in scene.tracks[track].others {
            begin(other.property.name)
            write(other.track)
        }
        // By the pen a mark is a line without a fill.
        guard let mark else { return }
        let pen: [(Property, Double)] = [
            (.strokeWidth, mark.line.width), (.fillOpacity, 0), (.strokeOpacity, 1),
        ]
        for (property, value) in pen {
            begin(property.name)
            write(Track(keyframes: [Keyframe(.zero, value: value)]))
        }
    }

    // MARK: Values

    var kind: SceneNode.Role.Name { nodes[index].role.name }

    /// The place in the block's text; nil for a node that is no glyph of it.
    var range: Range<Int>? {
        guard nodes[index].role.name == .glyph else { return nil }
        let start = nodes[index].glyph.start
        return start..<start + nodes[index].glyph.length
    }

    /// The node to which it belongs; nil for none.
    var target: Int? { nodes[index].role.source }

    /// The mark of which it is a stroke; nil for none.
    @inline(__always)
    var mark: SceneMark? {
        nodes[index].role.mark.map { scene.marks[$0] }
    }

    /// The only colour scheme under which it is shown; nil for both.
    var scheme: String? { nodes[index].role.onlyScheme }

    /// The gradient in its place; nil for a colour.
    var gradient: JSONDrawing.PlacedGradient? { placed(nodes[index].glyph.paint.gradient) }

    /// The same under a dark colour scheme.
    var darkGradient: JSONDrawing.PlacedGradient? { placed(darkPaint?.gradient) }

    private func placed(_ gradient: Gradient?) -> JSONDrawing.PlacedGradient? {
        guard let gradient, let gradientBox else { return nil }
        return JSONDrawing.PlacedGradient(gradient: gradient, box: gradientBox)
    }

    /// Returns a box of the node in its place on a path.
    func moved(_ rect: Rect) -> Rect { rect.offset(byX: shift.x, y: shift.y) }

    /// The outline; nil for none, and where the rendering has no shapes.
    var shape: Ink.Shape? { drawing.hasShapes ? nodes[index].glyph.ink?.shape : nil }

    /// The underlines and strikethroughs; nil for none.
    var lines: [Rect]? {
        let shift = shift
        let lines = details.compactMap { detail in
            if case .line(let rect) = detail { rect.offset(byX: shift.x, y: shift.y) } else { nil }
        }
        return lines.isEmpty ? nil : lines
    }

    /// The pictures; nil for none.
    var pictures: [Ink.Picture]? {
        let shift = shift
        let pictures = details.compactMap { detail -> Ink.Picture? in
            guard case .picture(var picture) = detail else { return nil }
            picture.rect = picture.rect.offset(byX: shift.x, y: shift.y)
            return picture
        }
        return pictures.isEmpty ? nil : pictures
    }

    /// The number of the nodes with which it is blended once; nil for a node that is drawn alone, and
    /// where the rendering has no shapes.
    var join: Int? { drawing.hasShapes ? scene.join(ofNode: index) : nil }

    private var details: [Ink.Detail] {
        drawing.hasShapes ? nodes[index].glyph.ink?.details ?? [] : []
    }

    /// The spans of its mask; nil for none.
    var mask: [MaskSpan]? { nodes[index].mask.map { scene.masks[$0] } }
}

extension SceneNode.Role {
    fileprivate var onlyScheme: String? {
        switch scheme {
        case .any: nil
        case .light: "light"
        case .dark: "dark"
        }
    }
}
