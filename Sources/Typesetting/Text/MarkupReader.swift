/// Turns Pango markup into text with styles.
package struct MarkupReader {
    private var text = ""
    private var spans: [StyledText.Span] = []
    private var styles: [SpanStyle]
    private let base: TypeStyle

    private init(style: TypeStyle) {
        base = style
        styles = [SpanStyle(style)]
    }

    /// - Throws: `TypesettingError.markup` with what is wrong, or a fault of the text itself.
    package static func read(
        _ markup: String, style: TypeStyle
    ) throws(TypesettingError) -> StyledText {
        var reader = MarkupReader(style: style)
        let markup = try TextNormalizer.normalized(markup)
        for event in try MarkupScanner.events(of: markup) {
            do {
                try reader.take(event)
            } catch {
                guard case .markup(let message) = error, case .start(_, _, let offset) = event
                else { throw error }
                let place = MarkupScanner.place(of: offset, in: markup)
                throw .markup("\(message) (at \(place))")
            }
        }
        if reader.spans.isEmpty { throw .blank }
        return try StyledText(text: reader.text, spans: reader.spans, base: reader.base)
    }

    private static func repeated(_ names: [String]) -> String? {
        names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
    }

    private mutating func take(_ event: MarkupScanner.Event) throws(TypesettingError) {
        switch event {
        case .start(let element, let attributes, _):
            var style = styles[styles.count - 1]
            try MarkupAttributes.apply(element: element, to: &style)
            // Size first, so that what depends on it does not depend on the order of writing.
            let ordered =
                attributes.filter { $0.name == "size" } + attributes.filter { $0.name != "size" }
            if let name = Self.repeated(attributes.map(\.name)) {
                throw .markup("attribute \(name) is given twice")
            }
            for attribute in ordered {
                let name = attribute.name
                guard element == "span" else {
                    throw .markup("element <\(element)> takes no attribute \(name)")
                }
                try MarkupAttributes.apply(attribute: name, value: attribute.value, to: &style)
            }
            styles.append(style)
        case .end:
            styles.removeLast()
        case .text(let written):
            // Character references may have brought in what the normaliser had no eye on.
            let plain = try TextNormalizer.normalized(written)
            guard !plain.isEmpty else { return }
            text += plain
            let style = styles[styles.count - 1]
            if spans.last?.style == style { spans.removeLast() }
            spans.append(StyledText.Span(end: text.utf8.count, style: style))
        }
    }
}
