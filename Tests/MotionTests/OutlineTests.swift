import Motion
import Testing

@Suite struct OutlineTests {
    @Test("bounds hold the curve and not its control points")
    func exactBounds() {
        let arch = Outline(
            commands: [.move, .quadratic, .close], coordinates: [0, 0, 50, 100, 100, 0],
            unitsPerEm: 1000)
        #expect(arch.bounds == Rect(x: 0, y: 0, width: 100, height: 50))
        let wave = Outline(
            commands: [.move, .cubic, .close], coordinates: [0, 0, 0, 100, 100, 100, 100, 0],
            unitsPerEm: 1000)
        #expect(wave.bounds == Rect(x: 0, y: 0, width: 100, height: 75))
    }

    @Test("contours have their lengths, with the lines that close them")
    func lengths() {
        // A triangle that is not closed, and a half circle of two curves that is.
        let outline = Outline(
            commands: [.move, .line, .line, .move, .cubic, .cubic, .close],
            coordinates: [
                0, 0, 300, 0, 300, 400,
                1000, 0, 1000, 552.285, 552.285, 1000, 0, 1000, -552.285, 1000, -1000, 552.285,
                -1000, 0,
            ], unitsPerEm: 1000)
        #expect(outline.contourLengths.count == 2)
        #expect(abs(outline.contourLengths[0] - 1200) < 1e-9)
        #expect(abs(outline.contourLengths[1] - (1000 * Double.pi + 2000)) < 1)
        let arch = Outline(
            commands: [.move, .quadratic, .close], coordinates: [0, 0, 50, 100, 100, 0],
            unitsPerEm: 1000)
        // A parabola as high as half its width: 1.4436 is the logarithm of 2 + √5.
        let length = 50 * 5.0.squareRoot() + 25 * 1.443_635_475_2
        #expect(abs(arch.contourLengths[0] - length - 100) < 0.01)
    }

    @Test("joined outlines are moved and scaled into one")
    func joining() {
        let line = Outline(
            commands: [.move, .line, .close], coordinates: [0, 0, 10, 20], unitsPerEm: 1000)
        let joined = Outline(
            joining: [
                (line, .init(outline: line.id, scale: 1, dx: 0, dy: 0)),
                (line, .init(outline: line.id, scale: 2, dx: 1000, dy: -50)),
            ], unitsPerEm: 1000)
        #expect(joined.coordinates == [0, 0, 10, 20, 100, -5, 120, 35])
        #expect(joined.commands.count == 6)
    }
}
