import Motion
import Raster

extension WorkEstimate {
    /// The frames of an animation: the tiles that they show, and the boxes that change in them.
    struct FrameLoads {
        struct Frame {
            let instant: Instant
            /// The tiles that it shows, less those that the frame before shows.
            var added = Load()
            /// The box around everything that changes.
            var change = Box.none
            /// The number of parts whose motions change.
            var changedParts = 0
            /// True if paint moves.
            var movesPaint = false
        }

        /// A motion of the scene, and the parts that have it.
        private struct Motion {
            let samples: MotionSamples
            var parts = 0
            /// The box around all tiles of its parts.
            var box = Box.none
        }

        private(set) var frames: [Frame]
        /// The box around all tiles.
        private(set) var extent = Box.none
        /// The box around all tiles in moving paint.
        private var painted = Box.none
        private var motions: [Motion] = []

        /// Makes the frames at rising instants, without parts.
        ///
        /// - Throws: `EncodingError.deadline`.
        init(
            of scene: Scene, _ instants: [Instant], _ context: EncodingContext
        ) throws(EncodingError) {
            frames = instants.map { Frame(instant: $0) }
            motions.reserveCapacity(scene.tracks.count)
            for index in scene.tracks.indices {
                try context.checkDeadline(every: 8)
                motions.append(
                    Motion(samples: MotionSamples(of: scene.tracks[index], in: instants)))
            }
        }

        /// Adds the tiles of a part of a node, and the work to make them.
        mutating func add(
            _ part: PicturePart, of scene: Scene, on canvas: VisibleArea, work: inout Double
        ) {
            var box = motions[part.track].box
            for sample in motions[part.track].samples.samples where sample.pose.opacity > 0 {
                let pose = scene.placed(sample.pose, ofNode: part.node)
                let tile = canvas.tile(of: part, in: pose)
                work += tile.work * sample.paintings
                box = box.union(tile.box)
                frames[sample.frames.lowerBound].added.add(tile)
                if sample.frames.upperBound < frames.count {
                    frames[sample.frames.upperBound].added.add(tile, -1)
                }
            }
            motions[part.track].parts += 1
            motions[part.track].box = box
            extent = extent.union(box)
            if part.paint != nil { painted = painted.union(box) }
        }

        /// Adds the boxes that change, once all parts were added.
        mutating func addChanges(of scene: Scene, on canvas: VisibleArea) {
            for motion in motions where motion.parts > 0 {
                for changed in motion.samples.frames {
                    for frame in changed {
                        frames[frame].changedParts += motion.parts
                        frames[frame].change = frames[frame].change.union(motion.box)
                    }
                }
            }
            let instants = frames.map(\.instant)
            for span in scene.masks.joined() where span.opening != nil {
                let (start, end) = (span.start.ticks, span.end.ticks)
                for frame in instants.index(at: start)...instants.index(at: end) {
                    frames[frame].change = canvas.box
                }
            }
            frames[0].change = canvas.box
            let painted = scene.movingBackground == nil ? painted : canvas.box
            var changes = scene.paintChanges[...]
            for (frame, instant) in instants.enumerated() {
                changes = changes.drop { $0.upperBound < instant.ticks }
                guard let change = changes.first, change.lowerBound <= instant.ticks else {
                    continue
                }
                frames[frame].movesPaint = true
                frames[frame].change = frames[frame].change.union(painted)
            }
        }
    }

    /// The frames in which a motion changes the picture, and some of its poses in them.
    struct MotionSamples {
        /// A pose that stands for the poses of some frames.
        struct Sample {
            let pose: Pose
            /// The frames up to the next sample, unchanged ones included.
            let frames: Range<Int>
            /// The number of times that a tile is made in these frames.
            let paintings: Double
        }

        /// The most frames of one motion that are examined, besides as many frames nearest to
        /// keyframes.
        private static let mostSamples = 24

        private(set) var frames: [Range<Int>] = []
        private(set) var samples: [Sample] = []

        init(of tracks: GlyphTracks, in all: [Instant]) {
            var first = 0
            for change in tracks.changes {
                // The first frame that shows a part of the change, and the first that shows its
                // end.
                let start = Swift.max(all.index(at: change.lowerBound), first)
                let end = Swift.min(all.index(at: change.upperBound) + 1, all.count)
                guard start < end else { continue }
                frames.append(start..<end)
                first = end
            }
            if frames.isEmpty || frames[0].lowerBound > 0 { frames.insert(0..<1, at: 0) }
            let chosen = chosenFrames(tracks, all)
            let poses = chosen.map { tracks.pose(at: all[$0.frame]) }
            let count = frames.reduce(0) { $0 + $1.count }
            for (index, (frame, number)) in chosen.enumerated() {
                let isLast = index + 1 == chosen.count
                let changes = (isLast ? count : chosen[index + 1].number) - number
                // A glyph keeps its tile if only its opacity changes.
                let isMoved = !isLast && !poses[index].hasTile(of: poses[index + 1])
                samples.append(
                    Sample(
                        pose: poses[index],
                        frames: frame..<(isLast ? all.count : chosen[index + 1].frame),
                        paintings: Double(isMoved ? changes : 1)))
            }
        }

        /// Returns some of the frames, each with its number among the frames that change.
        private func chosenFrames(
            _ tracks: GlyphTracks, _ all: [Instant]
        ) -> [(frame: Int, number: Int)] {
            let count = frames.reduce(0) { $0 + $1.count }
            let stride = Swift.max((count + Self.mostSamples - 1) / Self.mostSamples, 1)
            // The intervals are irregular, because changes may be regular.
            var numbers: Set = [0, count - 1]
            for (index, start) in Swift.stride(from: 0, to: count, by: stride).enumerated() {
                // The multiples of the golden ratio lie evenly within 0…1 and never repeat.
                let share = (Double(index) * 0.618_033_988_749_895)
                    .truncatingRemainder(dividingBy: 1)
                numbers.insert(Swift.min(start + Int(share * Double(stride)), count - 1))
            }
            let ticks = tracks.keyframeTicks
            let step = Swift.max((ticks.count + Self.mostSamples - 1) / Self.mostSamples, 1)
            let near = Set(
                Swift.stride(from: 0, to: ticks.count, by: step).map { all.index(at: ticks[$0]) })
            var chosen: [(frame: Int, number: Int)] = []
            var number = 0
            for range in frames {
                for frame in range {
                    if numbers.contains(number) || near.contains(frame) {
                        chosen.append((frame, number))
                    }
                    number += 1
                }
            }
            return chosen
        }
    }
}

extension Pose {
    /// Returns true if another pose has the same tile.
    fileprivate func hasTile(of other: Pose) -> Bool {
        var same = self
        (same.opacity, same.fill, same.clip) = (other.opacity, other.fill, other.clip)
        return same == other && (opacity > 0) == (other.opacity > 0)
    }
}

extension GlyphTracks {
    /// The instants of all keyframes, in ticks, track by track.
    fileprivate var keyframeTicks: [Int] {
        var ticks = opacity.keyframes.map(\.time.ticks)
        for other in others { ticks += other.track.keyframes.map(\.time.ticks) }
        if let fill { ticks += fill.keyframes.map(\.time.ticks) }
        return ticks
    }
}

extension [Instant] {
    /// Returns the index of the first of rising instants that is not before a tick, or of the last.
    fileprivate func index(at ticks: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].ticks < ticks { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
