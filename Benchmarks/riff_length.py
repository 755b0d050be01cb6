"""How decoders read an animated WebP whose RIFF header does not have the file's length.

    .venv/bin/python Benchmarks/riff_length.py .build/release/titlecard

A WebP could be sent while it is encoded if any other length would do: the largest one, none, or one that is too
large or too small. Needs what `make test-deps` installs.
"""

import base64
import ctypes
import io
import struct
import subprocess
import sys
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

LENGTHS = {
    "the right one": lambda right: right,
    "2 too large": lambda right: right + 2,
    "2 too small": lambda right: right - 2,
    "2³² − 10, the largest": lambda right: 0xFFFF_FFF6,
    "0": lambda right: 0,
}
IN_CHROMIUM = """async file => {
    const url = 'data:image/webp;base64,' + file
    const image = new Image()
    image.src = url
    const shown = await image.decode().then(() => 'shown', () => 'error')
    const decoder = new ImageDecoder({type: 'image/webp', data: await (await fetch(url)).arrayBuffer()})
    try {
        await Promise.all([decoder.tracks.ready, decoder.completed])
        let count = 0
        while (count < decoder.tracks.selectedTrack.frameCount) {
            await decoder.decode({frameIndex: count})
            count++
        }
        return [shown, `${count} frames`]
    } catch (error) {
        return [shown, error.name]
    }
}"""


class Bytes(ctypes.Structure):
    """`WebPData`."""

    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def by_pillow(file):
    try:
        picture = Image.open(io.BytesIO(file))
        for number in range(picture.n_frames):
            picture.seek(number)
            picture.load()
        return f"{picture.n_frames} frames"
    except (OSError, EOFError) as failure:
        return type(failure).__name__


def by_libwebpdemux(file):
    library = ctypes.CDLL("libwebpdemux.so.2")
    library.WebPAnimDecoderNewInternal.restype = ctypes.c_void_p
    decoder = library.WebPAnimDecoderNewInternal(ctypes.byref(Bytes(file, len(file))), None, 0x0107)
    if not decoder:
        return "error"
    decoder, count = ctypes.c_void_p(decoder), 0
    picture, ends = ctypes.c_void_p(), ctypes.c_int()
    while library.WebPAnimDecoderGetNext(decoder, ctypes.byref(picture), ctypes.byref(ends)):
        count += 1
    library.WebPAnimDecoderDelete(decoder)
    return f"{count} frames"


def by_command(*command):
    def decode(file):
        with tempfile.NamedTemporaryFile(suffix=".webp") as written:
            written.write(file)
            written.flush()
            done = subprocess.run([*command, written.name], capture_output=True)
            return "error" if done.returncode else "no error"

    return decode


def main():
    render = [sys.argv[1], "render", "Titlecard", "--format", "webp", "--loop", "infinite"]
    right = subprocess.run(render, check=True, capture_output=True).stdout
    (length,) = struct.unpack("<I", right[4:8])
    decoders = {
        "Pillow": by_pillow,
        "WebPAnimDecoder": by_libwebpdemux,
        "webpinfo": by_command("webpinfo", "-quiet"),
    }
    print("| length | " + " | ".join([*decoders, "Chromium's `<img>`", "its `ImageDecoder`"]) + " |")
    print("|---|" + "---|" * (len(decoders) + 2))
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path="/usr/bin/chromium").new_page()
        # ImageDecoder is for pages of https only.
        page.route("https://page.test/", lambda route: route.fulfill(content_type="text/html"))
        page.goto("https://page.test/")
        for name, of in LENGTHS.items():
            file = right[:4] + struct.pack("<I", of(length)) + right[8:]
            cells = [decode(file) for decode in decoders.values()]
            cells += page.evaluate(IN_CHROMIUM, base64.b64encode(file).decode())
            print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
