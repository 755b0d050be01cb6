import Encoders
import Motion
import Raster
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
        let all: [any OutputFormat.Type] = [
            GIFFormat.self, APNGFormat.self, WebPFormat.self, PNGFormat.self,
        ]
        let named = all.filter { CommandLine.arguments.contains($0.name) }
        return named.isEmpty ? all : named
    }

    static func run(_ worker: RenderWorker) {
        let pipeline = RenderPipeline(limits: RenderLimits())
        if CommandLine.arguments.contains("effects") { return effects(worker, pipeline) }
        if CommandLine.arguments.contains("gaussian") { return gaussian() }
        print("640 px wide, each letter fading in for 0.4 s, ms of CPU (median of 9)")
        for (name, height, text) in texts {
            for format in formats {
                var size = 0
                let times = medians(
                    rounds: 9, calls: 1,
                    [
                        { _ in
                            let body = body(text, height: height)
                            size = bytes(of: body, as: format, worker, pipeline)
                        }
                    ])
                print("  \(name) \(format.name)  \(rounded(times[0] / 1000)) ms, \(size) bytes")
            }
        }
    }

    /// Renders a request and returns its bytes; 0 where it fails.
    private static func bytes(
        of body: [UInt8], as format: any OutputFormat.Type, _ worker: RenderWorker,
        _ pipeline: RenderPipeline
    ) -> Int {
        guard let request = try? pipeline.request(json: body),
            let scene = try? pipeline.scene(of: request, on: worker),
            let file = try? pipeline.wholeFile(
                of: scene, as: format.init(request.values), on: worker)
        else { return 0 }
        return file.bytes.count
    }

    /// The cost of one blur of the ink of a 64 px glyph at twice its size, 80 by 96 pixels, on the grid
    /// that the painter takes: convolved and written as pixels.
    private static func gaussian() {
        let sigmas = [1.0, 2, 4, 8, 16]
        let times = medians(
            rounds: 9, calls: 200,
            sigmas.map { sigma in
                { _ in
                    guard let grid = BlurGrid(sigma: sigma, in: .rest) else {
                        return
                    }
                    let size = SIMD2(80.0, 96) / grid.spacing
                    let ink = PixelSize(
                        width: Int(size.x.rounded(.up)), height: Int(size.y.rounded(.up)))
                    let plane = Plane(
                        rect: PixelRect(ink), bytes: [UInt8](repeating: 200, count: ink.count),
                        stride: ink.width, step: 1, offset: 0)
                    let blur = GaussianBlur(sigma: grid.sigma)
                    let (x, y) = (blur.reachX, blur.reachY)
                    let blurred = plane.blurred(
                        by: blur,
                        in: PixelRect(minX: -x, minY: -y, maxX: ink.width + x, maxY: ink.height + y)
                    )
                    let reach = (Int(grid.reach.x) - 2, Int(grid.reach.y) - 2)
                    let pixels = PixelRect(
                        minX: -reach.0, minY: -reach.1, maxX: 80 + reach.0, maxY: 96 + reach.1)
                    var bytes = [UInt8](repeating: 0, count: pixels.width * pixels.height)
                    bytes.withUnsafeMutableBufferPointer { bytes in
                        guard let start = bytes.baseAddress else { return }
                        blurred.write(
                            to: start, stride: pixels.width, step: 1, of: pixels,
                            grid: grid.spacing)
                    }
                }
            })
        for (sigma, time) in zip(sigmas, times) { print("  σ \(sigma) px  \(rounded(time)) µs") }
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
                        sizes[index] = bytes(of: body, as: format, worker, pipeline)
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
