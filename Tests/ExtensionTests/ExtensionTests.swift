import Bytes
import EffectInvariants
import Encoders
import Extension
import HTTP
import Motion
import Rendering
import Synchronization
import Testing
import Typesetting

@testable import Service
@testable import titlecard

/// Effects and a format that are added to the catalogues work everywhere without other changes.
@Suite struct ExtensionTests {
    private static func read(_ json: String) throws(RenderingError) -> RenderRequest {
        let pipeline = RenderPipeline(limits: RenderLimits(), schema: .extended)
        return try pipeline.request(json: Array(json.utf8))
    }

    @Test("their parameters are checked like all others")
    func validation() throws {
        let request = try Self.read(#"{"text":"a","effect":"twinkle","dimness":0.25,"indent":3}"#)
        #expect(request.canonical == #"{"dimness":0.25,"effect":"twinkle","indent":3,"text":"a"}"#)
        let wrong = [
            #"{"text":"a","effect":"twinkle","dimness":2}"#: "dimness: must be from 0 to 1; got 2",
            #"{"text":"a","indent":9}"#: "indent: must be a whole number from 0 to 8; got 9",
            #"{"text":"a","effect":"twinkel"}"#: #"did you mean "twinkle"?"#,
            #"{"text":"a","dimness":1}"#:
                "dimness: belongs to no effect of this request; it is a parameter of twinkle",
            #"{"text":"a","format":"txet"}"#: #"did you mean "text"?"#,
        ]
        for (json, message) in wrong {
            do throws(RenderingError) {
                _ = try Self.read(json)
                Issue.record("\(json) was accepted")
            } catch {
                let messages = error.faults.map { "\($0.parameter): \($0.message)" }
                #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
            }
        }
        #expect(throws: RenderingError.self) {
            try RenderPipeline(limits: RenderLimits()).request(
                json: Array(#"{"text":"a","effect":"twinkle"}"#.utf8))
        }
    }

    @Test(
        "the effects are held to the rules of all effects", arguments: ["twinkle", "tilt"], 0..<40)
    func invariants(name: String, draw: Int) throws {
        let entry = try #require(RequestSchema.extended.effects[ByteString(name)])
        #expect(try EffectInvariants.violations(of: entry, draw: draw) == [])
    }

    @Test("an effect that is added can be any text's exit", arguments: ["twinkle", "tilt"])
    func exit(name: String) throws {
        _ = try Self.read(#"{"text":"a","exit":"\#(name)"}"#)
    }

    @Test("an effect of keyframes has the parameters of all of them, with its own defaults")
    func keyframeEffect() throws {
        let entry = try #require(RequestSchema.extended.effects["tilt"])
        let names = ["by", "order", "interval", "duration", "easing", "mask"]
        #expect(entry.parameters.map(\.name) == names)
        let request = try Self.read(#"{"text":"a b","effect":"tilt","by":"word","interval":1}"#)
        #expect(request.canonical == #"{"effect":"tilt","interval":1,"text":"a b"}"#)
    }

    @Test("the command line knows them by name, by option and by extension")
    func commandLine() throws {
        let help = RenderHelp(.extended, columns: 80).text(isWhole: true)
        for word in ["--effect twinkle", "--effect tilt", "--dimness", "--indent", ".txt"] {
            #expect(help.contains(word), "\(word)")
        }
        let arguments = ["Hi", "--effect", "twinkle", "--dimness", "1", "-o", "a.txt"]
        let decoded = try ArgumentDecoder(
            arguments.map { RawArgument(Array($0.utf8)) }, schema: .extended,
            standardInput: { "" })
        #expect(try decoded.format(requested: nil).name == "text")
    }

    // MARK: Over HTTP

    private static func application() throws -> Application {
        var settings = ServiceSettings()
        settings.rendering.workers = 1
        settings.rendering.schema = .extended
        return try Application(
            settings: settings, catalog: FontCatalog(), drain: DrainSignal())
    }

    private static func answer(
        _ application: Application, _ target: String, accept: String? = nil
    ) async -> (status: Int, fields: Fields, text: String) {
        var fields: Fields = ["Host": "localhost"]
        if let accept { fields.add("Accept", accept) }
        let request = HTTP.Request(target: target, fields: fields)
        let response = await withCheckedContinuation { continuation in
            application.handle(request, Responder { continuation.resume(returning: $0) })
        }
        guard case .bytes(let bytes) = response.body else {
            return (response.status.code, response.fields, "")
        }
        return (
            response.status.code, response.fields, String(decoding: bytes, as: UTF8.self)
        )
    }

    @Test("the catalogues and OpenAPI list them")
    func documents() async throws {
        let application = try Self.application()
        defer { application.stop() }
        let effects = await Self.answer(application, "/effects").text
        #expect(
            effects.contains(
                #"{"name":"twinkle","title":"Twinkle","group":"own","parameters":[{"name":"interval""#
            ))
        let formats = await Self.answer(application, "/formats").text
        #expect(
            formats.contains(
                #"{"name":"text","title":"Text","mediaType":"text/plain; charset=utf-8","#
                    + #""extension":"txt","animated":false,"darkColors":false,"#
                    + #""parameters":[{"name":"indent","type":"integer","default":0,"#
                    + #""minimum":0,"maximum":8,"description":"Spaces before each line.","#
                    + #""schema":{"type":"integer","minimum":0,"maximum":8}}]}"#))
        let openAPI = await Self.answer(application, "/openapi.json").text
        for word in ["/render.txt", #""indent""#, #""dimness""#, #""twinkle""#] {
            #expect(openAPI.contains(word), "\(word)")
        }
    }

    @Test("the format answers by its extension, its name, its media type and in permalinks")
    func rendering() async throws {
        let application = try Self.application()
        defer { application.stop() }
        let answer = await Self.answer(application, "/render.txt?text=Hi&indent=2&effect=twinkle")
        #expect(answer.status == 200 && answer.text == "  Hi\n")
        #expect(answer.fields["Content-Type"] == "text/plain; charset=utf-8")
        let location = try #require(answer.fields["Content-Location"])
        #expect(location.hasSuffix(".txt"))
        #expect(await Self.answer(application, location).text == "  Hi\n")
        #expect(await Self.answer(application, "/render?text=Hi&format=text").text == "Hi\n")
        #expect(
            await Self.answer(application, "/render?text=Hi", accept: "text/plain").text == "Hi\n")
    }
}
