import Encoders
import Motion
import Rendering

/// The cost of raster formats, from the text of the request to the last byte.
enum RasterBenchmark {
    static let texts: [(name: String, height: Int, text: String)] = [
        ("text 1", 160, "We love Swift. Text comes alive, glyph by"),
        (
            "text 2", 320,
            "This is a replication of Secret's text animation. It looks like one fancy label, "
                + "but it is two labels on top of each other! What do you think?"
        ),
    ]

    static func body(_ text: String, height: Int, more: String = "") -> [UInt8] {
        Array(
            (#"{"text":"\#(text)","width":640,"height":\#(height),"padding":20,"#
                + ##""color":"white","background":"#111","effect":"slide","distance":0,"##
                + #""interval":0.05,"duration":0.4,"easing":"linear"\#(more)}"#).utf8)
    }

    /// The formats on the command line, or all.
    private static var formats: [any OutputFormat.Type] {
        let all: [any OutputFormat.Type] = [GIFFormat.self, APNGFormat.self, PNGFormat.self]
        let named = all.filter { CommandLine.arguments.contains($0.name) }
        return named.isEmpty ? all : named
    }

    static func run(_ worker: RenderWorker) {
        let pipeline = RenderPipeline(limits: RenderLimits())
        if CommandLine.arguments.contains("effects") { return effects(worker, pipeline) }
        print("640 px wide, each letter fading in for 0.4 s, ms of CPU (median of 9)")
        for (name, height, text) in texts {
            for format in formats {
                var size = 0
                let times = medians(
                    rounds: 9, calls: 1,
                    [
                        { _ in
                            let body = body(text, height: height)
                            guard let request = try? pipeline.request(json: body),
                                let scene = try? pipeline.scene(of: request, on: worker),
                                let bytes = try? pipeline.bytes(
                                    of: scene, as: format.init(request.values), on: worker)
                            else { return }
                            size = bytes.count
                        }
                    ])
                print("  \(name) \(format.name)  \(rounded(times[0] / 1000)) ms, \(size) bytes")
            }
        }
    }

    /// The cost of effects at their defaults, beside that of `slide`.
    private static func effects(_ worker: RenderWorker, _ pipeline: RenderPipeline) {
        let (_, height, text) = texts[1]
        let names = ["slide", "rise", "blur", "zoom", "flip", "tracking", "highlight", "draw"]
        for format in formats {
            var sizes = [Int](repeating: 0, count: names.count)
            let times = medians(
                rounds: 5, calls: 1,
                names.indices.map { index in
                    { _ in
                        let body = Array(
                            (#"{"text":"\#(text)","width":640,"height":\#(height),"#
                                + ##""color":"white","background":"#111","##
                                + #""effect":"\#(names[index])"}"#).utf8)
                        guard let request = try? pipeline.request(json: body),
                            let scene = try? pipeline.scene(of: request, on: worker),
                            let bytes = try? pipeline.bytes(
                                of: scene, as: format.init(request.values), on: worker)
                        else { return }
                        sizes[index] = bytes.count
                    }
                })
            for (index, name) in names.enumerated() {
                print(
                    "  \(format.name) \(name)  \(rounded(times[index] / 1000)) ms",
                    "\(rounded(times[index] / times[0])) of slide, \(sizes[index]) bytes")
            }
        }
    }
}
