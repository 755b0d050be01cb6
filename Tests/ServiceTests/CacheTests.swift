import Encoders
import Rendering
import Testing

@testable import Service

@Suite struct CacheTests {
    private func key(_ request: String) -> RenderKey {
        RenderKey(request: request, format: "svg", fonts: 1)
    }

    private func rendering(_ count: Int) -> Rendering {
        Rendering(bytes: [UInt8](repeating: 7, count: count), duration: "1", location: "/r/x.svg")
    }

    @Test("what was not asked for longest makes room")
    func eviction() {
        let cache = RenderCache(capacity: 10_000)
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
        for name in names {
            cache.keep(rendering(800), for: key(name))
            _ = cache.rendering(for: key("a"))
        }
        #expect(cache.rendering(for: key("a")) != nil)
        #expect(cache.rendering(for: key("b")) == nil)
        #expect(cache.rendering(for: key("l")) != nil)
        #expect(cache.figures.bytes <= 10_000)
        #expect(cache.figures.evictions == names.count - cache.figures.entries)
    }

    @Test("what is only looked at is no newer, and not counted")
    func peek() {
        let cache = RenderCache(capacity: 10_000)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            cache.keep(rendering(800), for: key(name))
        }
        #expect(cache.peek(key("a")) != nil)
        #expect(cache.peek(key("z")) == nil)
        for name in ["i", "j", "k"] { cache.keep(rendering(800), for: key(name)) }
        #expect(cache.peek(key("a")) == nil)
        #expect(cache.figures.hits == 0)
        #expect(cache.figures.misses == 0)
    }

    @Test("one rendering must not push out all others")
    func tooLarge() {
        let cache = RenderCache(capacity: 10_000)
        cache.keep(rendering(100), for: key("small"))
        cache.keep(rendering(9000), for: key("large"))
        #expect(cache.rendering(for: key("large")) == nil)
        #expect(cache.rendering(for: key("small")) != nil)
        let none = RenderCache(capacity: 0)
        none.keep(rendering(0), for: key("x"))
        #expect(none.figures.entries == 0)
    }

    @Test("a rendering that has grown is counted anew")
    func growth() throws {
        let cache = RenderCache(capacity: 100_000)
        let rendering = rendering(2000)
        cache.keep(rendering, for: key("x"))
        let before = cache.figures.bytes
        _ = rendering.gzip(try .init(.gzip))
        cache.keep(rendering, for: key("x"))
        #expect(cache.figures.entries == 1)
        #expect(cache.figures.bytes > before)
    }

    @Test("values by key in the order of their last use, after any history")
    func leastRecentlyUsed() {
        var list = LeastRecentlyUsed<Int, Int>()
        var model: [(key: Int, value: Int, cost: Int)] = []
        var state: UInt64 = 1
        for step in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let key = Int(state >> 40) % 20
            switch Int(state >> 33) % 3 {
            case 0:
                list.insert(step, for: key, cost: key)
                model.removeAll { $0.key == key }
                model.append((key, step, key))
            case 1:
                #expect((list.use(key) != nil) == model.contains { $0.key == key })
                if let place = model.firstIndex(where: { $0.key == key }) {
                    model.append(model.remove(at: place))
                }
            default:
                let capacity = Int(state >> 45) % 100
                var removed: [Int] = []
                while model.reduce(0, { $0 + $1.cost }) > capacity {
                    removed.append(model.removeFirst().value)
                }
                #expect(list.shrink(to: capacity) == removed)
            }
            #expect(list.count == model.count)
            #expect(list.cost == model.reduce(0) { $0 + $1.cost })
        }
    }

    @Test("memory of long files is taken and given back")
    func budget() {
        let budget = StreamBudget(capacity: 100)
        var first = budget.take(60)
        #expect(first != nil)
        #expect(budget.take(60) == nil)
        let second = budget.take(40)
        #expect(second != nil)
        #expect(budget.take(1) == nil)
        first = nil
        #expect(budget.take(60) != nil)
        withExtendedLifetime(second) {}
    }

    @Test("one of many who want the same makes it, and all get it")
    func flights() {
        let flights = Flights<Int>()
        #expect(flights.board(1, for: key("x")))
        #expect(!flights.board(2, for: key("x")))
        #expect(flights.board(3, for: key("y")))
        #expect(!flights.cancel(key("x"), unless: { $0 == 2 }))
        #expect(flights.land(key("x")) == [1, 2])
        #expect(flights.land(key("x")).isEmpty)
        #expect(flights.cancel(key("y"), unless: { _ in false }))
        #expect(flights.board(4, for: key("y")))
    }
}
