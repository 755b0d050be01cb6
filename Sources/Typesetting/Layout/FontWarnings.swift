import Bytes
import Motion

/// Gathers what the author of a block should know about the fonts that draw it.
struct FontWarnings {
    private let text: StyledText
    private let catalog: FontCatalog
    /// The family that draws the first unit.
    private var firstFamily: String?
    /// Units with a character that no font has.
    private var missing = UnitList()
    /// The letters that the families that were asked for have.
    private var own: Set<Letters> = []
    private var borrowed: [BorrowedUnit] = []
    private var passage: Passage?
    /// What each list of families comes to.
    private var choices: [ByteString: FamilyChoice] = [:]

    /// The letters of a script, by Pango's number, in the style of a list of families.
    private struct Letters: Hashable {
        let families: ByteString
        let script: UInt8
    }

    /// A unit that another family draws than those that were asked for.
    private struct BorrowedUnit {
        let text: String
        let letters: Letters
        let loan: Loan
    }

    private struct Loan: Hashable {
        let lender: ByteString
        /// The first of the families that were asked for.
        let borrower: ByteString
    }

    /// A part of the text in one face, script and style.
    private struct Passage {
        let face: FontFace
        let script: UInt8
        let span: Int
        let letters: Letters
        /// Nil if a family that was asked for draws it.
        let loan: Loan?
        /// True if nothing more is to be learned from it.
        var isSettled: Bool

        func goesOn(in run: ShapedLine.Run, span: Int) -> Bool {
            face === run.face && script == run.script && self.span == span
        }
    }

    init(_ text: StyledText, _ catalog: FontCatalog) {
        self.text = text
        self.catalog = catalog
    }

    // MARK: Gathering

    /// Adds a unit, or the part of it that a run draws, in the style of a span.
    mutating func add(_ unit: String, isMissing: Bool, in run: ShapedLine.Run, span: Int) {
        if firstFamily == nil { firstFamily = run.face.family }
        if isMissing {
            missing.append(unit)
            return
        }
        if passage?.goesOn(in: run, span: span) != true { begin(run, span: span) }
        guard passage?.isSettled == false, let passage,
            let first = unit.unicodeScalars.first?.properties
        else { return }
        if let loan = passage.loan {
            guard first.isAlphabetic || first.numericType != nil else { return }
            borrowed.append(BorrowedUnit(text: unit, letters: passage.letters, loan: loan))
        } else if first.isAlphabetic {
            own.insert(passage.letters)
            self.passage?.isSettled = true
        }
    }

    private mutating func begin(_ run: ShapedLine.Run, span: Int) {
        let families = ByteString(text.spans[span].style.type.families)
        let choice = choice(of: families)
        let loan = choice.first.map {
            Loan(lender: ByteString(run.face.family), borrower: ByteString($0))
        }
        passage = Passage(
            face: run.face, script: run.script, span: span,
            letters: Letters(families: families, script: run.script),
            loan: run.face.isOf(choice.named) ? nil : loan,
            // Nobody expects emoji in a family of letters.
            isSettled: loan == nil || run.face.shapes.hasPictures)
    }

    private mutating func choice(of families: ByteString) -> FamilyChoice {
        if let known = choices[families] { return known }
        let choice = FamilyChoice(families.text, in: catalog)
        choices[families] = choice
        return choice
    }

    // MARK: Telling

    /// Returns the warnings of a block of this index.
    func warnings(ofBlock block: Int) -> [Warning] {
        var warnings = familyWarnings + borrowedWarnings
        if !missing.isEmpty {
            warnings.append((.missingGlyph, "no font has \(missing.text)"))
        }
        return warnings.map { Warning(code: $0.code, message: $0.message, block: block) }
    }

    /// Those about families that are not installed, each once.
    private var familyWarnings: [(code: Warning.Code, message: String)] {
        let lists =
            text.spans.count == 1
            ? [text.spans[0].style.type.families]
            : Set(text.spans.map { ByteString($0.style.type.families) }).sorted().map(\.text)
        var known: Set<ByteString> = []
        var warnings: [(code: Warning.Code, message: String)] = []
        for list in lists where !catalog.contains(list) {
            let standIn = FamilyChoice(list, in: catalog).standIn
            for family in FamilyList.families(list) where !catalog.contains(family) {
                let isSimilar = standIn?.wanted.isSame(as: family) ?? false
                let used = (isSimilar ? standIn?.used : firstFamily) ?? "none"
                let message =
                    "no family \"\(family)\"; used \(used)"
                    + (isSimilar ? ", which is similar" : "")
                guard known.insert(ByteString(message)).inserted else { continue }
                warnings.append((isSimilar ? .similarFont : .missingFont, message))
            }
        }
        return warnings
    }

    /// Those about letters of other families, one for each two families.
    private var borrowedWarnings: [(code: Warning.Code, message: String)] {
        var units: [Loan: UnitList] = [:]
        var loans: [Loan] = []
        for unit in borrowed
        where own.contains(unit.letters) || choices[unit.letters.families]?.isOpen == false {
            if units[unit.loan] == nil { loans.append(unit.loan) }
            units[unit.loan, default: UnitList()].append(unit.text)
        }
        return loans.map { loan in
            let list = units[loan]?.text ?? ""
            return (.fallback, "\(loan.borrower) has no \(list); used \(loan.lender)")
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
