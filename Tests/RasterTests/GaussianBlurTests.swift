import Glibc
import Motion
import Raster
import Rendering
import Sampling
import Testing
import Typesetting

/// Blurred glyphs against sharp ones convolved with a Gaussian, sum by sum.
@Suite struct GaussianBlurTests {
    /// The largest difference of a byte.
    static let tolerance = 6.0

    struct Case: CustomStringConvertible, Sendable {
        var text = "g"
        /// CSS pixels.
        var sigma: Double
        var scaleX = 1.0
        var scaleY = 1.0
        var rotation = 0.0
        var skewX = 0.0
        var scale = 1.0

        var description: String {
            "\(text), \(sigma) px, \(scaleX) by \(scaleY), turned \(rotation), at \(scale)"
        }
    }

    static let cases: [Case] =
        [0.2, 0.3, 0.7, 1.5, 1.99, 2, 3, 5, 7.99, 8, 11.9, 12, 20].flatMap { sigma in
            ["g", ".", "W"].map { Case(text: $0, sigma: sigma) }
        } + [
            Case(text: "👻", sigma: 1), Case(text: "👻", sigma: 6), Case(text: "👻", sigma: 9),
            Case(sigma: 3, scaleX: 2, scaleY: 0.1), Case(sigma: 4, scaleX: -0.5, scaleY: 3),
            Case(sigma: 6, rotation: 30), Case(sigma: 1, scaleX: 1.3, scaleY: -1.3, rotation: 200),
            Case(sigma: 2.5, scale: 3.3), Case(sigma: 0.5, scale: 0.5),
        ]

    @Test("no byte is off by more than six", arguments: sample(cases, 12))
    func gaussian(of wanted: Case) throws {
        let glyph = try Sample(wanted.text)
        var pose = wanted.pose
        let canvas = PixelRect(minX: 0, minY: 0, maxX: glyph.side(wanted), maxY: glyph.side(wanted))
        let blurred = try glyph.tile(in: pose, scale: wanted.scale, on: canvas)
        pose.blur = 0
        let sharp = try glyph.tile(in: pose, scale: wanted.scale, on: canvas)
        let step = sharp.kind == .picture ? 4 : 1
        for offset in 0..<step {
            var picture = sharp.values(on: canvas, step: step, offset: offset)
            let factor = wanted.sigma * wanted.scale
            picture.convolve(
                sigmaX: factor * abs(wanted.scaleX), sigmaY: factor * abs(wanted.scaleY))
            let worst = blurred.values(on: canvas, step: step, offset: offset)
                .difference(from: picture)
            #expect(worst <= Self.tolerance)
        }
    }

    @Test(
        "a blur that is turned, stretched or skewed is near that of four times as many pixels",
        arguments: [(35.0, 0.0), (0, 40), (-20, -50)])
    func turned(rotation: Double, skewX: Double) throws {
        let glyph = try Sample("k")
        for sigma in [0.5, 1.5, 5, 12] {
            let wanted = Case(
                sigma: sigma, scaleX: 1.6, scaleY: 0.6, rotation: rotation, skewX: skewX)
            let side = glyph.side(wanted)
            let canvas = PixelRect(minX: 0, minY: 0, maxX: side, maxY: side)
            let fine = PixelRect(minX: 0, minY: 0, maxX: 4 * side, maxY: 4 * side)
            let tile = try glyph.tile(in: wanted.pose, scale: 1, on: canvas)
            let detailed = try glyph.tile(in: wanted.pose, scale: 4, on: fine)
            let small = tile.values(on: canvas, step: 1, offset: 0)
            let large = detailed.values(on: fine, step: 1, offset: 0).reduced(by: 4)
            // Skewed, the narrower axis of the smallest has a deviation of a fifth of a pixel.
            let tolerance = skewX == 0 ? Self.tolerance : 8
            #expect(small.difference(from: large) <= tolerance, "\(sigma)")
        }
    }

    @Test("a blur moves with its glyph", arguments: [0.0, 35], [0.0, 40])
    func moved(rotation: Double, skewX: Double) throws {
        let glyph = try Sample("k")
        let wanted = Case(sigma: 3, scaleX: 1.6, scaleY: 0.6, rotation: rotation, skewX: skewX)
        let canvas = PixelRect(minX: 0, minY: 0, maxX: 340, maxY: 340)
        var pose = wanted.pose
        let tile = try glyph.tile(in: pose, scale: 1, on: canvas)
        pose.offsetX += 60
        pose.offsetY -= 45
        let moved = try glyph.tile(in: pose, scale: 1, on: canvas)
        #expect(moved.rect.minX - tile.rect.minX == 60 && moved.rect.width == tile.rect.width)
        #expect(moved.rect.minY - tile.rect.minY == -45 && moved.rect.height == tile.rect.height)
        #expect(zip(moved.bytes, tile.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test("extremes draw something or nothing, and never fail")
    func extremes() throws {
        let glyph = try Sample("g")
        let canvas = PixelRect(minX: 0, minY: 0, maxX: 700, maxY: 300)
        for sigma in [0, 1e-9, 3, 800, 320_000] {
            for factor in [0, 1e-300, 1e-9, -0.001, 100] {
                for rotation in [0, 45, 3600.5] {
                    var pose = Pose.rest
                    (pose.blur, pose.scaleX, pose.rotation) = (sigma, factor, rotation)
                    (pose.strokeWidth, pose.strokeOpacity, pose.draw) = (80, 1, 0.5)
                    let tile = try glyph.tile(in: pose, scale: 4, on: canvas)
                    #expect(tile.rect.isEmpty || tile.rect.intersection(canvas) == tile.rect)
                }
            }
        }
    }
}

extension GaussianBlurTests.Case {
    var pose: Pose {
        var pose = Pose.rest
        pose.blur = sigma
        (pose.scaleX, pose.scaleY, pose.rotation, pose.skewX) = (scaleX, scaleY, rotation, skewX)
        (pose.offsetX, pose.offsetY) = (0.3, -0.2)
        return pose
    }
}

/// One glyph in the middle of a canvas.
private struct Sample {
    let scene: Scene
    let painter = TilePainter(cache: SharedGlyphCache(capacity: 1 << 20))

    init(_ text: String) throws {
        let worker = try RenderWorker(catalog: FontCatalog())
        let pipeline = RenderPipeline(limits: RenderLimits())
        let body = #"{"text":"\#(text)","size":40,"width":340,"height":340,"align":"center"}"#
        scene = try pipeline.scene(of: pipeline.request(json: Array(body.utf8)), on: worker)
    }

    func side(_ wanted: GaussianBlurTests.Case) -> Int { Int((340 * wanted.scale).rounded(.up)) }

    func tile(in pose: Pose, scale: Double, on canvas: PixelRect) throws -> Tile {
        let glyph = scene.nodes[0].glyph
        let ink = try #require(glyph.ink)
        return try painter.tile(
            of: .fill(nil), ink, of: glyph, in: pose, scene.definitions, scale: scale,
            canvas: PixelSize(width: canvas.width, height: canvas.height))
    }
}

/// A picture of one number a pixel.
private struct Values {
    var width: Int
    var rows: [[Double]]

    func difference(from other: Values) -> Double {
        zip(rows, other.rows).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
    }

    func reduced(by factor: Int) -> Values {
        var result = Values(
            width: width / factor,
            rows: [[Double]](
                repeating: [Double](repeating: 0, count: width / factor),
                count: rows.count / factor))
        for (y, row) in rows.enumerated() {
            for (x, value) in row.enumerated() {
                result.rows[y / factor][x / factor] += value / Double(factor * factor)
            }
        }
        return result
    }

    mutating func convolve(sigmaX: Double, sigmaY: Double) {
        if sigmaX > 0.1 { rows = rows.map { Self.convolved($0, sigma: sigmaX) } }
        guard sigmaY > 0.1 else { return }
        for x in 0..<width {
            let column = Self.convolved(rows.map { $0[x] }, sigma: sigmaY)
            for y in rows.indices { rows[y][x] = column[y] }
        }
    }

    private static func convolved(_ line: [Double], sigma: Double) -> [Double] {
        let reach = Int(5 * sigma) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        var result = [Double](repeating: 0, count: line.count)
        for (from, value) in line.enumerated() where value > 0 {
            for to in max(from - reach, 0)...min(from + reach, line.count - 1) {
                result[to] += value * weights[to - from + reach] / sum
            }
        }
        return result
    }
}

extension Tile {
    fileprivate func values(on canvas: PixelRect, step: Int, offset: Int) -> Values {
        var values = Values(
            width: canvas.width,
            rows: [[Double]](
                repeating: [Double](repeating: 0, count: canvas.width), count: canvas.height))
        for y in rect.minY..<rect.maxY {
            for x in rect.minX..<rect.maxX {
                values.rows[y][x] = Double(
                    bytes[(y - rect.minY) * stride + (x - rect.minX) * step + offset])
            }
        }
        return values
    }
}
