import Bytes

/// Reads recordings of terminals: asciicast of version 2 or 3 (docs.asciinema.org).
///
/// A recording has a line of JSON for its header, and one for each event: an array of seconds, a code,
/// and what happened.
package enum Asciicast {
    /// The preset of a request for a recording that names none.
    package static let preset = "session"
    /// The language of its text, which the preset has.
    package static let language = "console"

    /// The columns of a terminal.
    private static let widths = 1.0...4096

    /// Returns the text that a recording's output leaves behind, with sequences for its styles.
    ///
    /// - Parameter body: The recording.
    /// - Returns: The text, which has no control characters but line breaks and those of the sequence SGR.
    /// - Throws: The first fault, with its line.
    package static func text(of body: [UInt8]) throws(RenderingError) -> String {
        guard String(utf8: body[...]) != nil else { throw .invalid("body", "is not UTF-8") }
        var lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let last = lines.last, last.allSatisfy(isSpace) { lines.removeLast() }
        let header = try header(lines.popFirst() ?? [])
        var output: [UInt8] = []
        // The lines that output stands in, each with the end of its output.
        var events: [(line: Int, end: Int)] = []
        for (number, line) in zip(2..., lines) {
            if header.hasComments, line.first == UInt8(ascii: "#") { continue }
            guard let text = try Self.output(of: line, number) else { continue }
            output += text.utf8
            events.append((number, output.count))
        }
        do throws(TerminalText.Fault) {
            return try TerminalText.text(of: output, columns: header.columns)
        } catch {
            let event = events.first { error.offset < $0.end }
            throw fault(event?.line ?? 1, error.phrase)
        }
    }

    /// The signs that prompts end with.
    private static let promptSigns: [Unicode.Scalar] = ["$", "%", "#", ">", "❯", "➜", "λ"]
    /// The most characters of a prompt, as requests take it.
    private static let mostOfPrompt = 40

    /// Returns the prompt of a recording: the beginning of its first line, up to a sign of prompts before
    /// a space or the end of the line.
    ///
    /// - Parameter text: The text that its output leaves behind.
    /// - Returns: The prompt; nil if there is none, as before a share such as `100%`.
    package static func prompt(of text: String) -> String? {
        var prompt = String.UnicodeScalarView()
        var isSequence = false
        var isBehindSign = false
        for scalar in text.unicodeScalars {
            if isSequence {
                isSequence = scalar != "m"
            } else if scalar == "\u{1B}" {
                isSequence = true
            } else if isBehindSign, scalar == " " || scalar == "\n" {
                return String(prompt)
            } else {
                guard scalar != "\n", prompt.count < mostOfPrompt else { return nil }
                let isShare = scalar == "%" && prompt.last?.properties.numericType != nil
                prompt.append(scalar)
                isBehindSign = promptSigns.contains(scalar) && !isShare
            }
        }
        return isBehindSign ? String(prompt) : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private static func value(_ line: ArraySlice<UInt8>, _ number: Int) throws(RenderingError)
        -> RawValue
    {
        try RenderingError.catching({ fault(number, $0.phrase) }) {
            () throws(JSONReader.Fault) in
            try JSONReader.value(in: Array(line))
        }
    }

    private static func fault(_ number: Int, _ phrase: String) -> RenderingError {
        .invalid("body", "line \(number) \(phrase)")
    }

    // MARK: The header

    private static func header(
        _ line: ArraySlice<UInt8>
    ) throws(RenderingError) -> (columns: Int, hasComments: Bool) {
        let value = try value(line, 1)
        guard case .object(let members) = value else {
            throw fault(1, "must be a JSON object, the header; got \(value.description)")
        }
        switch members["version"] {
        case .number(2): return (try width(members["width"], "width"), false)
        case .number(3):
            guard case .object(let terminal)? = members["term"] else {
                throw fault(1, "must have term, an object")
            }
            return (try width(terminal["cols"], "term.cols"), true)
        case let version:
            let got = version?.description ?? "none"
            throw fault(1, "must have the version 2 or 3; got \(got)")
        }
    }

    private static func width(_ value: RawValue?, _ name: String) throws(RenderingError) -> Int {
        guard case .number(let columns)? = value, widths.contains(columns),
            columns == columns.rounded()
        else {
            throw fault(
                1,
                "must have \(name), an integer from \(NumberText.of(widths.lowerBound)) to "
                    + "\(NumberText.of(widths.upperBound)); got \(value?.description ?? "none")")
        }
        return Int(columns)
    }

    // MARK: Events

    /// Returns the output of an event; nil for an event of another kind.
    private static func output(
        of line: ArraySlice<UInt8>, _ number: Int
    ) throws(RenderingError) -> String? {
        let value = try value(line, number)
        guard case .array(let parts) = value, parts.count >= 2,
            case .number(let seconds) = parts[0], seconds >= 0, seconds.isFinite,
            case .string(let code) = parts[1]
        else {
            throw fault(number, #"must be an event, such as [0.5, "o", "text"]"#)
        }
        let name = ByteString(code)
        // Codes that are unknown are for other readers.
        guard ["o", "i", "m", "r", "x"].contains(name) else { return nil }
        guard parts.count == 3, case .string(let content) = parts[2] else {
            throw fault(number, #"must have one string after "\#(code)""#)
        }
        if name == "r", !isSize(content) {
            throw fault(
                number, "must have a size such as \"80x24\"; got \(parts[2].description)")
        }
        return name == "o" ? content : nil
    }

    /// Returns true for columns, `x`, and rows.
    private static func isSize(_ text: String) -> Bool {
        let numbers = text.pieces(separatedBy: "x" as Unicode.Scalar)
        return numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
    }
}
