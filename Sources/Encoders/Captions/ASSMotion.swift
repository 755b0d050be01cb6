import Motion

/// The motion that the nodes of an event share: their places and sizes, in straight parts.
struct ASSMotion {
    /// Everything about a point at an instant.
    struct Pose {
        var instant: Instant
        /// CSS pixels.
        var offset: SIMD2<Double>
        var scale: SIMD2<Double>
        /// Degrees clockwise.
        var rotation: Double
    }

    /// The first is at the start of the motion, the last at its end; the places and sizes between two
    /// neighbours change evenly.
    let poses: [Pose]
    /// What of the motion is left out.
    private(set) var missing: ASSMissing = []

    /// CSS pixels by which nodes that move together may miss their places.
    private static let tolerance = 0.75

    /// Finds the common motion of nodes; nil if they move apart.
    ///
    /// - Parameters:
    ///   - nodes: Indices into the scene's nodes; at least one.
    ///   - center: The point of which the poses tell.
    ///   - scene: Their scene.
    ///   - span: The time in which they are seen.
    init?(
        of nodes: [Int], about center: SIMD2<Double>, in scene: Scene, _ span: Range<Instant>
    ) {
        let known = Set(nodes.map { scene.nodes[$0].track })
        let own = nodes.map {
            (track: scene.nodes[$0].track, center: scene.nodes[$0].glyph.rect.center)
        }
        guard known.contains(where: { !scene.tracks[$0].moves.isEmpty }) else {
            self.init(restingIn: span)
            return
        }
        var (poses, lost): ([Pose], ASSMissing) = ([], [])
        let instants = known.sorted().flatMap { track in
            scene.tracks[track].moves.flatMap { $0.straightInstants(in: span) }
        }
        for instant in Set(instants + [span.lowerBound, span.upperBound]).sorted() {
            var (first, shared): (Motion.Pose?, SIMD2<Double>) = (nil, .zero)
            for (track, middle) in own {
                let pose = scene.tracks[track].pose(at: instant)
                let scale = SIMD2(pose.scaleX, pose.scaleY)
                let way = SIMD2(middle.x, middle.y) - center
                let offset = pose.offset - (scale - .one) * way
                if pose.blur > 0 || pose.skewX != 0 || pose.skewY != 0 { lost.insert(.blur) }
                if let first {
                    let difference = offset - shared
                    guard max(abs(difference.x), abs(difference.y)) <= Self.tolerance,
                        abs(first.scaleX - pose.scaleX) < 0.01,
                        abs(first.scaleY - pose.scaleY) < 0.01, pose.rotation == 0
                    else { return nil }
                } else {
                    guard nodes.count == 1 || pose.rotation == 0 else { return nil }
                    (first, shared) = (pose, offset)
                }
            }
            guard let first else { continue }
            poses.append(
                Pose(
                    instant: instant, offset: shared, scale: SIMD2(first.scaleX, first.scaleY),
                    rotation: first.rotation))
        }
        self.init(poses: poses, missing: lost)
    }

    /// The motion in parts, in each of which the place stands still or changes evenly.
    var pieces: [ASSMotion] {
        var pieces: [ASSMotion] = []
        var piece: [Pose] = []
        var stands = true
        for (from, to) in zip(poses, poses.dropFirst()) where from.instant < to.instant {
            let difference = to.offset - from.offset
            let isStill = max(abs(difference.x), abs(difference.y)) < 0.05
            if piece.isEmpty || !(stands && isStill) {
                if piece.count > 1 { pieces.append(ASSMotion(poses: piece)) }
                piece = [from]
            }
            stands = isStill
            piece.append(to)
        }
        if piece.count > 1 { pieces.append(ASSMotion(poses: piece)) }
        return pieces
    }

    private init(poses: [Pose], missing: ASSMissing = []) {
        (self.poses, self.missing) = (poses, missing)
    }

    /// Makes the motion of what stands still.
    init(restingIn span: Range<Instant>) {
        poses = [span.lowerBound, span.upperBound].map {
            Pose(instant: $0, offset: .zero, scale: .one, rotation: 0)
        }
    }

    /// Returns the part in a span; nil if there is none.
    func clamped(to span: Range<Instant>) -> ASSMotion? {
        let own = self.span.clamped(to: span)
        guard !own.isEmpty, own != self.span else { return own.isEmpty ? nil : self }
        let inner = poses.filter { own.lowerBound < $0.instant && $0.instant < own.upperBound }
        return ASSMotion(
            poses: [pose(at: own.lowerBound)] + inner + [pose(at: own.upperBound)], missing: missing
        )
    }

    private func pose(at instant: Instant) -> Pose {
        let next = poses.firstIndex { $0.instant >= instant } ?? poses.count - 1
        let (from, to) = (poses[max(next - 1, 0)], poses[next])
        let length = Double(to.instant.ticks - from.instant.ticks)
        let share = length > 0 ? Double(instant.ticks - from.instant.ticks) / length : 1
        return Pose(
            instant: instant, offset: from.offset + (to.offset - from.offset) * share,
            scale: from.scale + (to.scale - from.scale) * share,
            rotation: from.rotation + (to.rotation - from.rotation) * share)
    }

    /// True if the size or the turn is not as at rest throughout.
    var changesSize: Bool {
        poses.contains { $0.scale != .one || $0.rotation != 0 }
    }

    var span: Range<Instant> { poses[0].instant..<poses[poses.count - 1].instant }
}

extension SIMD2<Double> {
    fileprivate static var one: SIMD2<Double> { SIMD2(1, 1) }
}

extension GlyphTracks {
    /// The keyframes of the place, the size, and the turn.
    var moves: [[Keyframe<Instant, Double>]] {
        let moving: [Property] = [
            .offsetX, .offsetY, .scale, .scaleX, .scaleY, .rotation, .skewX, .skewY, .blur,
        ]
        return others.filter { moving.contains($0.property) }.map(\.track.keyframes)
    }
}

extension Array {
    /// Returns the instants of a span between which keyframes change evenly: an eased change has six
    /// parts, and what jumps stands until the tick before.
    func straightInstants<Value: Interpolable>(
        in span: Range<Instant>
    ) -> [Instant] where Element == Keyframe<Instant, Value> {
        var instants: [Instant] = []
        for (from, to) in zip(self, dropFirst()) where from.value != to.value {
            instants += [from.time, to.time]
            let length = to.time.ticks - from.time.ticks
            switch from.easing {
            case .linear: break
            case .hold: instants.append(Instant(ticks: to.time.ticks - 1))
            case .cubic:
                for part in 1..<6 {
                    instants.append(Instant(ticks: from.time.ticks + length * part / 6))
                }
            }
        }
        return instants.filter { span.contains($0) }
    }
}
