import Bytes
import Motion

/// An animation as an element or a rule states it.
struct SVGAnimation {
    /// An index into the document's keyframes.
    let keyframes: Int
    let mode: CSSAnimation.Mode
    /// Ticks.
    let delay: Int
    /// Ticks.
    var duration: Int
}

/// The rules of the style sheet that animate elements, and their keyframes.
///
/// Elements whose animations agree in mode share a rule; a property in which one differs is written
/// inline.
struct SVGAnimationRules {
    /// The animations of a set, and their rule.
    struct Style {
        /// An index into `rules`.
        let rule: Int
        /// CSS pixels in one unit of the elements.
        let scale: Double
        let animations: [SVGAnimation]
    }

    /// The style of each set; nil where it stands still.
    private(set) var styles: [Style?] = []
    /// The animations that each rule states; nil for a rule of one element, which states them
    /// itself.
    private(set) var rules: [[SVGAnimation]?] = []
    /// The most used rule, which applies without a class; nil where each rule is of one element.
    private(set) var defaultRule: Int?
    /// The distinct contents of `@keyframes`, in the order of their first use.
    private var keyframes = Numbering<CSSAnimation.Keyframes>()
    /// The number of animations of all elements.
    private var count = 0

    /// The most animations that are composed as layers of their own.
    private static let mostLayers = 500

    /// True if nothing is animated.
    var isEmpty: Bool { keyframes.values.isEmpty }

    /// Bytes of all `@keyframes`.
    var keyframeBytes: Int {
        keyframes.values.reduce(0) { $0 + $1.content.bytes + ($1.leveled?.bytes ?? 0) }
    }

    /// Makes the rules of sets. Elements are counted in `order`: of declarations that suit equally
    /// many elements, the first is chosen.
    ///
    /// Optimisers remove elements without attributes, so in a portable document all elements that
    /// move have a class.
    init(
        _ sets: [SVGAnimationSet], _ elements: [SVGElementAnimations], order: [Int],
        _ profile: SVGProfile
    ) {
        var tallies: [RuleTally] = []
        for set in sets {
            guard !set.animations.isEmpty else {
                styles.append(nil)
                continue
            }
            let animations = set.animations.map {
                SVGAnimation(
                    keyframes: keyframes.number(of: $0.keyframes), mode: $0.mode,
                    delay: $0.delay.ticks, duration: $0.duration)
            }
            let known = tallies.lastIndex { $0.suits(animations) }
            if known == nil { tallies.append(RuleTally(animations)) }
            styles.append(
                Style(
                    rule: known ?? tallies.count - 1, scale: set.rest.scale,
                    animations: animations))
        }
        for element in order {
            guard let style = styles[elements[element].set] else { continue }
            count += style.animations.count
            tallies[style.rule].count(
                style.animations, duration: elements[element].timing.duration)
        }
        rules = tallies.map { $0.uses > 1 ? $0.best : nil }
        for index in tallies.indices where tallies[index].uses > 1 && profile == .compact {
            if tallies[index].uses > defaultRule.map({ tallies[$0].uses }) ?? 0 {
                defaultRule = index
            }
        }
    }

    // MARK: Writing

    /// Writes the keyframes, and the rules of several elements, some of which may be in masks.
    func write(
        _ names: SVGNames, _ iterations: CSSIterations, usesPivots: Bool, areInMasks: Bool,
        to sink: inout ByteSink
    ) {
        guard !isEmpty else { return }
        writeKeyframes(names, to: &sink) { $0.content }
        for (index, rule) in rules.enumerated() {
            guard let rule else { continue }
            sink.append(".")
            sink.append(names.root)
            if index == defaultRule {
                sink.append(usesPivots ? ">g>g>*" : ">g>*")
                if areInMasks {
                    sink.append(",.")
                    sink.append(names.root)
                    sink.append(usesPivots ? ">mask>g>g>*" : ">mask>g>*")
                }
                sink.append("{animation:")
            } else {
                // More specific than the default rule.
                sink.append(" ")
                sink.append(selector: .animations(index), names)
                sink.append("{animation:")
            }
            for (index, animation) in rule.enumerated() {
                if index > 0 { sink.append(",") }
                sink.append(animation, duration: animation.duration, names, iterations)
            }
            sink.append(compositionOf: rule)
            sink.append("}")
        }
    }

    /// Writes the rules by which a viewer, or the page around, holds all animations. Writes also
    /// the animation of the root, which ends last and moves nothing: a page hears its end.
    func writeControls(
        _ names: SVGNames, _ iterations: CSSIterations, to sink: inout ByteSink
    ) {
        sink.append("@keyframes ")
        sink.append(names.root)
        sink.append("-end{}.")
        sink.append(names.root)
        sink.append("{animation:")
        sink.append(names.root)
        sink.append("-end ")
        sink.append(seconds: iterations.duration, of: 0)
        iterations.write(to: &sink)
        // Chromium makes a layer for each animation of a document, and takes seconds to draw thousands. It makes one
        // for all where contents change.
        if count > Self.mostLayers { sink.append(";will-change:contents") }
        sink.append("}.")
        sink.append(names.root)
        sink.append(".paused,.")
        sink.append(names.root)
        sink.append(".paused *{animation-play-state:paused!important}")
        sink.append("@media print,(prefers-reduced-motion:reduce){.")
        sink.append(names.root)
        sink.append(",.")
        sink.append(names.root)
        sink.append(" *{animation:none!important}}")
    }

    /// Writes contents of `@keyframes`, then the contents under a dark colour scheme.
    func writeKeyframes(
        _ names: SVGNames, to sink: inout ByteSink,
        _ content: (CSSAnimation.Keyframes) -> CSSAnimation.Keyframes.Content?
    ) {
        var hasDark = false
        for (index, keyframes) in keyframes.values.enumerated() {
            guard let content = content(keyframes) else { continue }
            write(content.text, ofKeyframes: index, names, &sink)
            if content.darkText != nil { hasDark = true }
        }
        guard hasDark else { return }
        sink.append("@media(prefers-color-scheme:dark){")
        for (index, keyframes) in keyframes.values.enumerated() {
            guard let text = content(keyframes)?.darkText else { continue }
            write(text, ofKeyframes: index, names, &sink)
        }
        sink.append("}")
    }

    private func write(
        _ text: [UInt8], ofKeyframes index: Int, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        sink.append("@keyframes ")
        sink.append(nameOfKeyframes: index, names)
        sink.append("{")
        sink.append(text)
        sink.append("}")
    }
}

extension CSSAnimation.Keyframes.Content {
    /// Bytes of the `@keyframes` with this content.
    fileprivate var bytes: Int { text.count + 22 + (darkText.map { $0.count + 22 } ?? 0) }
}

/// The elements that may share a rule.
private struct RuleTally {
    /// The animations of the first set, which agrees in mode with all others.
    private let first: [SVGAnimation]
    /// The number of elements.
    private(set) var uses = 0
    /// The animations that the rule could state, and the elements that they would suit; the first
    /// 16 that occur.
    private var candidates: [(animations: [SVGAnimation], uses: Int)] = []

    init(_ animations: [SVGAnimation]) {
        first = animations
    }

    func suits(_ animations: [SVGAnimation]) -> Bool {
        first.count == animations.count
            && animations.indices.allSatisfy { first[$0].mode == animations[$0].mode }
    }

    /// Counts an element with these animations; `duration` is its own, or nil.
    mutating func count(_ animations: [SVGAnimation], duration: Int?) {
        uses += 1
        let known = candidates.firstIndex { candidate, _ in
            animations.indices.allSatisfy {
                candidate[$0].keyframes == animations[$0].keyframes
                    && candidate[$0].duration == duration ?? animations[$0].duration
            }
        }
        if let known {
            candidates[known].uses += 1
        } else if candidates.count < 16 {
            var own = animations
            if let duration { for index in own.indices { own[index].duration = duration } }
            candidates.append((own, 1))
        }
    }

    /// The animations that suit most elements; the first of several that suit equally many.
    var best: [SVGAnimation]? {
        var best = candidates.first
        for candidate in candidates where candidate.uses > best?.uses ?? 0 { best = candidate }
        return best?.animations
    }
}

extension ByteSink {
    mutating func append(nameOfKeyframes index: Int, _ names: SVGNames) {
        append(names.prefix)
        append(lettersOf: index)
    }

    /// Appends name, duration, easing, count, and fill mode.
    mutating func append(
        _ animation: SVGAnimation, duration: Int, _ names: SVGNames, _ iterations: CSSIterations
    ) {
        append(nameOfKeyframes: animation.keyframes, names)
        append(" ")
        append(seconds: duration, of: iterations.cycle == nil ? duration : 0)
        append(" ")
        append(css: animation.mode.timing)
        iterations.write(to: &self)
        switch animation.mode.fill {
        case .none: break
        case .backwards: append(" backwards")
        case .forwards: append(" forwards")
        case .both: append(" both")
        }
    }

    /// Appends how animations of one property are combined, where they do not replace each other.
    mutating func append(compositionOf animations: [SVGAnimation]) {
        guard animations.contains(where: \.mode.isAdded) else { return }
        for (index, animation) in animations.enumerated() {
            append(index == 0 ? ";animation-composition:" : ",")
            append(animation.mode.isAdded ? "add" : "replace")
        }
    }
}
