import Glibc

/// Finds flashing glyphs and paint: WCAG 2.2, 2.3.1, "three flashes or below threshold".
enum FlashDetector {
    /// A flash is a brightening and a darkening by this much, one after the other.
    private static let amount = 0.1
    private static let allowed = 3
    /// CSS pixels squared: a quarter of ten degrees of the visual field.
    private static let area = 21_824.0

    /// Returns the warning of a scene in which glyphs of too large an area flash too often.
    ///
    /// Nodes that take turns flash only as their glyph does.
    static func warning(
        of scene: Scene, _ instances: InstanceNodes = InstanceNodes(), until deadline: WorkDeadline
    ) throws(SceneError) -> Warning? {
        guard scene.duration > .zero else { return nil }
        let cycles = cycles(of: scene)
        guard scene.tracks.indices.contains(where: { mayFlash(scene.tracks[$0].opacity, cycles) })
        else { return nil }
        var spansOfTrack: [[Range<Instant>]] = []
        spansOfTrack.reserveCapacity(scene.tracks.count)
        for index in scene.tracks.indices {
            try deadline.checkScene(every: 64)
            spansOfTrack.append(
                flashing(scene.tracks[index].opacity, cycles, ofTicks: scene.duration.ticks))
        }
        guard spansOfTrack.contains(where: { !$0.isEmpty }) || !instances.nodes.isEmpty else {
            return nil
        }
        // The instants from and up to which glyphs flash too often, and the area that they add.
        var edges: [(instant: Instant, area: Double)] = []
        for index in scene.nodes.indices where !instances.nodes.contains(index) {
            let rect = scene.nodes[index].glyph.rect
            let spans =
                instances.opacities[index].map {
                    flashing($0, cycles, ofTicks: scene.duration.ticks)
                } ?? spansOfTrack[scene.nodes[index].track]
            for span in spans {
                edges.append((span.lowerBound, rect.width * rect.height))
                edges.append((span.upperBound, -rect.width * rect.height))
            }
        }
        edges.sort { ($0.instant, $0.area) < ($1.instant, $1.area) }
        var sum = 0.0
        for edge in edges {
            sum += edge.area
            guard sum < area else {
                return Warning(
                    code: .flashing,
                    message: "large parts of the text flash more than three times a second, "
                        + "which may cause seizures",
                    block: nil)
            }
        }
        return nil
    }

    /// Returns the warning of a scene in which gradients that move flash too often over too large
    /// an area.
    static func paintWarning(of scene: Scene) -> Warning? {
        guard let motion = scene.paintMotion, scene.duration > .zero else { return nil }
        let rate = Double(motion.count) / scene.duration.seconds
        func mayFlash(_ paint: Paint) -> Bool {
            guard let gradient = paint.gradient, motion.kind.motion(of: gradient) != nil else {
                return false
            }
            return Double(flashes(ofTurn: gradient)) * rate > Double(allowed)
        }
        var sum = 0.0
        if scene.movingBackground.map({ mayFlash($0.fill) }) == true {
            sum += scene.width * scene.height
        }
        for layer in scene.layers {
            guard let paint = layer.paint, mayFlash(paint.fill) else { continue }
            for node in layer.nodes {
                let rect = scene.nodes[node].glyph.rect
                sum += rect.width * rect.height
            }
        }
        guard sum >= area else { return nil }
        return Warning(
            code: .flashing,
            message:
                "gradients that move flash more than three times a second, which may cause seizures",
            block: nil)
    }

    /// Returns the warning of a scene in which light passes too often over too large an area.
    static func shimmerWarning(of scene: Scene) -> Warning? {
        let second = Int(Instant.perSecond)
        let flashes = scene.shimmers.contains { shimmer in
            let rect = scene.box(ofBlock: shimmer.block)
            guard rect.width * rect.height >= area else { return false }
            let passed = shimmer.passage.keyframes.filter { $0.value == 1 }.map(\.time.ticks)
            return zip(passed, passed.dropFirst(allowed)).contains { $1 - $0 < second }
        }
        return flashes
            ? Warning(
                code: .flashing,
                message:
                    "light passes over the text more than three times a second, which may cause "
                    + "seizures",
                block: nil) : nil
    }

    /// Returns the flashes at a point in one turn of a gradient: its colours pass the point once,
    /// and also go back if they neither repeat nor go around a centre.
    private static func flashes(ofTurn gradient: Gradient) -> Int {
        var isRising: Bool?
        var turns = 0
        var isAround = false
        if case .conic = gradient.kind { isAround = true }
        let levels = (isAround ? gradient : gradient.mirrored).stops.map(\.color.luminance)
        var extreme = levels[0]
        // Twice around, so that the first turns of the second round close the first.
        for level in levels + levels {
            let wasRising = isRising
            if level >= extreme + amount {
                isRising = true
            } else if level <= extreme - amount {
                isRising = false
            }
            if isRising != wasRising { turns += 1 }
            let follows = isRising == true ? level > extreme : level < extreme
            if isRising != wasRising || isRising != nil && follows { extreme = level }
        }
        return turns / 4
    }

    /// The number of turns of the opacity that is too large within a second: each flash has two.
    private static let tooManyTurns = 2 * (allowed + 1)

    /// True if an opacity has keyframes enough for too many flashes.
    private static func mayFlash(_ opacity: Track<Double>, _ cycles: Int) -> Bool {
        opacity.keyframes.count > 1 && cycles * opacity.keyframes.count >= tooManyTurns
    }

    /// Looks for too many flashes of one opacity.
    ///
    /// - Parameters:
    ///   - opacity: The track of one cycle.
    ///   - cycles: The number of cycles to look at.
    ///   - length: The length of a cycle.
    /// - Returns: The spans of up to a second in which it flashes more than is allowed.
    private static func flashing(
        _ opacity: Track<Double>, _ cycles: Int, ofTicks length: Int
    ) -> [Range<Instant>] {
        guard mayFlash(opacity, cycles) else { return [] }
        let turns = turns(opacity, cycles, ofTicks: length)
        guard turns.count >= tooManyTurns else { return [] }
        var spans: [Range<Instant>] = []
        for last in (tooManyTurns - 1)..<turns.count {
            let (start, end) = (turns[last - tooManyTurns + 1], turns[last])
            guard end.ticks - start.ticks < Int(Instant.perSecond) else { continue }
            if let open = spans.last, open.upperBound >= start {
                spans[spans.count - 1] = open.lowerBound..<Instant(ticks: end.ticks + 1)
            } else {
                spans.append(start..<Instant(ticks: end.ticks + 1))
            }
        }
        return spans
    }

    /// Returns the number of cycles that a second from any instant of the first can reach.
    private static func cycles(of scene: Scene) -> Int {
        let reached = min(Int(Instant.perSecond) / scene.duration.ticks + 2, 64)
        return if case .count(let count) = scene.loop { min(reached, count) } else { reached }
    }

    /// Returns the instants at which the opacity has changed in the other direction by `amount`.
    private static func turns(
        _ opacity: Track<Double>, _ cycles: Int, ofTicks length: Int
    ) -> [Instant] {
        var values: [(Int, Double)] = []
        for cycle in 0..<cycles {
            let start = cycle * length
            values.append((start, opacity.keyframes[0].value))
            values += opacity.keyframes.map { (start + $0.time.ticks, $0.value) }
        }
        var turns: [Instant] = []
        var isRising: Bool?
        var extreme = values[0].1
        for (ticks, value) in values {
            switch isRising {
            case nil:
                guard abs(value - extreme) >= amount else { continue }
                isRising = value > extreme
                turns.append(Instant(ticks: ticks))
                extreme = value
            case true?:
                if value <= extreme - amount {
                    isRising = false
                    turns.append(Instant(ticks: ticks))
                    extreme = value
                } else {
                    extreme = max(extreme, value)
                }
            case false?:
                if value >= extreme + amount {
                    isRising = true
                    turns.append(Instant(ticks: ticks))
                    extreme = value
                } else {
                    extreme = min(extreme, value)
                }
            }
        }
        return turns
    }
}

extension Color {
    /// The relative luminance of the colour over white, 0…1 (WCAG 2.2).
    package var luminance: Double {
        let parts = premultiplied
        let linear = [parts.x, parts.y, parts.z].map { part in
            let value = part + 1 - parts.w
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
