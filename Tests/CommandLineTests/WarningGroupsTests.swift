import Motion
import Testing

@testable import titlecard

@Suite struct WarningGroupsTests {
    private let cut = Warning(code: .cut, message: "too long", block: nil)
    private let clipped = Warning(code: .clipped, message: "too wide", block: 0)

    @Test("equal warnings are one message, in whatever order lines are done")
    func equal() {
        var groups = WarningGroups()
        groups.add([clipped], of: 9)
        for line in [7, 3, 5] { groups.add([cut, cut], of: line) }
        groups.add([clipped], of: 4)
        #expect(
            groups.messages(about: "list") == [
                "warning: list:3: cut: too long (and 2 more lines)",
                "warning: list:4: clipped: too wide (and 1 more line)",
            ])
    }

    @Test("more messages than a thousand are only counted")
    func bound() {
        var groups = WarningGroups()
        for line in 1...1200 {
            let number = Warning(code: .cut, message: "\(line)", block: nil)
            groups.add([number, clipped], of: line)
        }
        let messages = groups.messages(about: "list")
        #expect(messages.count == 1001)
        #expect(messages.last == "warning: list: 201 further warnings")
        #expect(messages.contains("warning: list:1: clipped: too wide (and 1199 more lines)"))
    }
}
