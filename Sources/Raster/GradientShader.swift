package import Motion

/// The colours of a gradient at the middles of pixels, premultiplied.
package struct GradientShader: Sendable {
    private struct Stop {
        /// The share of the line.
        let share: Float
        let color: SIMD4<Float>
        /// The change of the colour on a whole line.
        let slope: SIMD4<Float>
    }

    private let stops: [Stop]
    /// The share of the line at a pixel: `origin` + x · `step.x` + y · `step.y`.
    private let origin: Double
    private let step: SIMD2<Double>

    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - line: Its line; one without length has the last colour everywhere.
    ///   - place: Returns the position of a point among the pixels in the line's coordinates; an
    ///     affine map.
    package init(
        _ gradient: Gradient, along line: GradientLine,
        at place: (SIMD2<Double>) -> SIMD2<Double>
    ) {
        let start = SIMD2(line.start.x, line.start.y)
        let way = SIMD2(line.end.x, line.end.y) - start
        let length = (way * way).sum()
        func share(_ x: Double, _ y: Double) -> Double {
            guard length > 0 else { return .infinity }
            return ((place(SIMD2(x, y)) - start) * way).sum() / length
        }
        origin = share(0.5, 0.5)
        step =
            length > 0
            ? SIMD2(share(1.5, 0.5) - origin, share(0.5, 1.5) - origin) : .zero
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
        let start = origin + Double(y) * step.y
        stops.withUnsafeBufferPointer { stops in
            var stop = 0
            var count = 0
            for x in columns {
                let share = Float(start + Double(x) * step.x)
                while stop + 1 < stops.count, stops[stop + 1].share <= share { stop += 1 }
                while stop > 0, stops[stop].share > share { stop -= 1 }
                // Also false of what is no number.
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
    ///   - stride: Bytes of the coverage from one row to the next.
    /// - Returns: Four bytes a pixel, rows without gaps.
    package func pixels(of rect: PixelRect, coverage: [UInt8], stride: Int) -> [UInt8] {
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
                            let color = colors[x] * Float(coverage[y &* stride &+ x]) + 0.5
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
