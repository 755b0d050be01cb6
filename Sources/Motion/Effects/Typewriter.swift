/// Ghost typing: one item after another is there at once, as if typed.
package struct Typewriter: Effect, Parameterized {
    package static let name = "typewriter"
    package static let title = "Typewriter"

    private let grouping: Grouping
    private let order: ItemOrder
    private let interval: ItemInterval
    private let jitter: Double
    private let punctuationPause: Double
    /// Seconds; nil for half of the interval from one glyph to the next.
    private let eraseInterval: Double?
    private let eraseOrder: ItemOrder
    private let typos: Double
    private let typoPause: Double
    private let erasure: Erasure
    private let indentation: Indentation
    /// The start of lines that are commands of a terminal session; nil if all lines are typed.
    private let prompt: String?
    private let pauseAfterCommand: Double

    /// The letters that are erased before the next text is typed.
    package enum Erasure: String, CaseIterable, Sendable {
        case all, changed
    }

    /// The typing of white space at the start of lines.
    package enum Indentation: String, CaseIterable, Sendable {
        /// It is typed as all other characters.
        case typed
        /// It appears in no time, as editors indent lines.
        case instant
    }

    package init(_ parameters: inout ParameterReader) throws(ParameterFault) {
        grouping = parameters.grouping()
        order = parameters.itemOrder()
        interval = ItemInterval(
            &parameters, usually: 0.1, in: 0.001...10, "Seconds between one item and the next")
        jitter = parameters.number(
            "jitter", default: 0, in: 0...1,
            "How uneven the typing is: the share by which each interval varies.")
        punctuationPause = parameters.seconds(
            "punctuationPause", default: 0,
            "Seconds to wait after the end of a sentence; half of it after a comma.")
        eraseInterval = parameters.optionalNumber(
            "eraseInterval", in: 0.001...10, unit: .seconds,
            "Seconds between one glyph and the next when it is erased; half of interval unless given."
        )
        eraseOrder = parameters.choice(
            "eraseOrder", default: .backward, "Which glyph is erased first.")
        typos = parameters.number(
            "typos", default: 0, in: 0...0.5,
            "How often a neighbouring key is typed by mistake, and corrected.")
        typoPause = parameters.seconds(
            "typoPause", default: 0.25, "Seconds until a mistake is noticed.")
        erasure = parameters.choice(
            "erase", default: .all,
            "Which letters are erased before the next text is typed in place of this one: all, or "
                + "only those that change.")
        indentation = parameters.choice(
            "indentation", default: .typed,
            "White space at the start of lines: typed like all other text, or there at once "
                + "(instant).")
        prompt = parameters.optionalText(
            "prompt", .prose(1...40),
            "The start of lines that are typed, as commands in a terminal; other lines appear at "
                + "once. By default all lines are typed.")
        pauseAfterCommand = parameters.seconds(
            "pauseAfterCommand", default: 0.5,
            "With prompt: seconds from the end of a command to the next line.")
        let areInOrder = grouping == .glyph && order == .forward
        for (name, isGiven) in [("typos", typos > 0), ("prompt", prompt != nil)]
        where isGiven && !areInOrder {
            throw ParameterFault(
                parameter: name, message: "needs by \"glyph\" and order \"forward\"")
        }
    }

    package func characters(for text: String) -> [String] { typos > 0 ? Keyboard.letters : [] }

    package func entrance(of block: EffectBlock) -> Phase {
        guard typos == 0 else { return mistypedEntrance(of: block) }
        if let words = block.timedItems(by: grouping) {
            var phase = Phase(
                items: words.items, tracks: words.starts.map(PhaseTracks.appearing),
                duration: words.starts.max() ?? 0)
            phase.followsWords = true
            return phase
        }
        let items = Items(block.glyphs, by: grouping)
        guard items.count > 0 else { return Phase(items: items, tracks: [], duration: 0) }
        let ranks = items.ranks(order, block.randomness)
        let turns = turns(of: items, in: block.glyphs)
        let interval = interval(ofItems: items.count, turns)
        let pauses = punctuationPause > 0 ? pauses(after: items, in: block.glyphs) : nil
        var time = 0.0
        var times = [Double](repeating: 0, count: items.count)
        let order = (0..<items.count).sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        for (index, item) in order.enumerated() {
            // Equal ranks appear together: the jitter is the first one's, the pause the last one's.
            if index == 0 || ranks[order[index - 1]] < ranks[item] {
                if let pauses, index > 0 { time += pauses[order[index - 1]] }
                time += seconds(before: item, turns, interval, block.randomness)
            }
            times[item] = time
        }
        if let pauses, let last = order.last { time += pauses[last] }
        return Phase(
            items: items, tracks: times.map(PhaseTracks.appearing), duration: time + interval)
    }

    /// Returns the factor of the interval before an item.
    private func unevenness(_ item: Int, _ randomness: PhaseRandomness) -> Double {
        let unit = jitter > 0 ? randomness.unit(.jitter, item: item) : 0.5
        return 1 + jitter * (2 * unit - 1)
    }

    /// Returns the seconds between one glyph and the next when so many are erased.
    private func eraseInterval(ofGlyphs count: Int) -> Double {
        eraseInterval ?? interval.seconds(ofItems: count) / 2
    }

    // MARK: Turns

    /// How an item comes.
    private enum Turn {
        /// It is typed.
        case typed
        /// It appears with the item before it.
        case instant
        /// It is the first of a line that appears at once, some seconds after the usual interval.
        case printed(pause: Double)
    }

    /// Returns the turns of items; nil if all are typed.
    private func turns(of items: Items, in glyphs: ArraySlice<Glyph>) -> [Turn]? {
        var turns: [Turn]?
        if let prompt { turns = self.turns(behind: Array(prompt.utf8), in: glyphs) }
        guard indentation == .instant else { return turns }
        var isIndentation = [Bool](repeating: true, count: items.count)
        var line: Int?
        var isAtStart = false
        for (glyph, item) in zip(glyphs, items.itemOfGlyph) {
            if glyph.line != line { (line, isAtStart) = (glyph.line, true) }
            if !glyph.isWhitespace { isAtStart = false }
            if !isAtStart { isIndentation[item] = false }
        }
        return zip(turns ?? Array(repeating: .typed, count: items.count), isIndentation).map {
            if case .typed = $0, $1 { .instant } else { $0 }
        }
    }

    /// Returns the turns of the glyphs of a terminal session: a line that begins with the prompt is
    /// typed behind it.
    private func turns(behind prompt: [UInt8], in glyphs: ArraySlice<Glyph>) -> [Turn] {
        var turns: [Turn] = []
        turns.reserveCapacity(glyphs.count)
        var isBehindCommand = false
        var rest = glyphs
        while let first = rest.first {
            // A line of the text, which may be wrapped: a line break is no glyph.
            var end = first.start
            var line = first.line
            let glyphs = rest.prefix { glyph in
                guard glyph.line == line || glyph.start == end else { return false }
                (line, end) = (glyph.line, glyph.start + glyph.length)
                return true
            }
            rest = rest[glyphs.endIndex...]
            let pause = isBehindCommand ? pauseAfterCommand : 0
            let length = Self.length(of: prompt, in: glyphs)
            let instant = length.map { max($0, 1) } ?? glyphs.count
            turns.append(turns.isEmpty ? .instant : .printed(pause: pause))
            turns += repeatElement(.instant, count: instant - 1)
            turns += repeatElement(.typed, count: glyphs.count - instant)
            isBehindCommand = length != nil
        }
        return turns
    }

    /// Returns how many glyphs a line's prompt has, with the white space behind it; nil if the line
    /// does not begin with the prompt and white space.
    private static func length(of prompt: [UInt8], in glyphs: ArraySlice<Glyph>) -> Int? {
        var seen: [UInt8] = []
        let start = glyphs.prefix { glyph in
            guard seen.count < prompt.count else { return false }
            seen += Array(glyph.text.utf8)
            return true
        }
        let space = glyphs.dropFirst(start.count).prefix(while: \.isWhitespace)
        guard seen == prompt, !space.isEmpty || start.count == glyphs.count else { return nil }
        return start.count + space.count
    }

    /// Returns the seconds between typed items of a block; in a terminal session only these and lines
    /// count.
    private func interval(ofItems count: Int, _ turns: [Turn]?) -> Double {
        guard prompt != nil, let turns else { return interval.seconds(ofItems: count) }
        return interval.seconds(
            ofItems: turns.count { if case .instant = $0 { false } else { true } })
    }

    /// Returns the seconds that an item comes after the one before it.
    private func seconds(
        before item: Int, _ turns: [Turn]?, _ interval: Double, _ randomness: PhaseRandomness
    ) -> Double {
        let typed = interval * unevenness(item, randomness)
        return switch turns?[item] ?? .typed {
        case .typed: typed
        case .instant: 0
        case .printed(let pause): typed + pause
        }
    }

    /// Returns evenly spaced backspaces, one glyph at a time.
    package func exit(of block: EffectBlock) -> Phase {
        erasing(block)
    }

    private func erasing(_ block: EffectBlock) -> Phase {
        let items = Items(block.glyphs, by: .glyph)
        let ranks = items.ranks(eraseOrder, block.randomness)
        let eraseInterval = eraseInterval(ofGlyphs: items.count)
        let tracks = ranks.map { rank in
            PhaseTracks(opacity: [
                Keyframe(0, value: 1, easing: .hold),
                Keyframe(Double(rank + 1) * eraseInterval, value: 0),
            ])
        }
        return Phase(
            items: items, tracks: tracks, duration: Double((ranks.max() ?? -2) + 2) * eraseInterval)
    }

    // MARK: Smart erase

    /// Returns the change of the texts with `erase` `changed`: their common start stays.
    package func change(
        from old: EffectBlock, to new: EffectBlock, with effect: any Effect, _ pause: ChangePause
    ) -> BlockChange? {
        guard let typed = effect as? Typewriter, erasure == .changed, pause.hasOwnExit else {
            return nil
        }
        let kept = zip(old.glyphs, new.glyphs).prefix { $0.isTyped(like: $1) }.count
        var leaving = erasing(old.dropping(kept))
        leaving.keepStanding(kept)
        var arriving = typed.entrance(of: new.dropping(kept))
        arriving.delay(by: pause.gap)
        arriving.keepStanding(kept)
        return BlockChange(leaving: leaving, arriving: arriving, delay: leaving.duration)
    }

    // MARK: Typos

    /// Returns the typing of a text in which letters are mistaken for their neighbours, noticed and
    /// corrected.
    private func mistypedEntrance(of block: EffectBlock) -> Phase {
        let glyphs = Array(block.glyphs)
        let items = Items(block.glyphs, by: .glyph)
        let turns = turns(of: items, in: block.glyphs)
        let interval = interval(ofItems: glyphs.count, turns)
        let eraseInterval = eraseInterval(ofGlyphs: glyphs.count)
        func press(_ item: Int) -> Double { interval * unevenness(item, block.randomness) }
        func isTyped(_ item: Int) -> Bool {
            if case .typed = turns?[item] ?? .typed { true } else { false }
        }
        var typing = Typing(count: glyphs.count)
        for (index, glyph) in glyphs.enumerated() {
            typing.time += seconds(before: index, turns, interval, block.randomness)
            if isTyped(index), let wrong = mistake(at: index, glyph, block.randomness) {
                let start = typing.time
                let ahead = Int(block.randomness.unit(.distance, item: index) * 3)
                let following = glyphs.indices.dropFirst(index + 1).prefix(ahead).prefix {
                    !glyphs[$0].isWhitespace && glyphs[$0].line == glyph.line
                }
                for next in following {
                    typing.time += press(next)
                    typing.toggle(next)
                }
                typing.time += typoPause
                for next in following.reversed() {
                    typing.time += eraseInterval
                    typing.toggle(next)
                }
                typing.time += eraseInterval
                typing.mistakes.append(
                    (
                        PhaseNode(glyph: index, shape: .character(wrong), movesCursor: true),
                        PhaseMotion(spans: [(start, typing.time)])
                    ))
                typing.time += press(index)
            }
            typing.toggle(index)
            typing.time += pause(after: glyph.text)
        }
        var phase = Phase(
            items: items, tracks: typing.changes.map(PhaseTracks.toggled),
            duration: glyphs.isEmpty ? 0 : typing.time + interval)
        for (node, motion) in typing.mistakes { phase.add(node, motion) }
        return phase
    }

    /// Returns the index in `characters` of the letter that is typed by mistake for a glyph; nil
    /// for no mistake.
    private func mistake(
        at index: Int, _ glyph: Glyph, _ randomness: PhaseRandomness
    ) -> Int? {
        guard let neighbours = Keyboard.neighbours(of: glyph.text),
            randomness.unit(.chance, item: index) < typos
        else { return nil }
        let number = Int(randomness.unit(.level, item: index) * Double(neighbours.count))
        return neighbours[min(number, neighbours.count - 1)]
    }

    /// The state of a text that is being typed.
    private struct Typing {
        /// Seconds from the phase's start.
        var time = 0.0
        /// The times at which each glyph appears and goes, in turn.
        var changes: [[Double]]
        var mistakes: [(PhaseNode, PhaseMotion)] = []

        init(count: Int) {
            changes = Array(repeating: [], count: count)
        }

        /// Shows a glyph that is hidden, or hides it.
        mutating func toggle(_ glyph: Int) {
            changes[glyph].append(time)
        }
    }

    /// Returns the pause after each item, which its last glyph that is not white space decides.
    private func pauses(after items: Items, in glyphs: ArraySlice<Glyph>) -> [Double] {
        var pauses = [Double](repeating: 0, count: items.count)
        for (glyph, item) in zip(glyphs, items.itemOfGlyph) where !glyph.isWhitespace {
            pauses[item] = pause(after: glyph.text)
        }
        return pauses
    }

    private func pause(after text: String) -> Double {
        guard let last = text.unicodeScalars.last else { return 0 }
        if ".!?…。！？".unicodeScalars.contains(last) { return punctuationPause }
        return ",;:、，；：".unicodeScalars.contains(last) ? punctuationPause / 2 : 0
    }
}

/// The letters of a QWERTY keyboard.
private enum Keyboard {
    /// The neighbours of each letter, in the order from which a mistake is drawn.
    private static let rows: [Character: String] = [
        "q": "wa", "w": "qeas", "e": "wrsd", "r": "etdf", "t": "ryfg", "y": "tugh", "u": "yihj",
        "i": "uojk", "o": "ipkl", "p": "ol", "a": "qwsz", "s": "awedxz", "d": "serfcx",
        "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb", "j": "huikmn", "k": "jiolm", "l": "kop",
        "z": "asx", "x": "zsdc", "c": "xdfv", "v": "cfgb", "b": "vghn", "n": "bhjm", "m": "njk",
    ]
    private static let alphabet = "abcdefghijklmnopqrstuvwxyz"

    /// The small letters, then the capital ones.
    static let letters = (alphabet + alphabet.uppercased()).map(String.init)

    /// Returns the indices in `letters` of the neighbours of a letter, in its case; nil for
    /// anything else.
    static func neighbours(of text: String) -> [Int]? {
        guard text.utf8.count == 1, let letter = text.first,
            let names = rows[Character(letter.lowercased())]
        else { return nil }
        let first = letter.isUppercase ? alphabet.count : 0
        return names.utf8.map { first + Int($0 - UInt8(ascii: "a")) }
    }
}

extension Glyph {
    /// True if texts with either glyph are typed alike up to it.
    fileprivate func isTyped(like other: Glyph) -> Bool {
        // String's equality is canonical equivalence.
        text == other.text && size == other.size && line == other.line
    }
}

extension EffectBlock {
    /// Returns the block without so many glyphs at its start.
    fileprivate func dropping(_ count: Int) -> EffectBlock {
        EffectBlock(
            glyphs: glyphs.dropFirst(count), em: em, randomness: randomness, keyframes: keyframes,
            deadline: deadline)
    }
}

extension PhaseTracks {
    /// Returns tracks that show a glyph from the first time on, hide it from the second on, and so
    /// on.
    fileprivate static func toggled(at times: [Double]) -> PhaseTracks {
        PhaseTracks(
            opacity: [Keyframe(0, value: 0, easing: .hold)]
                + times.enumerated().map { index, time in
                    Keyframe(time, value: index.isMultiple(of: 2) ? 1 : 0, easing: .hold)
                })
    }
}

extension Phase {
    /// Adds so many glyphs before the others, which stand throughout.
    fileprivate mutating func keepStanding(_ count: Int) {
        guard count > 0 else { return }
        assignment = Array(repeating: tracks.count, count: count) + assignment
        tracks.append(.appearing(at: 0))
        for index in nodes.indices { nodes[index].glyph += count }
    }

    /// Delays a phase in which nothing moves by so many seconds, and hides its glyphs until then.
    fileprivate mutating func delay(by seconds: Double) {
        duration += seconds
        guard seconds > 0 else { return }
        for index in tracks.indices {
            tracks[index].opacity.insert(Keyframe(0, value: 0, easing: .hold), at: 0)
            tracks[index].delay += seconds
        }
        for index in motions.indices {
            motions[index].spans = motions[index].spans.map {
                ($0.start + seconds, $0.end + seconds)
            }
        }
    }
}
