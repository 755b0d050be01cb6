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
        sink.append(" style=\"animation:")
        for (place, animation) in kinds[use.kind].animations.enumerated() {
            if place > 0 { sink.append(",") }
            writeName(kinds[use.kind].lists[place], names, &sink)
            sink.append(" ")
            let (delay, duration) = (delay(use, place), duration(use, place))
            write(animation.timing, animation.fill, duration: duration, &sink)
            guard delay > 0 else { continue }
            sink.append(" ")
            sink.append(seconds: delay, of: duration)
        }
        sink.append("\"")
    }

    private func writeDifference(
        _ use: Use, from usual: Variant, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        let places = kinds[use.kind].lists.indices
        var separator: StaticString = " style=\""
        if places.contains(where: { delay(use, $0) > 0 }) {
            sink.append(separator)
            sink.append("animation-delay:")
            write(use, places, &sink) { delay(use, $0) }
            separator = ";"
        }
        if places.contains(where: { duration(use, $0) != usual.durations[$0] }) {
            sink.append(separator)
            sink.append("animation-duration:")
            write(use, places, &sink) { duration(use, $0) }
            separator = ";"
        }
        if kinds[use.kind].lists != usual.lists {
            sink.append(separator)
            sink.append("animation-name:")
            for (place, list) in kinds[use.kind].lists.enumerated() {
                if place > 0 { sink.append(",") }
                writeName(list, names, &sink)
            }
            separator = ";"
        }
        if separator.utf8CodeUnitCount == 1 { sink.append("\"") }
    }

    /// A time of each animation; one for all where they are equal.
    private func write(
        _ use: Use, _ places: Range<Int>, _ sink: inout ByteSink, ticks: (_ place: Int) -> Int
    ) {
        let isOne = places.allSatisfy { ticks($0) == ticks(0) }
        let shortest = places.reduce(Int.max) { min($0, duration(use, $1)) }
        for place in isOne ? places.prefix(1) : places {
            if place > 0 { sink.append(",") }
            sink.append(seconds: ticks(place), of: isOne ? shortest : duration(use, place))
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
