import Bytes
import Motion

/// Gathers warnings for the author of a block about the fonts that draw it.
struct FontWarnings {
    private let choices: FamilyChoices
    /// The family that draws the first unit.
    private var firstFamily: String?
    /// Units with a character that no font has.
    private var missing = UnitList()
    /// Units with a character of private use that no requested family has.
    private var missingPrivate = UnitList()
    /// The letters that the requested families have.
    private var own: Set<Letters> = []
    private var fallbackUnits: [FallbackUnit] = []
    private var passage: Passage?
    /// Characters of several colours that one glyph draws.
    private var oneColored = UnitList()
    /// The words that no font draws whole.
    private var torn: [WordFonts.TornWord] = []
    /// The scripts whose letters were to be spaced, and are not because they join.
    private var unspaced: [JoiningScript] = []

    /// The letters of a script, by Pango's number, in the families of a choice, by its index.
    private struct Letters: Hashable {
        let choice: Int
        let script: UInt8
    }

    /// A unit that none of the requested families draws, but another family.
    private struct FallbackUnit {
        let text: String
        let letters: Letters
        let fallback: Fallback
    }

    /// Two families: one draws units that the other lacks.
    private struct Fallback: Hashable {
        let used: ByteString
        /// The first of the requested families.
        let asked: ByteString
    }

    /// A part of the text in one face, script and style.
    private struct Passage {
        let face: FontFace
        let script: UInt8
        let span: Int
        let letters: Letters
        /// Nil if a requested family draws it.
        let fallback: Fallback?
        /// True if nothing more is to be learned from it.
        var isSettled: Bool
    }

    init(_ choices: FamilyChoices) {
        self.choices = choices
    }

    /// Adds a unit with a character that no font has.
    mutating func addMissing(_ unit: String, in face: FontFace) {
        if firstFamily == nil { firstFamily = face.family }
        if unit.unicodeScalars.first?.isPrivateUse == true {
            missingPrivate.append(unit)
        } else {
            missing.append(unit)
        }
    }

    /// Adds characters of several colours that get only one, because one glyph draws them.
    mutating func addOneColored(_ characters: String) {
        oneColored.append(characters)
    }

    /// Adds the words that no font draws whole.
    mutating func addTorn(_ words: [WordFonts.TornWord]) {
        torn = words
    }

    /// Adds a unit for which letter spacing was requested.
    mutating func addSpaced(_ unit: String) {
        guard let base = unit.unicodeScalars.first, !base.isASCII,
            let script = JoiningScript(of: base), !unspaced.contains(script)
        else { return }
        unspaced.append(script)
    }

    /// Adds a unit, or the part of it that is of a run, in the style of a span.
    mutating func add(_ unit: String, in run: ShapedLine.Run, span: Int) {
        let isSame = passage?.face === run.face && passage?.script == run.script
        if !isSame || passage?.span != span {
            begin(run.face, script: run.script, span: span)
        }
        if passage?.isSettled == false { note(unit) }
    }

    private mutating func begin(_ face: FontFace, script: UInt8, span: Int) {
        if firstFamily == nil { firstFamily = face.family }
        let index = choices.index(ofSpan: span)
        let choice = choices.all[index]
        let fallback = choice.first.map {
            Fallback(used: ByteString(face.family), asked: ByteString($0))
        }
        passage = Passage(
            face: face, script: script, span: span, letters: Letters(choice: index, script: script),
            fallback: face.isOf(choice.named) ? nil : fallback,
            // Nobody expects emoji in a family of letters.
            isSettled: fallback == nil || face.shapes.hasPictures)
    }

    /// Notes whether a unit is a letter that a requested family draws or lacks.
    private mutating func note(_ unit: String) {
        guard let passage, let first = unit.unicodeScalars.first?.properties else { return }
        if let fallback = passage.fallback {
            guard first.isAlphabetic || first.numericType != nil else { return }
            fallbackUnits.append(
                FallbackUnit(text: unit, letters: passage.letters, fallback: fallback))
        } else if first.isAlphabetic {
            own.insert(passage.letters)
            self.passage?.isSettled = true
        }
    }

    // MARK: Telling

    /// Returns the warnings of a block of this index.
    func warnings(ofBlock block: Int) -> [Warning] {
        var warnings = familyWarnings + fallbackWarnings + tornWarnings
        if !missing.isEmpty {
            warnings.append((.missingGlyph, "no font has \(missing.text)"))
        }
        if !missingPrivate.isEmpty {
            let text = missingPrivate.text
            warnings.append((.missingGlyph, "no family of the request has private-use \(text)"))
        }
        if !oneColored.isEmpty {
            warnings.append(
                (.oneColor, "one glyph draws \(oneColored.text), in the first one's colour"))
        }
        if !unspaced.isEmpty {
            let names = unspaced.map(\.name).joined(separator: ", ")
            warnings.append((.notSpaced, "letters of \(names) join, and have no letter spacing"))
        }
        return warnings.map { Warning(code: $0.code, message: $0.message, block: block) }
    }

    /// Warnings about families that are not installed, each once.
    private var familyWarnings: [(code: Warning.Code, message: String)] {
        var known: Set<ByteString> = []
        var warnings: [(code: Warning.Code, message: String)] = []
        for choice in choices.all {
            for family in choice.missing {
                let isSimilar = choice.standIn?.wanted.isSame(as: family) ?? false
                let used = (isSimilar ? choice.standIn?.used : firstFamily) ?? "none"
                let message =
                    "no family \"\(family)\"; used \(used)"
                    + (isSimilar ? ", which is similar" : "")
                guard known.insert(ByteString(message)).inserted else { continue }
                warnings.append((isSimilar ? .similarFont : .missingFont, message))
            }
        }
        return warnings
    }

    /// Warnings about letters of other families, one for each two families.
    private var fallbackWarnings: [(code: Warning.Code, message: String)] {
        var units: [Fallback: UnitList] = [:]
        var fallbacks: [Fallback] = []
        for unit in fallbackUnits
        where own.contains(unit.letters) || !choices.all[unit.letters.choice].isOpen {
            if units[unit.fallback] == nil { fallbacks.append(unit.fallback) }
            units[unit.fallback, default: UnitList()].append(unit.text)
        }
        return fallbacks.map { fallback in
            let list = units[fallback]?.text ?? ""
            return (.fallback, "\(fallback.asked) has no \(list); used \(fallback.used)")
        }
    }

    /// Warnings about words in several fonts, one for each list of fonts.
    private var tornWarnings: [(code: Warning.Code, message: String)] {
        var units: [ByteString: UnitList] = [:]
        for word in torn { units[word.families, default: UnitList()].append(word.text) }
        return units.sorted { $0.key < $1.key }.map { families, words in
            (.similarFont, "no font has all letters of \(words.text); used \(families)")
        }
    }
}

/// Units of text, each once.
private struct UnitList {
    private var units: [String] = []
    private var known: Set<ByteString> = []

    private static let maximumShown = 10

    var isEmpty: Bool { units.isEmpty }

    mutating func append(_ unit: String) {
        if known.insert(ByteString(unit)).inserted { units.append(unit) }
    }

    /// The first of them with their code points, and the number of the others.
    var text: String {
        let shown = units.prefix(Self.maximumShown).map { unit in
            let codes = unit.unicodeScalars.map {
                "U+" + String($0.value, radix: 16, uppercase: true)
            }
            return "\"\(unit)\" (\(codes.joined(separator: " ")))"
        }
        let others = units.count - shown.count
        return shown.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }
}
