import Rendering
import Testing

@testable import titlecard

@Suite struct RenderHelpTests {
    private func lines(isWhole: Bool, columns: Int) -> [Substring] {
        RenderHelp(.standard, columns: columns).text(isWhole: isWhole).split(separator: "\n")
    }

    @Test("common parameters exist, and stand once in either help")
    func commonParameters() {
        let names = lines(isWhole: false, columns: 200).filter { $0.hasPrefix("  --") }
            .compactMap { $0.split(separator: " ").first }
        let whole = lines(isWhole: true, columns: 200).prefix { !$0.hasPrefix("--effect ") }
        for name in names {
            #expect(whole.filter { $0.hasPrefix("  \(name) ") }.count == 1, "\(name)")
        }
        #expect(names.contains("--letter-spacing") && names.contains("--max-bytes"))
    }

    @Test("lines have as many columns as there are", arguments: [30, 59, 60, 80, 200])
    func width(columns: Int) {
        for line in lines(isWhole: true, columns: columns) where line.count > columns {
            // A word that is longer than its column, or an example.
            let isExample = line.hasPrefix("  titlecard") || line.contains("'[{")
            #expect(isExample || line.split(separator: " ").count == 1, "\(line)")
        }
    }
}
