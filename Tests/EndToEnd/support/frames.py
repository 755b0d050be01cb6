"""GIF, APNG and WebP taken apart: their files' own blocks, and their frames as other people's decoders show them.

Times are in milliseconds, pixels are straight RGBA; where nothing shows, the colour is 0.
"""

import base64
import ctypes
import io
import json
import struct
import subprocess
import zlib
from dataclasses import dataclass

import numpy
from PIL import Image

from random_requests import EFFECTS, NUMBERS


@dataclass
class Animation:
    """What a viewer shows, and when."""

    frames: numpy.ndarray  # number × height × width × 4
    starts: list[int]
    end: int

    @classmethod
    def lasting(cls, frames, delays):
        starts = [0, *numpy.cumsum(delays, dtype=int).tolist()]
        return cls(cleared(numpy.stack(frames)), starts[:-1], starts[-1])

    def at(self, time):
        """The frame that is shown at a time before the end."""
        return self.frames[numpy.searchsorted(self.starts, time, side="right") - 1]


def cleared(pixels):
    """Pixels without the colours that nobody sees."""
    return pixels * (pixels[..., 3:] > 0).astype(numpy.uint8)


def over(pixels, ground):
    """What shows on an opaque ground, not yet rounded."""
    share = pixels[..., 3:] / 255
    return pixels[..., :3] * share + numpy.array(ground) * (1 - share)


def psnr(one, other):
    """How near two pictures are, in decibels; infinite where they are the same."""
    error = numpy.mean((one.astype(float) - other) ** 2)
    return 10 * numpy.log10(255**2 / error) if error else numpy.inf


# Decoders


def by_pillow(file):
    picture = Image.open(io.BytesIO(file))
    frames, delays = [], []
    # A default image outside the animation counts as a frame there.
    for number in range(int(getattr(picture, "default_image", False)), getattr(picture, "n_frames", 1)):
        picture.seek(number)
        frames.append(numpy.asarray(picture.convert("RGBA")))
        delays.append(round(picture.info.get("duration", 0)))
    return Animation.lasting(frames, delays)


def by_ffmpeg(folder, file, *options):
    """What ffmpeg makes of one file, without an error. How long the last frame stands is its guess."""
    return FFmpeg(folder, {"file": file}, *options)["file"]


# Every frame once, in the file's own ticks and not in those of a frame rate that is guessed.
RAW = ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "rawvideo", "-pix_fmt", "rgba"]


class FFmpeg:
    """ffmpeg's frames of many files; starting it takes longer than decoding."""

    AT_ONCE = 24

    def __init__(self, folder, files, *options):
        self.folder, self.names = folder, [*files]
        for number, file in enumerate(files.values()):
            (folder / f"{number}.in").write_bytes(file)
        for first in range(0, len(files), self.AT_ONCE):
            numbers = range(first, min(first + self.AT_ONCE, len(files)))
            if self.error(numbers, options):
                found = {self.names[number]: self.error([number], options) for number in numbers}
                raise AssertionError({name: error for name, error in found.items() if error})

    def error(self, numbers, options):
        """Decodes some of the files; returns what is printed."""
        command, outputs = ["ffmpeg", "-v", "error", "-y"], []
        for index, number in enumerate(numbers):
            command += [*options, "-threads", "1", "-i", self.folder / f"{number}.in"]
            outputs += ["-map", f"{index}", *RAW, self.folder / f"{number}.rgba"]
            outputs += ["-map", f"{index}", "-c", "copy", "-f", "framecrc", self.folder / f"{number}.times"]
        outcome = subprocess.run([*command, *outputs], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return outcome.stderr or outcome.returncode

    def __getitem__(self, name):
        number = self.names.index(name)
        lines = (self.folder / f"{number}.times").read_text().splitlines()
        about = dict(line[1:].split(" 0: ") for line in lines if " 0: " in line)
        numerator, denominator = map(int, about["tb"].split("/"))
        width, height = map(int, about["dimensions"].split("x"))
        packets = [[int(value) for value in line.split(",")[2:4]] for line in lines if line[0] != "#"]
        starts = [round(1000 * time * numerator / denominator) for time, _ in packets]
        end = round(1000 * sum(packets[-1]) * numerator / denominator)
        frames = numpy.fromfile(self.folder / f"{number}.rgba", numpy.uint8).reshape(-1, height, width, 4)
        assert len(frames) == len(starts)
        return Animation(cleared(frames), starts, end)


DECODE = """async ([file, type]) => {
    const data = Uint8Array.from(atob(file), letter => letter.charCodeAt(0));
    const decoder = new ImageDecoder({data, type, premultiplyAlpha: 'none', colorSpaceConversion: 'none'});
    await decoder.tracks.ready;
    await decoder.completed;
    const track = decoder.tracks.selectedTrack, frames = [], pixels = [];
    for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex++) {
        const {image} = await decoder.decode({frameIndex});
        const bytes = new Uint8Array(image.allocationSize());
        await image.copyTo(bytes);
        pixels.push(bytes);
        frames.push([image.timestamp, image.duration, image.format]);
        var size = [image.codedHeight, image.codedWidth];
        image.close();
    }
    const packed = new Blob(pixels).stream().pipeThrough(new CompressionStream('deflate'));
    const url = await new Promise(async done => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(await new Response(packed).blob());
    });
    return {size, frames, plays: track.repetitionCount + 1, pixels: url.slice(url.indexOf(',') + 1)};
}"""


def by_chromium(page, file, kind):
    """What a page's ImageDecoder makes of a file, and how often it would play it."""
    answer = page.evaluate(DECODE, [base64.b64encode(file).decode(), kind])
    pixels = numpy.frombuffer(zlib.decompress(base64.b64decode(answer["pixels"])), numpy.uint8)
    pixels = pixels.reshape(-1, *answer["size"], 4).copy()
    for frame, (_, _, order) in zip(pixels, answer["frames"]):
        if order[0] == "B":
            frame[..., :3] = frame[..., 2::-1]
        if order[3] == "X":
            frame[..., 3] = 255
    starts = [round(start / 1000) for start, _, _ in answer["frames"]]
    end = starts[-1] + round((answer["frames"][-1][1] or 0) / 1000)
    return Animation(cleared(pixels), starts, end), answer["plays"]


# giflib's records (gif_lib.h of 5.2).


class _ColorMap(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_int),
        ("bits", ctypes.c_int),
        ("isSorted", ctypes.c_bool),
        ("colors", ctypes.POINTER(ctypes.c_ubyte * 3)),
    ]


class _Descriptor(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("left", "top", "width", "height")),
        ("isInterlaced", ctypes.c_bool),
        ("colors", ctypes.POINTER(_ColorMap)),
    ]


class _Saved(ctypes.Structure):
    _fields_ = [
        ("descriptor", _Descriptor),
        ("symbols", ctypes.POINTER(ctypes.c_ubyte)),
        ("extensionCount", ctypes.c_int),
        ("extensions", ctypes.c_void_p),
    ]


class _File(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("width", "height", "resolution", "background")),
        ("aspect", ctypes.c_ubyte),
        ("colors", ctypes.POINTER(_ColorMap)),
        ("count", ctypes.c_int),
        ("current", _Descriptor),
        ("images", ctypes.POINTER(_Saved)),
        ("extensionCount", ctypes.c_int),
        ("extensions", ctypes.c_void_p),
        ("error", ctypes.c_int),
        ("user", ctypes.c_void_p),
        ("own", ctypes.c_void_p),
    ]


class _Control(ctypes.Structure):
    _fields_ = [
        ("disposal", ctypes.c_int),
        ("waits", ctypes.c_bool),
        ("delay", ctypes.c_int),
        ("transparent", ctypes.c_int),
    ]


_READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_int)


def by_giflib(file):
    """giflib reads the images; they are put together here by the letter of GIF89a."""
    library, source, error = ctypes.CDLL("libgif.so.7"), io.BytesIO(file), ctypes.c_int()
    library.DGifOpen.restype = ctypes.POINTER(_File)
    library.DGifOpen.argtypes = [ctypes.c_void_p, _READ, ctypes.POINTER(ctypes.c_int)]
    library.DGifSlurp.argtypes = [ctypes.POINTER(_File)]
    library.DGifCloseFile.argtypes = [ctypes.POINTER(_File), ctypes.POINTER(ctypes.c_int)]
    library.DGifSavedExtensionToGCB.argtypes = [ctypes.POINTER(_File), ctypes.c_int, ctypes.POINTER(_Control)]

    def read(_, target, count):
        piece = source.read(count)
        ctypes.memmove(target, piece, len(piece))
        return len(piece)

    reader = _READ(read)
    handle = library.DGifOpen(None, reader, ctypes.byref(error))
    assert handle, f"giflib: error {error.value}"
    try:
        assert library.DGifSlurp(handle) == 1, f"giflib: error {handle.contents.error}"
        assert source.read() == b"", "something follows the trailer"
        return _of_giflib(library, handle)
    finally:
        library.DGifCloseFile(handle, ctypes.byref(error))


def _of_giflib(library, handle):
    whole = handle.contents
    colors = whole.colors.contents
    palette = numpy.full((256, 4), 255, numpy.uint8)
    palette[: colors.count, :3] = numpy.ctypeslib.as_array(colors.colors, (colors.count,)).view(numpy.uint8)
    canvas = numpy.zeros((whole.height, whole.width, 4), numpy.uint8)
    frames, delays, control = [], [], _Control()
    for number in range(whole.count):
        image = whole.images[number]
        assert library.DGifSavedExtensionToGCB(handle, number, ctypes.byref(control)) == 1
        where = image.descriptor
        assert not where.colors and not where.isInterlaced
        rows, columns = slice(where.top, where.top + where.height), slice(where.left, where.left + where.width)
        symbols = numpy.ctypeslib.as_array(image.symbols, (where.height, where.width))
        assert symbols.max() < colors.count
        opaque = symbols != control.transparent
        canvas[rows, columns][opaque] = palette[symbols[opaque]]
        frames.append(canvas.copy())
        delays.append(10 * control.delay)
        assert control.disposal in (0, 1, 2)
        if control.disposal == 2:
            canvas[rows, columns] = 0
    return Animation.lasting(frames, delays)


# libwebp's records (demux.h of 1.2).


class _WebPData(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class _AnimDecoderOptions(ctypes.Structure):
    _fields_ = [("colorMode", ctypes.c_int), ("usesThreads", ctypes.c_int), ("padding", ctypes.c_uint32 * 7)]


class _AnimInfo(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint32) for name in ("width", "height", "plays", "background", "count")),
        ("padding", ctypes.c_uint32 * 4),
    ]


_DEMUX_VERSION = 0x0107  # WEBP_DEMUX_ABI_VERSION


def by_libwebp(file):
    """What libwebp's own player of animations makes of a file, and how often it would play it."""
    library, handle = ctypes.CDLL("libwebpdemux.so.2"), ctypes.c_void_p
    library.WebPAnimDecoderNewInternal.restype = handle
    for name in ("GetInfo", "HasMoreFrames", "GetNext", "Delete"):
        getattr(library, f"WebPAnimDecoder{name}").argtypes = [handle]
    library.WebPAnimDecoderGetInfo.argtypes += [ctypes.POINTER(_AnimInfo)]
    pixels, end, info = ctypes.POINTER(ctypes.c_ubyte)(), ctypes.c_int(), _AnimInfo()
    library.WebPAnimDecoderGetNext.argtypes += [ctypes.POINTER(type(pixels)), ctypes.POINTER(ctypes.c_int)]
    source, options = _WebPData(file, len(file)), _AnimDecoderOptions()
    assert library.WebPAnimDecoderOptionsInitInternal(ctypes.byref(options), _DEMUX_VERSION)
    options.colorMode = 1  # MODE_RGBA
    decoder = library.WebPAnimDecoderNewInternal(ctypes.byref(source), ctypes.byref(options), _DEMUX_VERSION)
    assert decoder, "libwebp refuses the file"
    try:
        assert library.WebPAnimDecoderGetInfo(decoder, info)
        frames, ends = [], [0]
        while library.WebPAnimDecoderHasMoreFrames(decoder):
            assert library.WebPAnimDecoderGetNext(decoder, pixels, end), f"frame {len(frames)}"
            frames.append(numpy.ctypeslib.as_array(pixels, (info.height, info.width, 4)).copy())
            ends.append(end.value)
        assert len(frames) == info.count
        return Animation.lasting(frames, numpy.diff(ends)), info.plays
    finally:
        library.WebPAnimDecoderDelete(decoder)


def by_ffmpeg_as_stills(file):
    """ffmpeg decodes a WebP's images as files of their own; they are put together here by the letter of RFC 9649."""
    whole = WebP(file)
    images = [b"WEBP" + frame.image for frame in whole.frames]
    stills = b"".join(b"RIFF" + struct.pack("<I", len(image)) + image for image in images)
    # Pictures keep their own sizes.
    command = ["ffmpeg", "-v", "error", "-threads", "1", "-f", "webp_pipe", "-i", "-", "-autoscale", "0", *RAW, "-"]
    outcome = subprocess.run(command, input=stills, capture_output=True)
    assert outcome.stderr == b"" and outcome.returncode == 0, outcome.stderr
    areas = [frame.width * frame.height for frame in whole.frames]
    pixels = numpy.frombuffer(outcome.stdout, numpy.uint8).reshape(sum(areas), 4)
    canvas, frames = numpy.zeros((whole.size[1], whole.size[0], 4), numpy.uint8), []
    for frame, image in zip(whole.frames, numpy.split(pixels, numpy.cumsum(areas)[:-1])):
        part = canvas[frame.top : frame.top + frame.height, frame.left : frame.left + frame.width]
        image = image.reshape(part.shape)
        hidden = image[..., 3:] == 0
        assert not frame.isOver or (hidden | (image[..., 3:] == 255)).all(), "what is drawn over others is not exact"
        part[...] = numpy.where(hidden, part, image) if frame.isOver else image
        frames.append(canvas.copy())
        if frame.isErased:
            part[...] = 0
    return Animation.lasting(frames, [frame.delay for frame in whole.frames])


# Files


@dataclass
class GIFFrame:
    left: int
    top: int
    width: int
    height: int
    delay: int
    disposal: int


class GIF:
    """A GIF's blocks (GIF89a), `repeats` being the Netscape block's number; the pixels are left to decoders."""

    def __init__(self, file):
        assert file[:6] == b"GIF89a"
        width, height, flags, background, aspect = struct.unpack_from("<HHBBB", file, 6)
        assert flags & 0x80 and aspect == 0
        count = 2 << (flags & 7)
        self.size, self.frames, self.repeats = (width, height), [], None
        self.palette = [tuple(file[offset : offset + 3]) for offset in range(13, 13 + 3 * count, 3)]
        assert background < count
        offset, control = 13 + 3 * count, None
        while (introducer := file[offset]) != 0x3B:
            if introducer == 0x21 and file[offset + 1] == 0xF9:
                assert control is None and file[offset + 2] == 4 and file[offset + 7] == 0
                control = struct.unpack_from("<BHB", file, offset + 3)
                offset += 8
            elif introducer == 0x21:
                blocks, after = self._blocks(file, offset + 2)
                assert file[offset + 1] == 0xFF and blocks[0] == b"NETSCAPE2.0" and not self.frames
                assert self.repeats is None and len(blocks) == 2 and len(blocks[1]) == 3 and blocks[1][0] == 1
                self.repeats, offset = struct.unpack("<H", blocks[1][1:])[0], after
            else:
                assert introducer == 0x2C, f"block {introducer:#x} at {offset} of {len(file)}"
                *rect, flags = struct.unpack_from("<HHHHB", file, offset + 1)
                assert flags == 0 and 2 <= file[offset + 10] <= 8
                _, offset = self._blocks(file, offset + 11)
                assert min(rect[2:]) > 0 and rect[0] + rect[2] <= width and rect[1] + rect[3] <= height
                bits, delay, _ = control
                self.frames.append(GIFFrame(*rect, 10 * delay, bits >> 2))
                control = None
        assert control is None and offset == len(file) - 1 and self.frames

    @staticmethod
    def _blocks(file, offset):
        """Data sub-blocks, and the offset after their terminator."""
        blocks = []
        while (length := file[offset]) > 0:
            blocks.append(file[offset + 1 : offset + 1 + length])
            offset += 1 + length
        return blocks, offset + 1


@dataclass
class PNGFrame:
    width: int
    height: int
    left: int
    top: int
    delay: int
    disposal: int
    isOver: bool


class APNG:
    """An APNG's chunks (PNG third edition): their order, checksums and numbers; pixels only as far as their count."""

    def __init__(self, file):
        chunks = [*self._chunks(file)]
        names = [name for name, _ in chunks]
        assert names[0] == b"IHDR" and names[-1] == b"IEND" and names.count(b"acTL") == 1
        assert names.index(b"acTL") < names.index(b"IDAT")
        self.size = struct.unpack_from(">II", chunks[0][1])
        depth, self.colorType, *methods = chunks[0][1][8:]
        assert depth == 8 and methods == [0, 0, 0]
        self.isPosterApart = b"fcTL" not in names[: names.index(b"IDAT")]
        self.frames, numbers, pixels = [], [], {}
        for name, content in chunks:
            if name == b"acTL":
                count, self.plays = struct.unpack(">II", content)
            elif name == b"fcTL":
                numbers.append(struct.unpack_from(">I", content)[0])
                *rect, delay, unit, disposal, blend = struct.unpack_from(">IIIIHHBB", content, 4)
                assert unit == 100 and blend in (0, 1) and min(rect[:2]) > 0
                assert rect[0] + rect[2] <= self.size[0] and rect[1] + rect[3] <= self.size[1]
                self.frames.append(PNGFrame(*rect, 10 * delay, disposal, blend == 1))
            elif name == b"fdAT":
                numbers.append(struct.unpack_from(">I", content)[0])
                pixels.setdefault(len(self.frames), []).append(content[4:])
            elif name == b"IDAT":
                assert len(self.frames) == (0 if self.isPosterApart else 1)
                pixels.setdefault(len(self.frames), []).append(content)
            else:
                assert name in (b"IHDR", b"PLTE", b"tRNS", b"IEND"), name
        assert numbers == [*range(len(numbers))] and count == len(self.frames) > 0
        first = self.frames[0]
        assert (first.left, first.top, (first.width, first.height)) == (0, 0, self.size)
        for number, pieces in pixels.items():
            width, height = (
                self.size if number == 0 else (self.frames[number - 1].width, self.frames[number - 1].height)
            )
            rows = zlib.decompress(b"".join(pieces))
            assert len(rows) == height * (1 + width * {3: 1, 6: 4}[self.colorType])
        assert set(pixels) == {*range(0 if self.isPosterApart else 1, count + 1)}

    @staticmethod
    def _chunks(file):
        assert file[:8] == b"\x89PNG\r\n\x1a\n"
        offset = 8
        while offset < len(file):
            (length,) = struct.unpack_from(">I", file, offset)
            name, content = file[offset + 4 : offset + 8], file[offset + 8 : offset + 8 + length]
            (checksum,) = struct.unpack_from(">I", file, offset + 8 + length)
            assert checksum == zlib.crc32(name + content), name
            yield name, content
            offset += 12 + length


@dataclass
class WebPFrame:
    left: int
    top: int
    width: int
    height: int
    delay: int
    isOver: bool
    isErased: bool
    image: bytes  # one chunk, or two where a lossy picture has alpha
    isLossy: bool


class WebP:
    """A WebP's chunks (RFC 9649): their order, lengths and flags; the pixels are left to decoders.

    What is not animated has one frame of no delay, and `plays` is None.
    """

    def __init__(self, file):
        assert file[:4] == b"RIFF" and file[8:12] == b"WEBP"
        assert struct.unpack_from("<I", file, 4)[0] == len(file) - 8
        chunks = [*self._chunks(file[12:])]
        if len(chunks) == 1 or chunks[1][0] == b"ALPH":
            if len(chunks) > 1:
                (name, header), *chunks = chunks
                flags, *sides = self._numbers(header, 4, 3, 3)
                assert name == b"VP8X" and flags == 0x10
            self.size, self.hasAlpha, isLossy = self._image(chunks)
            assert len(chunks) == 1 or tuple(side + 1 for side in sides) == self.size
            self.plays, self.frames = None, [WebPFrame(0, 0, *self.size, 0, False, False, file[12:], isLossy)]
            return
        (names, (header, animation, *images)) = zip(*chunks)
        assert names == (b"VP8X", b"ANIM", *[b"ANMF"] * len(images))
        flags, *sides = self._numbers(header, 4, 3, 3)
        assert flags & ~0x10 == 0x02, "animated, and perhaps not opaque"
        self.size, self.hasAlpha = tuple(side + 1 for side in sides), flags & 0x10 > 0
        background, self.plays = struct.unpack("<IH", animation)
        assert background == 0
        self.frames = []
        haveAlpha = [self._append(image) for image in images]
        assert self.hasAlpha == any(haveAlpha)
        first = self.frames[0]
        assert len(images) > 1 and (first.left, first.top, first.width, first.height) == (0, 0, *self.size)

    def _append(self, content):
        """Appends a frame; returns True if its image has alpha."""
        left, top, width, height, delay, flags = self._numbers(content[:16], 3, 3, 3, 3, 3, 1)
        rect = (2 * left, 2 * top, width + 1, height + 1)
        assert rect[0] + rect[2] <= self.size[0] and rect[1] + rect[3] <= self.size[1] and flags <= 3
        size, hasAlpha, isLossy = self._image([*self._chunks(content[16:])])
        assert size == rect[2:]
        self.frames.append(WebPFrame(*rect, delay, flags & 2 == 0, flags & 1 == 1, content[16:], isLossy))
        return hasAlpha

    @staticmethod
    def _chunks(content):
        offset = 0
        while offset < len(content):
            name, length = struct.unpack_from("<4sI", content, offset)
            end = offset + 8 + length
            # What has an odd length is followed by one 0.
            assert end + length % 2 <= len(content) and not any(content[end : end + length % 2])
            yield name, content[offset + 8 : end]
            offset = end + length % 2

    @staticmethod
    def _numbers(content, *lengths):
        """Whole numbers of so many bytes each, the lowest byte first."""
        ends = numpy.cumsum([0, *lengths])
        assert ends[-1] == len(content)
        return [int.from_bytes(content[start:end], "little") for start, end in zip(ends, ends[1:])]

    @staticmethod
    def _image(chunks):
        """The size of an image, if it has alpha, and if it is lossy."""
        *alpha, (name, content) = chunks
        if name == b"VP8L":
            assert not alpha and content[0] == 0x2F
            bits = int.from_bytes(content[1:5], "little")
            assert bits >> 29 == 0, "the version"
            return (1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)), bits >> 28 & 1 == 1, False
        assert name == b"VP8 " and content[3:6] == b"\x9d\x01\x2a" and [each for each, _ in alpha] in ([], [b"ALPH"])
        return struct.unpack_from("<HH", content, 6), alpha != [], True


# Scenes, and what the service makes of them

SOLID, CLEAR, TINTED = "#fff4d6", "transparent", "#20408080"
INK = "#24292f"
SAMPLES = 12  # frames that are compared with pictures of their own
STYLE = dict(font="DejaVu Sans", size=20, color=INK, padding=12, seed=5, hold=0.5, poster="start")
LETTERS = dict(STYLE, text="Boo, who?\nA ghost!")
NEIGHBOURS = dict(STYLE, blocks=[dict(text="hello"), dict(text="help!"), dict(text="yelp")], sequence="replace")
COLORFUL = dict(
    text="<b>b</b> <span foreground='#c02020'>red</span> <u>under</u> <span foreground='#2040ff'><s>blue</s></span>",
    markup=True,
)
EMOJI = dict(text="Boo 👻 🎃\n🙂 ok")


def every_effect():
    """Each effect in and out, once and in a loop, on every kind of ground."""
    for effect in EFFECTS:
        for loop, ground in ((1, SOLID), ("infinite", CLEAR), (1, CLEAR), ("infinite", TINTED)):
            name = f"{effect}, {'once' if loop == 1 else 'loop'}, {ground}"
            yield name, dict(LETTERS, effect=effect, exit="auto", loop=loop, background=ground) | NUMBERS.get(effect, {})


def others():
    """What else there is to draw."""
    looping = dict(STYLE, exit="auto", loop="infinite")
    for ground in (SOLID, CLEAR):
        for effect in ("morph", "slide", "typewriter", "none"):
            yield f"replace by {effect}", dict(NEIGHBOURS, effect=effect, loop="infinite", background=ground)
        for scale in (0.5, 2, 3):
            yield f"scale {scale}", dict(LETTERS, effect="drop", scale=scale, background=ground)
        for name, request in {
            "right to left": dict(text="שלום עולם\nمرحبا", effect="slide", direction="left"),
            "Devanagari": dict(text="नमस्ते दुनिया", effect="fade"),
            "letters over letters": dict(text="overlap", letterSpacing=-6, effect="fade"),
            "translucent text": dict(text="pale", color="#c0202080", effect="slide"),
            "a fast one": dict(text="quick", effect="pop", speed=10),
            "markup": dict(COLORFUL, effect="pop"),
            "emoji": dict(EMOJI, effect="slide"),
            "falling emoji": dict(EMOJI, effect="fall"),
            "two colours": dict(
                blocks=[dict(text="red", color="#f00"), dict(text="and green", color="#00800080")], effect="slide"
            ),
        }.items():
            yield name, dict(looping, **request, background=ground)
    for cursor, ground in (("bar", SOLID), ("block", CLEAR), ("underscore", CLEAR)):
        yield f"cursor {cursor}", dict(LETTERS, cursor=cursor, exit="auto", loop=2, delay=0.3, background=ground)
    for fps, ground in ((1, CLEAR), (7.3, SOLID), (40, CLEAR), (50, SOLID)):
        yield f"fps {fps}", dict(LETTERS, effect="fade", fps=fps, exit="auto", background=ground)
    for name, effect in (("markup", "birdman"), ("emoji", "pop")):
        request = COLORFUL if name == "markup" else EMOJI
        yield name, dict(STYLE, **request, effect=effect, exit="auto", background=TINTED)
    night = dict(STYLE, text="night", color="#fff", matte="#123", effect="fade", exit="auto")
    yield "white on black", dict(night, background="#000")
    yield "white on a dark matte", dict(night, background="transparent")
    yield "white on dim glass", dict(night, background="#80000040")


SCENES = dict([*every_effect(), *((f"{name}, {request['background']}", request) for name, request in others())])


# What does not move.
STILLS = {
    "not animated": dict(animate=False),
    "not animated, in a loop": dict(animate=False, loop="infinite"),
    "not animated, with a poster": dict(animate=False, poster="end"),
    "there from the start": dict(effect="none", loop="infinite"),
    "no time at all": dict(effect="none", hold=0),
}


def turning_request(scene, loop, ground):
    """A request whose cycle a poster of the end turns; its hold begins between two ticks of any file."""
    blocks = (
        dict(text="one") if scene == "slide" else dict(blocks=[dict(text="one"), dict(text="two")], sequence="replace")
    )
    return dict(STYLE, **blocks, effect="slide", loop=loop, background=ground, exit="auto", speed=1.7)


def is_plain(request):
    """Whether all ink has one colour."""
    blocks = request.get("blocks", [request])
    has_emoji = any(letter > "🀀" for block in blocks for letter in block["text"])
    return (
        not has_emoji
        and "markup" not in request
        and request.get("effect") not in ("highlight", "shimmer", "glitch")
        and not any("color" in block for block in blocks if block is not request)
    )


_answers = {}


def answer(server, format, /, **request):
    """A rendering that several tests look at, asked for once."""
    key = (server.url, format, json.dumps(request, sort_keys=True))
    if key not in _answers:
        _answers[key] = server.render(format, **request)
    return _answers[key]


def scene_of(server, request):
    """A request's keyframes."""
    return answer(server, "json", **request).json


def still(server, request, time):
    """The PNG of an instant."""
    file = answer(
        server, "png", **{name: value for name, value in request.items() if name not in ("fps", "levels")}, time=time
    )
    return cleared(numpy.asarray(Image.open(io.BytesIO(file.body)).convert("RGBA")))


# Milliseconds for which a GIF or a WebP that plays once shows its poster before it plays.
POSED = 20


def is_posed(request, scene):
    """Whether a GIF or a WebP shows its poster before it plays."""
    return request.get("poster") == "end" and request.get("loop", 1) == 1 and scene["duration"] > 0


def finished_at(scene):
    """The instant in seconds from which the finished text stands, without cursors where all are off before it leaves."""
    start = max(block["enterEnd"] for block in scene["blocks"])
    leaving = [block["exitStart"] for block in scene["blocks"] if (block["exitStart"] or 0) > start]
    end = min(leaving, default=scene["duration"])
    cursors = [glyph["opacity"] for glyph in scene["glyphs"] if glyph["role"] == "cursor"]
    changes = sorted({keyframe["time"] for cursor in cursors for keyframe in cursor if start < keyframe["time"] < end})

    def is_off(cursor, time):
        return [keyframe["value"] for keyframe in cursor if keyframe["time"] <= time or keyframe is cursor[0]][-1] == 0

    return next((time for time in [start, *changes] if all(is_off(cursor, time) for cursor in cursors)), start)


def origin_of(request, scene):
    """The instant in seconds that a GIF or a WebP begins with, whose cycle is turned for a poster of the end."""
    return finished_at(scene) if request.get("poster") != "start" and request.get("loop", 1) != 1 else 0


def instant_of(request, start, scene, end, origin=0):
    """The instant in seconds that a frame shows: its start, but for the last of a movement that stops and a poster."""
    if is_posed(request, scene):
        if start == 0:
            return finished_at(scene)
        start, end = start - POSED, end - POSED
    # Below 40 ms there is time for that one only.
    if request.get("loop", 1) != "infinite" and start == (end - 20 if end >= 40 else 0):
        return origin or scene["duration"]
    passed = round(origin + start / 1000, 4)
    return passed if start == 0 or passed < scene["duration"] else round(passed - scene["duration"], 4)


def sampled(times):
    """So many of the frames' starts, the first and the last among them."""
    return [
        times[index] for index in sorted({*numpy.linspace(0, len(times) - 1, SAMPLES).round().astype(int).tolist()})
    ]
