import Bytes
import Motion
import Rendering
import Typesetting

/// Markup: an accepted text is plain text in styles of the documented ranges, and has a layout.
enum FuzzMarkup: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard let markup = String(validating: input, as: UTF8.self),
            let text = try? MarkupReader.read(markup, style: style, pictures: ["a": picture])
        else { return }
        PlainText.check(text.text)
        checkSpans(text)
        // Longer texts take more time, but no other paths.
        if text.text.utf8.count <= 64 { checkLayout(text) }
    }

    private static let style = {
        var style = TypeStyle(
            families: "DejaVu Sans", size: 32, weight: 400,
            paint: .color(Color(red: 0, green: 0, blue: 0)))
        style.lineHeight = 1.2
        return style
    }()

    /// A red pixel.
    private static let picture = TextPicture(
        name: "a", width: 1, height: 1,
        file: Base64.standard.decoded(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
        )
            ?? [])

    private static let canvas = {
        var canvas = CanvasRequest(padding: 4)
        canvas.maximumSide = 2048
        return canvas
    }()

    /// Used by libFuzzer's one thread only.
    nonisolated(unsafe) private static let typesetter = try? Typesetter(
        catalog: FontCatalog(), cache: SharedGlyphCache(capacity: 1 << 26))

    private static func checkSpans(_ text: StyledText) {
        check(text.spans.last?.end == text.text.utf8.count, "spans end elsewhere: \(text)")
        var end = 0
        for span in text.spans {
            check(span.end > end, "an empty span in \(text)")
            end = span.end
            let type = span.style.type
            check((4...400).contains(type.size), "a size of \(type.size)")
            check(type.weight.map((100...1000).contains) ?? true, "a weight of \(type.weight ?? 0)")
            check((-20...100).contains(type.letterSpacing), "spacing of \(type.letterSpacing)")
            check(span.style.rise.isFinite, "a rise of \(span.style.rise)")
            check(!type.families.isEmpty, "no family")
        }
        checkPictures(text)
        var markEnd = 0
        for mark in text.marks {
            let (start, last) = (mark.range.lowerBound, mark.range.upperBound)
            check(start >= markEnd && start < last && last <= end, "a mark of \(mark.range)")
            markEnd = last
            check(mark.style.width.map(MarkStyle.widths.contains) ?? true, "a wide mark")
        }
    }

    private static func checkPictures(_ text: StyledText) {
        let characters = text.text.unicodeScalars.count { $0 == TextPicture.character }
        check(characters >= text.pictures.count, "pictures without characters in \(text)")
        let words = text.pictures.reduce(0) { $0 + $1.alternative.utf8.count }
        let spelled = text.text.utf8.count - 3 * text.pictures.count + words
        check(text.spelled.utf8.count == spelled, "other words for pictures in \(text)")
        for placed in text.pictures {
            check(placed.alternative.unicodeScalars.count <= 200, "long words for a picture")
        }
    }

    private static func checkLayout(_ text: StyledText) {
        let layout: Layout
        do throws(TypesettingError) {
            guard let typesetter else { return check(false, "no typesetter") }
            layout = try typesetter.layout([BlockText(text)], on: canvas)
        } catch {
            guard case .canvasTooLarge = error else { return check(false, "\(error)") }
            return
        }
        let sides = [layout.width, layout.height]
        check(sides.allSatisfy { $0 >= 1 && $0 <= canvas.maximumSide }, "a canvas of \(sides)")
        let written = Array(text.text.utf16)
        for glyph in layout.glyphs {
            let range = glyph.start..<(glyph.start + glyph.length)
            check(range.upperBound <= written.count, "\(glyph) lies behind the text")
            check(written[range].elementsEqual(glyph.text.utf16), "\(glyph) stands elsewhere")
            let box = [glyph.rect.x, glyph.rect.y, glyph.rect.width, glyph.rect.height]
            check(box.allSatisfy(\.isFinite), "\(glyph) has no position")
        }
    }
}
