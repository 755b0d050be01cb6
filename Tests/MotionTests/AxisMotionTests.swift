import Testing

@testable import Motion

@Suite struct AxisMotionTests {
    private static let weight = AxisTag(code: 0x7767_6874)
    private static let width = AxisTag(code: 0x7764_7468)

    private func path(
        _ keyframes: [EffectKeyframe], easing: TimingFunction = .linear, duration: Double = 0.5
    ) throws -> AxisPath {
        let axes = ItemKeyframes(keyframes, easing: easing).axes
        return AxisPath(try #require(AxisMotion(axes, duration: duration)))
    }

    private func keyframe(_ offset: Double? = nil, _ axes: [AxisTag: Double]) -> EffectKeyframe {
        var keyframe = EffectKeyframe(offset: offset)
        keyframe.axes = axes
        return keyframe
    }

    private let inter = FontAxis(weight, minimum: 100, rest: 400, maximum: 900)

    @Test("tags are four letters or digits")
    func tags() {
        #expect(AxisTag("wght") == Self.weight && Self.weight.text == "wght")
        for text in ["", "wgh", "wghté", "wgh ", "wgh=", "wghts"] { #expect(AxisTag(text) == nil) }
    }

    @Test("steps go from the first keyframe to the text at rest, without gaps")
    func steps() throws {
        let steps = try path([keyframe(nil, [Self.weight: 100])]).steps(in: [inter], levels: 3)
        #expect(steps.instances == [[100], [200], [300]])
        #expect(steps.first == 0)
        #expect(steps.spans.map(\.instance) == [0, 1, 2, nil])
        #expect(steps.spans.first?.start == 0 && steps.spans.last?.end == 1)
        for (one, next) in zip(steps.spans, steps.spans.dropFirst()) {
            #expect(one.end == next.start)
        }
        // Each shows while it is the nearest: 30 parts, of which the ends have half as many.
        #expect(steps.spans.map { (30 * $0.end).rounded() } == [5, 15, 25, 30])
    }

    @Test("a motion there and back shows each instance twice")
    func thereAndBack() throws {
        let keyframes = [keyframe(nil, [:]), keyframe(0.5, [Self.weight: 900]), keyframe(nil, [:])]
        let steps = try path(keyframes, duration: 1).steps(in: [inter], levels: 8)
        #expect(steps.first == nil && steps.instances.count == 8)
        #expect(steps.spans.compactMap(\.instance).count == 15)
    }

    @Test("the ends of a font, and both sides of the text at rest, are levels")
    func levels() throws {
        let keyframes = [
            keyframe(nil, [Self.weight: 5000]), keyframe(0.9, [Self.weight: -5000]),
        ]
        let steps = try path(keyframes, duration: 10).steps(in: [inter], levels: 4)
        let taken = Set(steps.instances.map { $0[0] })
        // Of 800 units 500 are above: 3 levels, and 2 below.
        #expect(taken.contains(900) && taken.contains(100) && taken.contains(250))
        #expect(taken.count == 5)
    }

    @Test("axes that no keyframe sets at once move on their own")
    func severalAxes() throws {
        let keyframes = [
            keyframe(nil, [Self.weight: 100]), keyframe(0.5, [Self.width: 50]),
            keyframe(nil, [:]),
        ]
        let wide = FontAxis(Self.width, minimum: 50, rest: 100, maximum: 200)
        // By tags: wdth before wght.
        let steps = try path(keyframes).steps(in: [wide, inter], levels: 2)
        #expect(steps.instances[0] == [100, 100])
        #expect(steps.instances.contains { $0[0] < 55 && $0[1] > 200 })
        #expect(steps.spans.last?.instance == nil)
    }

    @Test("a font that has the wanted coordinates at rest takes no steps")
    func atRest() throws {
        let path = try path([keyframe(nil, [Self.weight: 100])])
        let thin = FontAxis(Self.weight, minimum: 100, rest: 100, maximum: 900)
        let steps = path.steps(in: [thin], levels: 64)
        #expect(steps.instances.isEmpty && steps.first == nil)
        #expect(steps.spans == [AxisSteps.Span(start: 0, end: 1, instance: nil)])
        #expect(steps.wayBack.isEmpty)
    }

    @Test("without a duration only what shows before an item's turn is left")
    func noDuration() throws {
        let steps = try path([keyframe(nil, [Self.weight: 100])], duration: 0)
            .steps(in: [inter], levels: 64)
        #expect(steps.instances == [[100]] && steps.first == 0 && steps.spans.isEmpty)
    }

    @Test("the way back goes by the instances that there are")
    func wayBack() throws {
        let steps = try path([keyframe(nil, [Self.weight: 100])]).steps(in: [inter], levels: 3)
        #expect(steps.wayBack.map(\.instance) == [nil, 2, 1, 0])
        #expect(steps.wayBack.last?.end == 1)
        let jump = try path([keyframe(nil, [Self.weight: 100])], easing: .steps(1))
            .steps(in: [inter], levels: 64)
        #expect(jump.wayBack.map(\.instance) == [nil, 0])
    }

    @Test("more letters have fewer levels, and too many are refused")
    func budget() throws {
        let path = try path([keyframe(nil, [Self.weight: 100])], duration: 2)
        func use(glyphs: Int, commands: Int) -> AxisPath.FontUse {
            var use = AxisPath.FontUse(axes: [inter])
            (use.glyphs, use.commands) = (glyphs, commands)
            return use
        }
        func count(_ glyphs: Int, _ commands: Int, sharing parts: Int = 1) -> Int? {
            path.steps(of: [use(glyphs: glyphs, commands: commands)], sharing: parts)?
                .first?.instances.count
        }
        #expect(count(2, 30) == 64)
        #expect(count(2, 30, sharing: 8) == 32)
        #expect(count(20, 500) == 16)
        #expect(count(500, 500) == 6)
        #expect(count(2000, 60_000) == 2)
        #expect(count(2000, 300_000) == nil)
    }

    @Test("what takes turns is seen as much as the whole")
    func turns() {
        var whole = GlyphTracks(
            opacity: Track(keyframes: [
                Keyframe(.zero, value: 0, easing: .easeOut),
                Keyframe(Instant(ticks: 5000), value: 1),
            ]))
        whole[.offsetY] = Track(keyframes: [
            Keyframe(.zero, value: 9), Keyframe(Instant(ticks: 5000), value: 0),
        ])
        let spans = [(1000, 2500), (4000, 4100)].map { Instant(ticks: $0)..<Instant(ticks: $1) }
        let (inside, outside) = (whole.seen(in: spans, true), whole.seen(in: spans, false))
        for ticks in stride(from: 0, through: 6000, by: 7) {
            let instant = Instant(ticks: ticks)
            let isInside = spans.contains { $0.contains(instant) }
            let opacity = whole.opacity.value(at: instant)
            let (shown, other) = isInside ? (inside, outside) : (outside, inside)
            #expect(abs(shown.opacity.value(at: instant) - opacity) < 0.004, "\(ticks)")
            // A ramp ends a tick before.
            let isEdge = spans.contains {
                [$0.lowerBound.ticks, $0.upperBound.ticks].contains { abs($0 - ticks) < 2 }
            }
            #expect(other.opacity.value(at: instant) == 0 || isEdge, "\(ticks)")
            #expect(shown[.offsetY] == whole[.offsetY])
        }
    }
}
