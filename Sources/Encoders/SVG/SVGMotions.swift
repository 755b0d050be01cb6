import Motion

/// The animations of a document: what most glyphs share is one rule, what differs stands inline.
struct SVGMotions {
    /// Tracks play alike only in the same units.
    private struct Key: Hashable {
        var track: Int
        var scale: Double
    }

    /// What the one rule says.
    private struct Usual: Hashable {
        var list: Int
        var timing: Easing
        var duration: Int
    }

    private var animations: [Key: [CSSAnimation]] = [:]
    /// The distinct keyframe lists, in the order of their first use.
    private var lists: [[UInt8]] = []
    private var listNumbers: [[UInt8]: Int] = [:]
    private var usual: Usual?

    var isEmpty: Bool { lists.isEmpty }

    init(_ scene: Scene, _ groups: [SVGGroup]) {
        var uses: [Usual: Int] = [:]
        var firstUse: [Usual] = []
        for group in groups {
            let builder = CSSAnimationBuilder(scale: group.scale)
            for glyph in group.glyphs {
                let key = Key(track: scene.trackOfGlyph[glyph], scale: group.scale)
                let known = animations[key]
                let own = known ?? builder.animations(of: scene.tracks[key.track])
                if known == nil {
                    animations[key] = own
                    for animation in own { number(animation.keyframes) }
                }
                guard own.count == 1, let only = own.first else { continue }
                let use = Usual(
                    list: number(only.keyframes), timing: only.timing, duration: only.duration)
                if uses[use] == nil { firstUse.append(use) }
                uses[use, default: 0] += 1
            }
        }
        // Of equally frequent ones the first: order must not depend on hashing.
        for use in firstUse where uses[use, default: 0] > (usual.flatMap { uses[$0] } ?? 0) {
            usual = use
        }
    }

    @discardableResult
    private mutating func number(_ keyframes: [UInt8]) -> Int {
        if let number = listNumbers[keyframes] { return number }
        listNumbers[keyframes] = lists.count
        lists.append(keyframes)
        return lists.count - 1
    }

    /// The `style` attribute of an element that moves; empty for one that does not.
    func style(ofTrack track: Int, scale: Double, _ names: SVGNames) -> [UInt8] {
        guard let own = animations[Key(track: track, scale: scale)], !isEmpty else { return [] }
        var sink = ByteSink(capacity: 96)
        sink.append(" style=\"")
        if own.isEmpty {
            // The rule must not reach what stands still among what moves.
            sink.append("animation:none")
        } else if own.count == 1, let only = own.first, let usual,
            listNumbers[only.keyframes] == usual.list, only.timing == usual.timing
        {
            sink.append("animation-delay:")
            sink.append(seconds: only.delay.ticks)
            if only.duration != usual.duration {
                sink.append(";animation-duration:")
                sink.append(seconds: only.duration)
            }
        } else {
            sink.append("animation:")
            for (index, animation) in own.enumerated() {
                if index > 0 { sink.append(",") }
                write(animation, names, &sink)
            }
        }
        sink.append("\"")
        return sink.bytes()
    }

    private func write(
        _ animation: CSSAnimation, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        sink.append(names.prefix)
        sink.append(SVGNames.letters(listNumbers[animation.keyframes] ?? 0))
        sink.append(" ")
        sink.append(seconds: animation.duration)
        sink.append(" ")
        sink.append(seconds: animation.delay.ticks)
        sink.append(" ")
        sink.append(css: animation.timing)
        sink.append(" backwards")
    }

    func writeRules(_ names: SVGNames, _ sink: inout ByteSink) {
        guard !isEmpty else { return }
        for (index, list) in lists.enumerated() {
            sink.append("@keyframes ")
            sink.append(names.prefix)
            sink.append(SVGNames.letters(index))
            sink.append("{")
            sink.append(list)
            sink.append("}")
        }
        if let usual {
            sink.append(".")
            sink.append(names.prefix)
            sink.append(">g>*{animation:")
            sink.append(names.prefix)
            sink.append(SVGNames.letters(usual.list))
            sink.append(" ")
            sink.append(seconds: usual.duration)
            if usual.timing != .ease {
                sink.append(" ")
                sink.append(css: usual.timing)
            }
            sink.append(" backwards}")
        }
        sink.append("@media(prefers-reduced-motion:reduce){.")
        sink.append(names.prefix)
        sink.append(" *{animation:none!important}}")
    }
}
