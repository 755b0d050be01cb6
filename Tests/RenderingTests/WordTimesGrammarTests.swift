import Bytes
import Motion
import Testing

@testable import Rendering

@Suite("Words with times in requests")
struct WordTimesGrammarTests {
    private func faults(_ json: String) -> [String] {
        do {
            _ = try RenderPipeline(limits: RenderLimits()).request(json: Array(json.utf8))
            return []
        } catch {
            return error.faults.map { "\($0.parameter): \($0.message)" }
        }
    }

    private func faults(ofTimes times: String, text: String = "a b") -> [String] {
        faults(#"{"sequence":"timed","text":"\#(text)","times":\#(times)}"#)
    }

    @Test("words that are in the text are taken")
    func valid() {
        #expect(faults(ofTimes: #"[{"text":"a","at":0,"until":1},{"text":"b","at":1}]"#) == [])
        #expect(faults(ofTimes: #"[{"text":" b ","at":0.5}]"#) == [], "white space is none of it")
    }

    @Test(
        "a fault names the member and its index",
        arguments: [
            ("[]", "times: must be an array of 1 to 2000 objects; got 0"),
            ("7", "times: must be an array of 1 to 2000 objects; got 7"),
            ("[7]", "times[0]: must be an object; got 7"),
            (#"[{"at":0}]"#, "times[0].text: must be a word of 1 to 200 bytes; got none"),
            (#"[{"text":"","at":0}]"#, #"times[0].text: must be a word of 1 to 200 bytes; got """#),
            (#"[{"text":"a"}]"#, "times[0].at: is required"),
            (
                #"[{"text":"a","at":-1}]"#,
                "times[0].at: must be a number from 0 to 86400 seconds; got -1"
            ),
            (
                #"[{"text":"a","at":"0"}]"#,
                #"times[0].at: must be a number from 0 to 86400 seconds; got "0""#
            ),
            (
                #"[{"text":"a","at":1,"until":1}]"#,
                "times[0].until: must be after at, 1; got 1"
            ),
            (
                #"[{"text":"a","at":1},{"text":"b","at":0.5}]"#,
                "times[1].at: must not be before the word before, 1; got 0.5"
            ),
            (
                #"[{"text":"a","at":0,"form":1}]"#,
                #"times[0].form: unknown; use text, at, or until"#
            ),
            (
                #"[{"text":"a","at":0},{"text":"c","at":1}]"#,
                #"times[1].text: must be in the text, behind the word before it; got "c""#
            ),
            (
                #"[{"text":"b","at":0},{"text":"a","at":1}]"#,
                #"times[1].text: must be in the text, behind the word before it; got "a""#
            ),
        ])
    func messages(times: String, message: String) {
        #expect(faults(ofTimes: times) == [message])
    }

    @Test("every fault is noted, each with its index")
    func several() {
        let times = #"[{"text":"a","at":-1},{"text":"","at":0},{"text":"b","at":1,"until":0}]"#
        #expect(faults(ofTimes: times).count == 3)
    }

    @Test(
        "times that do not go with the rest of a request are refused by their names",
        arguments: [
            (#""text":"a","at":1"#, ["at"]), (#""text":"a","until":1"#, ["until"]),
            (#""text":"a","offset":1"#, ["offset"]),
            (#""text":"a","times":[{"text":"a","at":0}]"#, ["times"]),
            (#""blocks":[{"text":"a","at":1}]"#, ["blocks[0].at"]),
            (#""blocks":[{"text":"a","valign":"top"}]"#, ["blocks[0].valign"]),
            (#""text":"a","sequence":"timed","gap":1"#, ["gap"]),
            (#""text":"a","sequence":"timed","speed":2"#, ["speed"]),
            (#""text":"a","sequence":"timed","cycle":2"#, ["cycle"]),
            (#""text":"a","sequence":"timed","delay":2"#, ["delay"]),
            (#""text":"a","sequence":"timed","flow":"row""#, ["flow"]),
            (#""text":"a","sequence":"timed","at":2,"until":2"#, ["until"]),
            (#""text":"a","sequence":"timed","at":-1"#, ["at"]),
            (#""text":"a","sequence":"timed","offset":86401"#, ["offset"]),
            (#""blocks":[{"text":"a","at":2,"until":1}],"sequence":"timed""#, ["blocks[0].until"]),
            (#""text":"a","sequence":"timed","spoken":"color""#, ["spoken"]),
            (#""text":"a","spokenScale":1.2"#, ["spokenScale"]),
            (
                #""text":"a","pastOpacity":0.5,"upcomingOpacity":0.5"#,
                ["upcomingOpacity", "pastOpacity"]
            ),
            (
                #""blocks":[{"text":"a","spokenBox":"red"}],"sequence":"timed""#,
                ["blocks[0].spokenBox"]
            ),
            (
                #""blocks":[{"text":"a"},{"text":"b","times":[{"text":"c","at":0}]}],"sequence":"timed""#,
                ["blocks[1].times[0].text"]
            ),
        ])
    func conflicts(members: String, parameters: [String]) {
        let found = faults("{\(members)}").map { String($0.prefix { $0 != ":" }) }
        #expect(found.sorted() == parameters.sorted())
    }

    @Test("a timed request may have a thousand texts, others 32")
    func counts() {
        func request(_ count: Int, _ sequence: String) -> String {
            let blocks = [String](repeating: #"{"text":"a"}"#, count: count).joined(separator: ",")
            return #"{"sequence":"\#(sequence)","blocks":[\#(blocks)]}"#
        }
        #expect(
            faults(request(33, "queue")) == ["blocks: must be an array of 1 to 32 objects; got 33"])
        #expect(faults(request(1000, "timed")) == [])
        #expect(
            faults(request(1001, "timed")) == [
                "blocks: must be an array of 1 to 1000 objects; got 1001"
            ])
    }

    private func request(_ json: String) throws -> RenderRequest {
        try RenderPipeline(limits: RenderLimits()).request(json: Array(json.utf8))
    }

    @Test("a block ends where it says, else where the next one starts")
    func ends() throws {
        let times = try request(
            #"{"sequence":"timed","offset":0.5,"blocks":[{"text":"a","at":0},{"text":"b","at":1,"#
                + #""until":1.5},{"text":"c","times":[{"text":"c","at":3.00004}]}]}"#
        ).choreography.blocks.map(\.time)
        #expect(times.map { $0?.start } == [0.5, 1.5, 3.5])
        #expect(times.map { $0?.end } == [1.5, 2, nil])
    }

    @Test("an offset takes what would come before 0 to it")
    func offsets() throws {
        let time = try request(
            #"{"sequence":"timed","offset":-2,"text":"a","at":1,"until":3}"#
        ).choreography.blocks[0].time
        #expect(time?.start == 0 && time?.end == 1)
    }
}
