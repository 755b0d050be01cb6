/// A property that keyframes of requests set (docs/effects.md, *Keyframes*).
package enum KeyframeProperty: Hashable, CaseIterable, Sendable {
    /// A property of the scene, which has a `Property.Request`.
    case scene(Property)
    /// Offsets to the right in proportion to the distances of the layout.
    case spread
    /// Offsets along the path of the text.
    case pathOffset
    /// The fill.
    case color

    package static let opacity = scene(.opacity)
    package static let x = scene(.offsetX)
    package static let y = scene(.offsetY)
    package static let scale = scene(.scale)
    package static let scaleX = scene(.scaleX)
    package static let scaleY = scene(.scaleY)
    package static let rotation = scene(.rotation)
    package static let blur = scene(.blur)

    package static let allCases =
        Property.allCases.filter { $0.request != nil }.map(scene) + [.spread, .pathOffset, .color]

    private static let spreadRequest = Property.Request(
        "spread", 0...10, example: .number(2),
        "A factor for each glyph's distance from the middle of its item; not with x.")
    private static let pathOffsetRequest = Property.Request(
        "pathOffset", -1000...1000, .percent, example: .number(-100),
        "How far the text moves along its path, as a share of the path's length; not with x, y, "
            + "rotation, or spread.")
    private static let colorRequest = Property.Request(
        "color", nil, example: .color(Color(red: 163, green: 113, blue: 247)),
        "A colour instead of the text's own.")

    /// The place in an array of so many values.
    package var index: Int {
        switch self {
        case .scene(let property): property.rawValue
        case .spread: Property.allCases.count
        case .pathOffset: Property.allCases.count + 1
        case .color: Property.allCases.count + 2
        }
    }
    static let indices = Property.allCases.count + 3

    var request: Property.Request? {
        switch self {
        case .scene(let property): property.request
        case .spread: Self.spreadRequest
        case .pathOffset: Self.pathOffsetRequest
        case .color: Self.colorRequest
        }
    }

    /// The name in requests.
    package var name: String { request?.name ?? "" }
    /// The values in the property's unit; nil for colours.
    package var range: ClosedRange<Double>? { request?.range }
    /// The unit of numbers; nil for factors, colours, and values from 0 to 1.
    package var unit: NumberUnit? { request?.unit }
    /// The values as a percentage of the item's box; nil if there are none.
    package var percentRange: ClosedRange<Double>? { request?.percents?.range }
    /// A value with a visible effect, for documents and for people who try the property.
    package var example: KeyframeValue { request?.example ?? identity }
    /// One sentence about the property.
    package var summary: String { request?.summary ?? "" }

    /// The value that leaves the text as it was typeset.
    package var identity: KeyframeValue {
        switch self {
        case .scene(let property): .number(property.identity)
        case .spread: .number(1)
        case .pathOffset: .number(0)
        case .color: .ownColor
        }
    }

    /// The property of the scene that it sets; nil for the colour, which is the fill, and for
    /// offsets along a path, which set several.
    var sceneProperty: Property? {
        switch self {
        case .scene(let property): property
        case .spread: .offsetX
        case .pathOffset, .color: nil
        }
    }
}

/// A value of a keyframe's property.
package enum KeyframeValue: Hashable, Sendable {
    /// In the property's unit.
    case number(Double)
    /// Percent of the item's box: of its width for `x`, of its height for `y`.
    case percent(Double)
    case color(Color)
    /// The glyph's own colour.
    case ownColor

    /// True if the text looks as it was typeset with this value.
    package func isIdentity(of property: KeyframeProperty) -> Bool {
        if case .percent(0) = self { return true }
        return self == property.identity
    }

    /// True if the text looks as it was typeset with this value; on a closed path after whole
    /// rounds, too.
    func isTypeset(of property: KeyframeProperty) -> Bool {
        if property == .pathOffset, case .number(let percent) = self {
            return percent.remainder(dividingBy: 100) == 0
        }
        return isIdentity(of: property)
    }
}
