import Glibc

/// Returns some members of a long list in their order, others for each commit (`TEST_SAMPLE` in the
/// environment); as a proof (`TEST_PROOF=1`) all of them.
///
/// - Parameters:
///   - list: The list.
///   - count: The number of members, unless it has fewer.
/// - Returns: The members; the same in each run with the same sample.
package func sample<Element>(_ list: some Collection<Element>, _ count: Int) -> [Element] {
    func environment(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    guard environment("TEST_PROOF").isEmpty, list.count > count else { return Array(list) }
    // FNV-1a.
    let seed = environment("TEST_SAMPLE").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    var numbers = SplitMix64(state: seed)
    let members = Array(list)
    return members.indices.shuffled(using: &numbers).prefix(count).sorted().map { members[$0] }
}
