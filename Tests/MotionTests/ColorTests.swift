import Motion
import Testing

@Suite struct ColorTests {
    @Test(
        "colours are read as CSS writes them",
        arguments: [
            ("#24292f", "#24292f"), ("#FFF", "#ffffff"), ("#f008", "#ff000088"),
            ("#12345678", "#12345678"), ("Tomato", "#ff6347"), ("transparent", "transparent"),
            ("#12345600", "transparent"), ("rebeccapurple", "#663399"),
            ("rgb(255, 0, 16.4)", "#ff0010"), ("RGBA(100%, 0%, 50%, .5)", "#ff008080"),
            ("rgb(255 50% none / 25%)", "#ff800040"), ("rgb(300 -5 0)", "#ff0000"),
            ("rgb( 1 2 3/1 )", "#010203"), ("rgb(1 2 3 / 0)", "transparent"),
            ("hsl(120, 100%, 25%)", "#008000"), ("hsl(-0.25turn 100 50 / 2)", "#8000ff"),
            ("hwb(0 50% 50%)", "#808080"), ("hwb(400grad 0 0)", "#ff0000"),
            ("lab(100 0 0)", "#ffffff"), ("lch(0% 0 90)", "#000000"),
            ("oklab(1 0 0)", "#ffffff"), ("oklch(62.7955% 0.257683 29.2339deg)", "#ff0000"),
            ("color(srgb 1 50% 0)", "#ff8000"), ("color(xyz 0 0 0 / 1e-1)", "#0000001a"),
            ("color(srgb 1e400 -1e400 0)", "#ff0000"),
        ])
    func readable(written: String, text: String) {
        #expect(Color(css: written)?.text == text)
    }

    @Test(
        "what is no colour is refused",
        arguments: [
            "rgb()", "rgb(1 2)", "rgb(1 2 3 4)", "rgb(1, 2, 3, 4, 5)", "rgb(1 2 3 / 1 / 1)",
            "rgb(1, 2%, 3)", "rgb(none, 2, 3)", "rgb(1deg 2 3)", "rgb(1px 2 3)", "rgb(1. 2 3)",
            "rgb(1 2 3", "rgb 1 2 3)", "rgb(1,2 3)", "hsl(1, 2, 3)", "hsl(50% 2% 3%)",
            "hwb(1, 2%, 3%)", "lab(1, 2, 3)", "color(1 2 3)", "color(srgb 1 2)",
            "color(srgb 1, 2, 3)", "color(rgb 1 2 3)", "rgb(calc(1) 2 3)", "rgb(from red r g b)",
            "", "#", "#12", "#12345", "#1234567", "#123456789", "#ggg", "24292f", "blurple",
        ])
    func unreadable(written: String) {
        #expect(Color(css: written) == nil)
    }

    @Test("the hash is optional where the caller says so")
    func query() {
        #expect(Color(css: "24292f", hashOptional: true)?.text == "#24292f")
        #expect(Color(css: "tan", hashOptional: true)?.text == "#d2b48c")
    }
}
