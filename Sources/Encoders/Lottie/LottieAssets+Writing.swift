import Motion

// The assets themselves, and what layers show of drawings.
extension LottieAssets {
    func write(
        _ clock: LottieClock, _ workshop: Workshop, to sink: inout ByteSink
    ) throws(LibraryFault) {
        sink.append("\"assets\":[")
        var isFirst = true
        for number in drawings.indices where isAsset[number] {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            write(number, clock, workshop.cache, to: &sink)
        }
        for (index, bitmap) in layout.bitmaps.enumerated() where isShown[index] {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append("{\"id\":\"p")
            sink.append(index)
            sink.append("\",\"w\":")
            sink.append(bitmap.width)
            sink.append(",\"h\":")
            sink.append(bitmap.height)
            sink.append(",\"u\":\"\",\"p\":\"data:image/png;base64,")
            sink.append(Base64.standard.encoded(try workshop.painter.png(of: bitmap)))
            sink.append("\",\"e\":1}")
        }
        sink.append("]")
    }

    /// A drawing as a composition.
    private func write(
        _ number: Int, _ clock: LottieClock, _ cache: any GlyphCache,
        to sink: inout ByteSink
    ) {
        let drawing = drawings[number]
        // What is made of shapes is one layer; pictures need layers of their own.
        let layers = drawing.isShape ? [drawing.parts] : drawing.parts.reversed().map { [$0] }
        sink.append("{\"id\":\"")
        sink.append(number)
        sink.append("\",\"layers\":[")
        for (index, parts) in layers.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"ddd\":0,\"ty\":")
            var place = pen(ofDrawing: number)
            var scale = 1.0
            if case .picture(let picture, let box)? = parts.first {
                let fitted = LottiePicture(
                    layout.bitmaps[picture], over: box.rect(from: place), unit: steps[number])
                (place, scale) = (fitted.place, fitted.scale)
                sink.append("2,\"refId\":\"p")
                sink.append(picture)
                sink.append("\"")
            } else {
                sink.append("4,\"shapes\":[")
                write(shapes: parts, drawing.color, cache, to: &sink)
                sink.append("]")
            }
            sink.append(",\"ks\":{\"p\":")
            sink.append(lottiePoint: place)
            if scale != 1 {
                sink.append(",\"s\":")
                sink.append(lottieScale: scale)
            }
            sink.append("},\"ip\":0,\"op\":")
            sink.append(clock.lastFrame)
            sink.append(",\"st\":0}")
        }
        sink.append("]}")
    }

    /// The shapes of a drawing, filled; `opacity` is the property of what fades.
    func write(
        shapesOf number: Int, opacity: [UInt8], _ cache: any GlyphCache,
        to sink: inout ByteSink
    ) {
        let drawing = drawings[number]
        write(shapes: drawing.parts, drawing.color, opacity: opacity, cache, to: &sink)
    }

    /// Filled as one, so that they fade as one; where the colour is translucent each for itself, for
    /// there it shows where they overlap.
    private func write(
        shapes parts: [LottieDrawing.Part], _ color: Color, opacity: [UInt8]? = nil,
        _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        guard !color.isOpaque, parts.count > 1 else {
            for (index, part) in parts.enumerated() {
                if index > 0 { sink.append(UInt8(ascii: ",")) }
                write(part, over: parts[0], cache, to: &sink)
            }
            return sink.append(lottieFill: color, opacity: opacity)
        }
        for (index, part) in parts.reversed().enumerated() {
            sink.append(index > 0 ? ",{\"ty\":\"gr\",\"it\":[" : "{\"ty\":\"gr\",\"it\":[")
            write(shapes: [part], color, opacity: opacity, cache, to: &sink)
            sink.append(",{\"ty\":\"tr\"}]}")
        }
    }

    /// A part's paths; those of lines run as those of the first part do, lest they cut it out.
    private func write(
        _ part: LottieDrawing.Part, over first: LottieDrawing.Part,
        _ cache: any GlyphCache, to sink: inout ByteSink
    ) {
        switch (part, first) {
        case (.outline(let index), _):
            sink.append(
                LottieContours.text(
                    of: layout.outlines[index], unitsPerStep: unitsPerStep[index], cache))
        case (.line(let box), .outline(let index)):
            sink.append(contour: box.corners(clockwise: layout.outlines[index].isClockwise))
        case (.line(let box), _): sink.append(contour: box.corners(clockwise: true))
        case (.picture, _): break
        }
    }
}

extension Outline {
    /// Whether its contours, taken together, run clockwise.
    fileprivate var isClockwise: Bool {
        var area = 0.0
        var next = 0
        var start = Point.zero
        var current = Point.zero
        for command in commands {
            for place in 0..<command.pointCount {
                let point = Point(
                    x: Double(coordinates[next + 2 * place]),
                    y: Double(coordinates[next + 2 * place + 1]))
                if command == .move { start = point } else { area += current.cross(point) }
                current = point
            }
            if command == .close {
                area += current.cross(start)
                current = start
            }
            next += 2 * command.pointCount
        }
        return area > 0
    }
}

extension Point {
    fileprivate func cross(_ other: Point) -> Double {
        x * other.y - other.x * y
    }
}
