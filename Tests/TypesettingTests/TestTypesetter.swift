import Motion
import Raster
import Typesetting

/// Lays out texts for the tests, on one typesetter a suite.
struct TestTypesetter {
    let typesetter: Typesetter

    init() throws {
        typesetter = try Typesetter(catalog: FontCatalog(), cache: NoGlyphCache())
    }

    static func style(
        font: String = "DejaVu Sans", size: Double = 32, italic: Bool = false,
        letterSpacing: Double = 0
    ) -> TypeStyle {
        var style = TypeStyle(
            families: font, size: size, weight: 400,
            paint: .color(Color(red: 0, green: 0, blue: 0)))
        style.isItalic = italic
        style.letterSpacing = letterSpacing
        style.lineHeight = 1.2
        return style
    }

    static func canvas(
        width: Double? = nil, height: Double? = nil, padding: Double = 16,
        alignment: CanvasRequest.Alignment = .start
    ) -> CanvasRequest {
        var canvas = CanvasRequest(width: width, height: height, padding: padding)
        canvas.alignment = alignment
        canvas.spacing = 16
        return canvas
    }

    func layout(
        _ texts: [String], style: TypeStyle = style(), markup: Bool = false,
        canvas: CanvasRequest = canvas()
    ) throws -> Layout {
        try typesetter.layout(
            texts.map { text in
                BlockText(
                    markup
                        ? try MarkupReader.read(text, style: style)
                        : try StyledText(plain: text, style: style))
            }, on: canvas)
    }

    func units(_ text: String, style: TypeStyle = style()) throws -> [String] {
        try layout([text], style: style).glyphs.map(\.text)
    }
}

/// A cache that keeps nothing.
final class NoGlyphCache: GlyphCache {
    func value(for key: GlyphKey) -> GlyphValue? { nil }
    func keep(_ value: GlyphValue, for key: GlyphKey) {}
    func number(ofFont identity: String) -> Int { 0 }
}
