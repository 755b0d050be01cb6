package import Motion

/// Samples on a grid, row by row.
///
/// They are whole numbers of 256ths of a byte, so that sums of them are exact.
package struct Plane: Sendable {
    package let rect: PixelRect
    private let samples: [Float]

    private static let unit: Float = 256

    private init(rect: PixelRect, samples: [Float]) {
        self.rect = rect
        self.samples = samples
    }

    /// Makes a plane of one byte of each pixel.
    ///
    /// - Parameters:
    ///   - rect: The position of the pixels.
    ///   - bytes: The pixels.
    ///   - stride: Bytes from one row to the next.
    ///   - step: Bytes from one pixel to the next.
    ///   - offset: The byte of each pixel.
    package init(rect: PixelRect, bytes: [UInt8], stride: Int, step: Int, offset: Int) {
        let width = rect.width
        self.rect = rect
        samples = [Float](unsafeUninitializedCapacity: width * rect.height) { target, count in
            count = width * rect.height
            guard let target = target.baseAddress else { return }
            bytes.withUnsafeBufferPointer { bytes in
                for y in 0..<rect.height {
                    let row = y * stride + offset
                    if step == 1 {
                        for x in 0..<width {
                            target[y &* width &+ x] = Float(bytes[row &+ x]) * Self.unit
                        }
                    } else {
                        for x in 0..<width {
                            target[y &* width &+ x] =
                                Float(bytes[row &+ x &* step]) * Self.unit
                        }
                    }
                }
            }
        }
    }

    /// Returns the samples of a rectangle convolved with a Gaussian; outside of the plane is
    /// nothing.
    package func blurred(by blur: GaussianBlur, in rect: PixelRect) -> Plane {
        let columns = blur.down.turned(
            samples, width: self.rect.width, height: self.rect.height,
            from: rect.minY - self.rect.minY, count: rect.height)
        let rows = blur.across.turned(
            columns, width: rect.height, height: self.rect.width,
            from: rect.minX - self.rect.minX, count: rect.width)
        return Plane(rect: rect, samples: rows)
    }

    /// Writes one byte of each pixel of a rectangle, interpolated between the nearest samples.
    ///
    /// - Parameters:
    ///   - target: The bytes of the rectangle's first pixel.
    ///   - stride: Bytes from one row to the next.
    ///   - step: Bytes from one pixel to the next.
    ///   - rect: The rectangle, in pixels.
    ///   - grid: The pixels that one sample stands for, across and down.
    package func write(
        to target: UnsafeMutablePointer<UInt8>, stride: Int, step: Int, of rect: PixelRect,
        grid: SIMD2<Double>
    ) {
        let columns = (rect.minX..<rect.maxX).map {
            Self.position($0, factor: grid.x, first: self.rect.minX, count: self.rect.width)
        }
        let width = self.rect.width
        guard width > 0, self.rect.height > 0 else { return }
        var row = [Float](repeating: 0, count: width)
        samples.withUnsafeBufferPointer { samples in
            row.withUnsafeMutableBufferPointer { row in
                columns.withUnsafeBufferPointer { columns in
                    for y in 0..<rect.height {
                        let place = Self.position(
                            rect.minY + y, factor: grid.y, first: self.rect.minY,
                            count: self.rect.height)
                        let (above, below) = (place.index &* width, place.next &* width)
                        for x in 0..<width {
                            let sample = samples[above &+ x]
                            row[x] = sample + (samples[below &+ x] - sample) * place.share
                        }
                        var byte = target + y * stride
                        for column in columns {
                            let sample = row[column.index]
                            byte.pointee = Self.byte(
                                sample + (row[column.next] - sample) * column.share)
                            byte += step
                        }
                    }
                }
            }
        }
    }

    /// Writes one byte of each pixel of a rectangle, which lies on the plane turned.
    ///
    /// - Parameters:
    ///   - target: The bytes of the rectangle's first pixel.
    ///   - stride: Bytes from one row to the next.
    ///   - step: Bytes from one pixel to the next.
    ///   - rect: The rectangle, in pixels.
    ///   - place: Returns the position among the samples of the middle of a pixel.
    package func write(
        to target: UnsafeMutablePointer<UInt8>, stride: Int, step: Int, of rect: PixelRect,
        at place: (SIMD2<Double>) -> SIMD2<Double>
    ) {
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let middle = SIMD2(Double(rect.minX + x) + 0.5, Double(rect.minY + y) + 0.5)
                target[y * stride + x * step] = Self.byte(sample(at: place(middle)))
            }
        }
    }

    /// Returns the value at a position among the samples; outside of them is nothing.
    private func sample(at position: SIMD2<Double>) -> Float {
        let place = position - 0.5 - SIMD2(Double(rect.minX), Double(rect.minY))
        guard place.x > -1, place.y > -1, place.x < Double(rect.width),
            place.y < Double(rect.height)
        else { return 0 }
        let low = place.rounded(.down)
        let share = SIMD2<Float>(place - low)
        let (x, y) = (Int(low.x), Int(low.y))
        func value(_ x: Int, _ y: Int) -> Float {
            guard x >= 0, y >= 0, x < rect.width, y < rect.height else { return 0 }
            return samples[y * rect.width + x]
        }
        let above = value(x, y) + (value(x + 1, y) - value(x, y)) * share.x
        let below = value(x, y + 1) + (value(x + 1, y + 1) - value(x, y + 1)) * share.x
        return above + (below - above) * share.y
    }

    /// Returns the samples around the middle of a pixel, and the share of the second.
    @inline(__always)
    private static func position(
        _ pixel: Int, factor: Double, first: Int, count: Int
    ) -> (index: Int, next: Int, share: Float) {
        let position = (Double(pixel) + 0.5) / factor - 0.5 - Double(first)
        let low = position.rounded(.down)
        let index = min(max(Int(low), 0), count - 1)
        return (index, min(index + 1, count - 1), Float(position - low))
    }

    @inline(__always)
    private static func byte(_ sample: Float) -> UInt8 {
        UInt8(min(sample * (1 / unit) + 0.5, 255))
    }
}

/// The samples on which a blur is computed.
///
/// A Gaussian is so smooth that a few samples of it say all: the samples of a wide Gaussian are
/// further apart than pixels. If they lie turned, the samples of a narrow Gaussian are nearer to
/// each other than pixels.
package struct BlurGrid: Sendable {
    /// Pixels of one sample, across and down.
    package let spacing: SIMD2<Double>
    /// The standard deviations in samples, across and down.
    package let sigma: SIMD2<Double>
    /// True if the samples lie turned, because a turned glyph is blurred differently across and
    /// down.
    package let isTurned: Bool

    /// The standard deviation in pixels below which nothing is blurred.
    private static let smallest = 0.25
    /// The standard deviation in pixels from which samples are more than a pixel apart.
    private static let coarse = 8.0
    /// The fewest samples in a standard deviation, where pixels are finer.
    private static let fewestSamples = 4.0
    /// The standard deviation wanted where the grid is turned, and the most samples in a pixel.
    private static let fine = (samples: 2.0, most: 4.0)

    /// Chooses the samples; nil where nothing is blurred.
    ///
    /// - Parameters:
    ///   - sigma: The standard deviation in pixels, before the glyph is scaled.
    ///   - pose: The glyph's pose.
    package init?(sigma: Double, in pose: Pose) {
        let sigma = pose.stretch * sigma
        guard sigma.max() >= Self.smallest else { return nil }
        isTurned = pose.isTurnedUnevenly
        let variance: SIMD2<Double>
        if isTurned {
            spacing = SIMD2(Self.turned(sigma.x), Self.turned(sigma.y))
            variance = sigma * sigma - spacing * spacing / 4 + 1 / 12
        } else {
            spacing = SIMD2(Self.straight(sigma.x), Self.straight(sigma.y))
            // A sample is the mean of its pixels, and pixels lie between samples.
            variance = sigma * sigma - (spacing * spacing - 1) / 4
        }
        self.sigma = pointwiseMax(variance, .zero).squareRoot() / spacing
    }

    /// The pixels that the blur reaches beyond the blurred part, across and down.
    package var reach: SIMD2<Double> {
        SIMD2(
            Double(GaussianKernel.reach(sigma: sigma.x)),
            Double(GaussianKernel.reach(sigma: sigma.y))) * spacing
    }

    private static func straight(_ sigma: Double) -> Double {
        sigma < coarse ? 1 : (sigma / fewestSamples).rounded(.down)
    }

    private static func turned(_ sigma: Double) -> Double {
        guard sigma < fine.samples else { return straight(sigma) }
        return 1 / min((fine.samples / max(sigma, 0.1)).rounded(.up), fine.most)
    }
}

/// A convolution with a Gaussian, by columns and by rows.
package struct GaussianBlur: Sendable {
    fileprivate let across: GaussianKernel
    fileprivate let down: GaussianKernel

    /// The samples on each side that a sample depends on, across.
    package var reachX: Int { across.reach }
    /// The samples on each side that a sample depends on, down.
    package var reachY: Int { down.reach }

    /// Makes a blur of two standard deviations in samples.
    ///
    /// - Parameter sigma: Across and down, 0…100 each.
    package init(sigma: SIMD2<Double>) {
        across = GaussianKernel(sigma: sigma.x)
        down = GaussianKernel(sigma: sigma.y)
    }
}

/// A Gaussian along one axis.
private struct GaussianKernel: Sendable {
    private enum Shape {
        case none
        /// The weight of the middle and of the samples on each side of it.
        case weights([Float])
        /// Several means, one after another, of the samples as far as `radius` and a part of the
        /// next on each side.
        case means(radius: Int, edge: Float, share: Float)
    }

    private let shape: Shape
    let reach: Int

    /// The standard deviation below which no byte changes.
    private static let smallest = 0.25
    /// The standard deviation from which means are near enough.
    private static let smallestMeans = 2.0
    /// The standard deviations beyond which weights are left out.
    private static let cut = 3.5
    private static let meanCount = 6

    init(sigma: Double) {
        reach = Self.reach(sigma: sigma)
        if sigma < Self.smallest {
            shape = .none
        } else if sigma < Self.smallestMeans {
            shape = .weights(Self.weights(sigma: sigma, reach: reach))
        } else {
            // Gwosdek and others: Theoretical foundations of Gaussian convolution by extended box
            // filtering (2011).
            let variance = Self.meanVariance(sigma)
            let radius = Self.meanRadius(variance)
            let width = 2 * radius + 1
            let edge =
                width * (radius * (radius + 1) - 3 * variance)
                / (6 * (variance - (radius + 1) * (radius + 1)))
            shape = .means(
                radius: Int(radius), edge: Float(edge), share: Float(1 / (width + 2 * edge)))
        }
    }

    /// Returns the samples on each side that a sample depends on.
    static func reach(sigma: Double) -> Int {
        if sigma < smallest { return 0 }
        if sigma < smallestMeans { return Int((cut * sigma).rounded(.up)) }
        return meanCount * (Int(meanRadius(meanVariance(sigma))) + 1)
    }

    /// Returns the variance of each of several means that are one Gaussian together.
    private static func meanVariance(_ sigma: Double) -> Double {
        sigma * sigma / Double(meanCount)
    }

    private static func meanRadius(_ variance: Double) -> Double {
        ((12 * variance + 1).squareRoot() / 2 - 0.5).rounded(.down)
    }

    private static func weights(sigma: Double, reach: Int) -> [Float] {
        let weights = (0...reach).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        return weights.map { Float($0 / sum) }
    }

    /// Returns e to the power of a number from −100 to 0.
    private static func exponential(_ power: Double) -> Double {
        // By Taylor's series of a small part of the power, squared again and again.
        var (term, sum) = (1.0, 1.0)
        for index in 1...12 {
            term *= power / 1024 / Double(index)
            sum += term
        }
        for _ in 0..<10 { sum *= sum }
        return sum
    }

    private typealias Lanes = SIMD8<Float>
    /// Added and taken away, it leaves whole numbers.
    private static let rounder = Lanes(repeating: 12_582_912)

    /// Returns columns convolved, each as a row.
    ///
    /// - Parameters:
    ///   - samples: Rows of samples without gaps.
    ///   - width: The number of columns.
    ///   - height: The number of rows.
    ///   - first: The first row of the result, counted from the first row of the samples.
    ///   - count: The number of rows of the result.
    /// - Returns: For each column `count` samples.
    func turned(
        _ samples: [Float], width: Int, height: Int, from first: Int, count: Int
    ) -> [Float] {
        // The rows from which and to which something is computed.
        let low = min(first, max(first - reach, -reach))
        let high = max(first + count, min(first + count + reach, height + reach))
        // Room for the samples beyond the ends, which are nothing.
        let margin: Int
        switch shape {
        case .none: margin = 0
        case .weights: margin = reach
        case .means(let radius, _, _): margin = radius + 1
        }
        let length = high - low
        var strip = [Lanes](repeating: .zero, count: length + 2 * margin)
        var other = strip
        let source = max(low, 0)..<max(min(high, height), max(low, 0))
        return [Float](unsafeUninitializedCapacity: width * count) { result, total in
            total = width * count
            guard let result = result.baseAddress, count > 0 else { return }
            samples.withUnsafeBufferPointer { samples in
                strip.withUnsafeMutableBufferPointer { strip in
                    other.withUnsafeMutableBufferPointer { other in
                        guard let samples = samples.baseAddress, let strip = strip.baseAddress,
                            let other = other.baseAddress
                        else {
                            result.update(repeating: 0, count: width * count)
                            return
                        }
                        for column in stride(from: 0, to: width, by: Lanes.scalarCount) {
                            let lanes = min(width - column, Lanes.scalarCount)
                            (strip + margin).update(repeating: .zero, count: length)
                            Self.load(
                                samples + column, lanes, rows: source, width: width,
                                into: strip + (margin - low))
                            let convolved = convolve(
                                strip, other, margin: margin, length: length)
                            Self.store(
                                convolved + (margin + first - low), lanes, count: count,
                                into: result + column * count)
                        }
                    }
                }
            }
        }
    }

    private static func load(
        _ samples: UnsafePointer<Float>, _ lanes: Int, rows: Range<Int>, width: Int,
        into strip: UnsafeMutablePointer<Lanes>
    ) {
        if lanes == Lanes.scalarCount {
            for row in rows {
                strip[row] = UnsafeRawPointer(samples + row &* width)
                    .loadUnaligned(as: Lanes.self)
            }
        } else {
            for row in rows {
                for lane in 0..<lanes { strip[row][lane] = samples[row &* width &+ lane] }
            }
        }
    }

    private static func store(
        _ strip: UnsafeMutablePointer<Lanes>, _ lanes: Int, count: Int,
        into result: UnsafeMutablePointer<Float>
    ) {
        let size = Lanes.scalarCount
        strip.withMemoryRebound(to: Float.self, capacity: count * size) { values in
            for lane in 0..<lanes {
                let target = result + lane &* count
                let source = values + lane
                for row in 0..<count { target[row] = source[row &* size] }
            }
        }
    }

    /// Convolves a strip of columns, using another as room.
    ///
    /// - Returns: The one that holds the result.
    private func convolve(
        _ strip: UnsafeMutablePointer<Lanes>, _ other: UnsafeMutablePointer<Lanes>,
        margin: Int, length: Int
    ) -> UnsafeMutablePointer<Lanes> {
        switch shape {
        case .none:
            return strip
        case .weights(let weights):
            weights.withUnsafeBufferPointer { weights in
                for index in margin..<margin &+ length {
                    var sum = strip[index] * weights[0]
                    for distance in 1..<weights.count {
                        sum +=
                            (strip[index &- distance] + strip[index &+ distance])
                            * weights[distance]
                    }
                    other[index] = (sum + Self.rounder) - Self.rounder
                }
            }
            return other
        case .means(let radius, let edge, let share):
            var (from, to) = (strip, other)
            for _ in 0..<Self.meanCount {
                Self.mean(from, to, length: length, radius: radius, edge: edge, share: share)
                swap(&from, &to)
            }
            return from
        }
    }

    /// Writes the mean around each of `length` samples, of which the first is at `radius` + 1.
    private static func mean(
        _ from: UnsafeMutablePointer<Lanes>, _ to: UnsafeMutablePointer<Lanes>,
        length: Int, radius: Int, edge: Float, share: Float
    ) {
        let margin = radius &+ 1
        var sum = Lanes.zero
        for index in 1...2 &* radius &+ 1 { sum += from[index] }
        for index in 0..<length {
            let next = from[index &+ 2 &* margin]
            let mean = (sum + (from[index] + next) * edge) * share
            to[index &+ margin] = (mean + rounder) - rounder
            sum += next - from[index &+ 1]
        }
    }
}
