import Motion
import Testing

@testable import Typesetting

@Suite("Blocks that come and go at times of their own")
struct StackInTimeTests {
    private typealias Stacked = (
        time: ClosedRange<Double>, edge: CanvasRequest.VerticalAlignment, height: Double
    )

    private func distances(_ blocks: [Stacked]) -> [Double] {
        StackInTime.distances(of: blocks, spacing: 2)
    }

    @Test("blocks that follow each other have one place, also where one ends as the next starts")
    func following() {
        #expect(
            distances([(0...1, .bottom, 10), (1...2, .bottom, 10), (2...3, .bottom, 5)]) == [
                0, 0, 0,
            ])
    }

    @Test("one that comes while another stands is beyond it, and that does not move")
    func overlapping() {
        #expect(
            distances([(0...5, .bottom, 10), (1...2, .bottom, 8), (3...9, .bottom, 8)]) == [
                0, 12, 12,
            ])
        #expect(
            distances([(0...5, .bottom, 10), (1...9, .bottom, 8), (2...3, .bottom, 8)])
                == [0, 12, 22])
    }

    @Test("a place between two blocks is taken where there is room")
    func gaps() {
        let low: Stacked = (0...2, .top, 10)
        let high: Stacked = (1...9, .top, 10)
        #expect(distances([low, high, (3...4, .top, 10)]) == [0, 12, 0])
        #expect(distances([low, high, (3...4, .top, 11)]) == [0, 12, 24])
    }

    @Test("edges have places of their own, and the order of the list is not that of the starts")
    func edges() {
        #expect(
            distances([(0...5, .top, 10), (0...5, .bottom, 10), (0...5, .middle, 10)]) == [
                0, 0, -5,
            ])
        #expect(distances([(1...5, .top, 10), (0...5, .top, 4)]) == [6, 0])
    }

    @Test("in the middle the first is centred, and others stand below it")
    func middle() {
        #expect(
            distances([(0...5, .middle, 10), (1...9, .middle, 8), (6...9, .middle, 4)]) == [
                -5, 7, -2,
            ])
    }

    @Test("a block of no time is in nobody's way")
    func empty() {
        #expect(distances([(1...1, .top, 10), (1...2, .top, 10)]) == [0, 0])
    }

    @Test("on a canvas they are stacked away from the edge that valign names")
    func canvas() throws {
        let typesetter = try TestTypesetter()
        func rects(
            _ alignment: CanvasRequest.VerticalAlignment,
            own: CanvasRequest.VerticalAlignment? = nil
        )
            throws -> [Rect]
        {
            var canvas = TestTypesetter.canvas(height: 300)
            canvas.verticalAlignment = alignment
            let texts = try [0.0...3, 1...2, 5...6].enumerated().map { number, time in
                var text = BlockText(try StyledText(plain: "x", style: TestTypesetter.style()))
                text.time = time
                if number == 1 { text.verticalAlignment = own }
                return text
            }
            return try typesetter.typesetter.layout(texts, on: canvas).blocks.map(\.rect)
        }
        let top = try rects(.top)
        #expect(top[0].y == 16 && top[1].y == top[0].maxY + 16 && top[2].y == 16)
        let bottom = try rects(.bottom)
        #expect(abs(bottom[0].maxY - 284) < 0.01 && abs(bottom[1].maxY - bottom[0].y + 16) < 0.01)
        #expect(bottom[2] == bottom[0])
        let middle = try rects(.middle)
        #expect(
            abs(middle[0].center.y - 150) < 0.01 && abs(middle[1].y - middle[0].maxY - 16) < 0.01)
        let both = try rects(.bottom, own: .top)
        #expect(both[1].y == 16 && both[0] == bottom[0])
    }
}
