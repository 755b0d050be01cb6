import Motion
import Testing

@testable import Typesetting

/// Texts that are made to go with the room that their canvas leaves.
@Suite struct TextFitTests {
    let typesetter: TestTypesetter

    init() throws {
        typesetter = try TestTypesetter()
    }

    static let sentence = "Hello we build small fast tools for people who write"

    private func canvas(
        _ fit: TextFit, width: Double? = 300, height: Double? = 120,
        maximumWidth: Double? = nil, firstOverlaid: Int? = nil
    ) -> CanvasRequest {
        var canvas = CanvasRequest(
            width: width, height: height, maximumWidth: maximumWidth, padding: 16)
        canvas.spacing = 16
        canvas.firstOverlaid = firstOverlaid
        canvas.fit = fit
        return canvas
    }

    private func layout(
        _ texts: [String], size: Double = 32, _ canvas: CanvasRequest
    ) throws -> Layout {
        try typesetter.layout(texts, style: TestTypesetter.style(size: size), canvas: canvas)
    }

    private func lines(_ layout: Layout, _ block: Int = 0) -> [String] {
        layout.blocks[block].lines.map { line in
            line.runs.flatMap(\.glyphs).sorted().map { layout.glyphs[$0].text }.joined()
        }
    }

    private func isHeld(_ layout: Layout, by canvas: CanvasRequest) -> Bool {
        let rect = layout.blocks.dropFirst().reduce(layout.blocks[0].rect) { $0.union($1.rect) }
        return rect.height <= (canvas.height ?? .infinity) - 32 + 0.01
            && rect.width <= (canvas.width ?? .infinity) - 32 + 0.01
    }

    // MARK: Sizes

    @Test func aTextThatFitsKeepsItsSize() throws {
        let canvas = canvas(TextFit(mode: .shrink))
        let layout = try layout(["Hello"], canvas)
        #expect(layout.factor == 1)
        #expect(layout.blocks[0].size == 32)
    }

    @Test(arguments: [
        (["Hello we build small fast tools for people who write"], 48.0),
        (["A title", "and what it is about, in some more words"], 32.0),
        (["نص عربي طويل بعض الشيء لا يسعه الإطار"], 40.0),
        (["我们为写作者打造小巧而快速的工具我们为写作者打造小巧而快速的工具"], 40.0),
        (["Donaudampfschifffahrtsgesellschaftskapitän"], 32.0),
    ])
    func theLargestQuarterOfAPixelIsFound(texts: [String], size: Double) throws {
        for mode in [TextFit.Mode.shrink, .fill] {
            let canvas = canvas(TextFit(mode: mode, minimumSize: 4))
            let layout = try layout(texts, size: size, canvas)
            let found = layout.factor * size
            #expect((found * 4).rounded() == found * 4)
            #expect(isHeld(layout, by: canvas))
            #expect(!layout.warnings.contains { $0.code == .clipped || $0.code == .cut })
            let larger = (found + 0.25) / size
            var plain = self.canvas(TextFit())
            plain.spacing *= larger
            let next = try self.layout(texts, size: size * larger, plain)
            let words = texts.joined().split { $0 == " " }.count
            let breaksWord = words == 1 && next.blocks[0].lines.count > 1
            #expect(
                !isHeld(next, by: plain) || breaksWord
                    || next.warnings.contains { $0.code == .clipped })
        }
    }

    @Test func blocksKeepTheirProportionsAndTheSpaceBetweenThem() throws {
        let canvas = canvas(TextFit(mode: .shrink), height: 100)
        let title = TestTypesetter.style(size: 48, letterSpacing: 2)
        let subtitle = TestTypesetter.style(size: 24)
        let layout = try typesetter.typesetter.layout(
            [
                BlockText(try StyledText(plain: "A title", style: title)),
                BlockText(try StyledText(plain: "beneath", style: subtitle)),
            ], on: canvas)
        #expect(layout.factor < 1)
        #expect(layout.blocks[0].size == 2 * layout.blocks[1].size)
        let gap = layout.blocks[1].rect.y - layout.blocks[0].rect.maxY
        #expect(abs(gap - 16 * layout.factor) < 0.001)
    }

    @Test func fillGrowsUpToTheRoom() throws {
        let layout = try layout(["Hi"], canvas(TextFit(mode: .fill)))
        #expect(layout.blocks[0].size > 60)
    }

    // MARK: Cutting

    @Test func whatDoesNotFitAtTheLeastSizeIsCut() throws {
        let canvas = canvas(
            TextFit(mode: .shrink, minimumSize: 14), width: 200, height: 70)
        let layout = try layout([Self.sentence + " " + Self.sentence], canvas)
        #expect(layout.blocks[0].size == 14)
        #expect(isHeld(layout, by: canvas))
        #expect(layout.blocks[0].text.hasSuffix("…"))
        #expect(layout.glyphs.last?.text == "…")
        #expect(layout.warnings.map(\.code) == [.cut])
    }

    @Test func aTextFromRightToLeftIsCutAtItsLogicalEnd() throws {
        let layout = try layout(
            ["نص عربي طويل بعض الشيء لا يسعه الإطار"],
            canvas(TextFit(maximumLines: 1), width: 200, height: nil))
        let line = layout.blocks[0].lines[0]
        #expect(layout.blocks[0].lines.count == 1)
        #expect(line.direction == .rightToLeft)
        let ellipsis = try #require(layout.glyphs.last)
        #expect(ellipsis.text == "…")
        // At the left end.
        #expect(layout.glyphs.allSatisfy { $0.rect.x >= ellipsis.rect.x })
    }

    @Test func aCutTextKeepsAsMuchAsFits() throws {
        let canvas = canvas(TextFit(maximumLines: 2), width: 200, height: nil)
        let layout = try layout([Self.sentence], canvas)
        #expect(layout.blocks[0].lines.count == 2)
        let shown = layout.blocks[0].text.dropLast()
        let longer = Self.sentence.prefix(shown.count + 2)
        let next = try self.layout([longer + "…"], self.canvas(TextFit(), width: 200, height: nil))
        #expect(next.blocks[0].lines.count > 2)
    }

    @Test func overlaidTextsAreCutEachByItself() throws {
        let canvas = canvas(
            TextFit(mode: .shrink, minimumSize: 30), width: 200, height: 60, firstOverlaid: 0)
        let layout = try layout([Self.sentence, "Hi"], canvas)
        #expect(layout.blocks[0].text.hasSuffix("…"))
        #expect(layout.blocks[1].text == "Hi")
    }

    // MARK: Wrapping

    @Test func anAutomaticCanvasIsAsWideAsItsTextUpToAWidth() throws {
        let fit = TextFit()
        let short = try layout(["Hi"], canvas(fit, width: nil, height: nil, maximumWidth: 300))
        #expect(short.width < 100)
        let long = try layout(
            [Self.sentence], canvas(fit, width: nil, height: nil, maximumWidth: 300))
        #expect(long.width <= 300)
        #expect(long.blocks[0].lines.count > 2)
    }

    @Test func withoutWrappingLinesEndAtLineBreaks() throws {
        let layout = try layout(
            [Self.sentence + "\nand read"], canvas(TextFit(wrap: .none), width: 200, height: nil))
        #expect(layout.blocks[0].lines.count == 2)
    }

    @Test(arguments: 24...60) func balancedLinesAreAsManyAndMoreEven(size: Int) throws {
        func widths(_ wrap: LineWrap) throws -> [Double] {
            try layout(
                [Self.sentence], size: Double(size),
                canvas(TextFit(wrap: wrap), width: 480, height: nil)
            )
            .blocks[0].lines.map(\.rect.width)
        }
        let (normal, even) = (try widths(.normal), try widths(.balance))
        #expect(normal.count == even.count)
        let spread = { (widths: [Double]) in (widths.max() ?? 0) - (widths.min() ?? 0) }
        #expect(spread(even) <= spread(normal) + 0.5)
    }

    @Test(arguments: 24...60) func prettyLinesLeaveNoWordAlone(size: Int) throws {
        func lines(_ wrap: LineWrap) throws -> [String] {
            self.lines(
                try layout(
                    [Self.sentence], size: Double(size),
                    canvas(TextFit(wrap: wrap), width: 480, height: nil)))
        }
        let (normal, pretty) = (try lines(.normal), try lines(.pretty))
        #expect(normal.count == pretty.count)
        // Where no more words go on the last line of as many, it stays as it is.
        let isPossible = try lines(.balance).last?.contains(" ") == true
        if pretty.count > 2, isPossible {
            #expect(pretty.last?.contains(" ") == true)
        } else {
            #expect(pretty == normal)
        }
    }

    @Test func aWordThatIsTooLongBreaksWithoutAHyphen() throws {
        let word = "Donaudampfschifffahrtsgesellschaftskapitän"
        let layout = try layout([word], canvas(TextFit(), width: 200, height: nil))
        #expect(layout.blocks[0].lines.count > 2)
        #expect(layout.glyphs.map(\.text).joined() == word)
        let width = try self.layout([word], canvas(TextFit(), width: nil, height: nil)).blocks[0]
            .rect.width
        let sum = layout.blocks[0].lines.reduce(0) { $0 + $1.rect.width }
        #expect(abs(sum - width) < 2)
    }
}
