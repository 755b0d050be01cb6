/// A keyframe of a request.
package struct EffectKeyframe: Hashable, Sendable {
    /// The progress through the item's duration; nil for evenly between its neighbours.
    package var offset: Double?
    /// The curve up to the next keyframe; nil for the effect's.
    package var easing: TimingFunction?
    /// The coordinates of axes of variable fonts, in the font's units; other axes are not touched.
    package var axes: [AxisTag: Double] = [:]
    /// The values by `KeyframeProperty.index`; nil for a property that is not touched.
    private var values = [KeyframeValue?](repeating: nil, count: KeyframeProperty.indices)

    package init(
        offset: Double? = nil, easing: TimingFunction? = nil,
        _ values: [KeyframeProperty: KeyframeValue] = [:]
    ) {
        self.offset = offset
        self.easing = easing
        for (property, value) in values { self[property] = value }
    }

    package subscript(property: KeyframeProperty) -> KeyframeValue? {
        get { values[property.index] }
        set { values[property.index] = newValue }
    }
}
