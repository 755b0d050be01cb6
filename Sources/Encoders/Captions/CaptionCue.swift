import Bytes
import Motion

/// The text of a block, and when it is seen: what files of captions have of a scene.
struct CaptionCue {
    /// Characters of a line, and the instant from which they are said; nil where no word begins.
    struct Part {
        var text: String
        var start: Instant?
    }

    /// The edge or the middle of the canvas at which it stands.
    enum Place {
        case start, middle, end
    }

    /// The time in which it is seen.
    let span: Range<Instant>
    /// None is empty.
    var lines: [[Part]] = []
    let horizontal: Place
    let vertical: Place
    /// The box of the text, as shares of the canvas.
    let box: Rect

    /// Returns the price of a file of the texts and times of a scene.
    static func price(of scene: Scene) -> Price {
        Price(
            ofText: scene.blocks.reduce(256) { bytes, block in
                bytes
                    + Double(128 + 6 * block.layout.text.utf8.count + 16 * block.layout.words.count)
            })
    }

    /// Returns the cues of a scene in the order of their starts. An end that nothing says is the end of the scene.
    static func cues(of scene: Scene) -> [CaptionCue] {
        let cues = scene.blocks.indices.map { CaptionCue($0, of: scene) }
        let order = cues.indices.sorted {
            (cues[$0].span.lowerBound, $0) < (cues[$1].span.lowerBound, $1)
        }
        return order.map { cues[$0] }.filter { !$0.lines.isEmpty && !$0.span.isEmpty }
    }

    private init(_ index: Int, of scene: Scene) {
        let rect = scene.box(ofBlock: index)
        span = scene.span(ofBlock: index)
        horizontal = Self.place(rect.x, scene.width - rect.maxX, of: scene.width)
        let vertical = Self.place(rect.y, scene.height - rect.maxY, of: scene.height)
        // A canvas that is as high as its text has no place for it.
        self.vertical = vertical == .middle && rect.height > scene.height / 2 ? .end : vertical
        box = Rect(
            x: rect.x / scene.width, y: rect.y / scene.height, width: rect.width / scene.width,
            height: rect.height / scene.height)
        readLines(of: scene.blocks[index].layout, scene)
    }

    private static func place(_ before: Double, _ behind: Double, of size: Double) -> Place {
        guard abs(before - behind) > 0.1 * size else { return .middle }
        return before < behind ? .start : .end
    }

    private mutating func readLines(of block: BlockLayout, _ scene: Scene) {
        var starts: [Int: Instant] = [:]
        for word in block.words { starts[word.glyphs.lowerBound] = Instant(seconds: word.start) }
        var (line, number): ([Part], Int?) = ([], nil)
        func end() {
            defer { line = [] }
            while let last = line.indices.last {
                while line[last].text.utf8.last == 0x20 { line[last].text.removeLast() }
                guard line[last].text.isEmpty else { return lines.append(line) }
                line.removeLast()
            }
        }
        for index in block.glyphs {
            let glyph = scene.nodes[index].glyph
            if glyph.line != number { end() }
            number = glyph.line
            let text = block.alternatives[index] ?? glyph.text
            // A line break is white space at the end of its line.
            let own = glyph.isWhitespace && text.utf8.contains(0x0A) ? "" : text
            let start = starts[index]
            if start != nil || line.isEmpty {
                line.append(Part(text: own, start: start))
            } else {
                line[line.count - 1].text += own
            }
        }
        end()
    }
}

extension Scene {
    /// The time in which a block is seen: what stands still, a second; none if it has gone before the scene begins.
    func span(ofBlock index: Int) -> Range<Instant> {
        let start = blocks[index].entrance.lowerBound
        let end = blocks[index].exit?.upperBound ?? duration
        if blocks[index].isTimed { return start..<max(end, start) }
        return start..<(end > start ? end : Instant(ticks: start.ticks + Int(Instant.perSecond)))
    }
}

extension Instant {
    /// The whole milliseconds up to it, at least 0.
    var milliseconds: Int { max(ticks, 0) / 10 }
}

extension ByteSink {
    /// Adds `01:02:03` and milliseconds behind a separator.
    mutating func append(clock instant: Instant, _ separator: Character) {
        let (seconds, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map {
            NumberText.padded("\($0)", to: 2)
        }
        append(text: parts.joined(separator: ":"))
        append(text: "\(separator)\(NumberText.padded("\(rest)", to: 3))")
    }

    /// Adds the start and the end of a cue.
    mutating func append(timesOf cue: CaptionCue, _ separator: Character) {
        append(clock: cue.span.lowerBound, separator)
        append(" --> ")
        append(clock: cue.span.upperBound, separator)
    }
}
