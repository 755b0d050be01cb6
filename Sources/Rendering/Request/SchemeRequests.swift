import Bytes
import Motion
import Typesetting

/// The colours that a request is drawn in.
enum ColorScheme: String, CaseIterable {
    /// The colours for light mode, and for dark mode in formats that can have both.
    case auto
    case light, dark
}

/// Two requests that show, in any colour scheme, how another request looks in light and dark mode.
///
/// A format without dark colours, and a `<picture>` that chooses between two files, need them.
package struct SchemeRequests: Sendable {
    package let light: RenderRequest
    package let dark: RenderRequest

    /// True if both have a canvas of the same size as the request's own, as far as its shadows decide.
    package let areOfOneSize: Bool

    /// Makes the requests; nil if the request has no colours of its own for dark mode.
    ///
    /// - Throws: A fault of the request, which it had before.
    package init?(
        of request: RenderRequest, schema: RequestSchema, limits: RenderLimits
    ) throws(RenderingError) {
        let raw = try RawRequest(json: Array(request.canonical.utf8))
        let colors = DarkColors(schema)
        guard colors.isIn(raw) else { return nil }
        light = try RequestReader.read(
            colors.plain(raw, isDark: false), schema: schema, limits: limits)
        dark = try RequestReader.read(
            colors.plain(raw, isDark: true), schema: schema, limits: limits)
        let margins = request.texts.map(\.margins)
        areOfOneSize = light.texts.map(\.margins) == margins && dark.texts.map(\.margins) == margins
    }
}

/// The parameters for dark mode, each with the parameter whose place it takes there.
struct DarkColors {
    let pairs: [(dark: ByteString, light: ByteString)]
    private let blockNames: Set<ByteString>

    init(_ schema: RequestSchema) {
        pairs = schema.parameters.compactMap { parameter in
            guard parameter.name.begins(with: "dark") else { return nil }
            let rest = parameter.name.dropping(first: "dark".utf8.count)
            let first = Substring(rest.utf8.prefix(1))
            let light = ByteString(first.lowercasedASCII + rest.dropping(first: 1))
            return schema.byName[light] == nil ? nil : (parameter.key, light)
        }
        blockNames = schema.blockNames
    }

    /// Returns true if a request or one of its blocks has a value for dark mode.
    func isIn(_ request: RawRequest) -> Bool {
        ([request.values] + blocks(of: request)).contains { values in
            pairs.contains { values[$0.dark] != nil }
        }
    }

    /// Returns a request that has only the values for light or only the values for dark mode.
    func plain(_ request: RawRequest, isDark: Bool) -> RawRequest {
        var plain = request
        plain.values = values(of: request.values, isDark: isDark)
        guard request.values["blocks"] != nil else { return plain }
        // A block's inherited value for dark mode takes precedence over its own value for light
        // mode.
        let inherited = request.values.filter { blockNames.contains($0.key) }
        plain.values["blocks"] = .array(
            blocks(of: request).map {
                .object(values(of: $0, inheriting: inherited, isDark: isDark))
            })
        return plain
    }

    /// Returns the values for light or for dark mode, without the other ones.
    func values<Value>(
        of own: [ByteString: Value], inheriting inherited: [ByteString: Value] = [:],
        isDark: Bool
    ) -> [ByteString: Value] {
        var values = own
        for (dark, light) in pairs {
            values[dark] = nil
            if isDark, let value = own[dark] ?? inherited[dark] { values[light] = value }
        }
        return values
    }

    private func blocks(of request: RawRequest) -> [[ByteString: RawValue]] {
        guard case .array(let blocks)? = request.values["blocks"] else { return [] }
        return blocks.compactMap { if case .object(let values) = $0 { values } else { nil } }
    }
}
