import Motion
import Testing

@testable import Encoders

@Suite struct SVGPathTests {
    private func text(
        _ commands: [Outline.Command], _ coordinates: [Float], scale: Double = 1.0 / 64
    ) -> String {
        let outline = Outline(commands: commands, coordinates: coordinates, unitsPerEm: 2048)
        return String(
            decoding: SVGPath.text(of: outline, SVGPath.Precision(scale: scale)), as: UTF8.self)
    }

    @Test("lines along an axis take one number, letters that repeat are left out")
    func lines() {
        #expect(
            text(
                [.move, .line, .line, .line, .line, .close],
                [10, 20, 110, 20, 110, -30, 50, -50, 40, -60]) == "m10 20h100v-50l-60-20-10-10z")
    }

    @Test("a control point that follows from the one before is left out")
    func smoothCurves() {
        #expect(
            text(
                [.move, .quadratic, .quadratic, .close], [0, 0, 10, 0, 20, 10, 30, 20, 40, 20])
                == "m0 0q10 0 20 10t20 10z")
    }

    @Test("large type is written with the decimals that it needs")
    func precision() {
        #expect(text([.move, .line, .close], [0.5, 0, 10.25, 1], scale: 0.2) == "m.5 0l9.8 1z")
        #expect(SVGPath.Precision(scale: 1.0 / 64).decimals == 0)
        #expect(SVGPath.Precision(scale: 400.0 / 1000).decimals == 2)
    }

    @Test("contours begin where the pen is after the one before")
    func contours() {
        #expect(
            text([.move, .line, .close, .move, .line, .close], [5, 5, 9, 5, 7, 8, 7, 9])
                == "m5 5h4zm2 3v1z")
    }
}
