import Sampling
import Testing

@testable import Motion

@Suite("Outlines without overlaps")
struct OutlineUnionTests {
    /// Contours of corners, clockwise as fonts have them or the other way.
    private static func outline(_ contours: [[(Double, Double)]]) -> Outline {
        var commands: [Outline.Command] = []
        var coordinates: [Float] = []
        for contour in contours {
            for (index, point) in contour.enumerated() {
                commands.append(index == 0 ? .move : .line)
                coordinates += [Float(point.0), Float(point.1)]
            }
            commands.append(.close)
        }
        return Outline(commands: commands, coordinates: coordinates, unitsPerEm: 1000)
    }

    private static func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) -> [(Double, Double)] {
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    }

    /// A circle of four curves of the second degree, which is near enough to one.
    private static func circle(_ x: Float, _ y: Float, _ r: Float) -> Outline {
        let k = r * 0.414_213_56
        var coordinates: [Float] = [x + r, y]
        for (sx, sy) in [(1, 1), (-1, 1), (-1, -1), (1, -1)] as [(Float, Float)] {
            let turned = sx * sy > 0
            let (a, b) = turned ? (r, k) : (k, r)
            let (c, d) = turned ? (k, r) : (r, k)
            let half = r * 0.707_106_77
            coordinates += [x + sx * a, y + sy * b, x + sx * half, y + sy * half]
            coordinates += [x + sx * c, y + sy * d]
            coordinates += turned ? [x, y + sy * r] : [x + sx * r, y]
        }
        return Outline(
            commands: [.move] + [Outline.Command](repeating: .quadratic, count: 8) + [.close],
            coordinates: coordinates, unitsPerEm: 1000)
    }

    private static func joined(_ outlines: [Outline]) -> Outline {
        Outline(
            commands: outlines.flatMap(\.commands), coordinates: outlines.flatMap(\.coordinates),
            unitsPerEm: 1000)
    }

    /// How often the contours go around a point, with curves as lines of 32 pieces.
    private static func winding(_ outline: Outline, _ x: Double, _ y: Double) -> Int {
        var winding = 0
        var (start, current) = (Point.zero, Point.zero)
        func line(to end: Point) {
            defer { current = end }
            guard (current.y <= y) != (end.y <= y) else { return }
            let at = current.x + (end.x - current.x) * (y - current.y) / (end.y - current.y)
            if at > x { winding += end.y > current.y ? 1 : -1 }
        }
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                line(to: start)
                (start, current) = (point, point)
            case .line(let end): line(to: end)
            case .quadratic(let control, let end):
                let from = current
                for step in 1...32 {
                    let (u, v) = (1 - Double(step) / 32, Double(step) / 32)
                    line(
                        to: Point(
                            x: u * u * from.x + 2 * u * v * control.x + v * v * end.x,
                            y: u * u * from.y + 2 * u * v * control.y + v * v * end.y))
                }
            case .cubic(_, _, let end): line(to: end)
            case .close: line(to: start)
            }
        }
        line(to: start)
        return winding
    }

    /// Expects the same ink, and nowhere more than one layer of it.
    private static func expectSameInk(
        _ outline: Outline, in side: Double = 400, _ name: String = ""
    ) {
        let united = outline.withoutOverlaps
        var faults: [(Double, Double)] = []
        for row in 0..<80 {
            for column in 0..<80 {
                // Off the grid of the corners.
                let (x, y) = (
                    (Double(column) + 0.487) * side / 80, (Double(row) + 0.513) * side / 80
                )
                let (before, after) = (winding(outline, x, y), winding(united, x, y))
                if (before != 0) != (after != 0) || abs(after) > 1 { faults.append((x, y)) }
            }
        }
        #expect(faults.isEmpty, "\(name), at \(faults.prefix(3))")
    }

    @Test("two boxes that overlap are one contour of eight corners")
    func boxes() {
        let outline = Self.outline([Self.box(0, 0, 200, 200), Self.box(100, 100, 200, 200)])
        let united = outline.withoutOverlaps
        #expect(united.commands.filter { $0 == .move }.count == 1)
        #expect(united.commands.filter { $0 == .line }.count == 8)
        Self.expectSameInk(outline)
        #expect(united === outline.withoutOverlaps && united === united.withoutOverlaps)
    }

    @Test("what has no overlaps is left alone")
    func plain() {
        let counter = [(50.0, 50.0), (50, 150), (150, 150), (150, 50)]
        for contours in [
            [Self.box(0, 0, 200, 200)], [Self.box(0, 0, 200, 200), counter],
            [Self.box(0, 0, 100, 100), Self.box(200, 0, 100, 100)],
        ] {
            let outline = Self.outline(contours)
            #expect(outline.withoutOverlaps === outline)
        }
        let circle = Self.circle(200, 200, 150)
        #expect(circle.withoutOverlaps === circle)
    }

    @Test("a box within another one, bars that cross, and edges on each other")
    func arrangements() {
        Self.expectSameInk(
            Self.outline([Self.box(0, 0, 200, 200), Self.box(50, 50, 100, 100)]), "within")
        let hash = Self.outline([
            Self.box(100, 0, 50, 400), Self.box(250, 0, 50, 400), Self.box(0, 100, 400, 50),
            Self.box(0, 250, 400, 50),
        ])
        Self.expectSameInk(hash, "crossing")
        #expect(hash.withoutOverlaps.commands.filter { $0 == .move }.count == 2)
        for (name, other) in [
            ("beside", Self.box(200, 0, 100, 200)), ("flush", Self.box(100, 0, 200, 200)),
            ("the same", Self.box(0, 0, 200, 200)), ("half", Self.box(100, 50, 200, 150)),
            ("at a corner", Self.box(200, 200, 100, 100)),
        ] {
            let outline = Self.outline([Self.box(0, 0, 200, 200), other])
            Self.expectSameInk(outline, name)
        }
        let eight = Self.outline([[(0, 0), (300, 300), (300, 0), (0, 300)]])
        Self.expectSameInk(eight, "a contour that crosses itself")
    }

    @Test("curves are cut where they meet, and keep their kind")
    func curves() {
        let outline = Self.joined([
            Self.circle(150, 200, 120), Self.circle(260, 200, 100),
            Self.outline([Self.box(20, 180, 360, 40)]),
        ])
        let united = outline.withoutOverlaps
        #expect(united !== outline && united.commands.contains(.quadratic))
        Self.expectSameInk(outline)
    }

    @Test("shapes at random", arguments: sample(0..<UInt64(60), 15))
    func random(seed: UInt64) {
        var numbers = SplitMix64(state: seed)
        func next(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &numbers)
        }
        let shapes = (0..<Int(next(2...6))).map { _ -> Outline in
            if next(0...1) < 0.5 {
                return Self.circle(
                    Float(next(100...300)), Float(next(100...300)), Float(next(20...90)))
            }
            return Self.outline([
                Self.box(next(0...250), next(0...250), next(10...140), next(10...140))
            ])
        }
        Self.expectSameInk(Self.joined(shapes), "seed \(seed)")
    }
}
