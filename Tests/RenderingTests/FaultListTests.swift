import Motion
import Testing

@testable import Rendering

@Suite struct FaultListTests {
    @Test("a fault is listed once, in the order of the first")
    func order() {
        var faults = FaultList()
        for name in ["b", "a", "b"] { faults.add(name, "unknown") }
        #expect(faults.all.map(\.parameter) == ["b", "a"])
    }

    @Test("at most 64 faults are listed, of which the last says that there are more")
    func most() {
        var faults = FaultList()
        for number in 0..<64 { faults.add("n\(number)", "unknown") }
        #expect(faults.all.count == 64)
        #expect(faults.all.last?.parameter == "n63")
        faults.add("n64", "unknown")
        #expect(faults.all.count == 64)
        #expect(
            faults.all.last
                == ParameterFault(
                    parameter: "request", message: "has further faults, which are not listed"))
    }

    @Test("only the first eight unknown names are compared with others")
    func suggestions() {
        var (faults, count) = (FaultList(), 0)
        func candidates() -> [String] {
            count += 1
            return ["text"]
        }
        for number in 0..<20 { faults.addUnknown("n\(number)", among: candidates()) }
        #expect(count == 8)
        #expect(faults.all.count == 20)
    }

    @Test("long names are shortened")
    func longNames() {
        var faults = FaultList()
        faults.add(String(repeating: "a", count: 10_000), "unknown")
        #expect((faults.all.first?.parameter.utf8.count ?? .max) < 300)
    }

    @Test("a list without faults throws nothing")
    func empty() throws {
        try FaultList().check()
        #expect(throws: RenderingError.self) {
            try FaultList([ParameterFault(parameter: "a", message: "b")]).check()
        }
    }
}
