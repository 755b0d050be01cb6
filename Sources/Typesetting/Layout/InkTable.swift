import Motion

/// The distinct outlines and pictures of a layout, numbered by first use.
struct InkTable {
    private(set) var outlines: [Outline] = []
    private(set) var bitmaps: [Bitmap] = []
    private var numbers: [ObjectIdentifier: Int] = [:]

    mutating func number(of outline: Outline) -> Int {
        let identity = ObjectIdentifier(outline)
        if let number = numbers[identity] { return number }
        numbers[identity] = outlines.count
        outlines.append(outline)
        return outlines.count - 1
    }

    mutating func number(of bitmap: Bitmap) -> Int {
        let identity = ObjectIdentifier(bitmap)
        if let number = numbers[identity] { return number }
        numbers[identity] = bitmaps.count
        bitmaps.append(bitmap)
        return bitmaps.count - 1
    }
}
