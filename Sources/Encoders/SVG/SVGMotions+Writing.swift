import Motion

// What a document says of its animations: rules at its head, attributes on its elements.
extension SVGMotions {
    /// Writes the attributes of an element that moves as a glyph does.
    func writeAttributes(ofGlyph glyph: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard let use = uses[glyph] else {
            // The rule must not reach what stands still among what moves.
            if main != nil { sink.append(" style=\"animation:none\"") }
            return
        }
        let pattern = kinds[use.kind].pattern
        guard patterns[pattern].uses > 1 else { return writeWhole(use, names, &sink) }
        if pattern != main {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(pattern)
            sink.append("\"")
        }
        writeDifference(use, from: usual[pattern], names, &sink)
    }

    /// All of it, where no rule helps.
    private func writeWhole(_ use: Use, _ names: SVGNames, _ sink: inout ByteSink) {
        let (delays, durations) = (delays(use), durations(use))
        sink.append(" style=\"animation:")
        for (index, animation) in kinds[use.kind].animations.enumerated() {
            if index > 0 { sink.append(",") }
            writeName(kinds[use.kind].lists[index], names, &sink)
            sink.append(" ")
            write(animation.timing, animation.fill, duration: durations[index], &sink)
            guard delays[index] > 0 else { continue }
            sink.append(" ")
            sink.append(seconds: delays[index], of: durations[index])
        }
        sink.append("\"")
    }

    private func writeDifference(
        _ use: Use, from usual: Variant, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        let (delays, durations) = (delays(use), durations(use))
        var separator: StaticString = " style=\""
        if delays.contains(where: { $0 > 0 }) {
            sink.append(separator)
            sink.append("animation-delay:")
            writeTimes(delays, durations, &sink)
            separator = ";"
        }
        if durations != usual.durations {
            sink.append(separator)
            sink.append("animation-duration:")
            writeTimes(durations, durations, &sink)
            separator = ";"
        }
        if kinds[use.kind].lists != usual.lists {
            sink.append(separator)
            sink.append("animation-name:")
            for (index, list) in kinds[use.kind].lists.enumerated() {
                if index > 0 { sink.append(",") }
                writeName(list, names, &sink)
            }
            separator = ";"
        }
        if separator.utf8CodeUnitCount == 1 { sink.append("\"") }
    }

    /// Times of several animations; one for all where they are equal.
    private func writeTimes(_ ticks: [Int], _ durations: [Int], _ sink: inout ByteSink) {
        let isOne = ticks.allSatisfy { $0 == ticks[0] }
        let shortest = durations.min() ?? 0
        for index in isOne ? 0..<1 : ticks.indices {
            if index > 0 { sink.append(",") }
            sink.append(seconds: ticks[index], of: isOne ? shortest : durations[index])
        }
    }

    private func writeName(_ list: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(names.prefix)
        sink.append(SVGNames.letters(list))
    }

    /// Duration, easing, count and fill.
    private func write(
        _ timing: CSSAnimation.Timing, _ fill: CSSAnimation.Fill, duration: Int,
        _ sink: inout ByteSink
    ) {
        sink.append(seconds: duration, of: cycle == nil ? duration : 0)
        sink.append(" ")
        sink.append(css: timing)
        if cycle != nil {
            switch loop {
            case .infinite: sink.append(" infinite")
            case .count(let count):
                sink.append(" ")
                sink.append(count)
            }
        }
        guard fill != .none else { return }
        sink.append(" ")
        sink.append(fill.rawValue)
    }

    // MARK: Rules

    func writeRules(_ names: SVGNames, _ sink: inout ByteSink) {
        guard !isEmpty else { return }
        for (index, list) in lists.enumerated() {
            sink.append("@keyframes ")
            writeName(index, names, &sink)
            sink.append("{")
            sink.append(list)
            sink.append("}")
        }
        for index in patterns.indices where patterns[index].uses > 1 {
            writeRule(index, names, &sink)
        }
        sink.append("@media(prefers-reduced-motion:reduce){.")
        sink.append(names.prefix)
        sink.append(" *{animation:none!important}}")
    }

    private func writeRule(_ index: Int, _ names: SVGNames, _ sink: inout ByteSink) {
        sink.append(".")
        sink.append(names.prefix)
        if index == main {
            sink.append(turns ? ">g>g>*{animation:" : ">g>*{animation:")
        } else {
            // More specific than the rule of most glyphs.
            sink.append(" .")
            sink.append(names.prefix)
            sink.append("m")
            sink.append(index)
            sink.append("{animation:")
        }
        for place in patterns[index].timings.indices {
            if place > 0 { sink.append(",") }
            writeName(usual[index].lists[place], names, &sink)
            sink.append(" ")
            write(
                patterns[index].timings[place], patterns[index].fills[place],
                duration: usual[index].durations[place], &sink)
        }
        sink.append("}")
    }
}
