import Bytes
import Motion
import Testing
import Typesetting

@testable import Rendering

@Suite struct RequestReaderTests {
    private func read(_ json: String) throws(RenderingError) -> RenderRequest {
        try RenderPipeline(limits: RenderLimits()).request(json: Array(json.utf8))
    }

    private func faults(_ json: String) -> [String] {
        do {
            _ = try read(json)
            return []
        } catch {
            return error.faults.map { "\($0.parameter): \($0.message)" }
        }
    }

    @Test(
        "a fault names its parameter and says what would be right",
        arguments: [
            (##"{"text":"a","size":3}"##, "size: must be from 4 to 400 px; got 3"),
            (
                ##"{"text":"a","interval":-1}"##,
                "interval: must be from 0.001 to 10 seconds or \"auto\"; got -1"
            ),
            (##"{"text":"a","efect":"fade"}"##, #"efect: unknown; did you mean "effect"?"#),
            (
                ##"{"text":"a","weight":450.5}"##,
                "weight: must be a whole number from 100 to 1000, a name such as bold or \"auto\"; got 450.5"
            ),
            (##"{"text":"a","italic":"yes"}"##, #"italic: must be true or false; got "yes""#),
            (##"{"text":"a","title":null}"##, "title: must be a string; got null"),
            (##"{"text":[["a"]]}"##, "text: must be a string; got an array"),
            (##"{}"##, "text: is required"),
            (
                ##"{"text":"a","blocks":[{"text":"b"}]}"##,
                "blocks: must not be given together with text"
            ),
            (##"{"blocks":[]}"##, "blocks: must be an array of 1 to 32 objects; got 0"),
            (##"{"blocks":[{"text":"a"},7]}"##, "blocks[1]: must be an object; got 7"),
            (
                ##"{"blocks":[{"text":"a","width":7}]}"##,
                "blocks[0].width: cannot be set for one block; set it at the top"
            ),
            (
                ##"{"text":"a","width":20}"##,
                "padding: must leave at least 1 px of the width, 20 px; got 16"
            ),
            (
                ##"{"text":"a","effect":"fade","acceleration":1}"##,
                "acceleration: belongs to no effect of this request; it is a parameter of birdman; "
                    + "\"fade\" takes by, minDuration, maxDuration, maxDelay, easing"
            ),
            (
                ##"{"text":"a","effect":"fade","minDuration":2,"maxDuration":1}"##,
                "maxDuration: must not be below minDuration, 2 seconds; got 1"
            ),
            (
                ##"{"text":"a","effect":"fade","minDuration":2}"##,
                "minDuration: must not be above maxDuration, 0.745 seconds by default; got 2"
            ),
        ])
    func messages(json: String, message: String) {
        #expect(faults(json) == [message])
    }

    @Test(
        "a paint that is none says what would be right",
        arguments: [
            (
                "blurple",
                "must be a colour such as #24292f, #fff8 or tomato, or a gradient such as "
                    + #"linear-gradient(90deg, #ff0000, #0000ff 80%) or "auto"; got "blurple""#
            ),
            (
                "url(x)",
                #"must be a colour or a linear-gradient(…); got "url(…)""#
            ),
            ("linear-gradient()", "must have from 2 to 8 colours; got 0"),
            (
                "linear-gradient(red,,blue)",
                "must have a colour between its commas; number 2 is empty"
            ),
            (
                "linear-gradient(red,blue",
                "must end with ), like linear-gradient(90deg, #ff0000, #0000ff 80%)"
            ),
            (
                "linear-gradient(red,rgb(0,0))",
                "must have stops such as #ff0000 or tomato 40%, the colour first; "
                    + #"got "rgb(0,0)""#
            ),
            (
                "linear-gradient(top,red,blue)",
                #"must go to a side or a corner such as to right or to top left; got "top""#
            ),
            (
                "linear-gradient(+-1deg,red,blue)",
                #"must have its angle in degrees, such as 90deg; got "+-1deg""#
            ),
            (
                "linear-gradient(red 1% 2%,blue)",
                "must have at most one position in percent at each colour, such as tomato 40%; "
                    + #"got "red 1% 2%""#
            ),
        ])
    func paints(value: String, message: String) {
        #expect(faults(#"{"text":"a","color":"\#(value)"}"#) == ["color: \(message)"])
    }

    @Test(
        "a shadow that is none says what would be right",
        arguments: [
            ("", #"must be "none", or up to 4 shadows such as 2px 2px 4px #0008"#),
            (
                "2px 2px",
                "must have a colour in each shadow, such as 2px 2px 4px #0008; "
                    + #"got "2px 2px""#
            ),
            ("2 2 red", #"must have lengths in px, such as 2px; got "2""#),
            (
                "2px red 2px",
                "must have one colour in each shadow, before or after its lengths, such as "
                    + #"2px 2px 4px #0008; got "2px red 2px""#
            ),
            (
                "2px red",
                "must have two offsets and at most one blur radius in each shadow, such as "
                    + #"2px 2px 4px #0008; got "2px red""#
            ),
            ("1px 1px -1px red", #"must have blur radii from 0 to 64px; got "-1px""#),
            ("1px 1px red,", "must have a shadow between its commas; number 2 is empty"),
            (
                "1px 1px rgb(0,0)",
                "must have a colour in each shadow, such as 2px 2px 4px #0008; "
                    + #"got "rgb(0,0)""#
            ),
        ])
    func shadows(value: String, message: String) {
        #expect(faults(#"{"text":"a","shadow":"\#(value)"}"#) == ["shadow: \(message)"])
    }

    @Test("paints that mean the same have one canonical text")
    func canonicalPaint() throws {
        let gradient =
            ##"{"color":"linear-gradient(270deg, #ff0000 0%, #0000ff 100%)","text":"a"}"##
        for spelling in [
            "linear-gradient(to left, red, blue)", " LINEAR-GRADIENT(-90DEG,\tRED , #00F )\n",
            "linear-gradient(630.00001deg, red 0%, blue +100%)",
        ] {
            let escaped = spelling.replacing("\t", with: #"\t"#).replacing("\n", with: #"\n"#)
            #expect(try read(#"{"text":"a","color":"\#(escaped)"}"#).canonical == gradient)
        }
        let shadow = ##"{"shadow":"1px 0px 0px #ff0000, 0px 0px 4px #00000088","text":"a"}"##
        for spelling in ["1px 0 red, 0 0 4px #0008", "RED +1.0px 0 , #00000088 0 -0 4PX"] {
            #expect(try read(#"{"text":"a","shadow":"\#(spelling)"}"#).canonical == shadow)
        }
        #expect(try read(#"{"text":"a","shadow":" NONE "}"#).canonical == #"{"text":"a"}"#)
    }

    @Test("all faults are found at once, in a stable order")
    func together() {
        let found = faults(
            ##"{"blocks":[{"text":" "},{"text":"a","size":1,"effect":"fade","jitter":1}],"speed":99,"hold":"x"}"##
        )
        #expect(
            found == [
                #"hold: must be from 0 to 60 seconds; got "x""#,
                "speed: must be from 0.1 to 10; got 99",
                "blocks[0].text: must have a character that is neither white space nor invisible",
                "blocks[1].size: must be from 4 to 400 px; got 1",
                #"blocks[1].jitter: is not a parameter of the effect "fade", "#
                    + "which takes by, minDuration, maxDuration, maxDelay, easing",
            ])
    }

    @Test("requests past a limit are 422, wrong ones 400")
    func statuses() {
        let long = String(repeating: "a", count: 2001)
        #expect(throws: RenderingError.self) { try read(#"{"text":"\#(long)"}"#) }
        do {
            _ = try read(#"{"text":"\#(long)"}"#)
        } catch {
            guard case .overLimit = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.faults[0].message == "has 2001 graphemes; the limit is 2000")
        }
    }

    @Test("the last of duplicate keys counts")
    func duplicates() throws {
        #expect(try read(##"{"text":"a","size":99,"size":20}"##).texts[0].text.base.size == 20)
    }

    @Test("requests that mean the same have one canonical text")
    func canonical() throws {
        let plain = try read(##"{"text":"a"}"##).canonical
        #expect(plain == ##"{"text":"a"}"##)
        #expect(
            try read(
                ##"{"size":40.0,"effect":"typewriter","text":"a","color":"auto","loop":1,"interval":"auto","format":"json"}"##
            ).canonical == plain)
        #expect(try read(##"{"blocks":[{"text":"a"}]}"##).canonical == plain)
        #expect(
            try read(
                ##"{"text":"a\r\nb","color":"tomato","easing":"ease-out","effect":"slide","duration":1}"##
            )
            .canonical == ##"{"color":"#ff6347","duration":1,"effect":"slide","text":"a\nb"}"##)
        let blocks = ##"{"blocks":[{"size":48,"text":"a"},{"text":"b"}],"color":"#ff0000"}"##
        #expect(
            try read(
                ##"{"color":"red","blocks":[{"text":"a","size":48,"color":"#f00"},{"text":"b","size":40}]}"##
            ).canonical == blocks)
        #expect(try read(blocks).canonical == blocks)
    }

    @Test("a top-level parameter of an effect goes to each block whose effect has it")
    func inheritance() throws {
        let request = try read(
            ##"{"blocks":[{"text":"ab"},{"text":"cd","effect":"slide"},{"text":"e","effect":"fade"}],"interval":0.5}"##
        )
        let expected =
            ##"{"blocks":[{"interval":0.5,"text":"ab"},{"effect":"slide","interval":0.5,"text":"cd"},{"effect":"fade","text":"e"}]}"##
        #expect(request.canonical == expected)
    }

    @Test(
        "numbers follow JSON's grammar",
        arguments: [
            ("1", 1), ("-0.5", -0.5), ("1e2", 100), ("+1", nil), (".5", nil), ("1.", nil),
            ("0x1", nil), ("01", nil), ("1e", nil), (" 1", nil), ("inf", nil), ("1e999", .infinity),
        ] as [(String, Double?)])
    func numbers(text: String, value: Double?) {
        #expect(JSONNumber.value(of: text) == value)
    }

    @Test("near names are suggested, far ones are not")
    func suggestions() {
        let names = ["effect", "easing", "letterSpacing"]
        #expect(Suggestion.nearest(to: "efect", among: names) == "effect")
        #expect(Suggestion.nearest(to: "lettersapcing", among: names) == "letterSpacing")
        #expect(Suggestion.nearest(to: "banana", among: names) == nil)
    }

    @Test("lines of a README are even where nothing else says how they break")
    func linesOfReadme() throws {
        func wraps(_ more: String) throws -> Bool {
            let request = try read(##"{"text":"a","for":"github-readme"\##(more)}"##)
            return request.values["wrap"] == .string("balance")
        }
        #expect(try wraps(""))
        #expect(try wraps(##","background":"#ffffff","effect":"fade""##))
        let others = [
            ##","maxWidth":500"##, ##","width":500"##, ##","fit":"shrink""##,
            ##","wrap":"normal""##, ##","codeLanguage":"shell""##, ##","preset":"quote""##,
            ##","effect":"marquee""##, ##","defaults":"0.3""##,
        ]
        for other in others { #expect(try !wraps(other), "\(other)") }
    }
}
