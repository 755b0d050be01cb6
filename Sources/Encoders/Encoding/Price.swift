import Bytes
package import Motion

/// The cost of a file, estimated before any of it is made.
package struct Price: Equatable, Sendable {
    /// Bytes of the file: an upper bound for pictures. The bytes of text are right within a factor
    /// of two near the limit, and an upper bound below it.
    package var bytes: Double
    /// Megapixels that are composed, or other work that takes as long.
    package var work: Double

    package init(bytes: Double, work: Double) {
        self.bytes = bytes
        self.work = work
    }

    /// Makes the price of a text, whose work is to write it.
    init(ofText bytes: Double) {
        self.init(bytes: bytes, work: bytes * Self.workOfByte)
    }

    /// The megapixels that take as long as the writing of a byte.
    private static let workOfByte = 1e-5
}

/// The bounds of files.
package struct EncodingLimits: Equatable, Sendable {
    /// Bytes of a text.
    package var textBytes = Double.infinity
    /// Megapixels.
    package var work = Double.infinity
    package var frames = Int.max
    /// Bytes of a video.
    package var videoBytes = Int.max
    /// Bytes of memory that encoding a video may take, other programs and the file included.
    package var videoMemory = Int.max
    /// Bytes of the service's memory that no video may take.
    package var programMemory = 0
    /// The number of processes that share the service's memory.
    package var processes = 1

    package init() {}

    /// Returns the value of the service's option `--memory`, in MiB, with which a video may take some
    /// bytes.
    package func memoryOption(for bytes: Int) -> Int {
        processes * ((bytes + programMemory + (1 << 20) - 1) >> 20)
    }
}

extension OutputFormat {
    /// Returns the price of a scene's file, and of the scene.
    ///
    /// - Throws: `EncodingError.tooManyBytes` or `.tooMuchWork` if the price exceeds a limit of the
    ///   context, with the parameter that makes it large.
    package func checkedPrice(
        of scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> Price {
        let price = try price(of: scene, context)
        let limits = context.limits
        if Self.isText, price.bytes > limits.textBytes {
            throw .tooManyBytes(
                count: price.bytes, limit: limits.textBytes,
                parameter: try largestParameter(of: scene, price, context) { $0.bytes })
        }
        let whole = Price(bytes: price.bytes, work: price.work + scene.work)
        if whole.work > limits.work {
            throw .tooMuchWork(
                megapixels: whole.work, limit: limits.work,
                parameter: price.work < scene.work
                    ? "text" : try largestParameter(of: scene, price, context) { $0.work })
        }
        return whole
    }

    /// Returns the parameter that causes most of a price.
    package func largestParameter(
        of scene: Scene, _ price: Price, _ context: EncodingContext,
        _ amount: (Price) -> Double
    ) throws(EncodingError) -> String {
        if let enlargingParameter { return enlargingParameter }
        var least = amount(price) / 2
        var largest: String?
        for part in ScenePart.allCases {
            guard let parameter = part.parameter(in: scene, as: Self.self),
                let rest = scene.without(part)
            else { continue }
            let cost = amount(try self.price(of: rest, context))
            guard cost < least else { continue }
            (least, largest) = (cost, parameter)
        }
        return largest ?? (Self.isAnimated && !Self.isText ? "fps" : "text")
    }
}

/// A part of a scene that can make its files large.
enum ScenePart: CaseIterable {
    case shadows, outlines, decoys, paintMotion, motion

    /// Returns the parameter that sets it; nil if no parameter does.
    func parameter(in scene: Scene, as format: any OutputFormat.Type) -> String? {
        switch self {
        case .shadows: return "shadow"
        case .outlines: return "outlineWidth"
        case .decoys:
            let scrambles = scene.blocks.contains { $0.effectName == Scramble.name }
            return scrambles ? "charset" : scene.hasOwnKeyframes ? "keyframes" : "effect"
        case .paintMotion: return "paintMotion"
        case .motion:
            if scene.hasOwnKeyframes { return "keyframes" }
            // An animation without motion is always small.
            return format.isText ? "effect" : nil
        }
    }
}

extension Scene {
    /// True if the request gives the keyframes of some block.
    fileprivate var hasOwnKeyframes: Bool {
        blocks.contains { $0.effectName == KeyframeEffect.Definition.custom.name }
    }

    /// Returns the scene without a part; nil where it has none.
    func without(_ part: ScenePart) -> Scene? {
        var scene = self
        switch part {
        case .shadows:
            guard blocks.contains(where: \.paint.hasShadow) else { return nil }
            for index in blocks.indices {
                scene.blocks[index].paint.shadows = []
                scene.blocks[index].paint.darkShadows = nil
            }
        case .outlines:
            guard blocks.contains(where: { $0.paint.outline != nil }) else { return nil }
            for index in blocks.indices { scene.blocks[index].paint.outline = nil }
        case .decoys:
            // Decoys and copies come after all nodes that others refer to.
            scene.nodes.removeAll { $0.standsIn || $0.repeatsSource }
            guard scene.nodes.count < nodes.count else { return nil }
        case .paintMotion:
            guard paintMotion != nil else { return nil }
            scene.paintMotion = nil
        case .motion:
            guard duration > .zero else { return nil }
            scene.paintMotion = nil
            scene.shimmers = []
            for index in tracks.indices { scene.tracks[index] = .shown }
        }
        return scene
    }
}

extension TextPaint {
    fileprivate var hasShadow: Bool { !shadows.isEmpty || darkShadows?.isEmpty == false }
}

/// The parts of a scene that are written as text, counted once for each layer that draws them.
struct SceneTally {
    /// The nodes, each with the pictures and lines in it.
    private(set) var nodes = 0
    /// The nodes that the finished text does not show, and that move otherwise than the nodes
    /// before them; 0 unless some layers are counted.
    private(set) var hidden = 0
    /// The keyframes of the nodes' motions.
    private(set) var keyframes = 0
    /// The keyframes that blur; 0 unless all layers are counted.
    private(set) var blurKeyframes = 0
    /// The commands of all outlines.
    private(set) var commands = 0
    /// Bytes of all pictures in Base64, and of the title.
    private(set) var pictureBytes = 0.0

    /// Counts all layers of a scene, as an upper bound.
    init(_ scene: borrowing Scene) {
        let inBoth = scene.marks.contains { $0.line.darkColor != nil } ? 2 : 1
        let layers =
            scene.blocks.reduce(inBoth) { most, block in
                block.paint.hasUnderlay ? max(most, block.paint.layerCount) : most
            } + scene.shimmers.count
        add(scene)
        nodes *= layers
        keyframes *= layers
        blurKeyframes *= layers
        add(scene.definitions)
        pictureBytes += Double(6 * scene.appearance.title.utf8.count)
    }

    /// Counts the nodes and keyframes of some layers only, and all definitions.
    init(_ scene: borrowing Scene, in layers: [SceneLayer]) {
        let counts = scene.tracks.map(\.keyframeCount)
        let parts = scene.nodes.map { 1 + ($0.glyph.ink?.details.count ?? 0) }
        for layer in layers {
            var last: Int?
            for node in layer.nodes {
                let track = scene.track(ofNode: node, in: layer.part)
                nodes += parts[node]
                if !scene.nodes[node].isFinished, track != last { hidden += parts[node] }
                last = track
                keyframes += counts[track]
            }
        }
        add(scene.definitions)
    }

    /// Counts outlines and pictures only.
    init(of definitions: Definitions) {
        add(definitions)
    }

    private mutating func add(_ scene: Scene) {
        nodes = scene.nodes.count
        let all = scene.nodes.span
        let tracks = scene.tracks.span
        for index in all.indices {
            nodes += all[index].glyph.ink?.details.count ?? 0
            keyframes += tracks[all[index].track].keyframeCount
        }
        guard scene.movedProperties.contains(.blur) else { return }
        for node in scene.nodes {
            blurKeyframes += scene.tracks[node.track][.blur]?.keyframes.count ?? 0
        }
    }

    private mutating func add(_ definitions: Definitions) {
        definitions.outlines.withUnsafeBufferPointer { outlines in
            for outline in outlines { commands += outline.commands.count }
        }
        for bitmap in definitions.bitmaps { pictureBytes += bitmap.mostTextBytes }
    }
}

extension Bitmap {
    /// The most bytes of the picture's file in Base64.
    var mostTextBytes: Double {
        // A scaled picture is compressed anew, at worst without any gain.
        let most = max(source.count, 4 * width * height / 3)
        return Double(min(most, 2 * source.count)) * 4 / 3
    }
}

extension TextPaint {
    /// The number of layers of a block with this paint.
    fileprivate var layerCount: Int {
        1 + shadows.count + (darkShadows?.count ?? 0) + (outline == nil ? 0 : 1)
    }
}

extension GlyphTracks {
    /// The number of keyframes of all its tracks.
    var keyframeCount: Int {
        var count = opacity.keyframes.count
        for index in others.indices { count += others[index].track.keyframes.count }
        if let fill { count += fill.keyframes.count }
        return count
    }
}

/// A sum of many values that is estimated from some of them.
enum SampledSum {
    /// The number of values that are examined.
    private static let samples = 48

    /// Estimates a sum.
    ///
    /// - Parameters:
    ///   - weights: A number above 0 for each value, about proportional to it.
    ///   - value: Returns a value.
    /// - Returns: The sum; exact where there are few values.
    /// - Throws: The error of `value`.
    static func estimate(
        _ weights: [Double], value: (Int) throws(EncodingError) -> Double
    ) throws(EncodingError) -> Double {
        guard weights.count > samples else {
            var sum = 0.0
            for index in weights.indices { sum += try value(index) }
            return sum
        }
        let step = weights.reduce(0, +) / Double(samples)
        var (sum, passed, wanted) = (0.0, 0.0, step / 2)
        for (index, weight) in weights.enumerated() {
            passed += weight
            guard wanted < passed else { continue }
            let share = try value(index) / weight * step
            while wanted < passed {
                sum += share
                wanted += step
            }
        }
        return sum
    }
}
