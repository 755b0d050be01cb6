import Encoders
import Motion
import Rendering

/// `titlecard render --help`, from the same catalogues that check requests.
enum RenderHelp {
    static func text(_ schema: RequestSchema = .standard) -> String {
        let extensions = schema.formats.entries.map { ".\($0.type.fileExtension)" }
        let formats = extensions.joined(separator: ", ")
        var text = """
            Renders text to a file, without a server.

            USAGE: titlecard render TEXT ... [-o FILE] [--NAME VALUE ...]

              TEXT    What to animate; several are shown one after another; - reads standard input.
              -o      The file; its name decides the format (\(formats)), and must not
                      contradict --format; - or none writes to standard output.

            Options are the request's names, in camel case or kebab case.

            """
        text += rows(schema.parameters + [schema.format])
        for effect in schema.effects.entries where !effect.parameters.isEmpty {
            text += "\n--effect \(effect.name)\n" + rows(effect.parameters)
        }
        return text
    }

    private static func rows(_ parameters: [Parameter]) -> String {
        parameters.map { parameter in
            let name = "  --\(parameter.name)"
            let gap = String(repeating: " ", count: max(22 - name.count, 1))
            return name + gap + parameter.summary + note(on: parameter) + "\n"
        }.joined()
    }

    private static func note(on parameter: Parameter) -> String {
        var notes = [ValueParser.expectation(of: parameter)]
        if let value = parameter.defaultValue { notes.append("default \(value.plainText)") }
        return " (\(notes.joined(separator: "; ")))"
    }
}

extension ParameterValue {
    /// As a person would type it.
    fileprivate var plainText: String {
        switch self {
        case .number(let number): NumberText.of(number)
        case .boolean(let boolean): boolean ? "true" : "false"
        case .string(let text): text
        case .color(let color): color.text
        case .easing(let easing): easing.requestText
        }
    }
}
