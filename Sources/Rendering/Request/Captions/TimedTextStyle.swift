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
            let place = (top ?? 0) + height * share
            return place < 100 / 3.0 ? .top : place > 200 / 3.0 ? .bottom : .middle
        }

        /// Returns the second of two numbers of percents.
        private static func percents(_ text: String) -> Double? {
            let parts = text.pieces(separatedBy: " ", omittingEmpty: true)
            guard parts.count == 2, parts[1].ends(with: "%") else { return nil }
            return JSONNumber.value(of: String(parts[1].dropping(last: 1)))
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

/// Names without their prefixes.
extension XMLElement {
    var elements: [XMLElement] {
        contents.compactMap { content in
            guard case .element(let element) = content else { return nil }
            return element
        }
    }

    var shownName: String { name.shortened(to: 60) }

    func isNamed(_ name: StaticString) -> Bool { Self.is(self.name, name) }

    subscript(name: StaticString) -> String? {
        attributes.first { Self.is($0.name, name) }?.value
    }

    private static func `is`(_ name: String, _ wanted: StaticString) -> Bool {
        let local = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name.utf8[$0...].dropFirst() }
        let wanted = UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)
        return (local ?? name.utf8[...]).elementsEqual(wanted)
    }
}
