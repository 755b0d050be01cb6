import Bytes
import Motion
import Testing
import Typesetting

@testable import Rendering

/// Pictures of requests and of operators.
@Suite struct PictureTests {
    private static let red =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
    /// Two pixels of grey with alpha.
    private static let grey =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR42mNo+O/QAAAGAgJAoZV1iQAAAABJRU5ErkJggg=="

    private func read(_ json: String) throws(RenderingError) -> RenderRequest {
        try RenderPipeline(limits: RenderLimits()).request(json: Array(json.utf8))
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch let fault as ValueFault {
            return fault.message
        } catch let error as RenderingError {
            return error.faults.map(\.message).joined(separator: "; ")
        } catch {
            return "\(error)"
        }
    }

    @Test("a request with a picture has it in its canonical form, which is read as the same")
    func canonical() throws {
        let request = try read(
            #"{"text":"<picture name='a'/>","markup":true,"pictures":{"a":"\#(Self.red)"}}"#)
        #expect(
            request.canonical
                == #"{"markup":true,"pictures":{"a":"\#(Self.red)"},"text":"<picture name='a'/>"}"#)
        #expect(try read(request.canonical).canonical == request.canonical)
        #expect(request.plainTexts == ["a"] && request.accessibleName == "a")
        #expect(request.sources.isEmpty)
    }

    @Test("parts of a PNG file that say nothing of its pixels are left out")
    func chunks() throws {
        let file = try #require(Base64.standard.decoded(Self.red[...]))
        // tEXt of no bytes, whose checksum nobody looks at.
        let text: [UInt8] = [0, 0, 0, 0] + Array("tEXt".utf8) + [0, 0, 0, 0]
        let longer = Array(file[..<33]) + text + file[33...] + [1, 2, 3]
        let picture = try PNGReader.picture(in: longer, named: "a")
        #expect(picture.file == file && picture.width == 1 && picture.height == 1)
    }

    @Test("every file that is cut short is an error")
    func cutFiles() throws {
        let file = try #require(Base64.standard.decoded(Self.red[...]))
        for count in file.indices {
            #expect(throws: ValueFault.self) {
                try PNGReader.picture(in: Array(file.prefix(count)), named: "a")
            }
        }
    }

    /// Four by two pixels of one colour: lossless, lossy, and lossy with alpha and Exif.
    private static let webps = [
        "UklGRh4AAABXRUJQVlA4TBEAAAAvA0AAAAdQjyIXpf+BiOh/AAA=",
        "UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoEAAIAAsBMJaACdLoAA5gA/u1N3rvFpRr/56Z/W38f+MgA",
        "UklGRmQAAABXRUJQVlA4WAoAAAAYAAAAAwAAAQAAQUxQSAkAAAAAAICAgICAgIAAVlA4ICgAAACQAQCdASoE"
            + "AAIAAsBMJaACdLoAA5gA/u1N3rvFpRr/56Z/W38f+MgARVhJRgQAAABJSSoA",
    ]

    private func webp(_ index: Int) throws -> [UInt8] {
        var digits = Self.webps[index][...]
        while digits.last == "=" { digits.removeLast() }
        return try #require(Base64.standard.decoded(digits))
    }

    @Test("a WebP file has its size and whether it is opaque in its header", arguments: 0..<3)
    func webpHeaders(index: Int) throws {
        let file = try webp(index)
        let picture = try PictureReader.picture(in: file, named: "a")
        #expect(picture.width == 4 && picture.height == 2)
        #expect(picture.isOpaque == (index < 2))
        // What says nothing of its pixels is left out, and its length follows.
        #expect(picture.file.count == file.count - (index < 2 ? 0 : 12))
        #expect(try PictureReader.picture(in: picture.file, named: "a") == picture)
        #expect(try PictureReader.picture(in: file + [1, 2, 3], named: "a") == picture)
        #expect(try picture.isIntact())
    }

    @Test("every WebP file that is cut short is an error", arguments: 0..<2)
    func cutWebPs(index: Int) throws {
        let file = try webp(index)
        for count in file.indices {
            #expect(throws: ValueFault.self) {
                try PictureReader.picture(in: Array(file.prefix(count)), named: "a")
            }
        }
    }

    @Test("the header of a WebP file bounds its size before it is decoded")
    func hugeWebP() throws {
        var file = try webp(0)
        // 16,384 pixels a side.
        file.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
        let found = message { _ = try PictureReader.picture(in: file, named: "a") }
        #expect(found == "must have sides from 1 to 4096 px; got 16384 × 16384")
    }

    @Test("the picture behind everything is one of the request's, or a fault that names it")
    func backdrop() throws {
        func message(_ json: String) -> String {
            self.message { _ = try read(#"{"text":"x",\#(json)}"#) }
        }
        let pictures = #""pictures":{"a":"\#(Self.red)"}"#
        let request = try read(#"{"text":"x","backdrop":"a","backdropDim":0.5,\#(pictures)}"#)
        let backdrop = try #require(request.canvas.backdrop)
        #expect(backdrop.picture.name == "a" && backdrop.fit == .cover && backdrop.dim == 0.5)
        #expect(try read(request.canonical).canonical == request.canonical)
        #expect(try read(#"{"text":"x","backdrop":"none"}"#).canonical == #"{"text":"x"}"#)
        #expect(
            message(#""backdrop":"b",\#(pictures)"#)
                == #"must be the name of a picture, one of a; got "b""#)
        #expect(
            message(#""backdrop":"b""#)
                == #"must be the name of a picture, of which there are none; got "b""#)
    }

    @Test("an operator's picture has its content in the identity of the requests that name it")
    func sources() throws {
        let file = try #require(Base64.standard.decoded(Self.red[...]))
        let picture = try PictureFile.picture(in: file, as: .pixels, named: "red")
        let schema = RequestSchema.standard(with: [], pictures: [picture])
        let pipeline = RenderPipeline(limits: RenderLimits(), schema: schema)
        func sources(_ json: String) throws -> [String] {
            try pipeline.request(json: Array(json.utf8)).sources
        }
        let named = #"{"text":"<picture name='red'/><picture name='red'/>","markup":true"#
        #expect(try sources(named + "}").count == 1)
        #expect(try sources(#"{"text":"red"}"#).isEmpty)
        // The request's own takes precedence, and is part of its canonical form.
        let own = #","pictures":{"red":"\#(Self.grey)"}}"#
        #expect(try sources(named + own).isEmpty)
    }

    @Test(
        "an SVG of shapes becomes a picture of its ratio",
        arguments: [
            ("<svg viewBox='0 0 20 10'><rect width='9' height='9'/></svg>", 1024, 512),
            ("<svg width='3' height='4px'><circle r='1'/></svg>", 768, 1024),
            ("<?xml version='1.0'?><!-- a --><!DOCTYPE svg><svg viewBox='-1,-1,2,2'/>", 1024, 1024),
        ])
    func svg(file: String, width: Int, height: Int) throws {
        let picture = try PictureFile.picture(in: Array(file.utf8), as: .svg, named: "a")
        #expect(picture.width == width && picture.height == height)
    }

    @Test(
        "what an SVG cannot have is an error with its element",
        arguments: [
            ("<text>x</text>", "<text> is not supported; one of svg, g, path"),
            ("<g mask='url(#a)'/>", #"<g> must not have mask="url(#a)""#),
            ("<path d='M0 0h'/>", "<path> must be path data with a number at byte 5"),
            ("<circle r='1' fill='url(#a)'/>", #"<circle> has the paint "url(#a)""#),
            ("<g transform='spin(1)'/>", "<g> must have transformations as transform"),
            ("<rect width='1e9'/>", "<rect> must have a number as width"),
        ])
    func faults(content: String, message: String) {
        let file = "<svg viewBox='0 0 9 9'>\(content)</svg>"
        let found = self.message {
            _ = try PictureFile.picture(in: Array(file.utf8), as: .svg, named: "a")
        }
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test("path data of several lines is read, and that of one line stays so")
    func subpaths() throws {
        let subpaths = try PathDataReader.subpaths(
            in: "M0 0H4V4zl-1 1M9 9h1z", mostPixels: 100)
        #expect(subpaths.map(\.isClosed) == [true, false, true])
        #expect(subpaths.map(\.curves.count) == [3, 1, 2])
        #expect(subpaths[1].curves[0].start == .zero)
        #expect(throws: ValueFault.self) { try PathDataReader.read("M0 0h9M1 1h9") }
        #expect(throws: ValueFault.self) { try PathDataReader.read("M0 0h9zh9") }
    }
}
