import Bytes
import Typesetting

/// Where the text of an element of timed text is.
struct TimedTextPlace {
    var alignment: CanvasRequest.Alignment?
    /// The third of the screen.
    var verticalAlignment: CanvasRequest.VerticalAlignment?
}

/// The styles and the regions of a document of timed text, by their ids (TTML2, 8 and 9).
struct TimedTextStyles {
    /// The styles that count, as they are written.
    private struct Values {
        var textAlign: String?
        var ruby: String?
        var displayAlign: String?
        var origin: String?
        var extent: String?

        init(_ element: XMLElement) {
            textAlign = element["textAlign"]
            ruby = element["ruby"]
            displayAlign = element["displayAlign"]
            origin = element["origin"]
            extent = element["extent"]
        }

        /// Takes the values of another one that are not given here.
        mutating func inherit(from other: Values) {
            textAlign = textAlign ?? other.textAlign
            ruby = ruby ?? other.ruby
            displayAlign = displayAlign ?? other.displayAlign
            origin = origin ?? other.origin
            extent = extent ?? other.extent
        }

        var alignment: CanvasRequest.Alignment? { textAlign.flatMap { .init(rawValue: $0) } }

        /// The third of the screen in which the text of a region is; nil where only the height of the screen would
        /// tell.
        var verticalAlignment: CanvasRequest.VerticalAlignment? {
            let top = origin.flatMap(Self.percents)
            guard displayAlign != nil || origin != nil, origin == nil || top != nil else {
                return nil
            }
            let height = extent.flatMap(Self.percents) ?? 100 - (top ?? 0)
            let share: Double =
                switch ByteString(displayAlign ?? "before") {
                case "after": 1
                case "center": 0.5
                default: 0
                }
            return .init(percent: (top ?? 0) + height * share)
        }

        /// Returns the second of two numbers of percents.
        private static func percents(_ text: String) -> Double? {
            let parts = text.pieces(separatedBy: " ", omittingEmpty: true)
            return parts.count == 2 ? JSONNumber.percent(of: parts[1]) : nil
        }
    }

    private var styles: [ByteString: Values] = [:]
    private var regions: [ByteString: TimedTextPlace] = [:]

    init(_ root: XMLElement) {
        let sections = root.elements.filter { $0.isNamed("head") }.flatMap(\.elements)
        for element in sections.flatMap(\.elements) {
            guard let id = element["id"].map({ ByteString($0) }) else { continue }
            var values = values(of: element)
            if element.isNamed("style") { styles[id] = values }
            guard element.isNamed("region") else { continue }
            for style in element.elements where style.isNamed("style") {
                values.inherit(from: self.values(of: style))
            }
            regions[id] = TimedTextPlace(
                alignment: values.alignment, verticalAlignment: values.verticalAlignment)
        }
    }

    /// Returns the styles that an element has itself, or by the styles that it refers to.
    private func values(of element: XMLElement) -> Values {
        var values = Values(element)
        for id in (element["style"] ?? "").pieces(separatedBy: " ") {
            if let style = styles[ByteString(String(id))] { values.inherit(from: style) }
        }
        return values
    }

    /// Returns the place of an element in another one.
    func place(of element: XMLElement, in outer: TimedTextPlace) -> TimedTextPlace {
        let region = element["region"].flatMap { regions[ByteString($0)] }
        return TimedTextPlace(
            alignment: values(of: element).alignment ?? region?.alignment ?? outer.alignment,
            verticalAlignment: region?.verticalAlignment ?? outer.verticalAlignment)
    }

    /// Returns true for a reading above a word, which is no text of its own.
    func isReading(_ element: XMLElement) -> Bool {
        let ruby = values(of: element).ruby ?? ""
        return ["text", "textContainer", "delimiter"].contains(ByteString(ruby))
    }
}

extension XMLElement {
    var shownName: String { name.shortened(to: 60) }

    /// Returns true if it has a name, whatever prefix stands before that.
    func isNamed(_ name: String) -> Bool { Self.local(self.name).isSame(as: name) }

    /// The value of the first attribute of a name, whatever prefix stands before that.
    subscript(name: String) -> String? {
        attributes.first { Self.local($0.name).isSame(as: name) }?.value
    }

    private static func local(_ name: String) -> Substring {
        let colon = name.utf8.lastIndex(of: UInt8(ascii: ":"))
        return colon.map { Substring(name.utf8[$0...].dropFirst()) } ?? name[...]
    }
}
