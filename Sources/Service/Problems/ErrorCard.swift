import Bytes
import Encoders
import HTTP
import Motion

/// A picture of a problem, which the author of a page with an `<img>` sees.
enum ErrorCard {
    private static let lineLength = 72
    private static let maximumLines = 12

    /// Returns true if a request comes from an `<img>`.
    static func isWanted(by request: HTTP.Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        if request.fields["Sec-Fetch-Dest"]?.isSame(as: "image") == true { return true }
        let accept = AcceptField(request.fields.combined("Accept"))
        return accept.quality(of: SVGFormat.mediaType) > accept.quality(of: JSONFormat.mediaType)
    }

    /// Returns true if a request prefers the problem in JSON to a picture.
    static func isUnwanted(by request: HTTP.Request) -> Bool {
        let accept = AcceptField(request.fields.combined("Accept"))
        let json = max(
            accept.quality(of: Problem.mediaType), accept.quality(of: JSONFormat.mediaType))
        return json > accept.quality(of: SVGFormat.mediaType)
    }

    /// Returns the picture as SVG.
    static func bytes(of problem: Problem) -> [UInt8] {
        var lines: [String] = []
        for fault in problem.faults {
            lines += wrapped(LineText.escaped("\(fault.parameter): \(fault.message)"))
        }
        if lines.count > maximumLines {
            lines = lines.prefix(maximumLines - 1) + ["… and more"]
        }
        let title = "Titlecard \(problem.status.code): \(problem.title)"
        let height = 44 + 20 * lines.count
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="640" height="\(height)" \
            viewBox="0 0 640 \(height)" role="img"><title>\(XMLText.escaped(title))</title>\
            <rect x=".5" y=".5" width="639" height="\(height - 1)" rx="6" fill="#fff5f5" \
            stroke="#d1242f"/><g font-family="ui-monospace,monospace" font-size="14" \
            fill="#24292f"><text x="16" y="28" font-weight="bold" fill="#a40e26">\
            \(XMLText.escaped(title))</text>
            """
        for (index, line) in lines.enumerated() {
            text += "<text x=\"16\" y=\"\(52 + 20 * index)\">\(XMLText.escaped(line))</text>"
        }
        text += "</g></svg>\n"
        return Array(text.utf8)
    }

    /// Returns lines of at most `lineLength` characters, broken at spaces if there are any.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var rest = Array(text)[...]
        while rest.count > lineLength {
            let head = rest.prefix(lineLength)
            let space = head.lastIndex(of: " ") ?? head.endIndex
            lines.append(String(rest[rest.startIndex..<space]))
            rest = rest[space...].drop { $0 == " " }
        }
        lines.append(String(rest))
        return lines
    }
}
