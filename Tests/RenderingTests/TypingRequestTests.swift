import Bytes
import Encoders
import Motion
import Testing
import Typesetting

@testable import Rendering

/// The options of readme-typing-svg, after that project's own tests.
@Suite struct TypingRequestTests {
    private static func request(_ values: [ByteString: String]) throws(RenderingError)
        -> RenderRequest
    {
        try TypingRequest(values, schema: .standard).renderRequest(
            at: "/typing", limits: RenderLimits())
    }

    private static func canonical(_ values: [ByteString: String]) throws(RenderingError) -> String {
        try TypingRequest(values, schema: .standard).canonical
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func faults(_ values: [ByteString: String]) -> [String] {
        do throws(RenderingError) {
            _ = try request(values)
            return []
        } catch {
            return error.faults.map { "\($0.parameter) \($0.message)" }
        }
    }

    private static func colors(_ request: RenderRequest) -> [String] {
        request.choreography.blocks.map(\.paint.fill.text)
    }

    @Test("without options it is as it is there")
    func defaults() throws {
        let request = try Self.request(["lines": "text"])
        #expect(request.texts.map(\.text.text) == ["text"])
        let style = try #require(request.texts.first).text.base
        #expect(style.families == "monospace" && style.size == 20 && style.weight == 400)
        #expect(Self.colors(request) == ["#36bcf7"])
        #expect(request.card.background == .color(.transparent))
        #expect(request.canvas.width == 400 && request.canvas.height == 50)
        #expect(request.canvas.alignment == .left)
        #expect(request.canvas.baselines == Baselines(positions: [25], areMiddles: false))
        #expect(request.choreography.timing.hold == 0 && request.choreography.loop == .infinite)
        let effect = try #require(request.choreography.blocks[0].effect as? EvenTyping)
        #expect(effect.typing == 4 && abs(effect.erasing - 1) < 1e-9)
        #expect(request.hasEndlessCycle && request.format?.name == "svg")
        #expect(
            try Self.canonical(["lines": "text", "size": "20", "center": "no"]) == "lines=text")
    }

    @Test(
        "a value is read as leniently as there",
        arguments: [
            (["font": "Open Sans"], "font=Open Sans"), (["font": "Fira<Code>;"], "font=FiraCode"),
            (["font": "{}"], ""), (["color": "000000"], "color=000000"),
            (["color": "00000"], ""), (["color": "pink"], ""), (["color": "#F70"], "color=FF7700"),
            (["color": "red"], ""), (["background": "00000033"], "background=00000033"),
            (["background": "00000"], ""), (["size": "18px"], "size=18"),
            (["height": "80"], "height=80"), (["width": "5e2"], "width=52"),
            (["center": "TRUE"], "center=true"), (["center": "other"], ""),
            (["vCenter": "True"], "vCenter=true"), (["duration": "4s"], "duration=4"),
            (["pause": "0"], ""), (["pause": "999000"], "pause=999000"),
            (["repeat": "other"], "repeat=false"), (["repeat": "true"], ""),
            (["weight": "700"], "weight=700"), (["weight": "7000"], "weight=1000"),
            (["letterSpacing": "10px"], "letterSpacing=10px"), (["letterSpacing": "invalid"], ""),
            (["letterSpacing": ".5EM"], "letterSpacing=0.5em"), (["letterSpacing": "5"], ""),
            (["letterSpacing": "-1pt"], "letterSpacing=-1pt"), (["nonsense": "x"], ""),
            (["multiline": "true"], "multiline=true"), (["format": "gif"], "format=gif"),
        ])
    func lenient(_ values: [ByteString: String], _ canonical: String) throws {
        let expected = "lines=text" + (canonical.isEmpty ? "" : "&" + canonical)
        let given = values.merging(["lines": "text"]) { $1 }
        #expect(try Self.canonical(given) == expected)
    }

    @Test(
        "what is refused there is refused",
        arguments: [
            ([:], "lines must be set; it has the texts"),
            (["lines": ";;"], "lines must be set; it has the texts"),
            (["lines": "a", "size": "0"], "size must be a positive number"),
            (["lines": "a", "height": "x"], "height must be a positive number"),
            (["lines": "a", "width": "-1"], "width must be a positive number"),
            (["lines": "a", "duration": "-1"], "duration must be a positive number"),
            (["lines": "a", "pause": "-1"], "pause must be a number from 0"),
            (["lines": "a", "width": "99999999999999999999999"], "width must be at most 10000"),
        ] as [([ByteString: String], String)])
    func refused(_ values: [ByteString: String], _ fault: String) {
        #expect(Self.faults(values) == [fault])
    }

    @Test(
        "lines are divided by the separator",
        arguments: [
            ("text;text2", nil, ["text", "text2"]), ("text;text2", ";;", ["text;text2"]),
            ("text;;tex;t2", ";;", ["text", "tex;t2"]), ("a;b;;", nil, ["a", "b"]),
            ("a;;b", nil, ["a", " ", "b"]), ("a||", "||", ["a", " "]), ("a;b", "", ["a", "b"]),
            ("  a \n b ", nil, ["a b"]),
        ] as [(String, String?, [String])])
    func separators(_ lines: String, _ separator: String?, _ texts: [String]) throws {
        var values: [ByteString: String] = ["lines": lines]
        values["separator"] = separator
        #expect(try Self.request(values).texts.map(\.text.text) == texts)
    }

    @Test("lines may have values of their own")
    func lists() throws {
        func colors(_ list: String) throws -> [String] {
            Self.colors(try Self.request(["lines": "Hello;World;Foo", "color": list]))
        }
        #expect(try colors("FF0000") == ["#ff0000", "#ff0000", "#ff0000"])
        #expect(try colors("FF0000,00FF00,0000FF") == ["#ff0000", "#00ff00", "#0000ff"])
        #expect(try colors("FF0000,00FF00") == ["#ff0000", "#00ff00", "#00ff00"])
        #expect(try colors("FF0000,invalid,0000FF") == ["#ff0000", "#ff0000", "#0000ff"])
        let sizes = try Self.request([
            "lines": "Hello;World;Foo", "size": "20,30,14", "multiline": "true",
            "letterSpacing": "2px,normal",
        ])
        #expect(sizes.texts.map(\.text.base.size) == [20, 30, 14])
        #expect(sizes.texts.map(\.text.base.letterSpacing) == [2, 0, 0])
        #expect(sizes.canvas.baselines?.positions == [25, 60, 79])
    }

    @Test("chance is drawn from the seed, or from the lines, and is not in the canonical form")
    func random() throws {
        let lines = (0..<12).map { "line \($0)" }.joined(separator: ";")
        func order(_ values: [ByteString: String]) throws -> [String] {
            try Self.request(values.merging(["lines": lines]) { $1 }).texts.map(\.text.text)
        }
        let one = try order(["random": "true"])
        #expect(try one == order(["random": "True"]) && one.sorted() == order([:]).sorted())
        #expect(try one != order([:]) && order(["random": "true", "seed": "3"]) != one)
        let canonical = try TypingRequest(
            ["lines": lines, "random": "true"], schema: .standard
        ).canonical
        #expect(canonical.map(\.name) == ["lines"])
        #expect(canonical.first?.value == one.joined(separator: ";"))
    }
}
