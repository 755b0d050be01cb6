import Testing

@testable import Rendering

@Suite struct LeastRecentlyUsedTests {
    @Test("values by key in the order of their last use, after any history")
    func leastRecentlyUsed() {
        var list = LeastRecentlyUsed<Int, Int>()
        var model: [(key: Int, value: Int, cost: Int)] = []
        var state: UInt64 = 1
        for step in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let key = Int(state >> 40) % 20
            switch Int(state >> 33) % 4 {
            case 0:
                list.insert(step, for: key, cost: key)
                model.removeAll { $0.key == key }
                model.append((key, step, key))
            case 1:
                #expect((list.use(key) != nil) == model.contains { $0.key == key })
                if let index = model.firstIndex(where: { $0.key == key }) {
                    model.append(model.remove(at: index))
                }
            case 2:
                #expect(list.remove(key) == model.first { $0.key == key }?.value)
                model.removeAll { $0.key == key }
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
}
