import Testing

@testable import Motion

@Suite struct RandomnessTests {
    @Test(
        "the first values are those of the specification",
        arguments: [
            (0, 0, 0, 0, 0.13870941014555427),
            (42, 9, 3, 7, 0.94216107621612366),
            (UInt64.max, 16, 139, 25, 0.43916216883209203),
        ] as [(UInt64, UInt64, Int, Int, Double)])
    func firstValues(seed: UInt64, stream: UInt64, item: Int, draw: Int, expected: Double) {
        #expect(Randomness(seed: seed).unit(stream: stream, item: item, draw: draw) == expected)
    }

    @Test("a phase draws from the stream of its block, kind and channel")
    func streams() {
        let phase = PhaseRandomness(seed: 42, block: 0, phase: .exit)
        let whole = Randomness(seed: 42)
        #expect(phase.unit(.delay, item: 3, draw: 7) == whole.unit(stream: 9, item: 3, draw: 7))
    }

    @Test("no two channels share a stream, however many there are")
    func distinctStreams() {
        var seen: Set<UInt64> = []
        for block in 0..<64 {
            for phase in [Phase.Kind.entrance, .exit] {
                for channel in UInt64(0)..<40 {
                    let stream = PhaseRandomness.stream(
                        block: block, phase: phase, channel: channel)
                    #expect(seen.insert(stream).inserted, "\(block) \(phase) \(channel)")
                    guard channel < 8 else { continue }
                    #expect(stream == 16 * UInt64(block) + 8 * phase.rawValue + channel)
                }
            }
        }
    }
}
