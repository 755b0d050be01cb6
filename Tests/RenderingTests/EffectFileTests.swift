import Bytes
import Motion
import Testing

@testable import Rendering

@Suite struct EffectFileTests {
    private static func definition(
        _ json: String
    ) throws(RenderingError) -> KeyframeEffect.Definition {
        try EffectFile.definition(in: Array(json.utf8))
    }

    private static func faults(of bytes: [UInt8]) -> [String] {
        do throws(RenderingError) {
            _ = try EffectFile.definition(in: bytes)
            return []
        } catch {
            return error.faults.map { "\($0.parameter) \($0.message)" }
        }
    }

    @Test("an effect has the defaults of its file, and else those of custom")
    func defaults() throws {
        let definition = try Self.definition(
            #"""
            {"name":"glow-2","title":"Glow","keyframes":[{"opacity":0,"blur":0.5}],"by":"word",
             "order":"edges","interval":0.25,"duration":2,"easing":"spring(0.5)","mask":"item"}
            """#)
        #expect(definition.name == "glow-2" && definition.title == "Glow")
        let entry = EffectCatalog.Entry(definition)
        let values = Dictionary(
            uniqueKeysWithValues: entry.parameters.map { ($0.name, $0.defaultValue) })
        #expect(
            values == [
                "by": .string("word"), "order": .string("edges"), "interval": .auto,
                "duration": .number(2), "easing": .easing(.spring(bounce: 0.5)),
                "mask": .string("item"),
            ])
        let plain = EffectCatalog.Entry(
            try Self.definition(#"{"name":"x","title":"X","keyframes":[{"y":1}]}"#))
        let custom = try #require(EffectCatalog.standard["custom"])
        for parameter in plain.parameters {
            let other = custom.parameters.first { $0.name == parameter.name }
            #expect(parameter.defaultValue == other?.defaultValue, "\(parameter.name)")
        }
    }

    @Test("its source tells it from every other, whatever the white space and the order of names")
    func source() throws {
        let one = #"{"name":"x","title":"X","keyframes":[{"y":1,"rotation":2}]}"#
        let same = #"{ "keyframes": [{"rotation": 2.0, "y": 1}], "title": "X", "name": "x" }"#
        let others = [
            #"{"name":"x","title":"X","keyframes":[{"y":1,"rotation":3}]}"#,
            #"{"name":"x","title":"X","keyframes":[{"y":1,"rotation":2}],"interval":1}"#,
        ]
        let source = try Self.definition(one).source
        #expect(source != nil)
        #expect(try Self.definition(same).source == source)
        for other in others { #expect(try Self.definition(other).source != source) }
    }

    @Test(
        "a fault is named with its place",
        arguments: [
            ("", "is not valid JSON: a value is missing, at column 1"),
            ("[1]", "must be a JSON object; got an array"),
            (#"{"name":"x","title":"X","keyframes":[{"y":1}],}"#, "is not valid JSON"),
            (#"{"title":"X","keyframes":[{"y":1}]}"#, "name is required"),
            (#"{"name":"x","keyframes":[{"y":1}]}"#, "title is required"),
            (#"{"name":"x","title":"X"}"#, "keyframes is required"),
            (#"{"name":7,"title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"","title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"Glow","title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"9x","title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"a/b","title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"gl\u00f6w","title":"X","keyframes":[{"y":1}]}"#, "name must be 1 to 40"),
            (#"{"name":"fade","title":"X","keyframes":[{"y":1}]}"#, "name must not be one of"),
            (#"{"name":"custom","title":"X","keyframes":[{"y":1}]}"#, "name must not be one of"),
            (#"{"name":"auto","title":"X","keyframes":[{"y":1}]}"#, "name must not be one of"),
            (#"{"name":"x","title":"","keyframes":[{"y":1}]}"#, "title must have from 1 to 60"),
            (#"{"name":"x","title":"\u0007","keyframes":[{"y":1}]}"#, "title must not hold"),
            (#"{"name":"x","title":"X","keyframes":"[]"}"#, "keyframes must be an array"),
            (#"{"name":"x","title":"X","keyframes":[]}"#, "keyframes must be an array of 1 to 16"),
            (
                #"{"name":"x","title":"X","keyframes":[{},{"blur":9}]}"#,
                "keyframes[1].blur must be from 0 to 2 em; got 9"
            ),
            (#"{"name":"x","title":"X","keyframes":[{"y":1},{"y":2}]}"#, "keyframes[1].y must be"),
            (#"{"name":"x","title":"X","keyframes":[{"y":1}],"by":"it"}"#, "by must be one of"),
            (#"{"name":"x","title":"X","keyframes":[{"y":1}],"interval":-1}"#, "interval must be"),
            (#"{"name":"x","title":"X","keyframes":[{"y":1}],"easing":null}"#, "easing must be"),
            (#"{"name":"x","title":"X","keyframes":[{"y":1}],"mask":true}"#, "mask must be one of"),
            (
                #"{"name":"x","title":"X","keyframes":[{"y":1}],"intervall":1}"#,
                "intervall unknown; did you mean \"interval\"?"
            ),
        ] as [(String, String)])
    func fault(json: String, fault: String) {
        let found = Self.faults(of: Array(json.utf8))
        #expect(found.count == 1)
        #expect(found.first?.drop { $0 == " " }.hasPrefix(fault) == true, "\(found)")
    }

    @Test("all faults are found")
    func manyFaults() {
        #expect(Self.faults(of: Array(#"{"name":"X","by":1,"y":2}"#.utf8)).count == 5)
        #expect(Self.faults(of: [0xFF]) == [" is not UTF-8"])
    }

    @Test("a rendering's identity has what the operator's effects are that it uses")
    func identity() throws {
        let definition = try Self.definition(
            #"{"name":"glow","title":"Glow","keyframes":[{"opacity":0}]}"#)
        let schema = RequestSchema.standard(with: [definition])
        func request(_ json: String) throws(RenderingError) -> RenderRequest {
            try RequestReader.read(
                try RawRequest(json: Array(json.utf8)), schema: schema, limits: RenderLimits())
        }
        let source = try #require(definition.source)
        #expect(try request(#"{"text":"a","effect":"fade"}"#).sources == [])
        for json in [
            #"{"text":"a","effect":"glow"}"#, #"{"text":"a","exit":"glow"}"#,
            #"{"blocks":[{"text":"a","effect":"glow"},{"text":"b","effect":"glow"}]}"#,
        ] {
            #expect(try request(json).sources == [source])
        }
    }
}
