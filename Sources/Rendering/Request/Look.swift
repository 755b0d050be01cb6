package import Bytes
import Motion

/// The part of a preset that palettes colour.
package struct Look: Sendable {
    /// The style of a text after the first, where it differs.
    package struct Subtitle: Sendable {
        /// The size as a factor of the first one's.
        package let size: Double
        fileprivate let values: [ByteString: RawValue]
        /// Colours as templates.
        package let paints: [ByteString: String]

        init(
            size: Double, _ values: [ByteString: RawValue] = [:],
            paints: [ByteString: String] = ["color": "{muted}"]
        ) {
            self.size = size
            self.values = values
            self.paints = paints
        }
    }

    /// Colours, gradients and shadows by parameter, as templates: `{accent}` stands for the palette's.
    ///
    /// The twins for dark are left out; they follow from the same templates.
    package let paints: [ByteString: String]
    /// The colours without a palette.
    let palette: Palette
    /// True if both schemes have the palette's colours for dark.
    package let isDark: Bool
    /// The styles of the texts after the first, of which the last one applies to all further texts;
    /// empty if they look like the first.
    package let subtitles: [Subtitle]
    /// Further values of requests whose format is a video.
    package let videoValues: [ByteString: RawValue]

    init(
        _ paints: [ByteString: String], palette: Palette, isDark: Bool = false,
        subtitles: [Subtitle] = [], inVideos videoValues: [ByteString: RawValue] = [:]
    ) {
        self.paints = paints
        self.palette = palette
        self.isDark = isDark
        self.subtitles = subtitles
        self.videoValues = videoValues
    }

    /// The parameters with a twin for dark.
    private static let twins: [ByteString: ByteString] = [
        "color": "darkColor", "background": "darkBackground", "borderColor": "darkBorderColor",
        "outlineColor": "darkOutlineColor", "shadow": "darkShadow", "barColor": "darkBarColor",
        "markColor": "darkMarkColor",
    ]

    /// Returns the values of the paints in the colours of a palette; nil for the look's own.
    func values(in palette: Palette?) -> [ByteString: RawValue] {
        Self.values(paints, in: palette ?? self.palette, isDark: isDark)
    }

    /// Returns the values of a subtitle, but for its size, in the colours of a palette; nil for the
    /// look's own.
    package func values(
        of subtitle: Subtitle, in palette: Palette? = nil
    ) -> [ByteString: RawValue] {
        let colors = Self.values(subtitle.paints, in: palette ?? self.palette, isDark: isDark)
        return subtitle.values.merging(colors) { $1 }
    }

    /// Returns the values of paints in the colours of a palette, with the values for dark mode.
    static func values(
        _ paints: [ByteString: String], in palette: Palette, isDark: Bool = false
    ) -> [ByteString: RawValue] {
        var values: [ByteString: RawValue] = [:]
        for (name, template) in paints {
            guard let twin = twins[name] else {
                values[name] = filled(template, palette.common)
                continue
            }
            let dark = filled(template) { palette.dark[$0] }
            values[name] = isDark ? dark : filled(template) { palette.light[$0] }
            values[twin] = dark
        }
        return values
    }

    /// Returns a template with colours in the places of the roles.
    private static func filled(_ template: String, _ color: (Palette.Role) -> Color) -> RawValue {
        let parts = template.pieces(separatedBy: "{")
        let text = parts.dropFirst().reduce(String(parts[0])) { text, part in
            let pieces = part.pieces(separatedBy: "}")
            guard let role = Palette.Role(rawValue: String(pieces[0])) else { return text }
            return text + color(role).text + pieces.dropFirst().joined()
        }
        return .string(text)
    }
}
