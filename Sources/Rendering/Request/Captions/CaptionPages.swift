import Motion
import Raster
import Typesetting

/// A text of captions as it is shown at once.
struct CaptionPage: Equatable {
    var text: String
    /// The words of the text, in their order.
    var words: [PageWord]
    var at: Instant
    /// Nil for the last page, if the file does not say when it ends.
    var until: Instant?
    var alignment: CanvasRequest.Alignment?
    var verticalAlignment: CanvasRequest.VerticalAlignment?
}

/// Makes pages of the cues of a file.
///
/// Cues that overlap others are a voice of their own, with pages of its own. The words of a voice are
/// divided where a page has to end (`PageBreak`), and further where such a part is too long for a page
/// (`PageCuts`).
struct CaptionPages {
    private let cues: [CaptionCue]
    private let parameters: CaptionParameters
    /// The words of each voice, in the order of their times.
    private let voices: [[PageWord]]

    /// The most ticks for which a cue may overlap the next one without being another voice: files are
    /// not exact.
    private static let overlap = 2500
    /// The ticks without a text up to which a page stays until the next one.
    private static let shortGap = 5000
    /// The seconds of a grapheme, and the least of a text, where a file says of no end.
    private static let usualGrapheme = 0.07, usualText = 1.0

    /// - Throws: A fault of ICU.
    init(_ track: CaptionTrack, _ parameters: CaptionParameters) throws(LibraryFault) {
        cues = track.cues
        self.parameters = parameters
        var voices: [(words: [PageWord], end: Int)] = []
        for (index, cue) in cues.enumerated() {
            let voice = voices.firstIndex { $0.end <= cue.at.ticks + Self.overlap } ?? voices.count
            if voice == voices.count { voices.append(([], 0)) }
            let words = try PageWord.words(of: cue, index, until: Self.end(of: index, in: cues))
            // Without an end of its own it gives way to any other.
            voices[voice].end = (cue.until ?? cue.words.last?.until ?? cue.at).ticks
            voices[voice].words += words
        }
        self.voices = voices.map { Self.inOrder($0.words) }
    }

    /// Returns the end of a cue, for words without times.
    private static func end(of index: Int, in cues: [CaptionCue]) -> Instant {
        let cue = cues[index]
        if let until = cue.until { return until }
        let usual = max(Double(cue.text.count) * usualGrapheme, usualText)
        let end = Instant(seconds: cue.at.seconds + usual)
        guard let next = cues[index...].first(where: { $0.at > cue.at }) else { return end }
        return min(next.at, end)
    }

    /// Returns words whose times do not go back.
    private static func inOrder(_ words: [PageWord]) -> [PageWord] {
        var words = words
        for index in words.indices {
            if index > 0 { words[index].at = max(words[index].at, words[index - 1].at) }
            let next = index + 1 < words.count ? words[index + 1] : nil
            if let next, next.cue != words[index].cue, next.at > words[index].at {
                words[index].until = min(words[index].until, next.at)
            }
            words[index].until = max(
                words[index].until, Instant(ticks: words[index].at.ticks + 1))
        }
        return words
    }

    /// Returns the pages in the order of their starts.
    ///
    /// - Parameter fits: Returns true if a text has room on a page.
    /// - Returns: The pages, and the texts that have no room although nothing divides them: they are
    ///   pages nevertheless.
    /// - Throws: The errors of `fits`.
    func pages<Fault: Error>(
        _ fits: (String) throws(Fault) -> Bool
    ) throws(Fault) -> (pages: [CaptionPage], tooLong: [String]) {
        var all: [CaptionPage] = []
        var tooLong: [String] = []
        for words in voices {
            var pages: [CaptionPage] = []
            for part in parts(of: words) {
                let isWhole = try hasRoom(words[part], keepingLines: endsWithCues, fits)
                var ends = [part.upperBound]
                if !isWhole {
                    ends = try cuts(words, part, &tooLong, fits)
                }
                var start = part.lowerBound
                for end in ends {
                    pages.append(
                        page(words[start..<end], keepingLines: isWhole && endsWithCues))
                    start = end
                }
            }
            setEnds(of: &pages)
            all += pages
        }
        let order = all.indices.sorted { (all[$0].at, $0) < (all[$1].at, $1) }
        return (order.map { all[$0] }, tooLong)
    }

    private var endsWithCues: Bool { parameters.pageBreak == .cue }

    // MARK: Parts

    /// Returns the parts of the words of a voice that begin and end pages. A short word that is one of
    /// its own joins the nearer of its neighbours, unless something keeps them apart.
    private func parts(of words: [PageWord]) -> [Range<Int>] {
        var parts: [(range: Range<Int>, mayJoin: Bool)] = []
        var start = 0
        for index in words.indices.dropFirst() {
            let isFirst = endsWithCues && words[index].gap == .cue
            guard words[index].mayBegin || isFirst else { continue }
            let end = partEnd(words[index - 1], words[index])
            if end == .none { continue }
            parts.append((start..<index, end == .soft))
            start = index
        }
        if start < words.count { parts.append((start..<words.count, false)) }
        guard parameters.pageWords != 1 else { return parts.map(\.range) }
        var joined: [(range: Range<Int>, mayJoin: Bool)] = []
        for (index, part) in parts.enumerated() {
            guard let last = joined.last, last.mayJoin else {
                joined.append(part)
                continue
            }
            let next = part.mayJoin && index + 1 < parts.count ? parts[index + 1].range : nil
            let isNextNearer = next.map {
                gap(before: $0.lowerBound, words) < gap(before: part.range.lowerBound, words)
            }
            if isLost(words[last.range]) || isLost(words[part.range]) && isNextNearer != true {
                let both = last.range.lowerBound..<part.range.upperBound
                joined[joined.count - 1] = (both, part.mayJoin)
            } else {
                joined.append(part)
            }
        }
        return joined.map(\.range)
    }

    private enum PartEnd { case none, soft, hard }

    /// Returns how a page has to end between two words.
    private func partEnd(_ word: PageWord, _ next: PageWord) -> PartEnd {
        let isNextCue = word.cue != next.cue
        if isNextCue {
            let (cue, other) = (cues[word.cue], cues[next.cue])
            if cue.endsPage || cue.alignment != other.alignment
                || cue.verticalAlignment != other.verticalAlignment || endsWithCues
            {
                return .hard
            }
        }
        if endsWithCues { return .none }
        if gap(word, next) > parameters.pagePause { return .hard }
        guard parameters.pageBreak == .sentence else { return .none }
        // The end of a cue is all that Chinese and Japanese have where they have no marks.
        let isUnmarked = isNextCue && word.joins(next) && !word.endsClause
        return isUnmarked || word.endsSentence(before: next) ? .soft : .none
    }

    /// Returns the seconds between a word and the one before.
    private func gap(before index: Int, _ words: [PageWord]) -> Double {
        gap(words[index - 1], words[index])
    }

    private func gap(_ word: PageWord, _ next: PageWord) -> Double {
        next.at.seconds - word.until.seconds
    }

    /// Returns true if words are only a short one.
    private func isLost(_ words: ArraySlice<PageWord>) -> Bool {
        words.count == 1 && words.first?.isShort == true
    }

    // MARK: Pages

    /// Returns true if words have room on a page.
    private func hasRoom<Fault: Error>(
        _ words: ArraySlice<PageWord>, keepingLines: Bool,
        _ fits: (String) throws(Fault) -> Bool
    ) throws(Fault) -> Bool {
        guard let first = words.first, let last = words.last else { return true }
        if let most = parameters.pageWords, words.count > most { return false }
        if let most = parameters.pageSeconds, last.until.seconds - first.at.seconds > most {
            return false
        }
        return try fits(text(of: words, keepingLines: keepingLines))
    }

    /// Returns where a part that has no room on one page is divided, with its end, and adds the texts
    /// that have no room even so.
    private func cuts<Fault: Error>(
        _ words: [PageWord], _ part: Range<Int>, _ tooLong: inout [String],
        _ fits: (String) throws(Fault) -> Bool
    ) throws(Fault) -> [Int] {
        let starts = part.filter { $0 == part.lowerBound || words[$0].mayBegin }
        var ends: [Int] = []
        let places = starts + [part.upperBound]
        for index in starts.indices {
            var end = max(ends.last ?? 0, index + 1)
            if end == index + 1 {
                let text = text(of: words[places[index]..<places[end]], keepingLines: false)
                if try !fits(text) { tooLong.append(text) }
            }
            while end < starts.count,
                try hasRoom(
                    words[places[index]..<places[end + 1]], keepingLines: false, fits)
            {
                end += 1
            }
            ends.append(end)
        }
        let cuts = PageCuts(words: words, places: places, ends: ends, parameters: parameters)
        return cuts.best.map { places[$0] }
    }

    /// Returns words as a text: with the spaces of the file, and a space or none in place of its line
    /// breaks.
    private func text(of words: ArraySlice<PageWord>, keepingLines: Bool) -> String {
        var text = ""
        var last: PageWord?
        for word in words {
            if let last {
                switch word.gap {
                case .none: break
                case .space: text += " "
                case .line where keepingLines || word.beginsLine: text += "\n"
                case .line, .cue: text += last.joins(word) ? "" : " "
                }
            }
            text += word.text
            last = word
        }
        return text
    }

    private func page(_ words: ArraySlice<PageWord>, keepingLines: Bool) -> CaptionPage {
        let words = Array(words)
        let cue = cues[words[0].cue]
        var page = CaptionPage(
            text: text(of: words[...], keepingLines: keepingLines), words: words, at: words[0].at,
            until: nil)
        // A cue may stand before its first word is said.
        if endsWithCues, words[0].gap == .cue { page.at = min(cue.at, page.at) }
        page.alignment = cue.alignment
        page.verticalAlignment = cue.verticalAlignment
        return page
    }

    /// Sets the ends of the pages of a voice: with their last word, or with the cue that ends with it; at
    /// the start of the next page where that is near, and never later.
    private func setEnds(of pages: inout [CaptionPage]) {
        for index in pages.indices {
            let page = pages[index]
            let next = index + 1 < pages.count ? pages[index + 1] : nil
            guard let last = page.words.last else { continue }
            let cue = cues[last.cue]
            let endsCue = next?.words.first?.cue != last.cue
            var end = last.until
            if endsCue, let until = cue.until { end = max(end, until) }
            if let next {
                let isNear = next.at.ticks - end.ticks <= Self.shortGap
                end = isNear || end > next.at ? next.at : end
            } else if cue.until == nil, cue.words.isEmpty {
                continue
            }
            pages[index].until = max(end, Instant(ticks: page.at.ticks + 1))
        }
    }
}
