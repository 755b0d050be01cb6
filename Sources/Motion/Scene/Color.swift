/// A colour in sRGB with straight (not premultiplied) alpha, 0…255 each.
package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)

    package var isTransparent: Bool { alpha == 0 }
    package var isOpaque: Bool { alpha == 255 }

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `#rrggbb`, `#rrggbbaa` or, with alpha 0, `transparent`: the one spelling that answers use.
    package var text: String {
        if isTransparent { return "transparent" }
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = [UInt8(ascii: "#")]
        for part in isOpaque ? [red, green, blue] : [red, green, blue, alpha] {
            bytes.append(digits[Int(part >> 4)])
            bytes.append(digits[Int(part & 15)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
