"""The frames of videos beside those of PNG, and the key frames of WebM."""

import base64
import io
import json
import os
import subprocess
import zipfile

import numpy
from PIL import Image

from service import query

GROUNDS = ((255, 255, 255), (0, 0, 0), (30, 160, 90))


def stream_of(file):
    """What ffprobe says of a file's only stream, the frames counted by decoding."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", "-"]
    told = json.loads(subprocess.run(command, input=file, capture_output=True, check=True).stdout)
    (stream,) = told["streams"]
    return stream | {"seconds": float(told["format"].get("duration", 0))}


def timecodes_of(path):
    """The timecodes of a file's streams: its picture, and its timecode if it has one."""
    command = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {stream["codec_type"]: stream.get("tags", {}).get("timecode") for stream in told["streams"]}


def raw_frames(path, codec, pixels):
    decoder = ["-c:v", "libvpx-vp9"] if codec == "vp9" else []
    command = ["ffmpeg", "-v", "error", *decoder, "-i", path, "-pix_fmt", pixels, "-f", "rawvideo", "-"]
    kind = numpy.dtype("<u2") if pixels.endswith("le") else numpy.uint8
    return numpy.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, kind)


def frames_of(file, tmp_path, format):
    """The frames as ffmpeg decodes them (with libvpx, since its own decoder drops alpha), with straight alpha.

    Colours are those of BT.709, by arithmetic; where a cell of pixels shares its chroma, all of them have it.
    """
    path = tmp_path / f"video.{format}"
    path.write_bytes(file)
    stream = stream_of(file)
    height, width, codec = stream["height"], stream["width"], stream["codec_name"]
    if format == "mov":
        raw = raw_frames(path, codec, "yuva444p12le").reshape(-1, 4, height, width) / 16
        luma, blue, red, alpha = raw[:, 0], raw[:, 1], raw[:, 2], raw[:, 3] * 16 / 4095 * 255
    else:
        half = ((height + 1) // 2, (width + 1) // 2)
        raw = raw_frames(path, codec, "yuva420p").reshape(-1, 2 * height * width + 2 * half[0] * half[1])
        return colors_of(raw, height, width)
    return by_bt709(luma, blue, red, alpha)


def colors_of(raw, height, width):
    """Frames of which each is a plane of luma, two of chroma, one of alpha."""
    half = ((height + 1) // 2, (width + 1) // 2)
    sizes = [height * width, half[0] * half[1], half[0] * half[1]]
    luma, blue, red, alpha = numpy.split(raw, numpy.cumsum(sizes), axis=1)
    whole = lambda plane: plane.reshape(-1, *half).repeat(2, 1).repeat(2, 2)[:, :height, :width]
    luma, alpha = luma.reshape(-1, height, width), alpha.reshape(-1, height, width)
    return by_bt709(luma, whole(blue), whole(red), alpha)


def by_bt709(luma, blue, red, alpha):
    luma, blue, red = (luma - 16.0) / 219, (blue - 128.0) / 224, (red - 128.0) / 224
    channels = [luma + 1.5748 * red, luma - 0.187324 * blue - 0.468124 * red, luma + 1.8556 * blue]
    return numpy.stack([numpy.clip(255 * channel, 0, 255) for channel in channels] + [alpha], -1)


def pictures_of(archive):
    """The frames of a ZIP, with straight alpha."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        for name in file.namelist():
            yield numpy.array(Image.open(io.BytesIO(file.read(name))).convert("RGBA"))


def over(picture, ground):
    alpha = picture[..., 3:] / 255
    return picture[..., :3] * alpha + numpy.array(ground) * (1 - alpha)


def noise(one, other):
    """The peak signal-to-noise ratio in dB."""
    error = ((one - other) ** 2).mean()
    return 99 if error == 0 else 10 * numpy.log10(255**2 / error)


def subsampled(picture):
    """A picture whose chroma is taken through 4:2:0 and back, as BT.709 has it."""
    height, width = picture.shape[:2]
    even = numpy.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    color, alpha = even[..., :3].astype(float), even[..., 3:].astype(float)
    luma = color @ [0.2126, 0.7152, 0.0722]
    cells = lambda plane: plane.reshape(even.shape[0] // 2, 2, even.shape[1] // 2, 2, -1)
    weight = cells(alpha).sum((1, 3))
    mean = numpy.where(
        weight > 0, (cells(color) * cells(alpha)).sum((1, 3)) / numpy.maximum(weight, 1), cells(color).mean((1, 3)))
    own = mean @ [0.2126, 0.7152, 0.0722]
    chroma = (mean - own[..., None]).repeat(2, 0).repeat(2, 1)
    whole = numpy.concatenate([numpy.clip(luma[..., None] + chroma, 0, 255), alpha], -1)
    return whole[:height, :width]


def rendered(server, format, **parameters):
    answer = server.get(f"/render.{format}?{query(parameters)}")
    assert answer.status == 200, answer.text
    return answer


# The elements of a WebM that hold others (RFC 9559, EBML in RFC 8794): a segment, its clusters, groups of blocks,
# and their additions.
HOLDERS = {0x18538067, 0x1F43B675, 0xA0, 0x75A1, 0xA6}
SIMPLE_BLOCK, BLOCK, ADDITION = 0xA3, 0xA1, 0xA5


def elements(file, start, end):
    """The elements in a part of a WebM: their numbers, and where they begin and end."""
    def length_at(place):
        return 9 - file[place].bit_length()

    while start < end:
        number = file[start:start + length_at(start)]
        start += len(number)
        width = length_at(start)
        size = int.from_bytes(file[start:start + width], "big") & (1 << 7 * width) - 1
        start += width
        last = end if size == (1 << 7 * width) - 1 else start + size
        yield int.from_bytes(number, "big"), start, last
        start = last


def is_key(frame):
    """Whether a frame of VP9 is a key frame (VP9 Bitstream Specification, 6.2), which decoders can begin with."""
    assert frame[0] >> 6 == 2 and frame[0] >> 4 & 3 != 3
    shows_older, is_dependent = frame[0] >> 3 & 1, frame[0] >> 2 & 1
    return not shows_older and not is_dependent


def key_frames(webm):
    """The numbers of the key frames of a WebM, of the colours and of alpha (empty where there is none)."""
    colors, alphas, count = [], [], 0

    def walk(start, end):
        nonlocal count
        for number, first, last in elements(webm, start, end):
            if number in (SIMPLE_BLOCK, BLOCK):
                # The track, the time, and the flags come first.
                if is_key(webm[first + 4:last]):
                    colors.append(count)
                if number == SIMPLE_BLOCK:
                    assert bool(webm[first + 3] & 0x80) == (count in colors)
                count += 1
            elif number == ADDITION and is_key(webm[first:last]):
                alphas.append(count - 1)
            elif number in HOLDERS:
                walk(first, last)

    walk(0, len(webm))
    return colors, alphas


# The planes in which frames are compared that were sought.
PIXELS = "yuva420p"


def sought_by_ffmpeg(path, format, instant):
    """The planes of the frame that ffmpeg shows at an instant, having sought it."""
    decoder = ["-c:v", "libvpx-vp9"] if format == "webm" else []
    command = ["ffmpeg", "-v", "error", "-xerror", "-ss", f"{max(instant, 0):.6f}", *decoder, "-i", path]
    command += ["-frames:v", "1", "-pix_fmt", PIXELS, "-f", "rawvideo", "-"]
    return numpy.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, numpy.uint8)


SEEK = """async ([source, instants]) => {
    const video = document.createElement('video');
    const happens = name => new Promise((done, fail) => {
        video.addEventListener(name, done, {once: true});
        video.addEventListener('error', () => fail(new Error(video.error.message)), {once: true});
    });
    video.muted = true;
    video.preload = 'auto';
    const isLoaded = happens('loadeddata');
    video.src = source;
    document.body.append(video);
    await isLoaded;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const pictures = [];
    for (const instant of instants) {
        // The end of a seek comes before its frame does.
        const isShown = new Promise(done => video.requestVideoFrameCallback(done));
        const isFound = happens('seeked');
        video.currentTime = instant;
        await Promise.all([isFound, isShown]);
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(video, 0, 0);
        const picture = new FileReader();
        picture.readAsDataURL(await canvas.convertToBlob());
        await new Promise(done => picture.addEventListener('load', done));
        pictures.push(picture.result.split(',')[1]);
    }
    video.remove();
    return pictures;
}"""


def sought_by_chromium(page, answer, instants):
    """The pictures that Chromium shows of a video at instants, one after another, with straight alpha."""
    # It can seek in all of an address that is the video.
    url = f"data:{answer.headers['Content-Type']};base64," + base64.b64encode(answer.body).decode()
    return [
        numpy.array(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA"))
        for picture in page.evaluate(SEEK, [url, instants])
    ]


# A script for `ffmpeg_in`, which reads all frames, and writes a file.
STUB = "cat > /dev/null; echo file >&3"


def ffmpeg_in(folder, script, examined='exec /usr/bin/ffmpeg "$@"'):
    """Puts a program in the place of ffmpeg, and returns a PATH with it.

    `examined` is what it does where it is to describe itself.
    """
    program = folder / "bin/ffmpeg"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\ncase \"$*\" in *-encoders*|*-version*) {examined};; esac\n{script}\n")
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"
