import Bytes
import Motion

/// A colour or a gradient that a program may replace at runtime (specification 1.0, *Slots*).
///
/// A property with a slot has its own value too, so that players without slots draw the same. What changes over
/// the cycle has no slot: players with slots would draw its slot's value instead.
enum LottieSlot: Hashable {
    /// The fill of a block's text.
    case color(block: Int)
    /// The line along the contours of a block's text.
    case outline(block: Int)
    case background
}

extension ByteSink {
    /// Appends the member by which a property names its slot, and a comma; nothing without a slot.
    mutating func append(lottieSlot slot: LottieSlot?) {
        guard let slot else { return }
        append("\"sid\":\"")
        append(nameOf: slot)
        append("\",")
    }

    private mutating func append(nameOf slot: LottieSlot) {
        switch slot {
        case .color(let block):
            append("block")
            append(block)
            append(".color")
        case .outline(let block):
            append("block")
            append(block)
            append(".outline")
        case .background: append("background")
        }
    }

    /// Appends the values of slots by their names, those of so many blocks first, and a comma; nothing without
    /// slots.
    mutating func append(lottieSlots slots: [LottieSlot: LottieInk], ofBlocks count: Int) {
        guard !slots.isEmpty else { return }
        append("\"slots\":")
        var separator: StaticString = "{\""
        for index in 0...2 * count {
            let block = index / 2
            let slot: LottieSlot =
                block == count
                ? .background : index % 2 == 0 ? .color(block: block) : .outline(block: block)
            guard let ink = slots[slot] else { continue }
            append(separator)
            separator = ",\""
            append(nameOf: slot)
            append("\":{\"p\":")
            switch ink {
            case .color(let color): append(lottieColorProperty: color)
            case .gradient(let gradient): append(lottieStops: gradient, in: nil)
            }
            append("}")
        }
        append("},")
    }

    /// Appends the property of a colour that does not change.
    private mutating func append(lottieColorProperty color: Color) {
        append("{\"a\":0,\"k\":[")
        append(lottieColor: color.straight)
        append("]}")
    }

    /// Appends the property of a gradient's stops.
    mutating func append(lottieStops gradient: LottieGradient, in slot: LottieSlot?) {
        append("{")
        append(lottieSlot: slot)
        append(gradient.stops)
        append("}")
    }
}
