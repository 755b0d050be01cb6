import Rendering

/// Recordings of terminals: the text of one does not depend on how events cut its output, is its own text
/// when it is output again, and has no control characters but line breaks and those of SGR.
///
/// An input is a recording; or, where its first byte is less than 80, the output of a terminal of so many
/// columns.
enum FuzzAsciicast: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard let first = input.first, first < 80 else {
            if let text = try? Asciicast.text(of: input) { checkControls(text) }
            return
        }
        let output = String(decoding: input.dropFirst(), as: UTF8.self)
        let columns = Int(first) + 1
        let text = text([output], columns)
        let scalars = output.unicodeScalars.map { String($0) }
        check(
            isSame(self.text(scalars, columns), text),
            "\(output.debugDescription) is another text character by character")
        guard let text else { return }
        checkControls(text)
        check(
            isSame(self.text([text], columns), text),
            "\(text.debugDescription) becomes another text")
    }

    /// Returns the text of output, piece by piece; nil if it is refused.
    private static func text(_ output: [String], _ columns: Int) -> String? {
        var lines = [#"{"version": 2, "width": \#(columns), "height": 1}"#]
        lines += output.map { JSONNode.array([0, "o", .string($0)]).text }
        return try? Asciicast.text(of: Array(lines.joined(separator: "\n").utf8))
    }

    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// Checks that a text has no control characters but line breaks and those of the sequence SGR.
    private static func checkControls(_ text: String) {
        var isSequence = false
        for scalar in text.unicodeScalars {
            if isSequence {
                check(
                    "[0123456789;m".unicodeScalars.contains(scalar),
                    "another sequence in \(text.debugDescription)")
                isSequence = scalar != "m"
            } else if scalar == "\u{1B}" {
                isSequence = true
            } else {
                check(
                    scalar == "\n" || scalar.properties.generalCategory != .control,
                    "a control character in \(text.debugDescription)")
            }
        }
        check(!isSequence, "a sequence has no end in \(text.debugDescription)")
    }
}
