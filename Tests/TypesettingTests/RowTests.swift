import Motion
import Testing

@testable import Typesetting

/// Texts beside each other, and texts that share a place.
@Suite struct RowTests {
    let typesetter: TestTypesetter

    init() throws {
        typesetter = try TestTypesetter()
    }

    private func canvas(
        width: Double? = nil, maximumWidth: Double? = nil, firstOverlaid: Int? = nil,
        fit: TextFit = TextFit(), alignment: CanvasRequest.Alignment = .start
    ) -> CanvasRequest {
        var canvas = CanvasRequest(width: width, maximumWidth: maximumWidth, padding: 16)
        canvas.alignment = alignment
        canvas.spacing = 20
        canvas.flow = .row
        canvas.firstOverlaid = firstOverlaid
        canvas.fit = fit
        return canvas
    }

    private func rects(_ texts: [String], _ canvas: CanvasRequest) throws -> [Rect] {
        try typesetter.layout(texts, canvas: canvas).blocks.map(\.rect)
    }

    @Test("texts stand beside each other, and a right-to-left row begins at the right")
    func order() throws {
        let left = try rects(["one", "two"], canvas())
        #expect(abs(left[1].x - left[0].maxX - 20) < 0.01)
        let right = try rects(["שלום", "two"], canvas())
        #expect(abs(right[0].x - right[1].maxX - 20) < 0.01)
        let centered = try rects(["one", "two"], canvas(width: 400, alignment: .center))
        #expect(abs(centered[0].x - (400 - centered[1].maxX)) < 0.01)
    }

    @Test("texts of different sizes have one baseline")
    func baseline() throws {
        let texts = try [(64.0, "Large"), (20, "small")].map { size, text in
            BlockText(try StyledText(plain: text, style: TestTypesetter.style(size: size)))
        }
        let layout = try typesetter.typesetter.layout(texts, on: canvas())
        let baselines = layout.blocks.map { $0.lines[0].baseline }
        #expect(abs(baselines[0] - baselines[1]) < 0.01)
    }

    @Test("a place is as wide as the widest of its texts")
    func overlaid() throws {
        let all = try rects(["We are", "a", "many words"], canvas(firstOverlaid: 1))
        #expect(all[1].x == all[2].x && abs(all[1].x - all[0].maxX - 20) < 0.01)
        let layout = try typesetter.layout(
            ["We are", "a", "many words"], canvas: canvas(firstOverlaid: 1))
        #expect(layout.width >= all[2].maxX + 16 && layout.width < all[2].maxX + 18)
    }

    @Test("a row that is too long shares its width: what needs less has what it needs")
    func sharing() throws {
        let long = "some words that go on and on and on"
        let layout = try typesetter.layout(["short", long], canvas: canvas(maximumWidth: 400))
        #expect(layout.blocks[0].lines.count == 1 && layout.blocks[1].lines.count > 1)
        #expect(layout.width <= 400)
        let both = try typesetter.layout([long, long], canvas: canvas(maximumWidth: 400))
        #expect(both.blocks[0].lines.count == both.blocks[1].lines.count)
        #expect(both.width <= 400)
    }

    @Test("a row that has to fit shrinks, and is cut where it cannot")
    func fitting() throws {
        let long = "some words that go on and on and on"
        var fit = TextFit(mode: .shrink, minimumSize: 8, maximumLines: 1)
        let shrunk = try typesetter.layout(
            ["short", long], canvas: canvas(width: 400, fit: fit))
        #expect(shrunk.factor < 1 && shrunk.blocks.allSatisfy { $0.lines.count == 1 })
        #expect(shrunk.warnings.isEmpty)
        fit.minimumSize = 30
        let cut = try typesetter.layout(["short", long], canvas: canvas(width: 400, fit: fit))
        #expect(cut.warnings.map(\.code) == [.cut])
        #expect(cut.blocks[1].rect.maxX <= 400 - 16 + 0.01)
    }

    @Test("in the middle the first and the last text face each other")
    func facing() throws {
        func edges(_ texts: [String], _ width: Double? = nil) throws -> [[(Double, Double)]] {
            try typesetter.layout(texts, canvas: canvas(width: width, alignment: .center)).blocks
                .map { $0.lines.map { ($0.rect.x, $0.rect.maxX) } }
        }
        let roles = ["Director\nEditor", "Ada\nMary Shelley"]
        for width: Double? in [nil, 600] {
            let (left, right) = (try edges(roles, width)[0], try edges(roles, width)[1])
            #expect(abs(left[0].1 - left[1].1) < 0.01 && abs(right[0].0 - right[1].0) < 0.01)
            #expect(abs(right[0].0 - left[0].1 - 20) < 0.01)
        }
        // The first stands on the right, and a text between is in the middle of its place.
        let turned = try edges(["שלום\nשלום עולם", "one\nmany words"])
        #expect(abs(turned[0][0].0 - turned[0][1].0) < 0.01)
        #expect(abs(turned[1][0].1 - turned[1][1].1) < 0.01)
        let three = try edges(["a\nmany words", "b\nmany words", "c\nmany words"])
        let middles = three[1].map { ($0.0 + $0.1) / 2 }
        #expect(abs(middles[0] - middles[1]) < 0.01)
        #expect(abs(three[0][0].1 - three[0][1].1) < 0.01)
        #expect(abs(three[2][0].0 - three[2][1].0) < 0.01)
        let alone = try edges(["a\nmany words"])
        #expect(alone[0][0].0 > alone[0][1].0 + 10)
    }
}
