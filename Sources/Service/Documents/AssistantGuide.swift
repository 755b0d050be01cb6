import Bytes
import Encoders
import Motion
import Rendering

/// The content of `GET /llms.txt`, and of the resource of `/mcp`: two pages of Markdown for
/// assistants, with the names of this server.
struct AssistantGuide {
    private let effects: [EffectCatalog.Entry]
    private let presets: [Preset]
    private let targets: [Target]
    private let formats: [FormatCatalog.Entry]
    /// The parameters that requests may have; nil for all.
    private let taken: [ByteString]?

    init(_ schema: RequestSchema, taken: [ByteString]?) {
        effects = taken == nil ? schema.effects.entries : []
        presets = schema.presets.entries
        targets = schema.targets
        formats = schema.formats.entries
        self.taken = taken
    }

    var text: String {
        var sections = [Self.requests, examples, Self.answers]
        if taken == nil { sections.insert(Self.choices, at: 2) }
        return (sections + names).joined(separator: "\n\n") + "\n"
    }

    // MARK: Sections

    private static let requests = """
        # Titlecard

        > Text in, animation out. A request is a flat object of parameters; the answer is a file: \
        SVG, GIF, APNG, WebP, Lottie, a video, or a still PNG.

        Most wishes take one request: `text`, a `preset` for its look, and `for`, the place that it \
        goes to. A target decides format, canvas, length, and size, so leave those out. Give a \
        parameter only if the wish names it.

        - By MCP, where the server has `POST /mcp`: `render` takes the object, and answers the file with its addresses. `check` finds \
        all faults and draws nothing. `describe` lists names, and explains up to eight of them.
        - By HTTP: `GET /render.svg?text=Hello&preset=neon` draws the same; so does `POST /render` \
        with the object as JSON. The extension is the format. Repeat `text` for several texts: \
        `GET /render.gif?text=Ready&text=Steady&text=Go`. An `<img>` or a README can show such a URL.
        """

    /// Requests to begin with, as far as the server takes their parameters.
    private var examples: String {
        let lines = Self.wishes.compactMap { wish, members -> String? in
            let isTaken = members.allSatisfy { name, _ in
                taken?.contains(ByteString(name)) ?? true
            }
            return isTaken ? "\(wish):\n`\(JSONNode.object(members).text)`" : nil
        }
        return "## Examples\n\n" + lines.joined(separator: "\n\n")
    }

    private static let wishes: [(String, [(String, JSONNode)])] = [
        (
            "“Make me a birthday banner in Japanese as a Slack emoji under 128 KB”",
            [
                ("text", "お誕生日おめでとう"), ("lang", "ja"), ("preset", "banner"), ("effect", "pop"),
                ("for", "slack-emoji"), ("maxBytes", 131_072),
            ]
        ),
        (
            "“A neon sign for my README”",
            [("text", "Open source"), ("preset", "neon"), ("for", "github-readme")]
        ),
        (
            "“A picture for links to my post, in the colours of Nord”",
            [("text", "Why we animate text"), ("preset", "og,nord"), ("for", "og")]
        ),
        (
            "“Who I am, typed over and over”",
            [
                ("blocks", [["text": "Ada Lovelace"], ["text": "writes programs"]]),
                ("preset", "profile"), ("format", "svg"),
            ]
        ),
        (
            "“The title slides in from the left, twice as slowly, again and again, as a WebP”",
            [
                ("text", "Season two"), ("effect", "slide"), ("direction", "left"),
                ("speed", .number(0.5)),
                ("exit", "auto"), ("loop", "infinite"), ("format", "webp"),
            ]
        ),
        (
            "“Black on light pages and white on dark ones”",
            [
                ("text", "Hello"), ("color", "#111"), ("darkColor", "#eee"), ("format", "svg"),
            ]
        ),
    ]

    private static let choices = """
        ## Choices

        - **Look.** A preset is one look (`neon`), one palette (`nord`), or both (`card,nord`). Your \
        own parameters take precedence over it.
        - **Colour.** CSS: `#e01e5a`, `oklch(62% 0.2 29)`, `linear-gradient(90deg, red, blue)`. \
        Without `background` it is transparent; GIFs need a `background` or a `matte` for soft edges.
        - **Type.** `font` is a list of families (`GET /fonts`), `size` is in px. `lang` chooses the \
        forms of Chinese, Japanese, and Korean letters.
        - **Time.** Seconds. `hold` is the rest at the end, `cycle` the length of all of it, `loop` a \
        number or `infinite`.
        - **Several texts.** `blocks` instead of `text`: each has a `text`, and any parameters of its \
        own. With `sequence` `replace` one takes the place of another.
        - **Size.** `width` and `height` are the canvas in px; `scale` multiplies the pixels. \
        `maxBytes` lowers colours, quality, rate, and size until the file fits; above a target's own \
        limit it counts as that.
        """

    private static let answers = """
        ## Answers

        `render` says `bytes`, `width`, `height`, `duration` in seconds, and `warnings`: tell people \
        of them, or mend the request. `fitted` names what was lowered for the size. Give people `url`, \
        which they can read and change; `permalink` gives the same file for ever. A file that is too \
        long for the answer is `omitted`, and at its address.

        An error names every wrong parameter, with what it must be: mend all of them, and ask once \
        more. Do not guess names; these are all.
        """

    private var names: [String] {
        func list(_ title: String, _ names: [String]) -> String {
            "**\(title).** " + names.map { "`\($0)`" }.joined(separator: ", ")
        }
        let looks = presets.filter { $0.palette == nil }
        let palettes = presets.filter { $0.palette != nil }
        let places = targets.map { "- `\($0.name)`: \($0.summary)" }
        return [
            "## Names", list("Looks", looks.map(\.name)), list("Palettes", palettes.map(\.name)),
            effects.isEmpty ? "" : list("Effects", effects.map(\.name)),
            list("Formats", formats.map(\.name)), "**Targets.**",
            places.joined(separator: "\n"),
        ]
        .filter { !$0.isEmpty }
    }
}
