import Motion
import Testing

@testable import Encoders

@Suite struct LottieContoursTests {
    private func text(
        _ commands: [Outline.Command], _ coordinates: [Float], unitsPerStep: Double = 1
    ) -> String {
        let outline = Outline(commands: commands, coordinates: coordinates, unitsPerEm: 2048)
        return String(
            decoding: LottieContours.text(of: outline, unitsPerStep: unitsPerStep), as: UTF8.self)
    }

    private func shape(_ vertices: String, in tangentsIn: String, out tangentsOut: String) -> String
    {
        #"{"ty":"sh","ks":{"a":0,"k":{"c":true,"v":\#(vertices),"i":\#(tangentsIn),"o":\#(tangentsOut)}}}"#
    }

    @Test("a contour's last point is its first vertex")
    func closing() {
        let triangle = shape(
            "[[0,0],[90,0],[0,60]]", in: "[[0,0],[0,0],[0,0]]", out: "[[0,0],[0,0],[0,0]]")
        #expect(text([.move, .line, .line, .close], [0, 0, 90, 0, 0, 60]) == triangle)
        #expect(
            text([.move, .line, .line, .line, .close], [0, 0, 90, 0, 0, 60, 0, 0]) == triangle)
        #expect(
            text([.move, .line, .quadratic, .close], [0, 0, 60, 0, 30, 30, 0, 0])
                == shape("[[0,0],[60,0]]", in: "[[20,20],[0,0]]", out: "[[0,0],[-20,20]]"))
    }

    @Test("every contour is a shape")
    func contours() {
        let twice = text(
            [.move, .line, .line, .close, .move, .line, .line, .close],
            [0, 0, 9, 0, 0, 9, 5, 5, 6, 5, 5, 6])
        #expect(twice.split(separator: "},{").count == 2)
        #expect(text([.move, .close], [5, 5]) == "")
    }

    @Test("quadratics are raised to cubics")
    func raising() {
        #expect(
            text([.move, .quadratic, .line, .close], [0, 0, 30, 0, 30, 30, 0, 30])
                == shape(
                    "[[0,0],[30,30],[0,30]]", in: "[[0,0],[0,-20],[0,0]]",
                    out: "[[20,0],[0,0],[0,0]]"))
    }

    @Test("two quadratics that are as good as one cubic are one")
    func joining() {
        let commands: [Outline.Command] = [.move, .quadratic, .quadratic, .line, .close]
        // The cubic (0,0) (40,0) (60,20) (60,60) halved.
        #expect(
            text(commands, [0, 0, 30, 0, 45, 15, 60, 30, 60, 60, 0, 60])
                == shape(
                    "[[0,0],[60,60],[0,60]]", in: "[[0,0],[0,-40],[0,0]]",
                    out: "[[40,0],[0,0],[0,0]]"))
        let corner = text(commands, [0, 0, 30, 0, 45, 15, 45, 40, 60, 60, 0, 60])
        #expect(corner.contains("[45,15]"), "a corner stays")
        let wide = text(commands, [0, 0, 300, 0, 450, 150, 600, 300, 0, 900, 0, 60])
        #expect(wide.contains("[450,150]"), "a curve of another kind stays two")
    }

    @Test(
        "steps are powers of two that nobody can see",
        arguments: [(32.0 / 2048, 2), (32.0 / 1000, 1), (400.0 / 2048, 0.125), (4.0 / 2048, 16)]
            as [(Double, Double)])
    func steps(scale: Double, expected: Double) {
        #expect(LottieContours.unitsPerStep(scale: scale) == expected)
        #expect(
            text(
                [.move, .line, .line, .close], [0, 0, 32, 0, 0, 16], unitsPerStep: expected
            )
            .contains("[\(Int(32 / expected)),0]"))
    }

    @Test("contours have their lengths")
    func lengths() {
        let outline = Outline(
            commands: [.move, .line, .line, .close, .move, .cubic, .cubic, .close],
            coordinates: [
                0, 0, 300, 0, 300, 400,
                1000, 0, 1000, 552.285, 552.285, 1000, 0, 1000, -552.285, 1000, -1000, 552.285,
                -1000, 0,
            ], unitsPerEm: 1000)
        let lengths = LottieContours.contours(of: outline, unitsPerStep: 1).map(\.length)
        #expect(lengths.count == 2)
        #expect(abs(lengths[0] - 1200) < 1)
        #expect(abs(lengths[1] - (1000 * Double.pi + 2000)) < 10)
    }
}
