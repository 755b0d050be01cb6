import Motion

/// An option or argument of a command, with a sentence about it.
struct CommandOption {
    /// The names, such as `-o, --output`.
    let names: String
    /// The value in capitals; nil for an option without one.
    let value: String?
    let summary: String

    init(_ names: String, value: String? = nil, _ summary: String) {
        (self.names, self.value, self.summary) = (names, value, summary)
    }

    /// Makes the option of a parameter.
    init(_ parameter: Parameter, note: String) {
        names = "--" + ArgumentDecoder.kebabCase(parameter.name)
        value = nil
        summary = "\(parameter.summary) (\(note))"
    }
}

/// The text of a help in lines of so many columns, as far as its words allow it.
struct HelpText {
    private(set) var lines: [String] = []
    private let columns: Int

    /// The column of the sentences beside names; they stand below the names where that leaves too little
    /// room.
    private var indentation: Int { columns < 60 ? 6 : 26 }

    init(columns: Int) {
        self.columns = columns
    }

    var text: String { lines.joined(separator: "\n") }

    /// Adds a line that is not broken.
    mutating func add(line: String) { lines.append(line) }

    /// Adds an empty line, and a heading.
    mutating func add(heading: String) { lines += ["", "\(heading):"] }

    /// Adds an empty line, unless it is the first, and a paragraph.
    mutating func add(paragraph: String) {
        if !lines.isEmpty { lines.append("") }
        lines += Self.wrapped(paragraph, to: columns)
    }

    /// Adds options, each with its sentence beside it.
    mutating func add(_ options: [CommandOption]) {
        for option in options {
            let value = option.value.map { " \($0)" } ?? ""
            let label = "  \(option.names)\(value)"
            let sentences = Self.wrapped(option.summary, to: columns - indentation)
            let blank = String(repeating: " ", count: indentation)
            if label.count + 2 <= indentation, let first = sentences.first {
                lines.append(label + blank.dropFirst(label.count) + first)
                lines += sentences.dropFirst().map { blank + $0 }
            } else {
                lines += [label] + sentences.map { blank + $0 }
            }
        }
    }

    /// Returns text in lines of at most so many characters, where its words allow it.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + (line.isEmpty ? [] : [line])
    }
}
