package import Bytes
package import Encoders
package import Motion
package import Typesetting

/// A checked request with all defaults; it is valid, and may only be too large.
package struct RenderRequest: Sendable {
    /// The texts of the choreography's blocks.
    package var texts: [BlockText]
    package var canvas: CanvasRequest
    package var choreography: Choreography
    package var card: Card
    /// The accessible name, if the request has one.
    package var title: String?
    /// The seed of the random numbers.
    package var seed: UInt64
    /// The checked values at the request's top by name; formats read their parameters from it.
    package var values: [ByteString: ParameterValue]
    /// The value of the request's `format`.
    package var format: FormatCatalog.Entry?
    /// The request as canonical JSON: keys sorted, defaults and format left out, no white space.
    package var canonical: String
    /// Further sources of its scene: the definitions of the operator's effects that it names and
    /// the content of the operator's pictures in its texts and behind them, each once, and the version of ICU, if
    /// it has words by Unicode's rules.
    package var sources: [String]

    /// The captions that become its texts, page by page, once they can be set; nil for none. Until then
    /// each cue is a text.
    var captions: Captions?

    /// The warning of captions of which something was mended; nil if nothing was.
    package var captionsWarning: Warning? { captions?.warning }

    /// What was mended of the captions, a sentence for each cue; the first few hundred.
    package var captionMendings: [String] {
        captions?.track.mendings.map { "cue \($0.cue) \($0.phrase)" } ?? []
    }

    /// The place that its files go to, which takes one format.
    package var target: Target?
    /// The path and query of the request, unless they are a permalink.
    package var path: String?
    /// False if it is one for the present second, so that nobody is to keep it.
    package var isLasting = true
    /// True if its cycle may be of any length.
    package var hasEndlessCycle = false

    /// The texts that determine its scene, except for fonts and release.
    package var identity: [String] { [canonical] + sources }

    /// The text that screen readers say.
    package var accessibleName: String {
        title ?? plainTexts.joined(separator: "\n")
    }

    /// The texts without markup, with the words that stand for their pictures.
    package var plainTexts: [String] { texts.map { $0.text.spelled } }

    /// The language tag of all texts; nil where they have none, or several.
    package var language: String? {
        let languages = texts.map { $0.text.base.language }
        guard let first = languages.first, !first.isEmpty,
            languages.allSatisfy({ $0.isSame(as: first) })
        else { return nil }
        return first
    }

    /// Checks how much all of its texts hold together.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - name: The parameter that has the texts.
    /// - Throws: `RenderingError.overLimit`.
    package func checkSize(_ limits: RenderLimits, named name: String) throws(RenderingError) {
        func check(_ count: Int, of things: String, limit: Int) throws(RenderingError) {
            guard count > limit else { return }
            throw .overLimit(name, "has \(count) \(things); the limit is \(limit)")
        }
        var (graphemes, marks, pictures) = (0, 0, 0)
        for block in texts {
            graphemes += block.text.graphemeCount
            marks += block.text.marks.count
            pictures += block.text.pictures.count
        }
        try check(graphemes, of: "graphemes", limit: limits.graphemes)
        try check(marks, of: "marks", limit: limits.marks)
        try check(pictures, of: "pictures", limit: limits.pictures)
    }

    /// Pixels in one CSS pixel.
    package var scale: Double {
        var reader = ParameterReader(values)
        return reader.scale()
    }

    /// Returns a format with the request's values of its parameters.
    ///
    /// - Throws: The fault of a parameter that does not go with the others.
    package func format(
        _ entry: FormatCatalog.Entry
    ) throws(ParameterFault) -> any OutputFormat {
        if let target, !entry.name.isSame(as: target.format) {
            throw ParameterFault(
                parameter: "for",
                message: "must not be \"\(target.name)\", which takes \(target.format), with the "
                    + "format \(entry.name)")
        }
        return try entry.type.init(values)
    }
}

/// The limits of a rendering's size.
package struct RenderLimits: Equatable, Sendable {
    /// The grapheme clusters of all blocks together.
    package var graphemes = 2000
    /// The blocks of a request that gives each its times.
    package var timedTexts = RequestSchema.mostTimedTexts
    /// The marks of all blocks together.
    package var marks = 64
    /// The pictures in the texts of all blocks together.
    package var pictures = 64
    /// The bytes of a file of captions.
    package var captionBytes = 262_144
    /// The longest side of an automatic canvas in CSS pixels.
    package var canvasSide = 4096.0
    /// Pixels of a picture: width·height·scale².
    package var pixels = 16_777_216.0
    /// Bytes that a permalink may inflate to.
    package var permalinkBytes = 65_536
    package var scene = SceneLimits()
    package var file = EncodingLimits()

    package init() {
        (file.textBytes, file.work, file.frames) = (16_777_216, 6000, 3000)
    }
}
