import Motion
import Rendering
import Sampling
import Testing
import Typesetting

@testable import Encoders

/// The frames that the raster formats are made of, against the same poses painted plainly.
@Suite struct AgreementTests {
    /// Requests that draw everything there is: shapes, lines, pictures, several colours, overlaps.
    static let requests = [
        ##"{"text":"Overlapping AVAWATo","letterSpacing":-6,"effect":"reveal"}"##,
        ##"{"text":"Quick brown fox","effect":"slide","size":41.5,"color":"#123456"}"##,
        ##"{"text":"turning","effect":"fall","exit":"auto","background":"#fffbe6"}"##,
        ##"{"text":"grow 👻 grow","effect":"pop","background":"#222","color":"tomato"}"##,
        ##"{"text":"<b>two</b> <span foreground='red'>col</span><u>ours</u>","markup":true,"effect":"wave","background":"white"}"##,
        ##"{"text":"half there","color":"#ff000080","effect":"drop","background":"#00ff0040"}"##,
        ##"{"text":"ab cd","effect":"scramble","cursor":"block","scale":2.5,"background":"#000"}"##,
        ##"{"blocks":[{"text":"kitten"},{"text":"sitting"}],"sequence":"replace","effect":"morph","background":"#eee"}"##,
        ##"{"text":"🙂","effect":"morph","fromScale":0.0001,"background":"#eee","speed":0.1}"##,
        ##"{"text":"from nothing","effect":"pop","fromScale":0,"background":"#eee","exit":"auto"}"##,
        ##"{"text":"Behind its line","effect":"rise","size":30.3,"background":"#fff"}"##,
        ##"{"text":"flip 👻 over","effect":"flip","exit":"auto","scale":1.7,"background":"#fff"}"##,
        ##"{"text":"leaning 👻","effect":"custom","keyframes":[{"skewX":30,"skewY":-20,"scaleX":2}],"shadow":"3px 4px 0 navy"}"##,
        ##"{"text":"mirrored","effect":"custom","keyframes":[{"scaleX":0.3,"scaleY":2,"rotation":70}],"easing":"back-out","background":"#fff"}"##,
        ##"{"text":"High light","effect":"highlight","highlightColor":"#f008","scale":2}"##,
        ##"{"text":"to nothing","effect":"custom","keyframes":[{"color":"transparent"}],"background":"#eee"}"##,
        ##"{"text":"<u>drawn</u> iÖ8&amp;","markup":true,"effect":"draw","strokeWidth":0.1,"size":50,"background":"#fff"}"##,
        ##"{"text":"half drawn","effect":"draw","color":"#ff000080","size":50,"exit":"auto"}"##,
        ##"{"text":"masked","effect":"custom","mask":"item","keyframes":[{"x":0.3,"y":-0.4,"rotation":20}],"background":"#eee"}"##,
        ##"{"text":"<u>grad</u>ient 👻","markup":true,"effect":"fall","color":"linear-gradient(30deg, red, #0000 40%, #00f8 60%, gold)","background":"#eee"}"##,
        ##"{"text":"by line\nby line","effect":"flip","gradientBox":"line","color":"linear-gradient(to left, #f06, #06f 120%)","exit":"auto"}"##,
        ##"{"text":"each سلام","effect":"draw","gradientBox":"glyph","color":"linear-gradient(to top right, #f06, #06f)","scale":2}"##,
        ##"{"text":"out<u>line</u> 👻","markup":true,"effect":"pop","outlineWidth":5,"outlineColor":"#f80a","color":"#fff"}"##,
        ##"{"text":"drawn سلام","effect":"draw","outlineWidth":2,"shadow":"3px 4px #0f08, -2px 1px #f00","background":"#fff"}"##,
        ##"{"text":"shade 👻","effect":"custom","keyframes":[{"rotation":90,"scale":2}],"shadow":"9px 4px 0 navy","cursor":"bar","background":"#eee"}"##,
        ##"{"text":"masked","effect":"rise","outlineWidth":3,"shadow":"0 6px 0 #0008","color":"gold","background":"linear-gradient(45deg, #102, #f06 30%, #06f)"}"##,
        ##"{"text":"clipped text that is too wide","width":90,"height":40,"effect":"secret","background":"#eee"}"##,
    ]

    @Test("no pixel is off by more than three", arguments: sample(requests, 9))
    func agreement(body: String) throws {
        let worker = try RenderWorker(catalog: FontCatalog())
        let pipeline = RenderPipeline(limits: RenderLimits())
        let request = try pipeline.request(json: Array(body.utf8))
        let scene = try pipeline.scene(of: request, on: worker)
        let scale = request.scale
        let cache = SharedGlyphCache(capacity: 1 << 20)
        let tiles = TilePainter(cache: cache)
        let context = EncodingContext(painter: tiles, cache: cache)
        var painter = FramePainter<ColorPixel>(scene, scale: scale)
        var plain = FramePainter<CoveragePixel>(scene, scale: scale)
        let moments =
            (0...12).map { Moment.instant(Instant(ticks: scene.duration.ticks * $0 / 12)) }
            + [.finished]
        for moment in moments {
            let oracle = try PlainPainting.pixels(of: scene, at: moment, scale: scale, tiles)
            _ = try painter.paint(moment, context)
            var worst = 0
            for (index, pixel) in painter.canvas.pixels.enumerated() {
                let color = pixel.straight(over: scene.appearance.card.flatColor ?? .transparent)
                worst = max(worst, Self.difference(color, oracle, at: 4 * index))
            }
            #expect(worst <= 3, "\(moment)")
            guard let ink = scene.inkColor else { continue }
            // The core for one colour gives the same to the bit, once a byte holds it.
            _ = try plain.paint(moment, context)
            worst = 0
            for (index, pixel) in plain.canvas.pixels.enumerated() {
                let color = ColorPixel(ink, alpha: UInt16(pixel.byte) * 257)
                    .straight(over: scene.appearance.card.background.firstColor)
                worst = max(worst, Self.difference(color, oracle, at: 4 * index))
            }
            #expect(worst <= 3, "\(moment), one colour")
        }
    }

    /// The largest difference of a straight colour from premultiplied blue, green, red and alpha.
    private static func difference(_ color: Color, _ oracle: [UInt8], at index: Int) -> Int {
        let alpha = Int(color.alpha)
        func off(_ part: UInt8, _ place: Int) -> Int {
            abs((Int(part) * alpha + 127) / 255 - Int(oracle[index + place]))
        }
        // Without arrays, which unoptimised code takes long to make.
        let colors = max(off(color.blue, 0), off(color.green, 1), off(color.red, 2))
        return max(colors, abs(alpha - Int(oracle[index + 3])))
    }
}
