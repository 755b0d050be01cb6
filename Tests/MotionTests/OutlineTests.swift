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
