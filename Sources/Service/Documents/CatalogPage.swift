import Bytes
import HTTP
import Motion
import Raster
import Rendering
import Typesetting

/// A catalogue as a page for people, without script: the answer of `/effects`, `/presets` and
/// `/fonts` to browsers.
struct CatalogPage: ~Copyable {
    private var sink = ByteSink(capacity: 65_536)

    private init(_ title: String, _ summary: String) {
        sink.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
        sink.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        sink.append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        sink.append(xml: title)
        sink.append(" · Titlecard</title>\n<meta name=\"description\" content=\"")
        sink.append(xml: summary)
        sink.append("\">\n<link rel=\"icon\" type=\"image/svg+xml\" href=\"/favicon.svg\">\n")
        sink.append("<link rel=\"stylesheet\" href=\"/style.css\">\n")
        sink.append("<link rel=\"stylesheet\" href=\"/docs/docs.css\"></head>\n")
        sink.append("<body class=\"reading docs\">\n<header class=\"masthead\">")
        sink.append("<p class=\"brand\"><a href=\"/\">Titlecard</a></p>")
        sink.append("<nav class=\"places\" aria-label=\"Site\"><a href=\"/docs/\">Docs</a>\n")
        for path in ["effects", "presets", "fonts"] {
            sink.append("<a href=\"/")
            sink.append(text: path)
            sink.append("\">")
            sink.append(text: path.capitalizedASCII)
            sink.append("</a>\n")
        }
        sink.append("</nav></header>\n<main><article><h1>")
        sink.append(xml: title)
        sink.append("</h1>\n<p>")
        sink.append(xml: summary)
        sink.append(" Programs get this list as JSON.</p>\n")
    }

    private consuming func finished() -> [UInt8] {
        sink.append("</article></main></body></html>\n")
        return sink.bytes()
    }

    // MARK: Catalogues

    /// Returns the page of `GET /effects`.
    ///
    /// - Parameters:
    ///   - catalog: The effects.
    ///   - hasPictures: True if everybody may ask for any rendering.
    /// - Returns: HTML in UTF-8.
    static func effects(_ catalog: EffectCatalog, hasPictures: Bool) -> [UInt8] {
        var page = CatalogPage("Effects", "How text comes and goes: effects and their parameters.")
        for effect in catalog.entries {
            page.appendHeading(effect.title, name: effect.name)
            if hasPictures, !effect.parameters.contains(where: \.isNeeded) {
                page.appendPicture([
                    ("text", effect.title), ("effect", effect.name), ("darkColor", "#e6edf3"),
                ])
            }
            let rows = effect.parameters.map { parameter in
                [
                    parameter.name, parameter.grammar.expectation,
                    parameter.defaultValue?.node.plainText ?? "none", parameter.summary,
                ]
            }
            if rows.isEmpty {
                page.appendParagraph("It has no parameters.")
            } else {
                page.appendTable(["parameter", "takes", "default", "meaning"], rows)
            }
        }
        return page.finished()
    }

    /// Returns the page of `GET /presets`.
    static func presets(_ catalog: PresetCatalog, hasPictures: Bool) -> [UInt8] {
        var page = CatalogPage("Presets", "Ready-made parameters to start from.")
        for preset in catalog.entries {
            page.appendHeading(preset.title, name: preset.name)
            if hasPictures {
                page.appendPicture([("text", preset.title), ("preset", preset.name)])
            }
            if let summary = preset.summary { page.appendParagraph(summary) }
            let values = preset.values
            let rows = values.keys.sorted().compactMap { name in
                values[name].map { [name.text, JSONNode($0).plainText] }
            }
            page.appendTable(["parameter", "value"], rows)
        }
        return page.finished()
    }

    /// Returns the page of `GET /fonts`.
    static func fonts(_ catalog: FontCatalog) throws(LibraryFault) -> [UInt8] {
        var page = CatalogPage("Fonts", "The font families that are installed here.")
        let rows = try catalog.families().map { family in
            [
                family.name, family.weights.map { "\($0)" }.joined(separator: " "),
                family.axes.map {
                    "\($0.tag) \(NumberText.of($0.minimum)) to \(NumberText.of($0.maximum))"
                }.joined(separator: ", "),
                family.features.joined(separator: " "),
            ]
        }
        page.appendTable(["family", "weights", "axes", "features"], rows)
        return page.finished()
    }

    // MARK: Parts

    private mutating func appendHeading(_ title: String, name: String) {
        sink.append("<h2 id=\"")
        sink.append(xml: name)
        sink.append("\">")
        sink.append(xml: title)
        sink.append(" <code>")
        sink.append(xml: name)
        sink.append("</code></h2>\n")
    }

    private mutating func appendParagraph(_ text: String) {
        sink.append("<p>")
        sink.append(xml: text)
        sink.append("</p>\n")
    }

    private mutating func appendPicture(_ query: [(String, String)]) {
        let query = query.map { "\($0)=\(PercentEncoding.encode($1, spaceIsPlus: true))" }.joined(
            separator: "&")
        sink.append("<p><img loading=\"lazy\" alt=\"\" src=\"/render.svg?")
        sink.append(xml: query)
        sink.append("\"></p>\n")
    }

    private mutating func appendTable(_ heads: [String], _ rows: [[String]]) {
        sink.append("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"")
        sink.append(xml: heads.joined(separator: ", "))
        sink.append("\"><table><thead><tr>")
        for head in heads {
            sink.append("<th>")
            sink.append(xml: head)
            sink.append("</th>")
        }
        sink.append("</tr></thead><tbody>\n")
        for row in rows {
            sink.append("<tr>")
            for (column, cell) in row.enumerated() {
                sink.append(column == 0 ? "<td><code>" : "<td>")
                sink.append(xml: cell)
                sink.append(column == 0 ? "</code></td>" : "</td>")
            }
            sink.append("</tr>\n")
        }
        sink.append("</tbody></table></div>\n")
    }
}
