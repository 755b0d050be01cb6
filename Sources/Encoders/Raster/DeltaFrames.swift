import Motion
import Raster

/// The frames of an animation as changes: each is the smallest rectangle around the pixels that
/// differ from the frame before.
struct DeltaFrames<Form: PixelForm>: Sendable {
    /// A frame of a file.
    struct Frame: Sendable {
        /// The pixels in its rectangle.
        fileprivate(set) var block: PixelBlock<Form.Value>
        /// The pixels that a viewer shows there before it; nil for the first frame, which covers
        /// the canvas.
        fileprivate(set) var behind: PixelBlock<Form.Value>?
        /// In units of the file's times from its beginning.
        let start: Int
        /// As `start`.
        fileprivate(set) var end: Int
        /// True if its rectangle is to be cleared after it.
        fileprivate(set) var isErased = false
    }

    private let times: FrameTimes
    private let rules: DeltaRules
    private var painter: FramePainter<Form.Pixel>
    private var form: Form
    /// The canvas as a viewer shows it with the pending frame.
    private var shown: PixelBlock<Form.Value>
    /// The number of frames that are painted.
    private var next = 0
    /// The frame that waits for the next one, which decides when it ends and whether it is erased;
    /// its rectangle is empty where nothing differs.
    private var pending: Frame?

    /// The divisor of the canvas's area that gives the largest area of a small change.
    private static var smallChangeDivisor: Int { 16 }
    /// A frame is erased if the area of the next one thereby falls below this share.
    private static var smallArea: Double { 0.9 }
    /// The most blocks of the canvas's size: the shown one, the pending one, the one behind it, and
    /// the next.
    private static var blocks: Int { 4 }

    /// Returns the most bytes that the frames of a scene take.
    static func memory(of scene: Scene, scale: Double) -> Int {
        scene.encoderMemory(
            scale: scale, fileBytesOfPixel: blocks * MemoryLayout<Form.Value>.size)
    }

    init(
        of scene: Scene, _ times: FrameTimes, scale: Double, as form: Form, _ rules: DeltaRules
    ) {
        self.times = times
        self.form = form
        self.rules = rules
        painter = FramePainter(scene, scale: scale)
        shown = PixelBlock(PixelRect(painter.canvas.size))
    }

    var size: PixelSize { painter.canvas.size }

    var count: Int { times.frames.count }

    /// The share of the frames that are painted, 0…1.
    var progress: Double { Double(next) / Double(count) }

    /// True once the last frame is returned.
    var isFinished: Bool { next == times.frames.count && pending == nil }

    /// Returns the whole canvas at a moment between frames; to be called before the first frame.
    mutating func still(
        at moment: Moment, _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Form.Value> {
        _ = try painter.paint(moment, context)
        return try painter.canvas.block(as: &form, context)
    }

    /// Returns the next frame; nil once the file is finished.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> Frame? {
        while next < times.frames.count {
            let isFirst = next == 0
            let start = times.frames[next].start
            let upcoming = try paintNext(context)
            var rect = isFirst ? upcoming.rect : frameRect(around: shown.difference(from: upcoming))
            guard !rect.isEmpty || rules.keepsUnchanged else { continue }
            let ended = takePending(until: start, before: upcoming, changing: rect)
            if let ended, ended.isErased {
                rect = frameRect(around: shown.difference(from: upcoming))
            }
            let block = upcoming.cropped(to: rect)
            pending = Frame(
                block: block, behind: isFirst ? nil : shown.cropped(to: rect), start: start,
                end: start)
            shown.draw(block)
            if rules.keepsUnchanged { break }
            if let ended { return ended }
        }
        let isLast = next == times.frames.count
        return takePending(until: isLast ? times.total : times.frames[next].start)
    }

    /// Paints the next frame.
    ///
    /// - Returns: Its pixels in a rectangle outside which nothing differs; where frames are erased,
    ///   the rectangle contains the pending one.
    private mutating func paintNext(
        _ context: EncodingContext
    ) throws(EncodingError) -> PixelBlock<Form.Value> {
        var area = PixelRect(size)
        var dirty = try painter.paint(.instant(times.frames[next].instant), context)
        var isSmallChange = false
        if next == 0 {
            dirty = [area]
        } else {
            let count = dirty.reduce(0) { $0 + $1.count }
            isSmallChange = count <= area.count / Self.smallChangeDivisor
            area = dirty.reduce(.empty) { $0.union($1) }
            if rules.erasure != .never, let pending { area = area.union(pending.block.rect) }
        }
        next += 1
        var block = shown.cropped(to: frameRect(around: area))
        for rect in dirty {
            try painter.canvas.write(
                rect, as: &form, isSmallChange: isSmallChange, to: &block, context)
        }
        return block
    }

    /// Ends the pending frame.
    ///
    /// - Parameters:
    ///   - end: When it ends.
    ///   - upcoming: The next frame; nil after the last.
    ///   - rect: The rectangle in which the next frame differs.
    /// - Returns: The frame, of at least one pixel; nil where none is pending.
    private mutating func takePending(
        until end: Int, before upcoming: PixelBlock<Form.Value>? = nil,
        changing rect: PixelRect = .empty
    ) -> Frame? {
        guard var frame = pending else { return nil }
        pending = nil
        frame.end = end
        if let upcoming { erase(&frame, before: upcoming, changing: rect) }
        if frame.block.rect.isEmpty {
            let pixel = PixelRect(PixelSize(width: 1, height: 1))
            frame.block = shown.cropped(to: frameRect(around: pixel))
            frame.behind = frame.block
        }
        return frame
    }

    /// Clears a frame's rectangle after it, if the next frame needs that or is much smaller for it.
    private mutating func erase(
        _ frame: inout Frame, before upcoming: PixelBlock<Form.Value>, changing rect: PixelRect
    ) {
        switch rules.erasure {
        case .never:
            break
        case .whereNeeded:
            let vanishing = shown.vanishing(in: upcoming)
            guard !vanishing.isEmpty else { return }
            extend(&frame, to: vanishing)
            shown.clear(frame.block.rect)
            frame.isErased = true
        case .whereSmaller:
            shown.clear(frame.block.rect)
            let rest = frameRect(around: shown.difference(from: upcoming))
            frame.isErased =
                !rest.isEmpty && Double(rest.count) < Self.smallArea * Double(rect.count)
            if !frame.isErased { shown.draw(frame.block) }
        }
    }

    /// Makes the frame that is shown cover another rectangle too.
    private func extend(_ frame: inout Frame, to other: PixelRect) {
        let rect = frame.block.rect.union(other)
        frame.block = shown.cropped(to: rect)
        guard let behind = frame.behind else { return }
        frame.behind = frame.block
        frame.behind?.draw(behind)
    }

    /// Returns the rectangle of a frame in which another one changes; empty where nothing does.
    private func frameRect(around rect: PixelRect) -> PixelRect {
        if rules.coversCanvas, !rect.isEmpty { return PixelRect(size) }
        guard rules.hasEvenOrigins else { return rect }
        return PixelRect(
            minX: rect.minX & ~1, minY: rect.minY & ~1, maxX: rect.maxX, maxY: rect.maxY)
    }
}

/// The rules of a format for its frames.
struct DeltaRules {
    enum Erasure {
        /// A frame stays until another one is drawn there.
        case never
        /// A frame is erased where its pixels, or pixels behind it, become transparent: no other
        /// frame can make them so. Transparent pixels are 0.
        case whereNeeded
        /// A frame is erased where the next one is much smaller for it. Transparent pixels are 0.
        case whereSmaller
    }

    var erasure = Erasure.never
    /// True if frames that show nothing new are written too, because their number comes first.
    var keepsUnchanged = false
    /// True if rectangles begin at even columns and rows.
    var hasEvenOrigins = false
    /// True if every rectangle is the whole canvas.
    var coversCanvas = false
}
