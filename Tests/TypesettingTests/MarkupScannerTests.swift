import CPango
import Motion
import Testing

@testable import Typesetting

/// The scanner beside GLib's parser, with which Pango reads markup.
@Suite struct MarkupScannerTests {
    private static let pieces = [
        "<b>", "</b>", "<b/>", "<i >", "</i >", "<i\n/>", "<span size='1'>", "</span>",
        "<span size=\"1\"weight = '<>'>", "<span a='&lt;\n&#65;'/>", "<span a=\"é&#xE9;\"/>", "x",
        " ", "é", "👻", "\n", "&amp;", "&lt;", "&#10;", "&#x1F47B;", "&#0;", "&#xFFFE;", "&#;",
        "&x;",
        "&", ";", "<", ">", "/", "=", "'", "\"", "]]>", "<![CDATA[<b>&amp;]]>", "<![CDATA[", "]]",
        "<!-- -->", "<?x?>", "<b", "<b ", "</b", "<span a", "<span a=", "<span a='", "</>", "< b>",
    ]

    /// Pieces in a random order, of which most begin as something that is accepted.
    private static func markup(_ draw: Int) -> String {
        let randomness = Randomness(seed: UInt64(draw))
        let length = Int(9 * randomness.unit(stream: 0, item: 0))
        // Two in three have no broken pieces.
        let count = draw.isMultiple(of: 3) ? pieces.count : 20
        let inner = (0..<length).map { item in
            pieces[Int(Double(count) * randomness.unit(stream: 1, item: item))]
        }.joined()
        return draw.isMultiple(of: 2) ? inner : "<b>\(inner)</b>"
    }

    /// Events without their offsets and without empty text; nil where one has a name that Titlecard
    /// does not know, which it refuses whatever stands there.
    private static func known(_ events: [MarkupScanner.Event]) -> [MarkupScanner.Event]? {
        var known: [MarkupScanner.Event] = []
        for event in events where event != .text("") {
            guard case .start(let element, let attributes, _) = event else {
                known.append(event)
                continue
            }
            let names = attributes.map(\.name)
            guard MarkupAttributes.elements.contains(element),
                names.allSatisfy({ $0 == "a" || MarkupAttributes.attributes.contains($0) })
            else { return nil }
            known.append(.start(element: element, attributes: attributes, offset: 0))
        }
        return known
    }

    @Test("what GLib accepts gives the same events, what it refuses is refused")
    func agreement() throws {
        var accepted = 0
        for draw in 0..<200_000 {
            let markup = Self.markup(draw)
            let expected = GLibMarkup.events(of: markup).flatMap(Self.known)
            let events = (try? MarkupScanner.events(of: markup)).flatMap(Self.known)
            if events != nil { accepted += 1 }
            #expect(events == expected, "\(markup.debugDescription)")
        }
        #expect(accepted > 20_000)
    }

    @Test(
        "positions count lines and characters from 1",
        arguments: [
            ("a<b>", 1, "character 2"), ("👻é<b>", 6, "character 3"),
            ("a\nbc<b>", 4, "line 2, character 3"), ("<b>\n", 0, "line 1, character 1"),
        ])
    func positions(markup: String, offset: Int, expected: String) {
        #expect(MarkupScanner.position(of: offset, in: markup) == expected)
    }

    @Test("a long markup takes no longer for each byte than a short one")
    func length() throws {
        let markup = String(repeating: "<b>x</b><span a='&amp;'>y</span>", count: 100_000)
        #expect(try MarkupScanner.events(of: markup).count == 600_000)
    }
}

/// GLib's parser; the markup is given to it with a root element around it.
private enum GLibMarkup {
    typealias Event = MarkupScanner.Event

    /// Returns nil if GLib refuses the markup, or it needs something that Titlecard does not support.
    static func events(of markup: String) -> [Event]? {
        let recorder = Recorder()
        let parser = UnsafeMutablePointer<GMarkupParser>.allocate(capacity: 1)
        parser.initialize(
            to: GMarkupParser(
                start_element: { _, name, names, values, pointer, _ in
                    var attributes: [MarkupScanner.Attribute] = []
                    var index = 0
                    while let name = names?[index], let value = values?[index] {
                        attributes.append(
                            .init(name: String(cString: name), value: String(cString: value)))
                        index += 1
                    }
                    Recorder.from(pointer)?.start(
                        name.map { String(cString: $0) } ?? "", attributes)
                },
                end_element: { _, _, pointer, _ in Recorder.from(pointer)?.end() },
                text: { _, text, count, pointer, _ in
                    let bytes = UnsafeBufferPointer(start: text, count: Int(count))
                    Recorder.from(pointer)?.text(
                        String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self))
                },
                passthrough: { _, _, _, pointer, _ in Recorder.from(pointer)?.isRefused = true },
                error: nil))
        let context = g_markup_parse_context_new(
            parser, G_MARKUP_TREAT_CDATA_AS_TEXT, Unmanaged.passUnretained(recorder).toOpaque(),
            nil)
        defer {
            g_markup_parse_context_free(context)
            parser.deallocate()
        }
        let document = Array("<root>\(markup)</root>".utf8CString)
        let isRead = document.withUnsafeBufferPointer { buffer in
            g_markup_parse_context_parse(
                context, buffer.baseAddress, gssize(buffer.count - 1), nil) != 0
                && g_markup_parse_context_end_parse(context, nil) != 0
        }
        guard isRead, !recorder.isRefused else { return nil }
        return recorder.events
    }

    private final class Recorder {
        private(set) var events: [Event] = []
        private var depth = 0
        var isRefused = false

        static func from(_ pointer: gpointer?) -> Recorder? {
            pointer.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
        }

        func start(_ element: String, _ attributes: [MarkupScanner.Attribute]) {
            depth += 1
            guard depth > 1 else { return }
            events.append(.start(element: element, attributes: attributes, offset: 0))
        }

        func end() {
            depth -= 1
            if depth > 0 { events.append(.end) }
        }

        func text(_ text: String) {
            events.append(.text(text))
        }
    }
}
