import Glibc
package import Motion

/// The colours of a gradient at the middles of pixels, premultiplied.
package struct GradientShader: Sendable {
    private struct Stop {
        /// The share of the way.
        let share: Float
        let color: SIMD4<Float>
        /// The change of the colour on the whole way.
        let slope: SIMD4<Float>
    }

    /// The measure of a pixel's progress through the colours, from its mapped position.
    private enum Measure {
        case along
        case outwards
        /// Clockwise, from such a share of a turn.
        case around(Double)
    }

    private let stops: [Stop]
    private let repeats: Bool
    private let measure: Measure
    /// Where the middle of a pixel lies: `origin` + x · `stepX` + y · `stepY`; along a line the first number is
    /// the share, outwards the length is, and around the angle is.
    private let origin: SIMD2<Double>
    private let stepX: SIMD2<Double>
    private let stepY: SIMD2<Double>

    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - box: The box that it fills.
    ///   - place: Returns the position of a point among the pixels in the box's coordinates; an
    ///     affine map.
    package init(
        _ gradient: Gradient, in box: Rect, at place: (SIMD2<Double>) -> SIMD2<Double>
    ) {
        let geometry = gradient.geometry(in: box)
        func position(_ x: Double, _ y: Double) -> SIMD2<Double> {
            let point = place(SIMD2(x, y))
            switch geometry {
            case .line(let line):
                let start = SIMD2(line.start.x, line.start.y)
                let way = SIMD2(line.end.x, line.end.y) - start
                return SIMD2(((point - start) * way).sum() / (way * way).sum(), 0)
            case .ellipse(let center, let radii): return (point - SIMD2(center.x, center.y)) / radii
            case .sweep(let center, _): return point - SIMD2(center.x, center.y)
            case nil: return SIMD2(.infinity, 0)
            }
        }
        origin = position(0.5, 0.5)
        stepX = geometry == nil ? .zero : position(1.5, 0.5) - origin
        stepY = geometry == nil ? .zero : position(0.5, 1.5) - origin
        measure =
            switch geometry {
            case .line, nil: .along
            case .ellipse: .outwards
            case .sweep(_, let degrees): .around(degrees / 360)
            }
        repeats = gradient.repeats && geometry != nil
        let all = gradient.stops
        stops = all.indices.map { index in
            let color = SIMD4<Float>(all[index].color.premultiplied)
            let next = all[min(index + 1, all.count - 1)]
            let way = Float((next.percent - all[index].percent) / 100)
            let slope =
                way > 0 ? (SIMD4<Float>(next.color.premultiplied) - color) / way : .zero
            return Stop(share: Float(all[index].percent / 100), color: color, slope: slope)
        }
    }

    /// Writes red, green, blue and alpha, 0…1 each, of the pixels of a part of a row.
    package func write(
        row y: Int, _ columns: Range<Int>, to colors: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let start = origin + Double(y) * stepY
        switch measure {
        case .along:
            let (start, step) = (start.x, stepX.x)
            write(columns, to: colors) { Float(start + Double($0) * step) }
        case .outwards:
            write(columns, to: colors) { x in
                let place = start + Double(x) * stepX
                return Float((place * place).sum().squareRoot())
            }
        case .around(let first):
            write(columns, to: colors) { x in
                let place = start + Double(x) * stepX
                let share = atan2(place.x, -place.y) / (2 * .pi) - first
                return Float(share - share.rounded(.down))
            }
        }
    }

    /// Writes the colours at the shares of the way that pixels have come.
    @inline(__always)
    private func write(
        _ columns: Range<Int>, to colors: UnsafeMutablePointer<SIMD4<Float>>,
        _ share: (Int) -> Float
    ) {
        let (first, last) = (stops[0].share, stops[stops.count - 1].share)
        stops.withUnsafeBufferPointer { stops in
            var stop = 0
            var count = 0
            for x in columns {
                var share = share(x)
                if repeats {
                    let turns = (share - first) / (last - first)
                    share = first + (turns - turns.rounded(.down)) * (last - first)
                }
                while stop + 1 < stops.count, stops[stop + 1].share <= share { stop += 1 }
                while stop > 0, stops[stop].share > share { stop -= 1 }
                // Also false for NaN.
                let isWithin = stop + 1 < stops.count && share > stops[stop].share
                let way = isWithin ? share - stops[stop].share : 0
                colors[count] = stops[stop].color + stops[stop].slope * way
                count += 1
            }
        }
    }

    /// Returns the pixels of a rectangle, one byte each of blue, green, red and alpha, premultiplied.
    ///
    /// - Parameters:
    ///   - rect: The rectangle.
    ///   - coverage: The share of each pixel that is covered, 0…255.
    ///   - first: The place of the rectangle's first pixel in the coverage.
    ///   - stride: Bytes of the coverage from one row to the next.
    /// - Returns: Four bytes a pixel, rows without gaps.
    package func pixels(
        of rect: PixelRect, coverage: [UInt8], from first: Int = 0, stride: Int
    ) -> [UInt8] {
        var colors = [SIMD4<Float>](repeating: .zero, count: rect.width)
        return [UInt8](unsafeUninitializedCapacity: 4 * rect.width * rect.height) {
            target, count in
            count = 4 * rect.width * rect.height
            guard var byte = target.baseAddress else { return }
            colors.withUnsafeMutableBufferPointer { colors in
                guard let colors = colors.baseAddress else { return }
                coverage.withUnsafeBufferPointer { coverage in
                    for y in 0..<rect.height {
                        write(row: rect.minY + y, rect.minX..<rect.maxX, to: colors)
                        for x in 0..<rect.width {
                            let color = colors[x] * Float(coverage[first &+ y &* stride &+ x]) + 0.5
                            byte[0] = UInt8(color.z)
                            byte[1] = UInt8(color.y)
                            byte[2] = UInt8(color.x)
                            byte[3] = UInt8(color.w)
                            byte += 4
                        }
                    }
                }
            }
        }
    }
}
