import Bytes
import Glibc

extension Color {
    /// Reads a colour of one of CSS's functions (CSS Color 4, 4 to 10): `rgb()`, `hsl()`, `hwb()`,
    /// `lab()`, `lch()`, `oklab()`, `oklch()` or `color()`.
    ///
    /// Each part of a colour outside sRGB is clipped, as in browsers. Calculations and colours made
    /// of others are not read.
    ///
    /// - Returns: Nil if it is none of these functions, or has other arguments.
    init?(function text: String) {
        guard let call = ColorFunctionCall(text), let color = call.color else { return nil }
        self = color
    }

    /// Returns an example of a call of a function; nil if no function has that name.
    package static func functionExample(named name: String) -> String? {
        ColorFunctionCall.examples.first { $0.name.isSame(as: name) }?.example
    }

    /// Makes a colour of parts from 0 to 1, which are clipped; a part that is not a number is 0.
    fileprivate init(_ rgb: Vector3, alpha: Double) {
        func level(_ part: Double) -> UInt8 {
            part > 0 ? UInt8((min(part, 1) * 255).rounded()) : 0
        }
        self.init(
            red: level(rgb.x), green: level(rgb.y), blue: level(rgb.z), alpha: level(alpha))
    }
}

/// A function with its arguments.
private struct ColorFunctionCall {
    /// An argument in its written unit.
    enum Argument {
        case number(Double)
        case percentage(Double)
        /// Degrees.
        case angle(Double)
        /// The keyword `none`, which counts as 0.
        case none

        /// Returns the number of a number or a percentage; nil for an angle.
        ///
        /// - Parameter reference: The number of 100%.
        /// - Returns: The number in the function's own scale.
        func number(of reference: Double) -> Double? {
            switch self {
            case .number(let number): number
            case .percentage(let percent): percent / 100 * reference
            case .none: 0
            case .angle: nil
            }
        }

        /// The degrees of an angle, which needs no unit; nil for a percentage.
        var degrees: Double? {
            switch self {
            case .number(let number), .angle(let number): number
            case .none: 0
            case .percentage: nil
            }
        }

        var isPercentage: Bool { if case .percentage = self { true } else { false } }
    }

    static let examples = [
        ("rgb", "rgb(36 41 47 / 50%)"), ("rgba", "rgba(36, 41, 47, 0.5)"),
        ("hsl", "hsl(210deg 13% 16%)"), ("hsla", "hsla(210, 13%, 16%, 0.5)"),
        ("hwb", "hwb(210deg 14% 82%)"), ("lab", "lab(16 -1 -4)"), ("lch", "lch(16 4 256deg)"),
        ("oklab", "oklab(0.28 -0.003 -0.012)"), ("oklch", "oklch(0.28 0.012 257deg)"),
        ("color", "color(display-p3 0.15 0.16 0.18)"),
    ].map { (name: $0.0, example: $0.1) }

    /// The longest call that is read, in bytes.
    private static let longestText = 200

    private let name: ByteString
    /// The colour space, in a call of `color()`.
    private let space: ByteString?
    private let arguments: [Argument]
    private let alpha: Double
    /// True if commas stand between the arguments, as in CSS before there were other colour spaces.
    private let isLegacy: Bool

    init?(_ text: String) {
        let text = text.lowercasedASCII
        guard text.utf8.count <= Self.longestText, text.ends(with: ")"),
            let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
        else { return nil }
        name = ByteString(text[..<open])
        let inner = text[text.utf8.index(after: open)...].dropping(last: 1)
        isLegacy = inner.contains(ascii: ",")
        var words: [Substring]
        var alphaText: Substring?
        if isLegacy {
            words = inner.cssList
            if words.count == 4 { alphaText = words.removeLast() }
        } else {
            let sides = inner.pieces(separatedBy: "/").map(\.cssWords)
            guard sides.count == 1 || sides.count == 2 && sides[1].count == 1 else { return nil }
            (words, alphaText) = (sides[0], sides.count == 2 ? sides[1][0] : nil)
        }
        space = name == "color" && !words.isEmpty ? ByteString(words.removeFirst()) : nil
        let arguments = words.compactMap { Argument($0) }
        guard arguments.count == 3, words.count == 3 else { return nil }
        self.arguments = arguments
        guard let alphaText else {
            alpha = 1
            return
        }
        guard let alpha = Argument(alphaText)?.number(of: 1) else { return nil }
        self.alpha = min(max(alpha, 0), 1)
    }

    /// The colour; nil if the function does not take these arguments.
    var color: Color? {
        switch name {
        case "rgb", "rgba": rgb
        case "hsl", "hsla": hue { .hsl($0, $1, $2) }
        case "hwb": isLegacy ? nil : hue { .hwb($0, $1, $2) }
        case "lab": rectangular(lightness: 100, axis: 125) { ColorSpace.lab.linearRGB(of: $0) }
        case "lch": polar(lightness: 100, chroma: 150) { ColorSpace.lab.linearRGB(of: $0) }
        case "oklab": rectangular(lightness: 1, axis: 0.4) { ColorSpace.oklab.linearRGB(of: $0) }
        case "oklch": polar(lightness: 1, chroma: 0.4) { ColorSpace.oklab.linearRGB(of: $0) }
        case "color": inSpace
        default: nil
        }
    }

    /// The numbers of the arguments; nil if one is an angle.
    private func numbers(of references: [Double]) -> Vector3? {
        let numbers = zip(arguments, references).compactMap { $0.number(of: $1) }
        return numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    }

    private var rgb: Color? {
        let percentages = arguments.filter(\.isPercentage).count
        guard !isLegacy || isWithoutNone && (percentages == 0 || percentages == 3),
            let levels = numbers(of: [255, 255, 255])
        else { return nil }
        return Color(levels * (1 / 255), alpha: alpha)
    }

    private var isWithoutNone: Bool {
        arguments.allSatisfy { if case .none = $0 { false } else { true } }
    }

    /// Returns the colour of a hue and two percentages, which legacy calls write with a percent
    /// sign.
    private func hue(_ convert: (Double, Double, Double) -> Vector3) -> Color? {
        guard let degrees = arguments[0].degrees,
            let first = arguments[1].number(of: 100), let second = arguments[2].number(of: 100),
            !isLegacy || isWithoutNone && arguments[1].isPercentage && arguments[2].isPercentage
        else { return nil }
        return Color(convert(degrees, first / 100, second / 100), alpha: alpha)
    }

    private func rectangular(
        lightness: Double, axis: Double, _ convert: (Vector3) -> Vector3
    ) -> Color? {
        guard !isLegacy, var parts = numbers(of: [lightness, axis, axis]) else { return nil }
        parts.x = min(max(parts.x, 0), lightness)
        return Color(TransferFunction.sRGB.encoded(convert(parts)), alpha: alpha)
    }

    private func polar(
        lightness: Double, chroma: Double, _ convert: (Vector3) -> Vector3
    ) -> Color? {
        guard !isLegacy, let light = arguments[0].number(of: lightness),
            let distance = arguments[1].number(of: chroma), let degrees = arguments[2].degrees
        else { return nil }
        let (distanceInRange, angle) = (max(distance, 0), degrees * .pi / 180)
        let parts = Vector3(
            min(max(light, 0), lightness), distanceInRange * cos(angle),
            distanceInRange * sin(angle))
        return Color(TransferFunction.sRGB.encoded(convert(parts)), alpha: alpha)
    }

    private var inSpace: Color? {
        guard !isLegacy, let space, let parts = numbers(of: [1, 1, 1]),
            let color = ColorSpace.named[space]
        else { return nil }
        // Colours that are in sRGB already are not changed by rounding.
        let rgb =
            space == "srgb"
            ? parts : TransferFunction.sRGB.encoded(color.linearRGB(of: parts))
        return Color(rgb, alpha: alpha)
    }
}

extension ColorFunctionCall.Argument {
    private static let units: [(suffix: String, degrees: Double)] = [
        ("deg", 1), ("grad", 0.9), ("turn", 360), ("rad", 180 / .pi),
    ]

    /// Reads a number with or without a unit; nil for anything else.
    init?(_ text: Substring) {
        if text.isSame(as: "none") {
            self = .none
            return
        }
        var scanner = TextScanner(text)
        let isNegative = scanner.consumeSign()
        let start = scanner.offset
        var last = scanner.consume(while: \.isASCIIDigit)
        if scanner.skip(".") { last = scanner.consume(while: \.isASCIIDigit) }
        guard !last.isEmpty else { return nil }
        let mark = scanner.offset
        if scanner.skip("e") {
            _ = scanner.consumeSign()
            // The letter may begin a unit.
            if scanner.consume(while: \.isASCIIDigit).isEmpty { scanner.offset = mark }
        }
        guard let size = Double("0" + scanner.text(start..<scanner.offset)) else { return nil }
        let number = isNegative ? -size : size
        let rest = scanner.rest
        if rest.isEmpty {
            self = .number(number)
        } else if rest.isSame(as: "%") {
            self = .percentage(number)
        } else if let unit = Self.units.first(where: { $0.suffix.isSame(as: rest) }) {
            self = .angle(number * unit.degrees)
        } else {
            return nil
        }
    }
}

// MARK: Colour spaces

/// Three numbers.
private struct Vector3 {
    var x, y, z: Double

    init(_ x: Double, _ y: Double, _ z: Double) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    func map(_ change: (Double) -> Double) -> Vector3 { Vector3(change(x), change(y), change(z)) }

    static func * (vector: Vector3, factor: Double) -> Vector3 { vector.map { $0 * factor } }

    /// Red, green and blue from 0 to 1, of a hue in degrees, and a saturation and a lightness from
    /// 0 to 1 (CSS Color 4, 7.1).
    static func hsl(_ degrees: Double, _ saturation: Double, _ lightness: Double) -> Vector3 {
        let amplitude = max(saturation, 0) * min(lightness, 1 - lightness)
        return Vector3(0, 8, 4).map { offset in
            let position = (offset + turned(degrees) / 30).truncatingRemainder(dividingBy: 12)
            return lightness - amplitude * max(-1, min(position - 3, 9 - position, 1))
        }
    }

    /// Red, green and blue from 0 to 1, of a hue in degrees, and a whiteness and a blackness from 0
    /// to 1 (CSS Color 4, 8.1).
    static func hwb(_ degrees: Double, _ whiteness: Double, _ blackness: Double) -> Vector3 {
        let (white, black) = (max(whiteness, 0), max(blackness, 0))
        guard white + black < 1 else {
            let gray = white / (white + black)
            return Vector3(gray, gray, gray)
        }
        return hsl(degrees, 1, 0.5).map { $0 * (1 - white - black) + white }
    }

    /// Returns the degrees from 0 to less than 360.
    private static func turned(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}

/// Three rows.
private struct Matrix3 {
    let rows: (Vector3, Vector3, Vector3)

    init(_ rows: (Vector3, Vector3, Vector3)) {
        self.rows = rows
    }

    static func * (matrix: Matrix3, vector: Vector3) -> Vector3 {
        func product(_ row: Vector3) -> Double {
            row.x * vector.x + row.y * vector.y + row.z * vector.z
        }
        return Vector3(product(matrix.rows.0), product(matrix.rows.1), product(matrix.rows.2))
    }
}

/// The power law of a colour space's numbers for light.
private enum TransferFunction {
    case linear
    case sRGB
    case a98
    case proPhoto
    case rec2020

    private static let rec2020Scale = 1.09929682680944
    private static let rec2020Start = 0.018053968510807

    /// Returns amounts of light for a space's numbers; negative numbers have negative amounts.
    func decoded(_ parts: Vector3) -> Vector3 {
        parts.map { part in
            let size = abs(part)
            let light =
                switch self {
                case .linear: size
                case .sRGB: size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
                case .a98: pow(size, 563.0 / 256)
                case .proPhoto: size <= 16.0 / 512 ? size / 16 : pow(size, 1.8)
                // Browsers still have this law; drafts of CSS Color 4 have a power of 2.4 instead.
                case .rec2020:
                    size < 4.5 * Self.rec2020Start
                        ? size / 4.5
                        : pow((size + Self.rec2020Scale - 1) / Self.rec2020Scale, 1 / 0.45)
                }
            return part < 0 ? -light : light
        }
    }

    /// Returns a space's numbers for amounts of light; only sRGB is needed.
    func encoded(_ light: Vector3) -> Vector3 {
        light.map { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    }
}

/// The colour spaces of CSS Color 4, 10 and 12, each with the way from its numbers to linear sRGB.
private enum ColorSpace {
    /// Red, green and blue in a power law of their own, with the matrix to XYZ.
    case rgb(TransferFunction, Matrix3?, isD50: Bool = false)
    case lab
    case oklab

    static let named: [ByteString: ColorSpace] = [
        "srgb": .rgb(.sRGB, nil), "srgb-linear": .rgb(.linear, nil),
        "display-p3": .rgb(.sRGB, displayP3), "display-p3-linear": .rgb(.linear, displayP3),
        "a98-rgb": .rgb(.a98, a98), "prophoto-rgb": .rgb(.proPhoto, proPhoto, isD50: true),
        "rec2020": .rgb(.rec2020, rec2020), "xyz": .rgb(.linear, identity),
        "xyz-d65": .rgb(.linear, identity), "xyz-d50": .rgb(.linear, identity, isD50: true),
    ]

    func linearRGB(of parts: Vector3) -> Vector3 {
        switch self {
        case .rgb(let transfer, nil, _): return transfer.decoded(parts)
        case .rgb(let transfer, let matrix?, let isD50):
            return Self.linearRGB(xyz: matrix * transfer.decoded(parts), isD50: isD50)
        case .lab: return Self.linearRGB(xyz: Self.xyz(lab: parts), isD50: true)
        case .oklab:
            let cubes = (Self.oklabToCones * parts).map { $0 * $0 * $0 }
            return Self.conesToLinearRGB * cubes
        }
    }

    private static func linearRGB(xyz: Vector3, isD50: Bool) -> Vector3 {
        xyzToLinearRGB * (isD50 ? d50ToD65 * xyz : xyz)
    }

    /// XYZ in D50 (CSS Color 4, 9.3).
    private static func xyz(lab: Vector3) -> Vector3 {
        let (kappa, epsilon) = (24_389.0 / 27, 216.0 / 24_389)
        func part(_ root: Double) -> Double {
            let cube = root * root * root
            return cube > epsilon ? cube : (116 * root - 16) / kappa
        }
        let y = (lab.x + 16) / 116
        let white = Vector3(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)
        let luminance = lab.x > kappa * epsilon ? y * y * y : lab.x / kappa
        return Vector3(
            part(y + lab.y / 500) * white.x, luminance, part(y - lab.z / 200) * white.z)
    }

    private static let identity = Matrix3(
        (
            Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)
        ))
    private static let xyzToLinearRGB = Matrix3(
        (
            Vector3(3.2409699419045226, -1.537383177570094, -0.4986107602930034),
            Vector3(-0.9692436362808796, 1.8759675015077202, 0.04155505740717559),
            Vector3(0.05563007969699366, -0.20397695888897652, 1.0569715142428786)
        ))
    /// Bradford's adaptation.
    private static let d50ToD65 = Matrix3(
        (
            Vector3(0.955473421488075, -0.02309845494876471, 0.06325924320057072),
            Vector3(-0.0283697093338637, 1.0099953980813041, 0.021041441191917323),
            Vector3(0.012314014864481998, -0.020507649298898964, 1.330365926242124)
        ))
    private static let displayP3 = Matrix3(
        (
            Vector3(0.4865709486482162, 0.26566769316909306, 0.1982172852343625),
            Vector3(0.2289745640697488, 0.6917385218365064, 0.079286914093745),
            Vector3(0, 0.04511338185890264, 1.043944368900976)
        ))
    private static let a98 = Matrix3(
        (
            Vector3(0.5766690429101305, 0.1855582379065463, 0.1882286462349947),
            Vector3(0.29734497525053605, 0.6273635662554661, 0.07529145849399788),
            Vector3(0.02703136138641234, 0.07068885253582723, 0.9913375368376388)
        ))
    private static let proPhoto = Matrix3(
        (
            Vector3(0.7977666449006423, 0.13518129740053308, 0.0313477341283922),
            Vector3(0.2880748288194013, 0.711835234241873, 0.00008993693872564),
            Vector3(0, 0, 0.8251046025104602)
        ))
    private static let rec2020 = Matrix3(
        (
            Vector3(0.6369580483012914, 0.14461690358620832, 0.1688809751641721),
            Vector3(0.2627002120112671, 0.6779980715188708, 0.05930171646986196),
            Vector3(0, 0.028072693049087428, 1.060985057710791)
        ))
    private static let oklabToCones = Matrix3(
        (
            Vector3(1, 0.3963377773761749, 0.2158037573099136),
            Vector3(1, -0.1055613458156586, -0.0638541728258133),
            Vector3(1, -0.0894841775298119, -1.2914855480194092)
        ))
    private static let conesToLinearRGB = Matrix3(
        (
            Vector3(4.0767416360759583, -3.3077115392580629, 0.2309699031821043),
            Vector3(-1.2684379732850315, 2.6097573492876882, -0.341319376002657),
            Vector3(-0.0041960761386756, -0.7034186179359362, 1.7076146940746117)
        ))
}
