import BarePango
import Encoders
import Motion
import Rendering
import Typesetting

/// The cost of a rendering in process, compared with that of a bare layout.
@main
struct Rendering {
    static func main() throws {
        let worker = try RenderWorker(catalog: FontCatalog())
        if CommandLine.arguments.contains("profile") { return coldParts(worker) }
        if CommandLine.arguments.contains("paint") { return paintedSVG(worker) }
        if CommandLine.arguments.contains("raster") { return RasterBenchmark.run(worker) }
        try coldSVG(worker)
        paintedSVG(worker)
        coldParts(worker)
        jsonWriting(worker)
        RasterBenchmark.run(worker)
    }

    /// Returns forty letters that differ from call to call.
    private static func text(_ call: Int) -> String {
        var letters = Array("The quick brown fox jumps over lazy dog".utf8)
        var rest = call
        for index in [1, 5, 11, 17, 21, 27, 32, 36] {
            letters[index] = UInt8(97 + rest % 26)
            rest /= 3
        }
        return String(decoding: letters, as: UTF8.self) + "s"
    }

    private static func coldSVG(_ worker: RenderWorker) throws {
        let pipeline = RenderPipeline(limits: RenderLimits())
        let results = medians(
            rounds: 15, calls: 300,
            [
                { call in
                    let text = text(call)
                    _ = bare_layout(text, Int32(text.utf8.count), 32)
                },
                { call in
                    let body = Array(#"{"text":"\#(text(call))","effect":"typewriter"}"#.utf8)
                    render(try? pipeline.request(json: body), with: pipeline, on: worker)
                },
                { call in
                    let body = Array(#"{"text":"\#(text(call))","effect":"slide"}"#.utf8)
                    render(try? pipeline.request(json: body), with: pipeline, on: worker)
                },
            ])
        print("cold 40-letter SVG, µs of CPU (median of 15 rounds of 300, A B C in turn)")
        print("  bare Pango layout in C     \(rounded(results[0]))")
        print("  typewriter from JSON body  \(rounded(results[1]))", ratio(results[1], results[0]))
        print("  slide from a JSON body      \(rounded(results[2]))", ratio(results[2], results[0]))
    }

    /// Prints what gradients, outlines and shadows add.
    private static func paintedSVG(_ worker: RenderWorker) {
        let pipeline = RenderPipeline(limits: RenderLimits())
        let gradient = #""color":"linear-gradient(37deg,#ff0000,#0000ff)""#
        let outline = #""outlineWidth":3"#
        let shadow = #""shadow":"2px 2px 4px #0008""#
        let paints = [
            ("plain", #""size":32"#), ("gradient", gradient), ("outline", outline),
            ("shadow", shadow), ("all three", [gradient, outline, shadow].joined(separator: ",")),
        ]
        let results = medians(
            rounds: 15, calls: 300,
            paints.map { paint in
                { call in
                    let body = Array(
                        #"{"text":"\#(text(call))","effect":"slide",\#(paint.1)}"#.utf8)
                    render(try? pipeline.request(json: body), with: pipeline, on: worker)
                }
            })
        print("cold 40-letter SVG of slide, µs of CPU (median of 15 rounds of 300, in turn)")
        for (paint, result) in zip(paints, results) {
            print("  \(paint.0): \(rounded(result))", ratio(result, results[0]))
        }
    }

    private static func render(
        _ request: RenderRequest?, with pipeline: RenderPipeline, on worker: RenderWorker
    ) {
        guard let request, let scene = try? pipeline.scene(of: request, on: worker) else { return }
        _ = try? pipeline.wholeFile(of: scene, as: SVGFormat(), on: worker)
    }

    private static func ratio(_ one: Double, _ other: Double) -> String {
        "(\(rounded(one / other, 100)) times)"
    }

    /// Prints the time of each part of a rendering, for the effects on the command line, or two.
    private static func coldParts(_ worker: RenderWorker) {
        let named = CommandLine.arguments.filter { ["typewriter", "slide", "wave"].contains($0) }
        for effect in named.isEmpty ? ["typewriter", "slide"] : named {
            coldParts(worker, effect: effect)
        }
    }

    private static func coldParts(_ worker: RenderWorker, effect: String) {
        let pipeline = RenderPipeline(limits: RenderLimits())
        let bodies = (0..<300).map { call in
            Array(#"{"text":"\#(text(call))","effect":"\#(effect)"}"#.utf8)
        }
        let requests = bodies.compactMap { try? pipeline.request(json: $0) }
        let scenes = requests.compactMap { try? pipeline.scene(of: $0, on: worker) }
        let results = medians(
            rounds: 15, calls: 300,
            [
                { call in _ = try? pipeline.request(json: bodies[call % 300]) },
                { call in _ = try? pipeline.scene(of: requests[call % 300], on: worker) },
                { call in
                    _ = try? pipeline.wholeFile(
                        of: scenes[call % 300], as: SVGFormat(), on: worker)
                },
            ])
        print(
            "parts of \(effect): request \(rounded(results[0])), scene \(rounded(results[1])),",
            terminator: " ")
        print("SVG \(rounded(results[2]))")
    }

    /// Prints the time of writing 140 glyphs with ten keyframes each.
    private static func jsonWriting(_ worker: RenderWorker) {
        let pipeline = RenderPipeline(limits: RenderLimits())
        let text = String(repeating: "Keyframes ", count: 14)
        guard let request = try? pipeline.request(json: Array(#"{"text":"\#(text)"}"#.utf8)),
            var scene = try? pipeline.scene(of: request, on: worker)
        else { return print("JSON: the scene failed") }
        for glyph in scene.nodes.indices {
            let keyframes = (0..<10).map { number in
                Keyframe(
                    Instant(ticks: 317 * glyph + 1234 * number),
                    value: Double(number * 7 % 10) / 9, easing: .easeInOut)
            }
            scene.tracks[scene.nodes[glyph].track] = GlyphTracks(
                opacity: Track(keyframes: keyframes))
        }
        let written = scene
        let results = medians(
            rounds: 15, calls: 200,
            [
                { _ in
                    _ = try? pipeline.wholeFile(
                        of: written, as: JSONFormat(), on: worker)
                }
            ])
        print(
            "JSON of \(scene.nodes.count) glyphs with 10 keyframes: \(rounded(results[0])) µs"
        )
    }
}
