import CPango

/// GLib's markup parser as a list of events.
enum MarkupScanner {
    enum Event {
        case start(element: String, attributes: [(name: String, value: String)])
        case end
        case text(String)
    }

    /// - Throws: `TypesettingError.markup` in the parser's words.
    static func events(of markup: String) throws(TypesettingError) -> [Event] {
        let recorder = Recorder()
        var parser = GMarkupParser(
            start_element: startElement, end_element: endElement, text: text,
            passthrough: passthrough, error: nil)
        let context = g_markup_parse_context_new(
            &parser, G_MARKUP_TREAT_CDATA_AS_TEXT, Unmanaged.passUnretained(recorder).toOpaque(),
            nil)
        defer { g_markup_parse_context_free(context) }
        var fault: UnsafeMutablePointer<GError>?
        // A document needs one root; text may stand beside elements only within it.
        for piece in ["<markup>", markup, "</markup>"] where fault == nil {
            piece.withCString { pointer in
                _ = g_markup_parse_context_parse(context, pointer, piece.utf8.count, &fault)
            }
        }
        if fault == nil { _ = g_markup_parse_context_end_parse(context, &fault) }
        if let fault {
            defer { g_error_free(fault) }
            throw .markup(message(of: String(cString: fault.pointee.message)))
        }
        if let message = recorder.fault { throw .markup(message) }
        return recorder.events
    }

    /// Without the position, which counts the root that the author did not write.
    private static func message(of text: String) -> String {
        guard text.hasPrefix("Error on line"), let colon = text.firstIndex(of: ":") else {
            return text
        }
        return String(text[colon...].dropFirst(2))
    }

    /// Lives as long as one parse; the parser calls it on the same thread.
    private final class Recorder {
        var events: [Event] = []
        var depth = 0
        var fault: String?

        static func from(_ pointer: gpointer?) -> Recorder? {
            pointer.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private static let startElement:
        @convention(c) (
            OpaquePointer?, UnsafePointer<gchar>?, UnsafeMutablePointer<UnsafePointer<gchar>?>?,
            UnsafeMutablePointer<UnsafePointer<gchar>?>?, gpointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
        ) -> Void = { _, name, attributeNames, attributeValues, pointer, _ in
            guard let recorder = Recorder.from(pointer), let name else { return }
            recorder.depth += 1
            guard recorder.depth > 1 else { return }
            var attributes: [(name: String, value: String)] = []
            var index = 0
            while let attribute = attributeNames?[index], let value = attributeValues?[index] {
                attributes.append((String(cString: attribute), String(cString: value)))
                index += 1
            }
            recorder.events.append(
                .start(element: String(cString: name), attributes: attributes))
        }

    private static let endElement:
        @convention(c) (
            OpaquePointer?, UnsafePointer<gchar>?, gpointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
        ) -> Void = { _, _, pointer, _ in
            guard let recorder = Recorder.from(pointer) else { return }
            recorder.depth -= 1
            if recorder.depth > 0 { recorder.events.append(.end) }
        }

    private static let text:
        @convention(c) (
            OpaquePointer?, UnsafePointer<gchar>?, gsize, gpointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
        ) -> Void = { _, bytes, count, pointer, _ in
            guard let recorder = Recorder.from(pointer), let bytes, recorder.depth > 0 else {
                return
            }
            let buffer = UnsafeBufferPointer(start: bytes, count: Int(count))
            recorder.events.append(
                .text(String(decoding: buffer.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
        }

    private static let passthrough:
        @convention(c) (
            OpaquePointer?, UnsafePointer<gchar>?, gsize, gpointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
        ) -> Void = { _, _, _, pointer, _ in
            Recorder.from(pointer)?.fault =
                "comments and processing instructions are not supported"
        }
}
