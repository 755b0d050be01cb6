import Bytes
import Encoders
import Glibc
import Motion
import Rendering
import Testing

@testable import titlecard

@Suite struct ArgumentDecoderTests {
    private let formats = FormatCatalog.standard

    private func decode(_ arguments: String...) throws(CommandFailure) -> ArgumentDecoder {
        try ArgumentDecoder(
            arguments.map { RawArgument($0.utf8) }, standardInput: { "from input" })
    }

    @Test("options are the request's names, in camel case or kebab case")
    func names() throws {
        for name in ["--letterSpacing", "--letter-spacing"] {
            let decoded = try decode("Hi", name, "4", "--effect=fade", "-o", "out.json")
            #expect(decoded.raw.values.keys.sorted() == ["effect", "letterSpacing"])
            #expect(decoded.raw.texts.map(\.characters) == ["Hi"])
            #expect(try decoded.format(requested: nil).name == "json")
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
        do {
            _ = try ArgumentDecoder(
                arguments.map { RawArgument($0.utf8) }, standardInput: { "" })
            Issue.record("accepted")
        } catch {
            #expect(error.kind == .usage)
        }
    }

    @Test(
        "bytes that are not UTF-8 are wrong data of the parameter that they are given for",
        arguments: [
            ([[0xFF]], "text"), ([Array("--title".utf8), [0xC3]], "title"),
            ([Array("--title=".utf8) + [0xFF]], "title"), ([Array("-o".utf8), [0xFF]], "-o"),
        ] as [([[UInt8]], String)])
    func notUTF8(arguments: [[UInt8]], parameter: String) {
        #expect(throws: CommandFailure(.data, parameter: parameter, message: "is not UTF-8")) {
            try ArgumentDecoder(arguments.map { RawArgument($0) }, standardInput: { "" })
        }
    }

    @Test("the name of the file must not contradict the format")
    func contradiction() throws {
        let decoded = try decode("Hi", "-o", "out.svg")
        #expect(try decoded.format(requested: formats["svg"]).name == "svg")
        #expect(throws: ParameterFault.self) { try decoded.format(requested: formats["gif"]) }
        #expect(try decode("Hi", "-o", "x").format(requested: formats["gif"]).name == "gif")
    }

    @Test("wrong options are wrong usage, wrong texts wrong data")
    func kinds() {
        let (text, size) = (
            ParameterFault(parameter: "text", message: "x"),
            ParameterFault(parameter: "size", message: "x")
        )
        #expect(CommandFailure(.invalid([text]), hasTexts: true).kind == .data)
        #expect(CommandFailure(.invalid([text]), hasTexts: false).kind == .usage)
        #expect(CommandFailure(.invalid([text, size]), hasTexts: true).kind == .usage)
        #expect(CommandFailure(.overLimit([size]), hasTexts: true).kind == .data)
        #expect(CommandFailure(.deadline, hasTexts: true).kind == .system)
    }

    @Test("the name of the file is blamed where a target decides the format")
    func contradictionToTarget() throws {
        let decoded = try decode("Hi", "--for", "slack-emoji", "-o", "a/d.svg")
        let fault = ParameterFault(
            parameter: "-o", message: "must end in .gif: slack-emoji takes GIF, and d.svg is SVG")
        #expect(throws: fault) { try decoded.format(requested: formats["gif"]) }
    }

    @Test("every name of a parameter has one kebab case")
    func kebabCase() {
        #expect(ArgumentDecoder.kebabCase("letterSpacing") == "letter-spacing")
        let schema = RequestSchema.standard
        for name in schema.all.map(\.name) + schema.effectNames.map(\.text) {
            #expect(ArgumentDecoder.camelCase(ArgumentDecoder.kebabCase(name)[...]) == name)
        }
    }

    @Test("quiet has two names")
    func quiet() throws {
        #expect(try decode("Hi", "-q").isQuiet)
        #expect(try decode("Hi", "--quiet").isQuiet)
        #expect(try !decode("Hi", "--quiet", "false").isQuiet)
        #expect(try decode("--", "-q").raw.texts.first?.characters == "-q")
    }

    @Test("an unknown extension is refused")
    func unknownExtension() throws {
        let decoded = try decode("Hi", "-o", "out.bmp")
        #expect(throws: ParameterFault.self) { try decoded.format(requested: nil) }
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return StandardStreams.write(Array(text.utf8), descriptor: descriptor)
    }

    @Test("keyframes can come from a file, which is named with their faults")
    func keyframesFromFile() throws {
        let path = "/tmp/titlecard-\(UInt64.random(in: 0 ... .max)).json"
        try #require(Self.write(#"[{"blur":9}]"#, to: path))
        defer { unlink(path) }
        let decoded = try decode("Hi", "--effect", "custom", "--keyframes", "@\(path)")
        #expect(decoded.raw.values["keyframes"]?.characters == #"[{"blur":9}]"#)
        let fault = ParameterFault(parameter: "keyframes[0].blur", message: "is wrong")
        let failure = CommandFailure(.invalid([fault]), hasTexts: true, files: decoded.files)
        #expect(failure.messages == ["\(path): keyframes[0].blur: is wrong"])
        // Other parameters take such values as they are.
        #expect(try decode("Hi", "--title", "@x").raw.values["title"]?.characters == "@x")
        let missing = CommandFailure(
            .noInput, parameter: "keyframes",
            message: "cannot read /nowhere: No such file or directory")
        #expect(throws: missing) { try decode("Hi", "--keyframes=@/nowhere") }
    }
}
