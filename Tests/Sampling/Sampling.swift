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
    // FNV-1a of the sample, then a number for each member; those with the least ones are taken.
    let seed = environment("TEST_SAMPLE").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    func rank(_ index: Int) -> UInt64 {
        var number = seed &+ UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
    let members = Array(list)
    let chosen = members.indices.sorted { rank($0) < rank($1) }.prefix(count)
    return chosen.sorted().map { members[$0] }
}
