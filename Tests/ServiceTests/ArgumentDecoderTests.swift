import Encoders
import Motion
import Testing

@testable import Service

@Suite struct ArgumentDecoderTests {
    private func decode(_ arguments: String...) throws(ParameterFault) -> ArgumentDecoder {
        try ArgumentDecoder(arguments, standardInput: { "from input" })
    }

    @Test("options are the request's names, in camel case or kebab case")
    func names() throws {
        for name in ["--letterSpacing", "--letter-spacing"] {
            let decoded = try decode("Hi", name, "4", "--effect=fade", "-o", "out.json")
            #expect(decoded.raw.values.keys.sorted() == ["effect", "letterSpacing"])
            #expect(decoded.raw.texts.map(\.characters) == ["Hi"])
            #expect(try decoded.format(requested: nil) == JSONFormat.self)
        }
    }

    @Test("a flag needs no value")
    func flags() throws {
        let decoded = try decode("--italic", "Hi", "--fold-case", "false", "--animate=false")
        #expect(decoded.raw.values["italic"]?.characters == "true")
        #expect(decoded.raw.values["foldCase"]?.characters == "false")
        #expect(decoded.raw.values["animate"]?.characters == "false")
        #expect(decoded.raw.texts.count == 1)
    }

    @Test("a dash reads standard input, two dashes end the options")
    func dashes() throws {
        #expect(try decode("-").raw.texts.first?.characters == "from input")
        #expect(try decode("--", "--size").raw.texts.first?.characters == "--size")
    }

    @Test(
        "what cannot be read is named",
        arguments: [["--size"], ["-x"], ["--size", "1", "--size", "2"]])
    func faults(arguments: [String]) {
        #expect(throws: ParameterFault.self) {
            try ArgumentDecoder(arguments, standardInput: { "" })
        }
    }

    @Test("an unknown extension is refused")
    func unknownExtension() throws {
        let decoded = try decode("Hi", "-o", "out.bmp")
        #expect(throws: ParameterFault.self) { try decoded.format(requested: nil) }
    }
}
